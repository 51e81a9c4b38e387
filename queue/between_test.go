package queue

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file has what another goroutine does between two steps of a wait done by the same one.

// Who was called and does not sleep takes the token and passes the call on; so does who panics after it.
func TestAWaiterThatIsCalledBeforeItLeavesPassesItsCallOn(t *testing.T) {
	q := New[int]()
	w, next := q.takers.enter(false), q.takers.enter(false)
	q.takers.call(1)
	q.takers.leave(w, false)
	next.parker.Park() // it was called
	require.False(t, q.takers.any())

	last := q.takers.enter(false)
	require.PanicsWithValue(t, "tried", func() { q.takers.tryCalled(false, func() outcome { panic("tried") }) })
	last.parker.Park()
	require.False(t, q.takers.any())
}

// The end of a context that was made outside a bubble does not end a wait in it.
func TestAContextOutsideABubbleDoesNotEndAWaitInIt(t *testing.T) {
	q := New[int]()
	expire, expired := make(chan *waiter), make(chan any)
	go func() {
		w := <-expire
		defer func() { expired <- recover() }()
		q.takers.expire(w)
	}()
	synctest.Test(t, func(t *testing.T) {
		w := q.takers.enter(true)
		expire <- w
		err, _ := (<-expired).(error)
		require.True(t, errors.Is(err, safety.ErrConflict), "%v", err)
		require.True(t, w.in)
		q.takers.leave(w, true)
	})
}

// An end that finds that another goroutine has used it says so, and changes nothing.
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
	conflict(func() { c.doze() }) // there is an item
	require.Equal(t, 1, q.Len())
}

// An item or a close that comes while the consumer lies down keeps it awake.
func TestWhoLiesDownSeesWhatHasCome(t *testing.T) {
	q := NewSPSC[int](4)
	c, p := q.Consumer(), q.Producer()
	_, ok := c.TryDequeue()
	require.False(t, ok)
	require.True(t, p.TryEnqueue(1))
	require.False(t, c.doze())
	v, ok := c.TryDequeue()
	require.True(t, ok)
	require.Equal(t, 1, v)
	_, ok = c.TryDequeue()
	require.False(t, ok)
	q.Close()
	require.False(t, c.doze())
	require.Zero(t, q.tail.Load()&spscAsleep)
}

// A take that would wake a producer across the edge of a bubble leaves the items where they are.
func TestATakeThatIsRefusedAtTheEdgeOfABubbleTakesNothing(t *testing.T) {
	for name, take := range map[string]func(c *Consumer[*int]){
		"TryDequeue":  func(c *Consumer[*int]) { c.TryDequeue() },
		"DequeueInto": func(c *Consumer[*int]) { c.DequeueInto(make([]*int, 1)) },
		"Release":     func(c *Consumer[*int]) { c.Look(1); c.Release(1) },
	} {
		t.Run(name, func(t *testing.T) {
			q := NewSPSC[*int](1)
			first, second := new(int), new(int)
			require.True(t, q.Producer().TryEnqueue(first))
			begin, refused := make(chan bool), make(chan any)
			go func() {
				<-begin
				defer func() { refused <- recover() }()
				take(q.Consumer())
			}()
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan error)
				go func() { ended <- q.Producer().Enqueue(t.Context(), second) }()
				synctest.Wait()
				close(begin)
				err, _ := (<-refused).(error)
				require.True(t, errors.Is(err, safety.ErrConflict), "%v", err)
				v, ok := q.Consumer().TryDequeue()
				require.True(t, ok)
				require.Same(t, first, v)
				require.NoError(t, <-ended)
				v, _ = q.Consumer().TryDequeue()
				require.Same(t, second, v)
			})
		})
	}
}

// A Reserve that is refused leaves the window that is out as it is.
func TestARefusedReserveLeavesTheWindowThatIsOut(t *testing.T) {
	q := NewSPSC[*int](4)
	p, v := q.Producer(), new(int)
	w := p.Reserve(2)
	w.Set(0, v)
	w.Set(1, v)
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

// Who waits for a segment that is halted asks the guard what has become of the queue.
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

// A wait that is to sleep at once does not try.
func TestAWaitThatIsToSleepAtOnceDoesNotLook(t *testing.T) {
	var p patience
	p.sleeps.Store(2)
	require.Equal(t, blocked, p.lookOn(nil, nil))
	if !atom.Explored {
		require.Equal(t, uint32(1), p.sleeps.Load())
	}
}
