package queue

import (
	"iter"
	"slices"
)

// Peek returns the first item and leaves it in the queue. It returns false if the queue was empty.
//
// Cost: a lock. One goroutine at a time may peek or snapshot; one that takes an item waits for it.
func (q *Queue[T]) Peek() (v T, ok bool) {
	q.guard.CheckLook()
	q.observer.begin()
	defer q.observer.end()
	var l pauses
	for {
		s := q.head.Load()
		h := s.head.Load()
		k := int(h &^ halted)
		if n, _ := s.ready(k, 1); n > 0 {
			q.guard.CheckLook() // (I6)
			return s.items[k], true
		}
		if _, again := q.nothing(s, k, &l); !again {
			return v, false
		}
	}
}

// All ranges over the items that are in the queue when the range begins, the first first, and
// leaves them there. It copies them at one moment, so later changes of the queue do not show.
//
// Cost: the copy. A goroutine that takes an item meanwhile waits.
func (q *Queue[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		q.guard.CheckLook()
		slices.Values(q.snapshot())(yield)
	}
}

// snapshot returns the items of one moment.
func (q *Queue[T]) snapshot() []T {
	q.observer.begin()
	defer q.observer.end()
	s, h, end := q.bounds()
	q.guard.CheckLook() // (I6)
	items := make([]T, 0, end-s.base-h)
	q.walk(s, int(h), end, func(piece []T) { items = append(items, piece...) })
	return items
}

// bounds returns where the items begin and end at one moment: at place h of the segment s, and at
// the position end. It tries again if the head was moved meanwhile. If the caller is the observer,
// each other goroutine can take items once and then waits, so the tries come to an end.
func (q *Queue[T]) bounds() (s *segment[T], h, end uint64) {
	var l pauses
	for {
		s = q.head.Load()
		h = s.head.Load()
		end = q.end()
		if q.head.Load() == s && s.head.Load() == h {
			return s, h &^ halted, end
		}
		l.pause()
	}
}

// end returns the number of places that were handed out to enqueues at a moment.
func (q *Queue[T]) end() uint64 {
	for {
		s := q.last()
		t := s.tail.Load()
		if s.next.Load() == nil { // so it was nil when the tail was t
			return s.base + uint64(s.handed(t))
		}
	}
}

// last returns a segment that was the last one at a moment.
func (q *Queue[T]) last() *segment[T] {
	s := q.tail.Load()
	for n := s.next.Load(); n != nil; n = s.next.Load() {
		s = n
	}
	return s
}

// walk calls f with all items from place k of a segment up to the position end, piece by piece. It
// waits for places that are about to be filled. No operation clears the items meanwhile if the
// caller is the observer, or if a job has the queue by position.
func (q *Queue[T]) walk(s *segment[T], k int, end uint64, f func(piece []T)) {
	var l pauses
	for s.base+uint64(k) != end { // positions may wrap around, and none passes end
		most := int(min(end-s.base, uint64(s.handed(s.tail.Load())))) - k
		n := 0
		if most > 0 {
			n, _ = s.ready(k, most)
		}
		switch {
		case n > 0:
			f(s.items[k : k+n : k+n])
			k += n
		case most > 0:
			l.pause()
		default:
			s, k = s.next.Load(), 0
		}
	}
}

// Len returns the exact number of items at a moment of the call. It is a violation while a job that
// writes or adds holds the queue, and while both jobs that read and jobs that share hold it.
func (q *Queue[T]) Len() int {
	q.guard.CheckLook()
	return q.count()
}

func (q *Queue[T]) count() int {
	s, h, end := q.bounds()
	return int(end - s.base - h)
}
