package parallelfor_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestGoRunsBesideItsCallerAndHoldsItsViews(t *testing.T) {
	watchdog(t)
	a := numbers(3)
	question, answer := make(chan int), make(chan int)
	h := parallelfor.Go(a.Writer(), func(w *array.Writer[int]) {
		for x := range question { // it blocks, and talks with the goroutine that started it
			w.Set(0, w.At(0)+x)
			answer <- w.At(0)
		}
	}, parallelfor.Name("accountant"))
	for i := range 10 {
		question <- i
		require.Equal(t, i*(i+1)/2, <-answer)
	}
	require.False(t, h.Finished())
	if safety.Enabled {
		v := violation(t, safety.ErrInFlight, func() { a.At(0) })
		require.Contains(t, v.Error(), "accountant")
	}
	close(question)
	h.Complete()
	require.NoError(t, h.Err())
	require.Equal(t, 45, a.At(0))
}

// There is a goroutine for each, whatever the number of processors, and others' jobs go on.
func TestGoTakesNoWorkerFromOthers(t *testing.T) {
	watchdog(t)
	const n = 40
	b := newBarrier(n)
	release := make(chan struct{})
	var all []parallelfor.Handle
	for range n {
		all = append(all, parallelfor.Go(none{}, func(*none) {
			if !b.wait() {
				panic("the others did not come")
			}
			<-release
		}, parallelfor.Workers(1), parallelfor.Batch(3)))
	}
	require.True(t, func() bool { <-b.all; return true }())
	out := array.New[int](1000)
	parallelfor.For(1000, out.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) })
	close(release)
	parallelfor.Combine(all...).Complete()
}

func TestGoRunsAfterOthersAndOthersAfterIt(t *testing.T) {
	watchdog(t)
	a := numbers(100)
	double := func(w *array.Writer[int], i int) { w.Set(i, 2*w.At(i)) }
	first := scheduleFor(100, a.Writer(), double)
	opts := make([]parallelfor.Option, 1, 2)
	opts[0] = parallelfor.After(first)
	second := parallelfor.Go(a.Writer(), func(w *array.Writer[int]) {
		for i := range w.Slice() {
			w.Set(i, w.At(i)+1)
		}
	}, opts...)
	require.Equal(t, parallelfor.Option{}, opts[:2][1], "the caller's options were written to")
	scheduleFor(100, a.Writer(), double, parallelfor.After(second)).Complete()
	for i, v := range a.Slice() {
		require.Equal(t, 2*(2*i+1), v)
	}
}

func TestGoFailsLikeAnyJob(t *testing.T) {
	watchdog(t)
	ctx := context.Background()
	require.Equal(t, "no", panicked(t, func() {
		parallelfor.Go(none{}, func(*none) { panic("no") }).Complete()
	}).Value)
	require.True(t, endingOf(func() {
		parallelfor.Go(none{}, func(*none) { runtime.Goexit() }).Complete()
	}).goexit)
	h := parallelfor.GoErr(ctx, none{}, func(*none) error { return errIndex })
	h.Complete()
	require.ErrorIs(t, h.Err(), errIndex)
	later := parallelfor.GoErr(ctx, none{}, func(*none) error { panic("it ran") }, parallelfor.After(h))
	later.Complete()
	require.ErrorIs(t, later.Err(), errIndex)
	cancelled, cancel := context.WithCancelCause(ctx)
	cancel(errSwap)
	h = parallelfor.GoErr(cancelled, none{}, func(*none) error { panic("it ran") })
	h.Complete()
	require.True(t, errors.Is(h.Err(), errSwap))
}

func TestGoInABodyMustBeCompletedThere(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	require.Equal(t, 6, func() int {
		a := numbers(4)
		parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
			h := parallelfor.Go(*w, func(w *array.Writer[int]) { w.Set(0, w.At(1)+w.At(2)+w.At(3)) })
			h.Complete()
		})
		return a.At(0)
	}())
	violation(t, safety.ErrNotCompleted, func() {
		parallelfor.Do(none{}, func(*none) { parallelfor.Go(none{}, func(*none) {}) })
	})
}
