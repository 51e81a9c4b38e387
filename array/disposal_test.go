package array_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/internal/arraylaw"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// disposable is every container here and in package counter.
type disposable interface {
	Dispose()
	DisposeAfter(h safety.Handle)
	Disposed() bool
}

// heldBy is a container, and a job that holds it when it is scheduled after the given handles.
type heldBy struct {
	name string
	make func() (disposable, func(after ...parallelfor.Handle) parallelfor.Handle)
}

func scheduled[V any](views V, body func(v *V)) func(after ...parallelfor.Handle) parallelfor.Handle {
	return func(after ...parallelfor.Handle) parallelfor.Handle {
		return parallelfor.Go(views, body, parallelfor.After(after...), parallelfor.Name("holds"))
	}
}

var disposables = []heldBy{
	{"array.Array", func() (disposable, func(...parallelfor.Handle) parallelfor.Handle) {
		a := array.New[int](10)
		return a, scheduled(a.Writer(), func(w *array.Writer[int]) { w.Set(9, w.At(9)+1) })
	}},
	{"array.Value", func() (disposable, func(...parallelfor.Handle) parallelfor.Handle) {
		a := array.NewValue(1)
		return a, scheduled(a.Writer(), func(w *array.ValueWriter[int]) { w.Store(w.Load() + 1) })
	}},
	{"counter.Counter", func() (disposable, func(...parallelfor.Handle) parallelfor.Handle) {
		c := counter.New()
		return c, scheduled(c.ParallelWriter(), func(w *counter.ParallelWriter) { w.Inc() })
	}},
	{"counter.Sum", func() (disposable, func(...parallelfor.Handle) parallelfor.Handle) {
		c := counter.NewSum[float64]()
		return c, scheduled(c.ParallelWriter(), func(w *counter.SumParallelWriter[float64]) { w.Add(1) })
	}},
	{"counter.Min", func() (disposable, func(...parallelfor.Handle) parallelfor.Handle) {
		c := counter.NewMin[int]()
		return c, scheduled(c.ParallelWriter(), func(w *counter.ExtremumParallelWriter[int]) { w.Observe(1) })
	}},
	{"counter.Histogram", func() (disposable, func(...parallelfor.Handle) parallelfor.Handle) {
		c := counter.NewHistogram(4)
		return c, scheduled(c.ParallelWriter(), func(w *counter.HistogramParallelWriter) { w.Add(1, 1) })
	}},
}

func TestDisposeAfterLeavesAContainerToTheJobsThatHoldIt(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	for _, d := range disposables {
		t.Run(d.name, func(t *testing.T) {
			c, hold := d.make()
			first := hold()
			second := hold(first)
			other := hold // of a job that the handle does not stand for
			v := arraylaw.Breaks(t, safety.ErrConflict, func() { c.DisposeAfter(first) })
			require.Equal(t, []string{"holds", "holds"}, []string{v.Job, v.OtherJob})
			require.NotEmpty(t, v.Scheduled)
			require.False(t, c.Disposed())
			require.Contains(t, arraylaw.Breaks(t, safety.ErrInFlight, c.Dispose).Error(), " Or call DisposeAfter with that handle")
			c.DisposeAfter(parallelfor.Combine(second))
			require.True(t, c.Disposed())
			require.Contains(t, v.Error(), "was to be disposed after job holds, but job holds, scheduled at disposal_test.go:")
			require.Contains(t, v.Error(), "it, was not completed, and does not run before job holds.")
			for _, f := range []func(){func() { other(second) }, c.Dispose} {
				v = arraylaw.Breaks(t, safety.ErrDisposed, f)
				require.Equal(t, "Combine", v.OtherJob)
				require.Regexp(t, ` after DisposeAfter at disposal_test\.go:\d+ left it to job Combine, scheduled at disposal_test\.go:\d+\.`, v.Error())
			}
			arraylaw.Breaks(t, safety.ErrDisposed, func() { c.DisposeAfter(second) })
			second.Complete()
			arraylaw.Breaks(t, safety.ErrDisposed, func() { c.DisposeAfter(second) })

			c, hold = d.make()
			h := hold()
			h.Complete()
			c.DisposeAfter(h)
			require.True(t, c.Disposed())
			c, _ = d.make()
			c.DisposeAfter(parallelfor.Handle{})
			require.True(t, c.Disposed())
			c, _ = d.make()
			c.DisposeAfter(parallelfor.Go(struct{}{}, func(*struct{}) {})) // which does not hold it
			require.True(t, c.Disposed())
			c, _ = d.make()
			c.DisposeAfter(nil)
			require.True(t, c.Disposed())
			c, hold = d.make()
			h = hold()
			arraylaw.Breaks(t, safety.ErrInFlight, func() { c.DisposeAfter(nil) })
			h.Complete()
			c.Dispose()
		})
	}
}

