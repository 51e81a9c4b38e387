package queue

import (
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Queue is an unbounded FIFO queue for any number of producers and consumers.
//
// Use it for work that must not be refused. Where producers may be faster than consumers for long take a [Ring], which
// makes them wait.
//
// All methods may be called by any goroutine at any time, except while a job holds the queue in a way that excludes them:
// see [Queue.Reader], [Queue.Writer], [Queue.ParallelWriter] and [Queue.Shared]. A queue must not be copied; pass on the
// pointer that [New] returned.
//
// Consistency: Enqueue, TryDequeue, Peek, Len and All are linearizable. False of TryDequeue and of Peek means that the
// queue was empty at a moment of the call, never that somebody else was quicker. Batches are linearizable item by item.
// What happens before an item is put in happens before what follows its being taken out; nothing else is ordered by a
// queue.
//
// Progress: an operation may have to wait for one that has begun before it, for the few instructions between that one's
// claim of a place and the place's being ready. Dequeue waits for items; when a look for some microseconds has brought
// none, it uses no processor until there is. Who meets another one at the same end leaves the queue to that one for about a
// microsecond, and who comes too early for an item that is about to be there looks away for up to eight, as long as there are
// several then: two that take turns, item by item, are slower together than one alone.
//
// A goroutine that waits in a bubble of testing/synctest must be woken from that bubble. An
// operation outside every bubble that would wake it panics and changes nothing, unless the
// operation began before the wait. If the operation is in another bubble, the runtime ends the
// program. See the package documentation.
//
// Cost: two atomic operations to put an item in, or a batch, and one or two to take it out. Memory: segments of up to
// 32 KiB, or of one item, and 4 bytes beside each item. A segment is garbage when its last item was taken, and nothing is
// kept alive that was.
//
// A segment hands out its places by counting up, as those of Adam Morrison and Yehuda Afek's LCRQ do (2013), and places
// are never used again, as in Dmitry Vyukov's and the crossbeam library's lists of blocks. We differ in that a dequeue takes
// no place that is not filled, so that there are none to give up; in that a place says of how many it holds that they are
// filled, so that a batch costs what an item costs; and in that whole pieces of memory with items can be linked in.
//
// Invariants:
//
//	(I1) A segment hands out each place once to an enqueue, by counting up its tail, and then once to a dequeue, by
//	     counting up its head, which is done only for places that are filled.
//	(I2) A segment is followed by another one only when it hands out no more places: they are all handed out, or it was
//	     ended. Then its places that were handed out come before those of the next. tail and head point to segments before
//	     which all places are handed out.
//	(I3) Of a run of filled places only the first says how many they are. Who was handed only the front of a run says the
//	     rest at the rest's first place, before anything else.
//	(I4) A place that a dequeue was handed holds the zero value when it returns, if items may keep something alive.
//	(I5) While somebody looks at items nobody empties a place that is being looked at (see watch).
//	(I6) While a job has the queue by position no segment hands out places, and before it starts all that were handed out
//	     are filled, and who looked at items has done. So what passed the guard before the job came takes effect before it
//	     starts, or is refused.
type Queue[T any] struct {
	// Read by every operation and hardly ever written.
	guard  safety.Guard
	closed atom.HiddenUint32
	first  int  // how many places the first segment has
	most   int  // and a later one at most
	holds  bool // items may keep something alive
	watch  watch

	_    pad.Bytes
	tail atom.Pointer[segment[T]]
	_    pad.Bytes
	head atom.Pointer[segment[T]]
	_    pad.Bytes

	takers waiters // for an item
	mu     atom.HiddenMutex
	jobs   int          // that have the queue by position; under mu
	at     *segment[T]  // while they do: the segment that was halted
	was    uint64       // its tail before
	all    stretches[T] // and all items
	lanes  lane.Lanes[T]
}

const (
	firstBytes = 512      // of a queue's first segment
	segBytes   = 32 << 10 // of a later one, at most
)

// New returns an empty queue.
func New[T any](opts ...safety.Option) *Queue[T] {
	size := int(reflect.TypeFor[T]().Size()) + 4
	q := newQueue[T](max(1, firstBytes/size), max(1, segBytes/size))
	q.guard.Init(q, 0, opts...)
	return q
}

func newQueue[T any](first, most int) *Queue[T] {
	q := &Queue[T]{first: first, most: most, holds: word.Holds(reflect.TypeFor[T]())}
	q.guard.Phases((*queuePhases[T])(q))
	q.takers.of = &q.guard
	s := newSegment[T](first, 0)
	q.tail.Store(s)
	q.head.Store(s)
	return q
}

// Enqueue puts v behind the last item. False says that the queue was closed.
func (q *Queue[T]) Enqueue(v T) bool { return q.put(&v, true) == done }

// TryDequeue takes the first item. False says that the queue was empty.
func (q *Queue[T]) TryDequeue() (v T, ok bool) {
	ok = q.take(&v, true) == done
	return v, ok
}

// put is Enqueue, for who passes the guard now, or has passed it. So what users call is inlined where they call it.
func (q *Queue[T]) put(v *T, now bool) outcome {
	if now {
		q.guard.CheckShared()
	}
	if q.takers.bubbled.Load() != 0 { // wakeable by hand: the call keeps an address in a register
		q.takers.mustBeInside(1)
	}
	for q.closed.Load() == 0 {
		s := q.tail.Load()
		k := s.tail.Add(1) - 1
		if k < uint64(len(s.items)) {
			s.items[k] = *v
			s.stamps[k].Store(1)
			met := !atom.Explored && s.tail.Load() != k+1 // somebody else is at it, or a job
			if q.takers.any() {
				q.takers.call(1)
			}
			if met {
				retreat()
			}
			return done
		}
		q.beyond(s, k)
	}
	return over
}

// beyond goes on to the next segment when one has no more places, as its tail says, or waits for what is about to happen.
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

// await waits until a segment with a mark has a next one, or no mark, or the queue is known to be closed.
func (q *Queue[T]) await(s *segment[T]) {
	var l looks
	for t := s.tail.Load(); t&marks != 0 && q.closed.Load() == 0 && s.next.Load() == nil; t = s.tail.Load() {
		if t&halted != 0 {
			q.guard.CheckShared()
		}
		l.pause()
	}
}

// follow returns the segment that follows one whose places are all handed out, a new one if there was none.
func (q *Queue[T]) follow(s *segment[T]) *segment[T] {
	n := newSegment[T](max(q.first, min(2*len(s.items), q.most)), s.base+uint64(len(s.items)))
	if !s.next.CompareAndSwap(nil, n) {
		n = s.next.Load()
	}
	return n
}

// take is TryDequeue, likewise.
func (q *Queue[T]) take(v *T, now bool) outcome {
	if now {
		q.guard.CheckShared()
	}
	s, k, _, o := q.claim(1)
	if o == done {
		*v = s.items[k]
		q.empty(s, k, 1)
	}
	return o
}

// claim is handed at most so many neighbouring places, whose items are to be taken: from the k-th of a segment on n.
func (q *Queue[T]) claim(most int) (s *segment[T], k, n int, o outcome) {
	l := looks{of: &q.takers.patience}
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
				retreat()
				continue
			}
			s.leave(int(h)+n, rest) // (I3)
			if l.looked() {
				more, _ := s.ready(int(h)+n, 1)
				l.found(more > 0)
			}
			return s, int(h), n, done
		}
		if o, again := q.nothing(s, int(h), &l); !again {
			return nil, 0, 0, o
		}
	}
}

// nothing says what it means that the item at the head, place k of a segment, is not there: it is about to be, which is waited
// for, or is in another segment, and again is true; or there is none.
func (q *Queue[T]) nothing(s *segment[T], k int, l *looks) (o outcome, again bool) {
	n := s.next.Load()
	t := s.tail.Load()
	switch {
	case k < s.handed(t): // about to be filled
	case n != nil: // all were handed out before it was there, and taken
		q.head.CompareAndSwap(s, n)
		q.tail.CompareAndSwap(s, n) // so that it keeps nothing alive
		return blocked, true
	case t&final != 0:
		return over, false
	case t&ended != 0: // soon followed
	case t&halted == 0 && s.none(t):
		return blocked, s.next.Load() != nil
	default:
		return blocked, false // no later segment was there when the tail was that, and the head does not pass it
	}
	l.pause()
	return blocked, true
}

// empty clears n places from k on, which somebody was handed.
func (q *Queue[T]) empty(s *segment[T], k, n int) {
	if q.watch.on() {
		q.watch.wait()
	}
	if q.holds {
		clear(s.items[k : k+n])
	}
}
