package queue

import (
	"strconv"

	"example.com/custody/internal/phrase"
)

// This file is what %v prints of a queue. No items: whoever takes one may be changing it.

// String says what the queue is now: its type and name, its length, unless a job has it by position or adds to it, whether it is closed, and who holds it;
// see safety.Guard.Text. It may be called by any goroutine at any time and is never a violation.
func (q *Queue[T]) String() string {
	if q == nil {
		return "<nil>"
	}
	return q.guard.Text(q, func() string { return text(q.count(), "", q.closed.Load() != 0) })
}

// String says what the ring is now, with its capacity, and who holds it. In all else it is as [Queue.String].
func (r *Ring[T]) String() string {
	if r == nil {
		return "<nil>"
	}
	return r.guard.Text(r, func() string { return text(r.count(), " of "+strconv.Itoa(len(r.slots)), r.tail.Load()&closed != 0) })
}

// String says what the queue is now, with its capacity. In all else it is as [Queue.String].
func (q *SPSC[T]) String() string {
	if q == nil {
		return "<nil>"
	}
	return q.guard.Text(q, func() string {
		return text(q.count(), " of "+strconv.Itoa(len(q.producer.items)), q.tail.Load()&spscClosed != 0)
	})
}

// text says how many items there are, of how many.
func text(n int, of string, closed bool) string {
	s := phrase.Amount(n, "item") + of
	if closed {
		s += ", closed"
	}
	return s
}
