package queue

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// In the tests of this file one goroutine does what another goroutine does between two steps of a
// wait.

// A waiter that is called before it sleeps takes its token and passes the call on, also if it
// panics.
func TestAWaiterThatIsCalledBeforeItLeavesPassesItsCallOn(t *testing.T) {
	q := New[int]()
	w, next := q.notEmpty.enter(false), q.notEmpty.enter(false)
	q.notEmpty.call(1)
	q.notEmpty.leave(w, false)
	next.parker.Park() // it was called
	require.False(t, q.notEmpty.any())

	last := q.notEmpty.enter(false)
	require.PanicsWithValue(t, "tried", func() { q.notEmpty.tryCalled(false, func() outcome { panic("tried") }) })
	last.parker.Park()
	require.False(t, q.notEmpty.any())
}

// The end of a context that was made outside a bubble does not end a wait in it.
func TestAContextOutsideABubbleDoesNotEndAWaitInIt(t *testing.T) {
	q := New[int]()
	expire, expired := make(chan *waiter), make(chan any)
	go func() {
		for w := range expire {
			func() {
				defer func() { expired <- recover() }()
				q.notEmpty.expire(w)
			}()
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		w := q.notEmpty.enter(true)
		expire <- w
		err, _ := (<-expired).(error)
		require.True(t, errors.Is(err, safety.ErrConflict), "%v", err)
		require.True(t, w.in)
		q.notEmpty.leave(w, true)
		expire <- w // the wait has ended
		require.Nil(t, <-expired)
	})
	close(expire)
}

// An end that another goroutine has used refuses to move and to doze, and changes nothing.
func TestAnEndThatIsNotAloneIsFoundWhereItMovesAndWhereItDozes(t *testing.T) {
	if !safety.Enabled {
		t.Skip("checked")
	}
	q := NewSPSC[int](4)
	c, p := q.Consumer(), q.Producer()
	conflict := func(f func()) {
		t.Helper()
		defer func() {
			err, _ := recover().(error)
			require.True(t, errors.Is(err, safety.ErrConflict), "%v", err)
		}()
		f()
	}
	require.Equal(t, 2, p.EnqueueAll([]int{1, 2}))
	conflict(func() { p.move(0, spscUnit) })
	_, ok := c.TryDequeue()
	require.True(t, ok)
	conflict(func() { c.fallAsleep() }) // there is an item
	require.Equal(t, 1, q.Len())
}

// An item or a close that comes while the consumer lies down keeps it awake.
func TestWhoLiesDownSeesWhatHasCome(t *testing.T) {
	q := NewSPSC[int](4)
	c, p := q.Consumer(), q.Producer()
	_, ok := c.TryDequeue()
	require.False(t, ok)
	require.True(t, p.TryEnqueue(1))
	require.False(t, c.fallAsleep())
	v, ok := c.TryDequeue()
	require.True(t, ok)
	require.Equal(t, 1, v)
	_, ok = c.TryDequeue()
	require.False(t, ok)
	q.Close()
	require.False(t, c.fallAsleep())
	require.Zero(t, q.tail.Load()&spscAsleep)
}

// asked runs op, outside every bubble, as if op had checked whether it may wake the waiters of q
// before wait, in a bubble, began to wait.
func asked(t *testing.T, q *waiters, wait func(), op func()) {
	t.Helper()
	begin, told := make(chan bool), make(chan any)
	go func() {
		<-begin
		defer func() { told <- recover() }()
		op()
	}()
	synctest.Test(t, func(t *testing.T) {
		go wait()
		synctest.Wait()
		require.EqualValues(t, 1, q.bubbled.Load())
		q.bubbled.Store(0)
		close(begin)
		err, _ := (<-told).(error)
		require.ErrorIs(t, err, safety.ErrConflict)
		require.True(t, q.any(), "it waits on")
		q.bubbled.Store(1)
		q.call(1)
	})
	require.Zero(t, q.bubbled.Load())
}

// An operation that has checked its waiters before a goroutine in a bubble began to wait takes
// effect and panics. An item that it puts in is in the queue, and an item that it takes out is
// lost.
func TestAnOperationThatAskedTooEarlyTakesEffectAndPanics(t *testing.T) {
	q, r, full := New[int](), NewRing[int](2), NewRing[int](2)
	asked(t, &q.notEmpty, func() { _, _ = q.Dequeue(context.Background()) }, func() { q.Enqueue(1) })
	require.Zero(t, q.Len(), "the consumer had it when it was called")
	asked(t, &r.notEmpty, func() { _, _ = r.Dequeue(context.Background()) }, func() { r.EnqueueAll([]int{1, 2}) })
	require.Equal(t, 1, r.Len())
	require.Equal(t, 2, full.EnqueueAll([]int{1, 2}))
	asked(t, &full.notFull, func() { _ = full.Enqueue(context.Background(), 3) }, func() { full.TryDequeue() })
	for want := 2; want <= 3; want++ {
		v, ok := full.TryDequeue()
		require.True(t, ok)
		require.Equal(t, want, v)
	}
}

