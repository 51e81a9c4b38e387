package parallelfor_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// keptBytes bounds the memory that is kept for later jobs.
const keptBytes = 1 << 20

// keptAfter returns how many bytes are in use after do and a few small jobs.
func keptAfter(do func()) int {
	parallelfor.For(1, counting{array.New[int](1).Writer()}, (*counting).Execute)
	return lawtest.Kept(func() {
		do()
		for range 10 {
			parallelfor.For(1, counting{array.New[int](1).Writer()}, (*counting).Execute)
			parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, (*counting).Execute).Complete()
		}
	})
}

// The memory that is kept for later jobs is bounded. The bound does not depend on how many jobs ran
// at a time, how many workers, views and dependents they had, or how they ended.
func TestTheMemoryOfJobsIsGivenBack(t *testing.T) {
	if atom.Explored {
		t.Skip("memory is kept in this build, to find uses of it after its end")
	}
	watchdog(t)
	n := 8 * rounds(1000)
	a := array.New[int](1)
	chain := func(opts ...parallelfor.Option) {
		h := parallelfor.Schedule(1, counting{a.Writer()}, (*counting).Execute)
		for range n {
			h = parallelfor.Schedule(1, counting{a.Writer()}, (*counting).Execute, append(opts, parallelfor.After(h))...)
		}
		h.Complete()
	}
	wrong := errors.New("wrong")
	goroutines := func(n int) { // the runtime keeps some memory of each
		all := newBarrier(n + 1)
		for range n {
			go all.wait()
		}
		all.wait()
	}
	goroutines(n / 2)
	for name, do := range map[string]func(){
		"a chain":                  func() { chain() },
		"a chain in the same pool": func() { p := parallelfor.NewPool(2); chain(parallelfor.On(p)); p.Close() },
		"jobs beside each other": func() {
			all := make([]parallelfor.Handle, n)
			for i := range all {
				all[i] = parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, (*counting).Execute)
			}
			for _, h := range all {
				h.Complete()
			}
		},
		"jobs that read one container": func() {
			all := make([]parallelfor.Handle, n)
			for i := range all {
				all[i] = scheduleFor(1, a.Reader(), nothing)
			}
			parallelfor.Combine(all...).Complete()
		},
		"jobs after one": func() {
			ready := make(chan struct{})
			first := parallelfor.Go(none{}, func(*none) { <-ready })
			all := make([]parallelfor.Handle, n)
			for i := range all {
				all[i] = parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, (*counting).Execute, parallelfor.After(first))
			}
			close(ready)
			parallelfor.Combine(all...).Complete()
		},
		"jobs that fail": func() {
			for range n {
				_ = parallelfor.ForErr(context.Background(), 6, failsAtFive{wrong}, (*failsAtFive).Execute)
			}
		},
		"many workers": func() {
			workers := n / 4
			all := newBarrier(workers)
			parallelfor.For(workers, array.New[int](workers).Writer(), func(w *array.Writer[int], i int) { all.wait() },
				parallelfor.Workers(workers), parallelfor.Batch(1))
			parallelfor.For(1, array.New[int](1).Writer(), func(w *array.Writer[int], i int) {})
		},
		"many views": func() {
			many := slices.Repeat([]array.Reader[int]{a.Reader()}, 10*n)
			for _, views := range [][]array.Reader[int]{many, many[:1]} {
				parallelfor.For(1, views, func(_ *[]array.Reader[int], i int) {})
				scheduleFor(1, views, func(_ *[]array.Reader[int], i int) {}).Complete()
			}
		},
		"many jobs in a batch": func() {
			nest := func(n int) {
				parallelfor.Do(none{}, func(*none) {
					all := make([]parallelfor.Handle, n)
					for i := range all {
						all[i] = parallelfor.Schedule(1, counting{array.New[int](1).Writer()}, (*counting).Execute)
					}
					parallelfor.Combine(all...).Complete()
				})
			}
			nest(n)
			nest(1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.Less(t, keptAfter(do), keptBytes)
			runtime.KeepAlive(a)
		})
	}
}

// A job that reuses the memory of a job with many workers or views keeps only what it needs.
func TestTheMemoryOfManyWorkersIsNotHandedOn(t *testing.T) {
	if atom.Explored {
		t.Skip("memory is kept in this build, to find uses of it after its end")
	}
	watchdog(t)
	const workers = 1000
	views := func(n int) []array.Reader[int] {
		return slices.Repeat([]array.Reader[int]{array.New[int](1).Reader()}, n)
	}
	one, many := views(1), views(20_000)
	all := newBarrier(workers + 1)
	for range workers {
		go all.wait()
	}
	all.wait()
	for name, first := range map[string]func(){
		"workers": func() {
			all := newBarrier(workers)
			scheduleFor(workers, one, func(*[]array.Reader[int], int) { all.wait() }, parallelfor.Workers(workers), parallelfor.Batch(1)).Complete()
		},
		"views": func() { scheduleFor(1, many, func(*[]array.Reader[int], int) {}).Complete() },
	} {
		started, release := make(chan bool), make(chan bool)
		var h parallelfor.Handle
		kept := lawtest.Kept(func() {
			first()
			scheduleFor(1, one, func(*[]array.Reader[int], int) {}).Complete()
			h = scheduleFor(1, one, func(*[]array.Reader[int], int) { started <- true; <-release })
			<-started
		})
		close(release)
		h.Complete()
		require.Less(t, kept, keptBytes, name)
	}
	runtime.KeepAlive(many)
}
