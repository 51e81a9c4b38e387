package queue

import "iter"

// Peek returns the first item and leaves it there. False says that the queue was empty.
//
// Cost: a lock; goroutines that look wait for each other, and one that takes an item just then waits for them.
func (q *Queue[T]) Peek() (v T, ok bool) {
	q.guard.CheckLook()
	q.watch.begin()
	defer q.watch.end()
	var l looks
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

// All ranges over the items that are in the queue when the range begins, the first first, and leaves them there: it copies
// them at one moment. What happens to the queue during the range does not show in it.
//
// Cost: the copy. Meanwhile who takes an item waits.
func (q *Queue[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		q.guard.CheckLook()
		for _, v := range q.snapshot() {
			if !yield(v) {
				return
			}
		}
	}
}

// snapshot returns the items of one moment.
func (q *Queue[T]) snapshot() []T {
	q.watch.begin()
	defer q.watch.end()
	s, h, end := q.span()
	items := make([]T, 0, end-s.base-h)
	q.walk(s, int(h), end, func(piece []T) { items = append(items, piece...) })
	return items
}

// span returns where the items began and ended at one moment, for who watches: so it looks again only as often as there
// are others that were about to take an item.
func (q *Queue[T]) span() (s *segment[T], h, end uint64) {
	var l looks
	for {
		s = q.head.Load()
		h = s.head.Load()
		end = q.end()
		if q.head.Load() == s && s.head.Load() == h {
			q.guard.CheckLook() // (I6)
			return s, h &^ halted, end
		}
		l.pause()
	}
}

// end returns how many places have been handed out to enqueues at a moment.
func (q *Queue[T]) end() uint64 {
	for {
		s := q.ultimate()
		t := s.tail.Load()
		if s.next.Load() == nil { // nor was it when the tail was that
			return s.base + uint64(s.handed(t))
		}
	}
}

// ultimate returns a segment that was the last one at a moment.
func (q *Queue[T]) ultimate() *segment[T] {
	s := q.tail.Load()
	for n := s.next.Load(); n != nil; n = s.next.Load() {
		s = n
	}
	return s
}

// walk calls f with all items from place k of a segment up to the end, piece by piece, and waits for those that are about
// to be filled.
func (q *Queue[T]) walk(s *segment[T], k int, end uint64, f func(piece []T)) {
	var l looks
	for s.base+uint64(k) != end { // which is not passed, and may have wrapped around
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

// Len returns how many items there are, exactly, at a moment of the call; what others put in and take out since is not counted. It is a violation
// while a job holds the queue that writes or adds, and while there are both jobs that read it and jobs that share it; beside either it is legal.
func (q *Queue[T]) Len() int {
	q.guard.CheckLook()
	return q.count()
}

func (q *Queue[T]) count() int {
	for {
		end := q.end()
		s := q.head.Load()
		h := s.base + s.head.Load()&^halted
		if q.end() == end { // it was that when the head was h
			return int(end - h)
		}
	}
}
