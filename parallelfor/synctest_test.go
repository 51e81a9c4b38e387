package parallelfor_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// inBubble runs f in a bubble of testing/synctest, and requires how long it lasts by the bubble's
// clock.
func inBubble(t *testing.T, lasts time.Duration, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		f(t)
		require.Equal(t, lasts, time.Since(start))
	})
}

// nap sleeps for an hour. No test lasts that long by a clock outside of bubbles.
func nap() { time.Sleep(time.Hour) }

// awake runs loops after which worker goroutines of the default pool look for work and the cost of
// loops is known, as in a program that has run for a while.
func awake() {
	for range 20 {
		parallelfor.For(1000, struct{}{}, func(*struct{}, int) { _ = spend(1, 200) }, parallelfor.Batch(10))
	}
}

// The bodies of a loop in a bubble sleep by its clock, side by side on as many workers as the loop
// has, while worker goroutines outside look for work.
func TestALoopInABubble(t *testing.T) {
	awake()
	inBubble(t, time.Hour, func(t *testing.T) {
		a := array.New[int](8)
		parallelfor.For(8, a.Writer(), func(w *array.Writer[int], i int) {
			nap()
			w.Set(i, i)
		}, parallelfor.Batch(1), parallelfor.Workers(8))
		for i, v := range a.All() {
			require.Equal(t, i, v)
		}
	})
}

// A loop that is run in and out of bubbles by turns executes its bodies on its caller's side.
func TestLoopsInsideAndOutsideOfBubbles(t *testing.T) {
	old := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(old)
	loop := func(year int, opts ...parallelfor.Option) {
		var wrong atomic.Int64
		parallelfor.For(2000, struct{}{}, func(*struct{}, int) {
			if (time.Now().Year() == 2000) != (year == 2000) {
				wrong.Add(1)
			}
		}, append(opts, parallelfor.Batch(10))...)
		assert.Zero(t, wrong.Load())
	}
	for range rounds(20) {
		loop(0)
		synctest.Test(t, func(t *testing.T) {
			for range 10 {
				loop(2000)
				loop(2000, parallelfor.Workers(3))
			}
		})
	}
}

type napJob struct{ W array.Writer[int] }

func (j *napJob) Execute(i int) {
	nap()
	j.W.Set(i, j.W.At(i)+1)
}

// Scheduled jobs run in a bubble while the goroutine that scheduled them sleeps; ordered jobs run
// one after the other.
func TestScheduledJobsInABubble(t *testing.T) {
	inBubble(t, 5*time.Hour, func(t *testing.T) {
		a, b := array.New[int](4), array.New[int](4)
		width := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(4)}
		one := parallelfor.Schedule(4, napJob{a.Writer()}, (*napJob).Execute, width...)
		other := parallelfor.Schedule(4, napJob{b.Writer()}, (*napJob).Execute, width...)
		synctest.Wait()
		require.False(t, one.Finished())
		time.Sleep(time.Hour + 1)
		require.True(t, one.Finished() && other.Finished())
		two := parallelfor.Schedule(4, napJob{a.Writer()}, (*napJob).Execute, append(width, parallelfor.After(one))...)
		three := parallelfor.Schedule(4, napJob{a.Writer()}, (*napJob).Execute, append(width, parallelfor.AutoOrder())...)
		four := parallelfor.Combine(three, other)
		time.Sleep(3*time.Hour - 1)
		four.Complete()
		two.Complete()
		parallelfor.Schedule(1, napJob{a.Writer()}, (*napJob).Execute, append(width, parallelfor.Inline())...).Complete()
		require.Equal(t, []int{4, 3}, []int{a.At(0), a.At(1)})
	})
}

// Loops inside bodies in a bubble, run and scheduled, wait by the bubble's clock.
func TestNestedLoopsInABubble(t *testing.T) {
	inBubble(t, 2*time.Hour, func(t *testing.T) {
		a := array.New[int](16)
		parallelfor.ForBatch(16, a.Writer(), func(w *array.Writer[int], begin, end int) {
			inner := array.New[int](4)
			h := parallelfor.Schedule(4, napJob{inner.Writer()}, (*napJob).Execute, parallelfor.Batch(1), parallelfor.Workers(4))
			h.Complete()
			parallelfor.For(4, inner.Writer(), func(w *array.Writer[int], i int) { nap(); w.Set(i, 7) },
				parallelfor.Batch(1), parallelfor.Workers(4))
			for i := begin; i < end; i++ {
				w.Set(i, inner.At(0))
			}
		}, parallelfor.Batch(4), parallelfor.Workers(4))
		require.Equal(t, 7, a.At(15))
	})
}

