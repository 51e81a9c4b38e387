package queue

import (
	"strconv"

	"example.com/custody/internal/phrase"
)

// String returns the type and name of the queue, its length unless a job writes it or adds to it,
// whether it is closed, and which jobs hold it; see safety.Guard.Text. It does not return items,
// which other goroutines may be writing. Any goroutine may call it at any time, and it is never a
// violation.
func (q *Queue[T]) String() string {
	if q == nil {
		return "<nil>"
	}
	return q.guard.Text(q, func() string { return text(q.count(), 0, q.closed.Load() != 0) })
}

// String returns what [Queue.String] does, and the capacity.
func (r *Ring[T]) String() string {
	if r == nil {
		return "<nil>"
	}
	return r.guard.Text(r, func() string {
		return text(r.count(), len(r.slots), r.tail.Load()&closed != 0)
	})
}

// String returns what [Queue.String] does, and the capacity.
func (q *SPSC[T]) String() string {
	if q == nil {
		return "<nil>"
	}
	return q.guard.Text(q, func() string {
		return text(q.count(), len(q.producer.items), q.tail.Load()&spscClosed != 0)
	})
}

// text returns the number of items, and the capacity unless it is 0.
func text(n, capacity int, closed bool) string {
	s := phrase.Amount(n, "item")
	if capacity > 0 {
		s += " of " + strconv.Itoa(capacity)
	}
	if closed {
		s += ", closed"
	}
	return s
}
