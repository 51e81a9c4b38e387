package queue

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Queue is an unbounded FIFO queue for any number of producers and consumers.
//
// Use it for work that must not be refused. Where producers are faster than consumers for long, use
// a [Ring], which makes them wait.
//
// Any goroutine may call any method at any time, except while a job holds the queue in a way that
// excludes the method: see [Queue.Reader], [Queue.Writer], [Queue.ParallelWriter] and
// [Queue.Shared]. A queue must not be copied; pass on the pointer that [New] returned.
//
// Consistency: Enqueue, TryDequeue, Peek, Len and All are linearizable. If TryDequeue or Peek
// returns false, the queue was empty at a moment of the call. Batches are linearizable item by
// item. What happens before an item is put in happens before what follows taking it out. A queue
// orders nothing else.
//
// Progress: an operation may wait for an earlier one that has claimed a place, for the few
// instructions until that place is ready. Dequeue waits for items: it polls for some microseconds
// and then uses no processor. A goroutine that meets another one at the same end backs off for
// about a microsecond. One that comes before an expected item is ready backs off for up to 8 µs if
// several items were there after earlier such delays. Two goroutines that take turns item by item
// are slower together than one alone.
//
// Cost: two atomic operations to put in an item or a batch, and one or two to take it out. Memory:
// segments of up to 32 KiB, or of one item, with 4 bytes beside each item. A segment is garbage
// when its last item was taken, and the queue keeps no item alive that was taken.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Enqueue                linearizable  brief                    O(1)           segments
//	EnqueueAll             item by item  brief                    O(n)           segments
//	TryDequeue             linearizable  brief, lock beside Peek  O(1)           never
//	DequeueInto, Clear     item by item  brief, lock beside Peek  O(n)           never
//	Drain                  item by item  brief, lock beside Peek  O(1)           never; one a chunk
//	Dequeue                linearizable  waits: for an item       O(1)           if it waits
//	Peek                   linearizable  brief, lock              O(1)           never
//	All                    snapshot      brief, lock              O(n)           one copy
//	Len                    linearizable  lock-free                O(1)           never
//	Stats                  summed        lock-free                O(segments)    never
//	Closed                 linearizable  wait-free                O(1)           never
//	Close                  linearizable  lock                     O(waiters)     a segment, or none
//	Dispose, DisposeAfter  ledger        lock                     O(n, waiters)  DisposeAfter: some
//
// A segment hands out its places by counting up, as in LCRQ by Adam Morrison and Yehuda Afek
// (2013). Places are used once, as in the lists of blocks of Dmitry Vyukov and the crossbeam
// library. Here a dequeue claims filled places only, so it never gives one up. A stamp says for a
// run of places that they are filled, so a batch costs as much as an item. And memory full of items
// can be linked in.
//
// Invariants:
//
//	(I1) A segment hands out each place once to an enqueue, by counting up its tail, and then once
//	     to a dequeue, by counting up its head. The head passes filled places only.
//	(I2) A segment has a next one only when it hands out no more places: all are handed out, or
//	     it was ended. The places that it has handed out come before those of the next segment.
//	     All places of the segments before those that tail and head point to are handed out.
//	(I3) Of a run of filled places only the first has a stamp, which says how many they are (a
//	     stamp run). A dequeue that claims only its front stamps the first of the remaining places
//	     before it does anything else.
//	(I4) When a dequeue returns, its place holds the zero value, if items may keep memory alive.
//	(I5) No operation clears a place while the observer reads items.
//	(I6) While a job has the queue by position, no segment hands out places. Before the job starts,
//	     all places that were handed out are filled, and the observer is done. So an operation
//	     that passed the guard before the job was scheduled takes effect before the job starts,
//	     or is refused.
type Queue[T any] struct {
	// Read by every operation and rarely written:
	guard    safety.Guard
	closed   atom.HiddenUint32
	first    int  // number of places of the first segment
	most     int  // largest number of places of a later one
	holds    bool // items may keep memory alive
	observer observer

	_    pad.Bytes
	tail atom.Pointer[segment[T]]
	_    pad.Bytes
	head atom.Pointer[segment[T]]
	_    pad.Bytes

	notEmpty waiters // for an item
	mu       atom.HiddenMutex
	jobs     int         // number of jobs that have the queue by position or add; under mu
	at       *segment[T] // the segment that halt marked; nil: none, as in a closed queue
	was      uint64      // its tail before that
	all      *stretches  // all items, while jobs have the queue by position
	lanes    lanes.Lanes
}

const (
	firstBytes = 512      // size of a queue's first segment
	segBytes   = 32 << 10 // largest size of a later one
)

// New returns an empty queue.
func New[T any](opts ...safety.Option) *Queue[T] {
	size := word.Size((*T)(nil)) + 4
	q := newQueue[T](max(1, firstBytes/size), max(1, segBytes/size))
	q.guard.Init(q, 0, opts...)
	return q
}

func newQueue[T any](first, most int) *Queue[T] {
	q := &Queue[T]{first: first, most: most, holds: word.Held((*T)(nil))}
	q.guard.Phases((*queuePhases[T])(q))
	q.notEmpty.of = &q.guard
	s := newSegment[T](first, 0)
	q.tail.Store(s)
	q.head.Store(s)
	return q
}