// A call from outside every bubble wakes the waiters outside and panics because of those in a
// bubble. The check before the call looks at as many waiters as the call.
func TestACallOutsideWakesTheGoroutinesOutside(t *testing.T) {
	q := New[int]()
	first := q.notEmpty.enter(false)
	refused := func(f func()) {
		t.Helper()
		v := lawtest.Violation(t, func() error { f(); return nil })
		require.ErrorIs(t, v, safety.ErrConflict)
	}
	inside := make(chan *waiter)
	leave := make(chan bool)
	go synctest.Test(t, func(t *testing.T) {
		w := q.notEmpty.enter(false)
		inside <- w
		<-leave
		q.notEmpty.leave(w, false)
	})
	w := <-inside
	last := q.notEmpty.enter(false)
	q.notEmpty.wakeable(1)
	refused(func() { q.notEmpty.wakeable(2) })
	refused(func() { q.EnqueueAll([]int{1, 2}) })
	require.Zero(t, q.Len())
	refused(func() { q.notEmpty.call(everyWaiter) })
	first.parker.Park()
	last.parker.Park()
	require.True(t, w.in)
	close(leave)
	lawtest.Until(t, "the bubble to end", func() bool { return !q.notEmpty.any() && q.notEmpty.bubbled.Load() == 0 })
}

// The end of the context of a wait does nothing in a later wait at the same end, which may be in a
// bubble.
func TestTheEndOfAContextDoesNothingInALaterWait(t *testing.T) {
	q := NewSPSC[int](1)
	c := q.Consumer()
	asleep := func() uint64 {
		t.Helper()
		_, ok := c.TryDequeue()
		require.False(t, ok)
		require.True(t, c.fallAsleep())
		return c.waits.Load()
	}
	first := asleep()
	require.True(t, q.Producer().TryEnqueue(1))
	c.parker.Park()
	c.TryDequeue()
	expire, expired := make(chan uint64), make(chan any)
	go func() {
		for wait := range expire {
			func() {
				defer func() { expired <- recover() }()
				c.expire(wait)
			}()
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		second := asleep()
		expire <- first
		require.Nil(t, <-expired)
		require.NotZero(t, q.tail.Load()&spscAsleep)
		expire <- second
		err, _ := (<-expired).(error)
		require.ErrorIs(t, err, safety.ErrConflict)
		c.expire(second)
		c.parker.Park()
		require.Zero(t, q.tail.Load()&spscAsleep)
	})
	close(expire)
}

// A Reserve that is refused leaves the last window as it is.
func TestARefusedReserveLeavesTheWindowThatIsOut(t *testing.T) {
	q := NewSPSC[*int](4)
	p, v := q.Producer(), new(int)
	w := p.Reserve(2)
	*w.Ptr(0) = v
	*w.Ptr(1) = v
	func() {
		defer func() {
			err, _ := recover().(error)
			require.True(t, errors.Is(err, safety.ErrLength), "%v", err)
		}()
		p.Reserve(-1)
	}()
	require.True(t, p.Commit(2))
	for range 2 {
		got, ok := q.Consumer().TryDequeue()
		require.True(t, ok)
		require.Same(t, v, got)
	}
}

// A goroutine that waits for a halted segment asks the guard, which reports that the queue is
// disposed.
func TestWhoWaitsForAHaltedSegmentIsToldThatTheQueueIsDisposed(t *testing.T) {
	if !safety.Enabled {
		t.Skip("checked")
	}
	q := New[int]()
	q.Dispose()
	q.closed.Store(0) // not known yet
	s := newSegment[int](1, 0)
	s.tail.Store(halted)
	defer func() {
		err, _ := recover().(error)
		require.True(t, errors.Is(err, safety.ErrDisposed), "%v", err)
	}()
	q.await(s)
}

// A wait that is to sleep at once does not try before.
func TestAWaitThatIsToSleepAtOnceDoesNotLook(t *testing.T) {
	var p backoff
	p.sleeps.Store(2)
	require.Equal(t, blocked, p.poll(nil, nil))
	if !atom.Explored {
		require.Equal(t, uint32(1), p.sleeps.Load())
	}
}
