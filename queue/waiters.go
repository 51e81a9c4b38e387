package queue

import (
	"context"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// waiters is the list of the goroutines that wait for an item, or for room. The zero value is
// ready.
//
// A goroutine that waits enters the list first and then tries once more. An operation that puts an
// item in, or makes room, reads n afterwards. So either the operation sees the waiter, or the
// waiter sees the item or the room.
//
//	(I1) A waiter leaves the list once: called by an operation, because its context ended, or by
//	     itself. In the first two cases it is unparked once, and parks once for that, so no token
//	     is left in its parker.
//	(I2) No call is lost: a called goroutine tries before it returns for any reason, and passes
//	     the call on if it did not need it.
type waiters struct {
	n       atom.HiddenUint32 // number of waiters in the list; changed under mu
	bubbled atom.HiddenUint32 // number of those that wait in a bubble; changed under mu
	backoff
	of          *safety.Guard // of the queue
	mu          atom.Mutex
	first, last *waiter
	spare       *waiter // free list of waiters, linked by next; at most keptWaiters
	spares      int
}

// keptWaiters is the number of waiters that the free list keeps.
const keptWaiters = 64

// waiter is one wait.
type waiter struct {
	next, prev *waiter
	parker     atom.Parker
	in         bool // it is in the list; under mu
	bubbled    bool // it waits in a bubble of testing/synctest
	ended      bool // the end of its context took it out of the list
}

// everyWaiter is the argument of call for all waiters.
const everyWaiter = 1<<31 - 1

// any reports whether there are waiters.
func (q *waiters) any() bool { return q.n.Load() != 0 }

// await waits until try returns another outcome than blocked, or the context ends. left returns how
// much of what the caller waits for there is. The caller has tried once.
func (q *waiters) await(ctx context.Context, try func() outcome, left func() int) error {
	if o := q.poll(try, left); o != blocked {
		return o.err()
	}
	for ends := ctx.Done() != nil; ; {
		w := q.enter(ends)
		if o := q.tryEntered(w, ends, try); o != blocked {
			return o.err()
		}
		ended := q.sleep(ctx, w, ends)
		if o := q.tryCalled(ended, try); o != blocked {
			return o.err()
		}
		if ended {
			return context.Cause(ctx)
		}
	}
}

// tryEntered tries for a waiter that has entered, which leaves unless it is blocked.
func (q *waiters) tryEntered(w *waiter, ends bool, try func() outcome) (o outcome) {
	stays := false
	defer func() {
		if !stays {
			q.leave(w, ends)
		}
	}()
	o = try()
	stays = o == blocked
	return o
}

// tryCalled tries for a goroutine that has slept. ended reports whether the end of its context woke
// it. If a call woke it and try panics, tryCalled passes the call on.
func (q *waiters) tryCalled(ended bool, try func() outcome) (o outcome) {
	answered := ended
	defer func() {
		if !answered {
			q.call(1) // (I2)
		}
	}()
	o = try()
	answered = true
	return o
}

// enter puts a waiter at the end of the list. ends reports whether its context can end. The waiter
// is a new one where release would not put it on the free list.
func (q *waiters) enter(ends bool) *waiter {
	bubbled := atom.InBubble()
	q.mu.Lock()
	w := q.spare
	if w == nil || ends || bubbled {
		w = &waiter{parker: atom.NewParker(), bubbled: bubbled}
	} else {
		q.spare = w.next
		q.spares--
	}
	w.next, w.prev, w.in = nil, q.last, true
	if q.last == nil {
		q.first = w
	} else {
		q.last.next = w
	}
	q.last = w
	q.n.Store(q.n.Load() + 1)
	if bubbled {
		q.bubbled.Store(q.bubbled.Load() + 1)
	}
	q.mu.Unlock()
	return w
}

// remove takes a waiter out of the list, and reports whether it was in. The caller holds the lock.
func (q *waiters) remove(w *waiter) bool {
	if !w.in {
		return false
	}
	w.in = false
	if w.prev == nil {
		q.first = w.next
	} else {
		w.prev.next = w.next
	}
	if w.next == nil {
		q.last = w.prev
	} else {
		w.next.prev = w.prev
	}
	w.next, w.prev = nil, nil
	q.n.Store(q.n.Load() - 1)
	if w.bubbled {
		q.bubbled.Store(q.bubbled.Load() - 1)
	}
	return true
}

// leave ends a wait without sleeping, and releases the waiter. If an operation has called the
// waiter meanwhile, leave passes the call on.
func (q *waiters) leave(w *waiter, ends bool) {
	q.mu.Lock()
	called := !q.remove(w)
	q.mu.Unlock()
	if called {
		w.parker.Park() // takes the token of the call (I1)
		q.call(1)       // (I2)
	}
	q.release(w, ends)
}

// sleep parks until the waiter is called or its context ends, and releases the waiter. It reports
// whether the end of the context woke it.
func (q *waiters) sleep(ctx context.Context, w *waiter, ends bool) (ended bool) {
	stop := func() bool { return true }
	if ends {
		stop = q.watchEnd(ctx, w)
	}
	w.parker.Park()
	stop()
	ended = w.ended
	q.release(w, ends)
	return ended
}

// watchEnd has expire called at the end of the context, unless stop is called before. If a method
// of the context panics, the waiter leaves.
func (q *waiters) watchEnd(ctx context.Context, w *waiter) (stop func() bool) {
	defer func() {
		if stop == nil {
			q.leave(w, true)
		}
	}()
	return afterFunc(ctx, func() { q.expire(w) })
}

// expire ends a wait whose context has ended. It does nothing if the waiter has left the list. It
// panics if the waiter is in a bubble and the caller is outside. Nothing recovers that panic on a
// goroutine that the context starts, so it ends the program with the violation's text.
func (q *waiters) expire(w *waiter) {
	var v *safety.Violation
	q.mu.Lock()
	in := w.in
	if in {
		if v = outside(q.of, w.bubbled); v == nil {
			q.remove(w)
			w.ended = true
		}
	}
	q.mu.Unlock()
	if v != nil {
		panic(v)
	}
	if in {
		w.parker.Unpark()
	}
}

// release puts a waiter on the free list. It drops a waiter whose context can end, because expire
// may still be called for it, and a waiter whose parker belongs to a bubble.
func (q *waiters) release(w *waiter, ends bool) {
	if ends || w.bubbled {
		return
	}
	q.mu.Lock()
	if q.spares < keptWaiters {
		w.next, q.spare = q.spare, w
		q.spares++
	}
	q.mu.Unlock()
}

// call wakes the n waiters that have waited longest, or all if there are fewer. If the caller must
// not wake some of these, they stay in the list: call wakes the others of the n, and panics.
func (q *waiters) call(n int) {
	if !q.any() {
		return
	}
	q.mu.Lock()
	var called *waiter
	var v *safety.Violation
	w := q.first
	for last := &called; n > 0 && w != nil; n-- {
		next := w.next
		if o := outside(q.of, w.bubbled); o != nil {
			v = o
		} else {
			q.remove(w)
			*last, last = w, &w.next
		}
		w = next
	}
	q.mu.Unlock()
	for w := called; w != nil; {
		next := w.next // read before Unpark, after which w may be used for another wait
		w.next = nil
		w.parker.Unpark()
		w = next
	}
	if v != nil {
		panic(v)
	}
}

// afterFunc is context.AfterFunc, but calls a context's AfterFunc method, which needs no goroutine.
func afterFunc(ctx context.Context, f func()) (stop func() bool) {
	if c, ok := ctx.(interface {
		AfterFunc(func()) func() bool
	}); ok {
		return c.AfterFunc(f)
	}
	return context.AfterFunc(ctx, f)
}
