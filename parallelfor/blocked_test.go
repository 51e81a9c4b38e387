package parallelfor_test

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
)

// Worker goroutines that wait inside bodies are not awake: another one comes to the job that they
// wait for, which runs after one that an outside goroutine works on.
func TestBlockedWorkersAreReplacedForAJobThatBecomesReady(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(2)
	defer pool.Close()
	on := parallelfor.On(pool)
	var ready parallelfor.Handle
	scheduled := make(chan struct{})
	begun := newBarrier(3)
	var waiting []parallelfor.Handle
	for range 2 {
		waiting = append(waiting, scheduleFor(1, none{}, func(*none, int) {
			begun.wait()
			<-scheduled
			scheduleFor(1, none{}, func(*none, int) {}, on, parallelfor.After(ready)).Complete()
		}, on))
	}
	require.True(t, begun.wait())
	began := make(chan struct{})
	first := scheduleFor(1, none{}, func(*none, int) {
		close(began)
		time.Sleep(20 * time.Millisecond) // the waiting bodies sleep by then
	}, on)
	var outside sync.WaitGroup
	outside.Go(first.Complete)
	<-began
	ready = scheduleFor(1, none{}, func(*none, int) {}, on, parallelfor.After(first))
	close(scheduled)
	for _, h := range waiting {
		h.Complete()
	}
	outside.Wait()
	ready.Complete()
}

// A worker goroutine that waits in a body for a job of another pool is replaced: a job that is
// queued behind it runs, although no goroutine completes it.
func TestABlockedWorkerHoldsNoJobUp(t *testing.T) {
	checkedOnly(t) // unchecked builds do not know who is in a body
	watchdog(t)
	pool, other := parallelfor.NewPool(1), parallelfor.NewPool(1)
	defer pool.Close()
	defer other.Close()
	first, release := held(other)
	waits := make(chan struct{})
	waiting := scheduleFor(1, none{}, func(*none, int) {
		close(waits)
		first.Complete()
	}, parallelfor.On(pool))
	<-waits
	let := sync.OnceFunc(func() { close(release) })
	behind := scheduleFor(1, none{}, func(*none, int) { let() }, parallelfor.On(pool))
	if !lawtest.Ends(release, lawtest.Usual, nil) {
		t.Error("the job behind is not run")
		let()
	}
	behind.Complete()
	waiting.Complete()
}

// Loops whose bodies wait for each other, several at a time, on a pool that is not large enough for
// all of them.
func TestGangsDoNotShareOutTheWorkers(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(4)
	defer pool.Close()
	var short atomic.Int32
	var gangs sync.WaitGroup
	for range 3 {
		gangs.Go(func() {
			for range rounds(300) {
				b := newBarrier(4)
				parallelfor.For(4, none{}, func(*none, int) {
					if !b.wait() {
						short.Add(1)
					}
				}, parallelfor.Workers(4), parallelfor.Batch(1), parallelfor.On(pool))
			}
		})
	}
	gangs.Wait()
	require.Zero(t, short.Load(), "bodies waited for workers that never came")
}

// A job whose memory another pool's job had a moment before runs all its batches, whichever worker
// comes late to that.
func TestWhoComesLateDoesNotEndAnotherPoolsJob(t *testing.T) {
	watchdog(t)
	p, q := parallelfor.NewPool(3), parallelfor.NewPool(3)
	defer p.Close()
	defer q.Close()
	h := scheduleFor(1, none{}, nothing)
	h.Complete()
	for range rounds(20_000) {
		parallelfor.For(2, none{}, nothing, parallelfor.Batch(1), parallelfor.Workers(2), parallelfor.On(p))
		var ran atomic.Int32
		parallelfor.For(4, none{}, func(*none, int) { ran.Add(1) }, parallelfor.Batch(1), parallelfor.Workers(4), parallelfor.On(q), parallelfor.After(h))
		require.EqualValues(t, 4, ran.Load())
	}
}

// An offer that is older than the job which it finds makes no worker goroutine work for another
// pool.
func TestAnOldOfferIsTakenByAnotherGoroutine(t *testing.T) {
	if parallelfor.Raced {
		t.Skip("there are no worker goroutines")
	}
	watchdog(t)
	p, q := parallelfor.NewPool(1), parallelfor.NewPool(1)
	defer p.Close()
	defer q.Close()
	begun, release := make(chan struct{}), make(chan struct{})
	let := sync.OnceFunc(func() { close(release) })
	defer let()
	busy := scheduleFor(1, none{}, func(*none, int) {
		close(begun)
		<-release
	}, parallelfor.On(q))
	<-begun
	taken, ran := make(chan struct{}), make(chan bool, 1)
	h := scheduleFor(1, none{}, func(*none, int) {
		ran <- lawtest.Ends(taken, lawtest.Usual, nil)
	}, parallelfor.On(q))
	for !parallelfor.TakeAsWorkerOf(p, h) { // the job may be held back as a short one
		runtime.Gosched()
	}
	close(taken)
	require.True(t, <-ran, "the worker goroutine worked for the other pool")
	let()
	h.Complete()
	busy.Complete()
}

func TestAJobHasRoomForAllTheWorkersThatCanBeAskedFor(t *testing.T) {
	watchdog(t)
	var ran atomic.Int32
	for _, workers := range []int{1 << 14, 1<<15 - 1, 1 << 15, 1 << 20} {
		ran.Store(0)
		h := scheduleFor(40_000, none{}, func(*none, int) { ran.Add(1) }, parallelfor.Batch(20_000), parallelfor.Workers(workers))
		h.Complete()
		require.EqualValues(t, 40_000, ran.Load(), "%d workers", workers)
	}
	require.NotZero(t, parallelfor.Places(1<<14))
	require.Equal(t, 1<<15-1, parallelfor.Places(1<<15-1))
}

// Thousands of goroutines that hold nothing and block are made and ended in a time that grows with
// their number.
func TestManyGoroutinesThatBlock(t *testing.T) {
	watchdog(t)
	release := make(chan struct{})
	var all []parallelfor.Handle
	n := rounds(5000)
	for range n {
		all = append(all, parallelfor.Go(none{}, func(*none) { <-release }))
	}
	close(release)
	parallelfor.Combine(all...).Complete()
}
