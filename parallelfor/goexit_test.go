package parallelfor_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// lastWhile are the views of a loop of two batches of which the caller's ends its goroutine while
// the other is still being executed.
type lastWhile struct{ Worker parallelfor.Worker }

func callersGoexit(v *lastWhile, b *barrier) {
	b.wait()
	if v.Worker.Index() == 0 {
		runtime.Goexit()
	}
	time.Sleep(20 * time.Millisecond)
}

func TestGoexitOfTheCallersBatchWhileOthersRunIsNoWaitCycle(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("no batch runs on the caller's goroutine")
	}
	defer handout.Force(1)()
	b := newBarrier(2)
	e := endingOf(func() {
		parallelfor.For(2, lastWhile{}, func(v *lastWhile, i int) { callersGoexit(v, b) }, parallelfor.Workers(2))
	})
	require.Nil(t, e.value)
	require.True(t, e.goexit)
}

func TestGoexitOfABatchThatCompleteRanIsNoWaitCycle(t *testing.T) {
	watchdog(t)
	e := endingOf(func() {
		started, second := make(chan struct{}), make(chan struct{})
		pool := parallelfor.NewPool(1)
		defer pool.Close()
		h := scheduleFor(2, none{}, func(_ *none, i int) {
			if i == 0 {
				close(started)
				<-second // so that the pool's only worker goroutine cannot take the second batch
				return
			}
			close(second)
			runtime.Goexit()
		}, parallelfor.On(pool), parallelfor.Workers(2))
		<-started
		h.Complete() // takes the second batch
	})
	require.Nil(t, e.value)
	require.True(t, e.goexit)
}

func TestDeferredCallsOfACallerThatABodyEndedAreOutsideTheBody(t *testing.T) {
	watchdog(t)
	release, running := make(chan struct{}), make(chan struct{})
	background := scheduleFor(1, none{}, func(*none, int) { // a goroutine is in a body all the time
		close(running)
		<-release
	})
	<-running
	var cleanup any
	endingOf(func() {
		a := numbers(10)
		defer func() {
			defer func() { cleanup = recover() }()
			parallelfor.For(10, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 0) })
		}()
		parallelfor.For(1, none{}, func(*none, int) { runtime.Goexit() }, parallelfor.Workers(1))
	})
	close(release)
	background.Complete()
	require.Nil(t, cleanup, "a loop that the caller runs on its way out is no nested one")
}

func TestALowerPanicWinsOverTheGoexitOfTheCallersBatch(t *testing.T) {
	watchdog(t)
	// The caller runs batch 1, and ends its own goroutine, before batch 0 panics: it must see the
	// panic.
	seen := ending{}
	for seed := range uint64(20) {
		b := newBarrier(2)
		stop := handout.Force(seed)
		seen = endingOf(func() {
			defer func() {
				if v := recover(); v != nil {
					panic(v)
				}
			}()
			parallelfor.For(2, lastWhile{}, func(v *lastWhile, i int) {
				b.wait()
				if i == 1 {
					runtime.Goexit()
				}
				time.Sleep(time.Millisecond)
				panic("lower")
			}, parallelfor.Workers(2))
		})
		stop()
		require.IsType(t, &parallelfor.Panic{}, seen.value)
	}
}

func TestGoexitInNestedLoopsReachesTheOutermostCaller(t *testing.T) {
	watchdog(t)
	for range rounds(50) {
		var below, above atomic.Int32
		e := endingOf(func() {
			parallelfor.For(8, none{}, func(_ *none, i int) {
				parallelfor.For(4, none{}, func(_ *none, k int) {
					if i == 3 && k == 2 {
						runtime.Goexit()
					}
				}, parallelfor.Workers(3), parallelfor.Batch(1))
				if i < 3 {
					below.Add(1)
				}
				if i == 3 {
					above.Add(1)
				}
			}, parallelfor.Workers(3), parallelfor.Batch(1))
		})
		require.True(t, e.goexit, "%v", e)
		require.EqualValues(t, 3, below.Load())
		require.Zero(t, above.Load())
	}
}

func TestFailNowInABodyEndsTheTestItself(t *testing.T) {
	watchdog(t)
	fake := new(failer)
	e := endingOf(func() {
		parallelfor.For(100, none{}, func(_ *none, i int) {
			if i == 50 {
				require.Fail(fake, "stop here")
			}
		})
		fake.passed.Store(true)
	})
	require.True(t, e.goexit, "%v", e)
	require.True(t, fake.failed.Load())
	require.False(t, fake.passed.Load())
}

// failer is a test that fails.
type failer struct{ failed, passed atomic.Bool }

func (*failer) Errorf(string, ...any) {}

func (f *failer) FailNow() {
	f.failed.Store(true)
	runtime.Goexit()
}

func TestNothingIsInABodyOnceCompleteReturned(t *testing.T) {
	for range 50 {
		parallelfor.For(10, none{}, func(*none, int) {})
		require.Nil(t, safety.CurrentScope())
	}
}
