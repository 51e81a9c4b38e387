package parallelfor_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestAPoolThatIsClosedLeavesNoGoroutine(t *testing.T) {
	watchdog(t)
	running := goleak.IgnoreCurrent()
	for n := range rounds(200) {
		pool := parallelfor.NewPool(n % 5)
		var ran atomic.Int32
		count := func(*none, int) { ran.Add(1) }
		parallelfor.For(20, none{}, count, parallelfor.On(pool))
		if n%3 == 0 {
			stop := handout.Force(uint64(n))
			parallelfor.For(20, none{}, count, parallelfor.On(pool))
			stop()
			ran.Add(-20)
		}
		h := scheduleFor(20, none{}, count, parallelfor.On(pool), parallelfor.Workers(8))
		pool.Close()
		require.EqualValues(t, 40, ran.Load(), "Close waits for what was scheduled")
		require.True(t, h.Finished())
		h.Complete()
	}
	goleak.VerifyNone(t, running)
}

func TestCloseWaitsForJobsThatAreStillToStart(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(1)
	release := make(chan struct{})
	var ran atomic.Int32
	h := scheduleFor(1, none{}, func(*none, int) { <-release }, parallelfor.On(pool))
	last := scheduleFor(3, none{}, func(*none, int) { ran.Add(1) }, parallelfor.On(pool), parallelfor.After(h))
	time.AfterFunc(10*time.Millisecond, func() { close(release) })
	pool.Close()
	require.EqualValues(t, 3, ran.Load())
	last.Complete()
}

func TestAPoolIsClosedTwiceWithoutHarm(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	parallelfor.For(10, none{}, nothing, parallelfor.On(pool))
	pool.Close()
	pool.Close()
}

func TestManyGoroutinesMayClosePool(t *testing.T) {
	watchdog(t)
	for range rounds(50) {
		pool := parallelfor.NewPool(3)
		parallelfor.For(50, none{}, nothing, parallelfor.On(pool))
		closed := make(chan struct{})
		for range 4 {
			go func() {
				pool.Close()
				closed <- struct{}{}
			}()
		}
		for range 4 {
			<-closed
		}
	}
}

func TestAClosedPoolTakesNoJobs(t *testing.T) {
	pool := parallelfor.NewPool(1)
	pool.Close()
	for _, p := range []*parallelfor.Pool{pool, new(parallelfor.Pool)} {
		a := numbers(3)
		violation(t, safety.ErrClosed, func() { parallelfor.For(3, a.Writer(), nothing, parallelfor.On(p)) })
		violation(t, safety.ErrClosed, func() { scheduleFor(3, a.Writer(), nothing, parallelfor.On(p)) })
		a.Set(0, 1)
	}
}

func TestAJobThatIsRefusedDoesNotKeepItsPoolOpen(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	pool := parallelfor.NewPool(1)
	violation(t, safety.ErrLength, func() { parallelfor.For(9, numbers(3).Writer(), nothing, parallelfor.On(pool)) })
	pool.Close()
}

func TestPoolsThatCannotBe(t *testing.T) {
	v := violation(t, safety.ErrArgument, func() { parallelfor.NewPool(-1) })
	require.Equal(t, -1, v.N)
	violation(t, safety.ErrArgument, new(parallelfor.Pool).Close)
	violation(t, safety.ErrArgument, parallelfor.DefaultPool.Close)
}

func TestABodyMustNotCloseAPool(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	pool, other := parallelfor.NewPool(2), parallelfor.NewPool(2)
	v := violation(t, safety.ErrWaitCycle, func() {
		parallelfor.Do(none{}, func(*none) { pool.Close() }, parallelfor.On(pool), parallelfor.Name("closer"))
	})
	require.Equal(t, "closer", v.Job)
	violation(t, safety.ErrWaitCycle, func() {
		parallelfor.Do(none{}, func(*none) {
			parallelfor.Do(none{}, func(*none) { pool.Close() }, parallelfor.On(other))
		}, parallelfor.On(pool))
	})
	violation(t, safety.ErrWaitCycle, func() {
		parallelfor.Do(none{}, func(*none) { other.Close() }, parallelfor.On(pool))
	})
	pool.Close()
	other.Close()
}

