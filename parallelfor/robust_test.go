package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A body that fails and leaves jobs behind, one of which ends its goroutine, is over only when all
// of them are.
func TestAFailingBodyWaitsForAllTheJobsItLeft(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	a := array.New[int](1)
	hold := make(chan struct{})
	busy := scheduleFor(1, none{}, func(*none, int) { <-hold }, parallelfor.On(pool))
	time.AfterFunc(20*time.Millisecond, func() { close(hold) })
	e := endingOf(func() {
		parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
			scheduleFor(1, none{}, func(*none, int) { runtime.Goexit() }, parallelfor.On(pool))
			scheduleFor(1, *w, func(w *array.Writer[int], i int) {
				time.Sleep(50 * time.Millisecond)
				w.Set(i, 42)
			})
			panic("boom")
		})
	})
	require.IsType(t, (*parallelfor.Panic)(nil), e.value)
	require.Equal(t, 42, a.At(0))
	busy.Complete()
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {}) // the copy is clean
}

// A body that waits for a job of another pool is replaced in its own.
func TestABodyThatWaitsForAnotherPoolIsReplacedInItsOwn(t *testing.T) {
	watchdog(t)
	a, b := parallelfor.NewPool(1), parallelfor.NewPool(1)
	defer a.Close()
	defer b.Close()
	h := scheduleFor(1, none{}, func(*none, int) {
		first := scheduleFor(1, none{}, func(*none, int) {}, onOrDefault(a))
		parallelfor.For(1, none{}, func(*none, int) {}, parallelfor.On(b), parallelfor.After(first))
		first.Complete()
	}, onOrDefault(a))
	spin(t, "the job to finish by itself", h.Finished)
	h.Complete()
}

// onOrDefault is the pool; unchecked builds know of bodies in the default one only.
func onOrDefault(p *parallelfor.Pool) parallelfor.Option {
	if !safety.Enabled {
		return parallelfor.Name("on the default pool")
	}
	return parallelfor.On(p)
}

// A violation that a body recovers and returns, wrapped or not, says the same after the job.
func TestAViolationReturnedAsAnErrorStaysWhatItIs(t *testing.T) {
	checkedOnly(t)
	for _, wrap := range []func(error) error{
		func(err error) error { return err },
		func(err error) error { return fmt.Errorf("element: %w", err) },
	} {
		a := array.New[int](10)
		run := func() error {
			return parallelfor.ForErr(context.Background(), 10, a.Writer(), func(w *array.Writer[int], i int) (err error) {
				defer func() { err = wrap(recover().(error)) }()
				w.Set(10, 1)
				return nil
			}, parallelfor.Batch(5))
		}
		first := run()
		text := first.Error()
		_ = run()
		require.Equal(t, text, first.Error())
		var v *safety.Violation
		require.ErrorIs(t, first, safety.ErrIndex)
		require.True(t, errors.As(first, &v))
		require.Equal(t, 10, v.Index)
	}
}

// Many published jobs are worked off in a time that grows with their number, not with its square.
func TestManyPublishedJobsAreNoBurden(t *testing.T) {
	watchdog(t)
	hold := make(chan struct{})
	gate := scheduleFor(1, none{}, func(*none, int) { <-hold })
	var handles []parallelfor.Handle
	for range 20_000 {
		handles = append(handles, scheduleFor(1, none{}, func(*none, int) {}))
	}
	close(hold)
	for i := range handles {
		handles[len(handles)-1-i].Complete()
	}
	gate.Complete()
}

func TestErrSaysNothingBeforeComplete(t *testing.T) {
	h := parallelfor.ScheduleDoErr(context.Background(), failing{}, (*failing).Execute)
	spin(t, "the job to finish", h.Finished)
	require.NoError(t, h.Err())
	h.Complete()
	require.Error(t, h.Err())
}

type failing struct{}

func (*failing) Execute() error { return errors.New("no") }
