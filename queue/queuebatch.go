package queue

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
)

// EnqueueAll puts all of vs behind the last item, in their order, and returns how many: fewer than all means that the queue
// was closed. The items of other goroutines may come between them. It is a violation if vs has more
// items than memory can hold with 4 bytes for each.
//
// Cost: that of one Enqueue and a copy, once for each segment.
func (q *Queue[T]) EnqueueAll(vs []T) int {
	q.guard.CheckShared()
	return q.putAll(vs)
}

// DequeueInto takes the first items, as many as there are and as dst has room for, puts them into dst in their order and
// returns how many: fewer than len(dst) means that the queue was empty at a moment of the call. Other goroutines may take
// items between them.
//
// Cost: that of one TryDequeue and a copy, once for each stretch of items that are there.
func (q *Queue[T]) DequeueInto(dst []T) int {
	q.guard.CheckShared()
	return q.takeInto(dst)
}

// putAll is EnqueueAll for who has passed the guard.
func (q *Queue[T]) putAll(vs []T) (n int) {
	if most := min(amount.Most[T](), amount.Most[atom.Uint32]()); len(vs) > most { // of places and their stamps
		panic(amount.Refusal(&q.guard, "was to get", len(vs), 0, most, "item"))
	}
	q.takers.wakeable(len(vs))
	for n < len(vs) && q.closed.Load() == 0 {
		s := q.tail.Load()
		most := max(1, min(len(vs)-n, len(s.items)))
		k := s.tail.Add(uint64(most)) - uint64(most)
		if k >= uint64(len(s.items)) {
			q.beyond(s, k)
			continue
		}
		m := copy(s.items[k:], vs[n:n+most])
		s.stamps[k].Store(uint32(m))
		if q.takers.any() {
			q.takers.call(m)
		}
		n += m
	}
	return n
}

// takeInto is DequeueInto for who has passed the guard.
func (q *Queue[T]) takeInto(dst []T) (n int) {
	for n < len(dst) {
		s, k, m, o := q.claim(len(dst) - n)
		if o != done {
			return n
		}
		copy(dst[n:], s.items[k:k+m])
		q.empty(s, k, m)
		n += m
	}
	return n
}