func TestTwoPoolsWhoseBodiesCloseEachOtherAreReported(t *testing.T) {
	checkedOnly(t)
	if !inChild(t) {
		require.Empty(t, child(t, t.Name()))
		return
	}
	a, b := parallelfor.NewPool(2), parallelfor.NewPool(2)
	both := newBarrier(2)
	ends := make(chan ending, 2)
	closeIn := func(in, which *parallelfor.Pool) {
		ends <- endingOf(func() {
			parallelfor.Do(none{}, func(*none) { both.wait(); which.Close() }, parallelfor.On(in))
		})
	}
	go closeIn(a, b)
	go closeIn(b, a)
	<-ends
	<-ends
}

func TestIdleWorkersPark(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("batches have goroutines of their own")
	}
	pool := parallelfor.NewPool(3)
	defer pool.Close()
	parallelfor.For(100, none{}, func(*none, int) { runtime.Gosched() }, parallelfor.On(pool))
	spin(t, "workers to sleep", func() bool {
		idle, count := parallelfor.IdleWorkers(pool)
		return idle == count
	})
	_, count := parallelfor.IdleWorkers(pool)
	require.LessOrEqual(t, count, 3)
}

func TestWorkersStartedForBlockedOnesEndAgain(t *testing.T) {
	watchdog(t)
	if parallelfor.Raced {
		t.Skip("batches have goroutines of their own")
	}
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	for range rounds(20) {
		deep(6, new(atomic.Int32), parallelfor.On(pool), parallelfor.Workers(3), parallelfor.Batch(1))
	}
	spin(t, "surplus workers to end", func() bool {
		parallelfor.For(10, none{}, nothing, parallelfor.On(pool))
		idle, count := parallelfor.IdleWorkers(pool)
		return idle == count && count <= 1
	})
}

// Close does not merely ask the worker goroutines to end.
func TestNoWorkerIsLeftWhenCloseReturns(t *testing.T) {
	watchdog(t)
	for range rounds(100) {
		pool := parallelfor.NewPool(3)
		scheduleFor(20, none{}, nothing, parallelfor.On(pool)).Complete()
		pool.Close()
		_, count := parallelfor.IdleWorkers(pool)
		require.Zero(t, count)
	}
}

// A goroutine that completes a job that is not ready yet sleeps, and is woken to work on it: the
// pool's only worker is busy with a body that waits for that job.
func TestAWaiterIsRousedWhenNoWorkerIsFree(t *testing.T) {
	watchdog(t)
	pool, other := parallelfor.NewPool(1), parallelfor.NewPool(1)
	blocker, release := held(pool)
	first := scheduleFor(1, none{}, func(*none, int) { time.Sleep(5 * time.Millisecond) }, parallelfor.On(other))
	next := scheduleFor(1, none{}, func(*none, int) { close(release) }, parallelfor.On(pool), parallelfor.After(first))
	next.Complete()
	blocker.Complete()
	first.Complete()
	pool.Close()
	other.Close()
}

// A goroutine that completes a job works on the jobs that it runs after, too. Here no other can,
// because the pool's only worker waits for the first of them.
func TestWhoWaitsWorksOnWhatTheJobRunsAfter(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(1)
	defer pool.Close()
	blocker, release := held(pool)
	first := scheduleFor(1, none{}, func(*none, int) { close(release) }, parallelfor.On(pool))
	var ran atomic.Int32
	count := func(*none, int) { ran.Add(1) }
	left := scheduleFor(20, none{}, count, parallelfor.On(pool), parallelfor.After(first))
	right := scheduleFor(20, none{}, count, parallelfor.On(pool), parallelfor.After(first, left))
	last := scheduleFor(20, none{}, count, parallelfor.On(pool), parallelfor.After(right, left))
	last.Complete()
	require.EqualValues(t, 60, ran.Load())
	blocker.Complete()
}
