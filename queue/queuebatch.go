package queue

import (
	"iter"
	"math"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lanes"
)

// EnqueueAll puts all of vs behind the last item, in their order, and returns their number. It
// returns less if the queue was closed. Items of other goroutines may come between them. It is a
// violation if vs has more items than memory can hold with 4 bytes for each.
//
// Cost: that of one Enqueue and a copy, once for each segment.
func (q *Queue[T]) EnqueueAll(vs []T) int {
	q.guard.CheckShared()
	return q.putAll(vs)
}

// DequeueInto takes the first items, as many as there are and fit into dst, copies them to dst in
// their order and returns their number. It returns less than len(dst) if the queue was empty at a
// moment of the call. Other goroutines may take items between them.
//
// Cost: that of one TryDequeue and a copy, once for each stretch of items.
func (q *Queue[T]) DequeueInto(dst []T) int {
	q.guard.CheckShared()
	return q.takeInto(dst)
}

// putAll is EnqueueAll for a caller that has passed the guard.
func (q *Queue[T]) putAll(vs []T) (n int) {
	// There must be room for the places and their stamps.
	if most := min(amount.Most[T](), amount.Most[atom.Uint32]()); len(vs) > most {
		panic(amount.Refusal(&q.guard, "was to get", len(vs), 0, most, "item"))
	}
	q.notEmpty.wakeable(len(vs))
	for n < len(vs) && q.closed.Load() == 0 {
		s := q.tail.Load()
		most := max(1, min(len(vs)-n, len(s.items)))
		k := s.tail.Add(uint64(most)) - uint64(most)
		if k >= uint64(len(s.items)) {
			q.beyond(s, k)
			continue
		}
		m := min(most, len(s.items)-int(k))
		atom.WritesAll(s.items[k : int(k)+m])
		copy(s.items[k:], vs[n:n+m])
		s.stamps[k].Store(uint32(m))
		if q.notEmpty.any() {
			q.notEmpty.call(m)
		}
		n += m
	}
	return n
}

// takeInto is DequeueInto for a caller that has passed the guard.
func (q *Queue[T]) takeInto(dst []T) (n int) {
	for n < len(dst) {
		s, k, m, o := q.claim(len(dst) - n)
		if o != done {
			break
		}
		atom.ReadsAll(s.items[k : k+m])
		copy(dst[n:], s.items[k:k+m])
		q.empty(s, k, m)
		n += m
	}
	return n
}

// Drain ranges over the items, the first first, and takes them out, until the queue is empty at a
// moment. It yields slices of the queue's own memory, each of neighbouring items. A slice is taken
// out as a whole and is the body's alone, to read and to write, until the body returns. Later jobs
// may use its memory. If the range ends early, by break or by a panic, the items of the last slice
// are taken and later items are not.
//
// Other goroutines may take items between the slices, and put in items, which Drain yields too. So
// Drain does not end while producers keep up with it.
//
// Cost: that of one TryDequeue for each slice, without a copy. It is the fastest way to take all
// that a job has added. It allocates once for each 256 KiB of these. If each worker of a loop adds
// much more than that, the next such loop allocates little.
func (q *Queue[T]) Drain() iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for {
			q.guard.CheckShared()
			s, k, n, o := q.claim(math.MaxInt)
			if o != done {
				return
			}
			more := q.yield(s.items[k:k+n:k+n], yield)
			if n == len(s.items) && s.stamps == nil { // a job's, and claimed as a whole
				lanes.Reuse(&q.lanes, s.items)
			}
			if !more {
				return
			}
		}
	}
}

// yield passes claimed items to body, and clears their places afterwards (I4). It waits for the
// observer first, because the body may write to the places (I5).
func (q *Queue[T]) yield(items []T, body func([]T) bool) bool {
	q.observer.wait()
	if q.holds {
		defer clear(items)
	}
	return body(items)
}
