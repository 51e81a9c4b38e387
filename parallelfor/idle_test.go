//go:build unix

package parallelfor_test

import (
	"runtime"
	"testing"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// A pool that has worked, and has nothing to do now, does not compute: a single worker goroutine
// that spun all the time would take a whole processor.
func TestAnIdlePoolUsesNoProcessor(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(4)
	defer pool.Close()
	for range 100 {
		parallelfor.For(100, none{}, func(*none, int) { runtime.Gosched() }, parallelfor.On(pool), parallelfor.Workers(5))
	}
	lawtest.Idle(t)
}
