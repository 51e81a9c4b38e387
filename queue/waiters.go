package queue

import (
	"context"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// waiters are the goroutines that wait for something: for an item, or for room for one. The zero value is ready.
//
// Who waits enters first and then tries once more; who brings what is waited for looks afterwards whether anybody is
// in. So one of them sees the other, and nobody sleeps beside what it waits for.
//
//	(I1) A waiter leaves the list once: called by who brings something, because its context ended, or by itself. In the
//	     first two cases it is unparked, once, and it parks for that, once: no token is left over.
//	(I2) No call is lost: who was called tries before it gives up for any reason, and who did not need its call
//	     passes it on.
type waiters struct {
	n       atom.HiddenUint32 // number of waiters in the list; changed under mu
	bubbled atom.HiddenUint32 // number of those that wait in a bubble; changed under mu
	patience
	of          *safety.Guard // of the queue
	mu          atom.Mutex
	first, last *waiter
	spare       *waiter // of waits without an end, linked by next: keptWaiters at most
	spares      int
}

// keptWaiters is how many waiters are kept for other waits. Those beyond the garbage collector has.
const keptWaiters = 64

// waiter is one wait.
type waiter struct {
	next, prev *waiter
	parker     atom.Parker
	in         bool
	bubbled    bool // it waits in a bubble of testing/synctest
	ended      bool // its context has, which took it out
}

// everybody is how many to call when all are to be.
const everybody = 1<<31 - 1

// any says whether somebody may have to be called.
func (q *waiters) any() bool { return q.n.Load() != 0 }

// enter puts a waiter at the end of the list. ends says whether its context can end.
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

// remove takes a waiter out of the list, and says whether it was in. The lock is held.
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

// leave ends a wait that had no need to sleep.
func (q *waiters) leave(w *waiter, ends bool) {
	q.mu.Lock()
	called := !q.remove(w)
	q.mu.Unlock()
	if called {
		w.parker.Park()
		q.call(1) // (I2)
	}
	q.release(w, ends)
}

// sleep waits to be called, or for the end of the context, and says whether that came first.
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

// watchEnd has a wait end with its context. When the context panics the waiter leaves.
func (q *waiters) watchEnd(ctx context.Context, w *waiter) (stop func() bool) {
	defer func() {
		if stop == nil {
			q.leave(w, true)
		}
	}()
	return afterFunc(ctx, func() { q.expire(w) })
}

// expire ends a wait whose context has ended.
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

// release keeps a waiter for another wait, unless the end of a context may still be told to it, or it belongs to a bubble.
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

// call calls the n waiters that have waited longest, or all if there are not so many.
func (q *waiters) call(n int) {
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
		next := w.next // once unparked it is somebody else's
		w.next = nil
		w.parker.Unpark()
		w = next
	}
	if v != nil {
		panic(v)
	}
}

// afterFunc is context.AfterFunc, which starts a goroutine, for contexts that can do without one.
func afterFunc(ctx context.Context, f func()) (stop func() bool) {
	if c, ok := ctx.(interface {
		AfterFunc(func()) func() bool
	}); ok {
		return c.AfterFunc(f)
	}
	return context.AfterFunc(ctx, f)
}
