//go:build race && !custody_explore

package parallelfor_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// The goroutines of batches that have ended wait for the end of their loop, however the loop ends,
// and not longer.
func TestNoGoroutineOfABatchOutlivesItsLoop(t *testing.T) {
	watchdog(t)
	each := parallelfor.Batch(1)
	for name, loop := range map[string]func(){
		"many loops": func() {
			for range 20 {
				parallelfor.Indices(500, func(int) {}, each)
			}
		},
		"nested loops": func() {
			parallelfor.Indices(20, func(int) { parallelfor.Indices(50, func(int) {}, each) }, each)
		},
		"a scheduled loop": func() { parallelfor.Schedule(100, none{}, nothing, each).Complete() },
		"a panic": func() {
			endingOf(func() {
				parallelfor.Indices(100, func(i int) {
					if i == 70 {
						panic(i)
					}
				}, each)
			})
		},
		"a goroutine that ends": func() {
			endingOf(func() {
				parallelfor.Indices(100, func(i int) {
					if i == 70 {
						runtime.Goexit()
					}
				}, each)
			})
		},
		"an error": func() {
			_ = parallelfor.IndicesErr(context.Background(), 100, func(int) error { return errIndex }, each)
		},
	} {
		before := runtime.NumGoroutine()
		loop()
		lawtest.Until(t, name+": goroutines end", func() bool { return parallelfor.Parked() == 0 && runtime.NumGoroutine() <= before })
	}
}

// The race detector ends a program that has 8,128 goroutines at a time.
func TestNoMoreGoroutinesOfBatchesWaitThanTheDetectorBears(t *testing.T) {
	watchdog(t)
	n := parallelfor.MostParked + 500
	goroutines := make([]int, n)
	parallelfor.Indices(n, func(i int) { goroutines[i] = runtime.NumGoroutine() }, parallelfor.Batch(1), parallelfor.Workers(1))
	most := 0
	for _, g := range goroutines {
		most = max(most, g)
	}
	require.Greater(t, most, parallelfor.MostParked/2)
	require.Less(t, most, parallelfor.MostParked+250)
}