// The body of Go sleeps by the bubble's clock, and uses channels of the bubble.
func TestGoInABubble(t *testing.T) {
	inBubble(t, 3*time.Hour, func(t *testing.T) {
		c := make(chan int)
		a := array.New[int](1)
		h := parallelfor.Go(a.Writer(), func(w *array.Writer[int]) {
			nap()
			w.Set(0, <-c)
		})
		e := parallelfor.GoErr(t.Context(), struct{}{}, func(*struct{}) error { nap(); return errors.New("over") })
		time.Sleep(3 * time.Hour)
		c <- 7
		h.Complete()
		e.Complete()
		require.Equal(t, 7, a.At(0))
		require.EqualError(t, e.Err(), "over")
	})
}

// A loop in a bubble stops at its context's deadline by the bubble's clock.
func TestADeadlineInABubble(t *testing.T) {
	inBubble(t, 3*time.Hour, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour+1)
		defer cancel()
		var n atomic.Int64
		err := parallelfor.ForErr(ctx, 10, struct{}{}, func(*struct{}, int) error { n.Add(1); nap(); return nil }, parallelfor.Batch(1), parallelfor.Sequential())
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.EqualValues(t, 3, n.Load())
	})
}

// The Progress function runs by the bubble's clock. A loop as long as a list starts when the job
// that fills the list has finished.
func TestProgressAndLengthInABubble(t *testing.T) {
	inBubble(t, 5*time.Hour, func(t *testing.T) {
		l := array.NewList[int]()
		fill := parallelfor.Go(l.ParallelWriter(), func(w *array.ParallelWriter[int]) {
			nap()
			w.Append(1)
			w.Append(2)
		})
		var told []int
		h := parallelfor.ScheduleBatch(-1, countJob{l.Reader()}, (*countJob).ExecuteBatch, parallelfor.LengthOf(l.Reader()), parallelfor.After(fill), parallelfor.Batch(1),
			parallelfor.Workers(1), parallelfor.Progress(func(done, total int) { nap(); told = append(told, done, total) }))
		h.Complete()
		require.Equal(t, []int{1, 2, 2, 2}, told)
	})
}

type countJob struct{ L array.Reader[int] }

func (*countJob) ExecuteBatch(int, int) { nap() }

// The failure of a worker in a bubble comes out of the loop there, also a Goexit.
func TestFailuresInABubble(t *testing.T) {
	inBubble(t, 2*time.Hour, func(t *testing.T) {
		e := endingOf(func() {
			parallelfor.For(4, struct{}{}, func(_ *struct{}, i int) { nap(); panic(i) }, parallelfor.Batch(1), parallelfor.Workers(4))
		})
		require.Equal(t, 0, e.value.(*parallelfor.Panic).Value)
		e = endingOf(func() {
			parallelfor.For(4, struct{}{}, func(_ *struct{}, i int) { nap(); runtime.Goexit() }, parallelfor.Batch(1), parallelfor.Workers(4))
		})
		require.True(t, e.goexit)
	})
}

// A pool that was made in a bubble has as many worker goroutines there as it was made with, and
// Close ends them.
func TestAPoolInABubble(t *testing.T) {
	if parallelfor.Raced {
		t.Skip("here pools have no workers")
	}
	inBubble(t, 4*time.Hour, func(t *testing.T) {
		p := parallelfor.NewPool(2)
		var all []parallelfor.Handle
		for range 8 {
			all = append(all, parallelfor.Schedule(1, napJob{array.New[int](1).Writer()}, (*napJob).Execute, parallelfor.On(p)))
		}
		p.Close()
		for _, h := range all {
			h.Complete()
		}
	})
}

// A pool of the bubble runs loops there, and can be closed with nothing to do.
func TestLoopsOnAPoolInABubble(t *testing.T) {
	inBubble(t, time.Hour, func(t *testing.T) {
		p, never := parallelfor.NewPool(3), parallelfor.NewPool(1)
		defer p.Close()
		defer never.Close()
		for range 50 {
			parallelfor.For(1000, struct{}{}, func(*struct{}, int) { _ = spend(1, 100) }, parallelfor.Batch(10), parallelfor.On(p))
		}
		parallelfor.For(3, struct{}{}, func(*struct{}, int) { nap() }, parallelfor.Batch(1), parallelfor.Workers(3), parallelfor.On(p))
	})
}

// A container may sleep in OpenPhase and SealPhase, while several goroutines wait for its job.
func TestContainersMaySleepInAPhaseInABubble(t *testing.T) {
	for _, operation := range []string{"opens", "seals"} {
		inBubble(t, 2*time.Hour, func(*testing.T) {
			c := newTold(momentsOf(operation, nap))
			h := parallelfor.Go(c.view(), func(*toldView) {})
			go h.Complete()
			synctest.Wait()
			h.Complete()
			parallelfor.For(10, c.view(), func(*toldView, int) {}, parallelfor.Batch(-1))
		})
	}
}
