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

var errCause = errors.New("the cause")

func TestAContextThatEndedBeforeTheStartRunsNothing(t *testing.T) {
	watchdog(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errCause)
	log := newJournal[int]()
	body := func(a *appender[int], i int) error { a.Append(i); return nil }
	for _, opts := range [][]parallelfor.Option{nil, {parallelfor.Sequential()}, {parallelfor.Workers(5)}, {parallelfor.Batch(-1)}} {
		require.ErrorIs(t, parallelfor.ForErr(ctx, 50, log.Appender(), body, opts...), errCause)
		h := parallelfor.ScheduleErr(ctx, 50, errLoop[appender[int]]{log.Appender(), body}, (*errLoop[appender[int]]).Execute, opts...)
		h.Complete()
		require.ErrorIs(t, h.Err(), errCause)
		require.ErrorIs(t, h.Err(), errCause, "again")
	}
	require.Empty(t, log.Items())
	require.NoError(t, parallelfor.ForErr(ctx, 0, log.Appender(), body), "a loop of no batches has none to cancel")
}

func TestCancellationInTheMiddleStartsNoFurtherBatchAndDropsWhatWasAppended(t *testing.T) {
	watchdog(t)
	for round := range rounds(60) {
		if round%2 == 1 {
			defer handout.Force(uint64(round))()
		}
		for _, workers := range []int{1, 3} {
			ctx, cancel := context.WithCancelCause(context.Background())
			log, sum := newJournal[int](), newFolded()
			var started, after atomic.Int32
			over := atomic.Bool{}
			err := parallelfor.ForBatchErr(ctx, 1000, struct {
				Log appender[int]
				Sum adder
			}{log.Appender(), sum.Adder()}, func(v *struct {
				Log appender[int]
				Sum adder
			}, begin, end int) error {
				if over.Load() {
					after.Add(1)
				}
				v.Log.Append(begin)
				v.Sum.Add(1)
				n := started.Add(1)
				if n == 4 {
					cancel(errCause)
					over.Store(true)
				}
				for n > 4 && !over.Load() { // or all batches would be done by then, and none cancelled
					runtime.Gosched()
				}
				return nil
			}, parallelfor.Batch(10), parallelfor.Workers(workers))
			require.ErrorIs(t, err, errCause)
			require.LessOrEqual(t, int(after.Load()), workers-1, "at most what was being started")
			require.Empty(t, log.Items())
			require.Zero(t, sum.Value())
			require.Equal(t, []bool{false}, sum.back)
		}
	}
}

func TestTheCauseOfAPlainCancelAndOfADeadline(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	err := parallelfor.DoErr(ctx, none{}, func(*none) error { cancel(); return ctx.Err() })
	require.ErrorIs(t, err, context.Canceled)
	late, stop := context.WithTimeoutCause(context.Background(), -1, errCause)
	defer stop()
	require.ErrorIs(t, parallelfor.DoErr(late, none{}, func(*none) error { return nil }), errCause)
}

func TestDependentsOfACancelledJobDoNotRun(t *testing.T) {
	watchdog(t)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errCause)
	out := numbers(4)
	h := parallelfor.ScheduleErr(ctx, 4, errLoop[array.Writer[int]]{out.Writer(), func(w *array.Writer[int], i int) error { w.Set(i, -1); return nil }}, (*errLoop[array.Writer[int]]).Execute)
	ran := false
	next := scheduleFor(4, out.Writer(), func(*array.Writer[int], int) { ran = true }, parallelfor.After(h))
	next.Complete()
	require.ErrorIs(t, next.Err(), errCause)
	require.ErrorIs(t, h.Err(), errCause)
	require.False(t, ran)
	require.Equal(t, []int{0, 1, 2, 3}, values(out))
	err := parallelfor.ForErr(context.Background(), 4, out.Writer(), func(*array.Writer[int], int) error { return nil }, parallelfor.After(next))
	require.ErrorIs(t, err, errCause)
}

func TestANilContextIsAViolation(t *testing.T) {
	var ctx context.Context
	violation(t, safety.ErrArgument, func() { _ = parallelfor.ForErr(ctx, 1, none{}, func(*none, int) error { return nil }) })
	violation(t, safety.ErrArgument, func() {
		parallelfor.ScheduleErr(ctx, 1, errLoop[none]{Body: func(*none, int) error { return nil }}, (*errLoop[none]).Execute)
	})
}

func TestAnErrorOfALowerBatchWinsOverAPanicAbove(t *testing.T) {
	watchdog(t)
	for seed := range uint64(rounds(60)) {
		stop := handout.Force(seed)
		log := newJournal[int]()
		err := parallelfor.ForErr(context.Background(), 12, log.Appender(), func(a *appender[int], i int) error {
			a.Append(i)
			switch {
			case i == 4:
				return errIndex
			case i > 4:
				panic(i)
			}
			return nil
		}, parallelfor.Batch(2), parallelfor.Workers(4))
		stop()
		require.ErrorIs(t, err, errIndex)
		require.Equal(t, []int{0, 1, 2, 3, 4}, log.Items())
	}
}
