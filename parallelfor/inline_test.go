package parallelfor_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestAnInlineJobHasRunWhenScheduleReturns(t *testing.T) {
	watchdog(t)
	for _, forced := range []bool{false, true} {
		stop := func() {}
		if forced {
			stop = handout.Force(3)
		}
		a := numbers(20)
		var next atomic.Int64
		h := scheduleFor(20, a.Writer(), func(w *array.Writer[int], i int) {
			if !next.CompareAndSwap(int64(i), int64(i+1)) && !(forced && parallelfor.Raced) { // the test deals batches there
				panic("not in order")
			}
			w.Set(i, 2*i)
		}, parallelfor.Inline(), parallelfor.Batch(3), parallelfor.Workers(4))
		stop()
		require.True(t, h.Finished())
		if safety.Enabled {
			violation(t, safety.ErrInFlight, func() { a.At(3) })
		}
		h.Complete()
		require.Equal(t, 38, a.At(19))
	}
}

func TestAnInlineJobRunsOnTheCallersGoroutine(t *testing.T) {
	if parallelfor.Raced {
		t.Skip("batches have goroutines of their own")
	}
	found := false
	scheduleFor(4, none{}, func(*none, int) {
		var pc [100]uintptr
		frames := runtime.CallersFrames(pc[:runtime.Callers(0, pc[:])])
		for {
			f, more := frames.Next()
			found = found || f.Function == "example.com/custody/parallelfor_test.TestAnInlineJobRunsOnTheCallersGoroutine"
			if !more {
				return
			}
		}
	}, parallelfor.Inline()).Complete()
	require.True(t, found)
}

func TestAnInlineJobWaitsForWhatItRunsAfter(t *testing.T) {
	watchdog(t)
	for round := range rounds(100) {
		a := numbers(16)
		first := scheduleFor(16, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 1) }, parallelfor.Batch(1))
		second := scheduleFor(16, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+2) }, parallelfor.After(first))
		opt := parallelfor.After(second)
		if round%2 == 1 {
			opt = parallelfor.AutoOrder()
		}
		third := scheduleFor(16, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+3) }, opt, parallelfor.Inline())
		require.True(t, first.Finished() && second.Finished() && third.Finished())
		fourth := scheduleFor(16, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+4) }, parallelfor.After(third))
		fourth.Complete()
		require.Equal(t, 1234, a.At(15))
	}
}

func TestAnInlineJobFailsWhenItIsCompleted(t *testing.T) {
	watchdog(t)
	log := newJournal[int]()
	h := scheduleFor(9, log.Appender(), func(a *appender[int], i int) {
		a.Append(i)
		if i == 4 {
			panic("at 4")
		}
	}, parallelfor.Inline(), parallelfor.Batch(2))
	require.True(t, h.Finished())
	after := scheduleFor(9, log.Appender(), func(a *appender[int], i int) { a.Append(100) }, parallelfor.After(h), parallelfor.Inline())
	require.Equal(t, "at 4", panicked(t, h.Complete).Value)
	require.Equal(t, "at 4", panicked(t, after.Complete).Value)
	require.Equal(t, []int{0, 1, 2, 3, 4}, log.Items())
	failed := errors.New("it failed")
	e := parallelfor.ScheduleErr(context.Background(), 3, errJob{failed}, (*errJob).Execute, parallelfor.Inline())
	require.NoError(t, e.Err(), "before it is completed")
	e.Complete()
	require.Equal(t, failed, e.Err())
}

// errJob fails.
type errJob struct {
	err error `custody:"unguarded"`
}

func (j *errJob) Execute(int) error { return j.err }

func TestABodyThatEndsTheGoroutineOfAnInlineJob(t *testing.T) {
	watchdog(t)
	a, ran := numbers(6), make([]bool, 6)
	var h parallelfor.Handle
	end := endingOf(func() {
		h = scheduleFor(6, a.Writer(), func(w *array.Writer[int], i int) {
			ran[i] = true
			if i == 2 {
				runtime.Goexit()
			}
		}, parallelfor.Inline(), parallelfor.Batch(1))
		h.Complete()
	})
	require.True(t, end.goexit)
	require.Equal(t, []bool{true, true, true, false, false, false}, ran)
	a.Set(0, 1) // it was completed on the way
}

func TestInlineJobsInsideBodies(t *testing.T) {
	watchdog(t)
	a := numbers(12)
	parallelfor.ForBatch(12, a.Writer(), func(w *array.Writer[int], begin, end int) {
		var last parallelfor.Handle
		for k := range 3 {
			last = scheduleFor(end-begin, *w, func(w *array.Writer[int], i int) { w.Set(i, 10*w.At(i)+k) }, parallelfor.Inline(), parallelfor.AutoOrder())
		}
		last.Complete()
	}, parallelfor.Batch(5), parallelfor.Workers(2))
	require.Equal(t, 11012, a.At(11))
	if safety.Enabled {
		violation(t, safety.ErrNotCompleted, func() {
			parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { scheduleFor(12, *w, nothing, parallelfor.Inline()) })
		})
	}
}

func TestAnInlineJobWithNothingToDo(t *testing.T) {
	watchdog(t)
	a := numbers(3)
	h := scheduleFor(0, a.Writer(), nothing, parallelfor.Inline())
	require.True(t, h.Finished())
	scheduleFor(3, a.Writer(), nothing, parallelfor.After(h), parallelfor.Inline()).Complete()
	parallelfor.For(3, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 9) }, parallelfor.Inline())
	require.Equal(t, 9, a.At(2))
}

// A body of what an inline job runs after may end the goroutine of its caller before the job was
// started.
func TestABodyBeforeAnInlineJobThatEndsTheGoroutine(t *testing.T) {
	watchdog(t)
	for _, opt := range []string{"After", "AutoOrder"} {
		pool := parallelfor.NewPool(1)
		busy, release := held(pool)
		a, b := numbers(3), numbers(3)
		h := scheduleFor(1, a.Writer(), func(*array.Writer[int], int) { runtime.Goexit() }, parallelfor.On(pool))
		ran, last := false, parallelfor.Handle{}
		order := parallelfor.After(h)
		if opt == "AutoOrder" {
			order = parallelfor.AutoOrder()
		}
		end := endingOf(func() {
			last = scheduleFor(3, [2]array.Writer[int]{a.Writer(), b.Writer()}, func(*[2]array.Writer[int], int) { ran = true }, order, parallelfor.Inline(), parallelfor.On(pool))
		})
		close(release)
		require.False(t, ran, "the job before it has failed")
		if parallelfor.Raced {
			require.True(t, endingOf(last.Complete).goexit)
		} else {
			require.True(t, end.goexit)
		}
		a.Set(0, 1) // it was completed on the way
		b.Set(0, 1)
		require.True(t, endingOf(h.Complete).goexit)
		busy.Complete()
		pool.Close()
	}
}