// A body leaves nothing behind that its job holds, nor in strict builds what it has no view of.
func TestABodyLeavesNothingToAJobThatItDidNotMake(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	a, d := array.New[int](10), array.NewDouble[int](10)
	for _, c := range []interface {
		disposable
		Writer() array.Writer[int]
	}{a, d.Back()} {
		v := arraylaw.Breaks(t, safety.ErrInFlight, func() {
			parallelfor.Do(c.Writer(), func(w *array.Writer[int]) {
				h := parallelfor.Schedule(10, doubling{*w}, (*doubling).Execute)
				defer h.Complete()
				c.DisposeAfter(h)
			}, parallelfor.Name("outer"))
		})
		require.Equal(t, "outer", v.OtherJob)
		require.Contains(t, v.Error(), "a job gives back what it was lent")
		self := make(chan parallelfor.Handle, 1)
		h := parallelfor.Go(c.Writer(), func(*array.Writer[int]) { c.DisposeAfter(<-self) })
		self <- h
		arraylaw.Breaks(t, safety.ErrInFlight, h.Complete)
		require.False(t, c.Disposed())
		if safety.Strict {
			h := parallelfor.Schedule(10, doubling{c.Writer()}, (*doubling).Execute)
			arraylaw.Breaks(t, safety.ErrOwnerInJob, func() {
				parallelfor.Do(struct{}{}, func(*struct{}) { c.DisposeAfter(h) })
			})
			h.Complete()
			arraylaw.Breaks(t, safety.ErrOwnerInJob, func() {
				parallelfor.Do(struct{}{}, func(*struct{}) { c.Dispose() })
			})
		}
		c.Dispose()
	}
	parallelfor.Do(struct{}{}, func(*struct{}) {
		own := array.New[int](10)
		h := parallelfor.Schedule(10, doubling{own.Writer()}, (*doubling).Execute)
		own.DisposeAfter(h)
		h.Complete()
	})
}

// The jobs that hold the data use it and pass it on; it is released at the end.
func TestDisposeAfterLetsGoOfTheDataAtTheEnd(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nobody knows when the end is")
	}
	freed := new(atomic.Int32)
	start := make(chan struct{})
	h := func() parallelfor.Handle {
		a := array.New[*[4]int](10)
		p := new([4]int)
		runtime.AddCleanup(p, func(*atomic.Int32) { freed.Add(1) }, freed)
		a.Set(9, p)
		h := parallelfor.Go(a.Writer(), func(w *array.Writer[*[4]int]) {
			<-start
			parallelfor.For(10, *w, func(w *array.Writer[*[4]int], i int) {
				if i == 9 && w.At(i) == nil {
					panic("the data is gone")
				}
			})
		})
		a.DisposeAfter(h)
		return h
	}()
	runtime.GC()
	require.Zero(t, freed.Load())
	close(start)
	h.Complete()
	lawtest.Happens(t, "the memory is free", func() bool { return freed.Load() != 0 })
	require.EqualValues(t, 1, freed.Load())
	runtime.KeepAlive(h)
}

func TestOneOfManyDisposersWins(t *testing.T) {
	if !safety.Enabled {
		t.Skip("nothing is checked")
	}
	for _, d := range disposables {
		for range 20 {
			c, hold := d.make()
			h := hold()
			h.Complete()
			var won atomic.Int32
			var all sync.WaitGroup
			for i := range 4 {
				all.Go(func() {
					v := arraylaw.Caught(func() {
						if i%2 == 0 {
							c.Dispose()
						} else {
							c.DisposeAfter(h)
						}
					})
					if v == nil {
						won.Add(1)
					} else if !errors.Is(v, safety.ErrDisposed) {
						won.Add(100)
					}
				})
			}
			all.Wait()
			require.EqualValues(t, 1, won.Load(), d.name)
		}
	}
}

// The data is released after all jobs that held it, whichever goroutine completes which of them:
// with -race no goroutine is accused.
func TestTheDataIsLetGoOfAfterAllThatHeldIt(t *testing.T) {
	for range 30 {
		a := array.New[int](8)
		first, second := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute), parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute)
		a.DisposeAfter(parallelfor.Combine(first, second))
		var all sync.WaitGroup
		all.Go(first.Complete)
		all.Go(second.Complete)
		all.Wait()

		b := array.New[int](8)
		h := parallelfor.Schedule(4, reading{b.Reader()}, (*reading).Execute)
		all.Go(h.Complete)
		b.DisposeAfter(h)
		all.Wait()
	}
}