// Enqueue puts v behind the last item. It returns false if the queue was closed.
func (q *Queue[T]) Enqueue(v T) bool { return q.put(&v, true) == done }

// TryDequeue takes the first item. It returns false if the queue was empty.
func (q *Queue[T]) TryDequeue() (v T, ok bool) {
	ok = q.take(&v, true) == done
	return v, ok
}

// put implements Enqueue, which is inlined. check is false if the caller has passed the guard.
func (q *Queue[T]) put(v *T, check bool) outcome {
	if check {
		q.guard.CheckShared()
	}
	if q.notEmpty.bubbled.Load() != 0 { // wakeable by hand: the call keeps an address in a register
		q.notEmpty.mustBeInside(1)
	}
	for q.closed.Load() == 0 {
		s := q.tail.Load()
		k := s.tail.Add(1) - 1
		if k < uint64(len(s.items)) {
			atom.Writes(&s.items[k])
			s.items[k] = *v
			s.stamps[k].Store(1)
			met := !atom.Exploring() && s.tail.Load() != k+1 // another goroutine is at it, or a job
			if q.notEmpty.any() {
				q.notEmpty.call(1)
			}
			if met {
				backOff(0, k)
			}
			return done
		}
		q.beyond(s, k)
	}
	return over
}

// beyond is called by an enqueue that got no place of s, because s had the given tail. If s was
// full, beyond moves the queue's tail to the next segment. If s has a mark, beyond waits.
func (q *Queue[T]) beyond(s *segment[T], tail uint64) {
	n := s.next.Load()
	switch {
	case n != nil:
	case tail&marks == 0:
		n = q.follow(s)
	default:
		q.await(s)
		return
	}
	q.tail.CompareAndSwap(s, n)
}

// await waits until a segment with a mark has a next one or no mark, or the queue is closed. It
// panics if a job has halted the segment and holds the queue (I6).
func (q *Queue[T]) await(s *segment[T]) {
	var l pauses
	for {
		t := s.tail.Load()
		if t&marks == 0 || q.closed.Load() != 0 || s.next.Load() != nil {
			return
		}
		if t&halted != 0 {
			q.guard.CheckShared()
		}
		l.pause()
	}
}

// follow returns the segment after s, which is full. It makes one if there is none.
func (q *Queue[T]) follow(s *segment[T]) *segment[T] {
	n := newSegment[T](max(q.first, min(2*len(s.items), q.most)), s.base+uint64(len(s.items)))
	if !s.next.CompareAndSwap(nil, n) {
		n = s.next.Load()
	}
	return n
}

// take implements TryDequeue. check is false if the caller has passed the guard.
func (q *Queue[T]) take(v *T, check bool) outcome {
	if check {
		q.guard.CheckShared()
	}
	s, k, _, o := q.claim(1)
	if o == done {
		atom.Reads(&s.items[k])
		*v = s.items[k]
		q.empty(s, k, 1)
	}
	return o
}

// claim claims up to most neighbouring filled places: n places of the segment s, from place k on.
// It stamps the rest of their run (I3). The caller takes the items and clears the places (I4). If
// there is no item, the outcome is blocked or over.
func (q *Queue[T]) claim(most int) (s *segment[T], k, n int, o outcome) {
	l := pauses{of: &q.notEmpty.backoff}
	for {
		s = q.head.Load()
		h := s.head.Load()
		if h&halted != 0 {
			q.guard.CheckShared()
			l.pause()
			continue
		}
		n, rest := s.ready(int(h), most)
		if n > 0 {
			if !s.head.CompareAndSwap(h, h+uint64(n)) {
				l.meet(h)
				continue
			}
			s.leave(int(h)+n, rest) // (I3)
			if l.learns() {
				more, _ := s.ready(int(h)+n, 1)
				l.learn(more > 0)
			}
			return s, int(h), n, done
		}
		if o, again := q.nothing(s, int(h), &l); !again {
			return nil, 0, 0, o
		}
	}
}

// nothing is called if place k of s, where the head is, is not filled. again reports whether to try
// again: after a pause if the place or a next segment is about to be filled, or because the first
// item is in another segment. Otherwise the queue is empty, and o is blocked or over.
func (q *Queue[T]) nothing(s *segment[T], k int, l *pauses) (o outcome, again bool) {
	n := s.next.Load()
	t := s.tail.Load()
	switch {
	case k < s.handed(t): // the place is about to be filled
	case n != nil: // all places were handed out before n was there, and their items taken
		q.head.CompareAndSwap(s, n)
		if q.tail.Load() == s { // most often an enqueue has moved it
			q.tail.CompareAndSwap(s, n) // so that the tail keeps no memory alive
		}
		return blocked, true
	case t&final != 0:
		return over, false
	case t&ended != 0: // splice is about to store the next segment
	default: // if a place was left, s was last when its tail was t, and the head does not pass t
		return blocked, t&halted == 0 && s.none(t) && s.next.Load() != nil
	}
	l.pause()
	return blocked, true
}

// empty clears n claimed places of s from k on, after the observer is done (I4, I5).
func (q *Queue[T]) empty(s *segment[T], k, n int) {
	q.observer.wait()
	if q.holds {
		clear(s.items[k : k+n])
	}
}
