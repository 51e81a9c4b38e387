package queue

import (
	"math/bits"
	"reflect"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Ring is a bounded FIFO queue for any number of producers and consumers.
//
// Use it between stages that must not run away from each other, and where memory has a bound. Where nothing may be
// refused, take a [Queue]; between two goroutines an [SPSC] is faster.
//
// All methods may be called by any goroutine at any time, except while a job holds the ring in a way that excludes
// them: see [Ring.Reader], [Ring.Writer] and [Ring.Shared]. A ring must not be copied; pass on the pointer that
// [NewRing] returned.
//
// Consistency: TryEnqueue, TryDequeue, Peek, Len and All are linearizable. False of TryEnqueue means that the ring was
// full, or closed, at a moment of the call, and false of TryDequeue and of Peek that it was empty: never that somebody
// else was quicker. Batches are linearizable item by item. What happens before an item is put in happens before what
// follows its being taken out; nothing else is ordered by a ring.
//
// Progress: an operation may have to wait for one that has begun before it, for the few instructions between that one's
// claim of a place and the place's being ready. Enqueue and Dequeue wait for room and for items; when a look for some
// microseconds has brought none, they use no processor until there is. Who meets another one at the same end leaves the ring
// to that one for about a microsecond, and who comes too early for an item or a place that is about to be there looks away for
// up to eight, as long as there are several then: two that take turns, item by item, are slower together than one alone.
//
// A goroutine that waits in a bubble of testing/synctest must be woken from that bubble. An
// operation outside every bubble that would wake it panics and changes nothing, unless the
// operation began before the wait. If the operation is in another bubble, the runtime ends the
// program. See the package documentation.
//
// Cost: two atomic operations an item, or a batch. Memory: 8 bytes beside each place for an item. Nothing is kept alive
// that was taken out.
//
// The places are those of Dmitry Vyukov's bounded MPMC queue (2010): each has a stamp that says for which lap it is free
// or filled. We differ in that a stamp says so of several places, so that a batch costs what an item costs; in that false
// is answered by the distance of head and tail, not by a stamp; in that it can be closed, waited for and looked at; and in
// that any capacity is right, 1 among them.
//
// Invariants:
//
//	(I1) Positions are handed out in order: each to one enqueue, by moving the tail, and then to one dequeue, by moving the
//	     head. The head is never before the tail's position, nor more than the capacity behind it. Who was handed a position
//	     has its place until it stores the place's next stamp.
//	(I2) A stamp says for which lap its place is free, or filled, and how many behind it, in the same lap, are in the
//	     same state: a run. Only the stamp of a run's first place says anything. The others are older, and say neither
//	     of the current lap.
//	(I3) Who was handed only the front of a run first stores a stamp that says the rest at the rest's first place.
//	(I4) When stamps from the head, or the tail, on say that places are ready, and it is moved past them from there, they are:
//	     nobody else can have had them without moving it.
//	(I5) A free place holds the zero value, if items may keep something alive.
//	(I6) While somebody looks at items nobody empties a place that is being looked at (see watch).
//	(I7) While a job has the ring by position, head and tail are shut, so that nobody moves them, and before it starts
//	     all that were handed positions to fill have stored their stamps, and who looked at items has done. So what passed
//	     the guard before the job came takes effect before it starts, or is refused when it sees that the ring is shut;
//	     who looks asks the guard again when the head that it goes by cannot change any more. The jobs have a copy of the
//	     items, which becomes the items again before head and tail are opened, if one of them could change it.
type Ring[T any] struct {
	// Read by every operation and hardly ever written.
	guard  safety.Guard
	slots  []slot[T]
	places uint64 // what of a position, shifted, is the place
	lap    uint   // how far a position is shifted to get the lap
	holds  bool   // items may keep something alive
	watch  watch

	_    pad.Bytes
	tail atom.HiddenUint64 // the position behind the last item, and flags
	_    pad.Bytes
	head atom.HiddenUint64 // the position of the first item, and a flag
	_    pad.Bytes

	takers waiters // for an item
	givers waiters // for room
	mu     atom.HiddenMutex
	// Under mu: how many jobs have the ring by position, while they do a copy of the items for them, and whether one of
	// them may change it.
	jobs    int
	all     []T
	written bool
}

// slot is a place for an item. Its stamp lies beside the item, so that who is handed the place fetches one line.
type slot[T any] struct {
	stamp atom.Uint64
	item  T
}

// A position has the lap in its high bits, then the number of the place, then flags. So it wraps around with the word.
const (
	shut   = 1 << iota // a job has the ring by position: in head and tail
	closed             // in the tail
	unit               // between a position and the next

	flags    = unit - 1
	flagBits = 2
)

// A stamp has the lap in its high bits, then whether the place is filled, then how many more places there are in the run.
const (
	more    = 1<<15 - 1
	filled  = more + 1
	longest = more + 1 // run
	lapBits = 16
)

// NewRing returns an empty ring with room for capacity items. One below 1, or beyond what memory can hold, is a
// violation.
func NewRing[T any](capacity int, opts ...safety.Option) *Ring[T] {
	r := new(Ring[T])
	r.guard.Init(r, 0, opts...)
	r.guard.Phases((*ringPhases[T])(r))
	checkCapacity(&r.guard, capacity, amount.Most[slot[T]]())
	n := bits.Len(uint(capacity)) // a lap has more places than there are, so that filled for one is not free for the next
	r.slots, r.holds = make([]slot[T], capacity), word.Holds(reflect.TypeFor[T]())
	r.places, r.lap = 1<<n-1, uint(n)+flagBits
	r.givers.most, r.takers.most = capacity, capacity
	r.givers.of, r.takers.of = &r.guard, &r.guard
	return r
}

// place returns the number of the place of a position.
func (r *Ring[T]) place(p uint64) int { return int(p >> flagBits & r.places) }

// after returns the position n after p, which has no flags and the place k; they do not reach beyond the lap.
func (r *Ring[T]) after(p uint64, k, n int) uint64 {
	if k+n == len(r.slots) {
		return (p>>(r.lap&63) + 1) << (r.lap & 63)
	}
	return p + uint64(n)*unit
}

// between returns how many positions lie from h to t.
func (r *Ring[T]) between(h, t uint64) int {
	laps := int64(t>>r.lap<<r.lap-h>>r.lap<<r.lap) >> r.lap
	return int(laps)*len(r.slots) + r.place(t) - r.place(h)
}

// full says whether the tail is as far from the head as it gets.
func (r *Ring[T]) full(h, t uint64) bool { return h&^flags+1<<r.lap == t&^flags }

// free is the stamp of a place that is free for the lap of a position.
func (r *Ring[T]) free(p uint64) uint64 { return p >> (r.lap & 63) << lapBits }

// ready returns how many places from k on, at most most, are in the state that a stamp says, and how many more there
// are in the last one's run.
func (r *Ring[T]) ready(k int, state uint64, most int) (n, rest int) {
	for n < most {
		s := r.slots[k+n].stamp.Load()
		if s&^more != state {
			return n, 0
		}
		n += int(s&more) + 1
	}
	return most, n - most
}

// is says whether the place of a position is in that state for its lap: filled, or 0 for free.
func (r *Ring[T]) is(p, state uint64) bool {
	return r.slots[r.place(p)].stamp.Load()&^more == r.free(p)|state
}

// TryEnqueue puts v behind the last item. False says that the ring was full, or closed.
func (r *Ring[T]) TryEnqueue(v T) bool { return r.put(&v, true) == done }

// TryDequeue takes the first item. False says that the ring was empty.
func (r *Ring[T]) TryDequeue() (v T, ok bool) {
	ok = r.take(&v, true) == done
	return v, ok
}

// put is TryEnqueue, for who passes the guard now, or has passed it. So what users call is inlined where they call it.
func (r *Ring[T]) put(v *T, now bool) outcome {
	if now {
		r.guard.CheckShared()
	}
	if r.takers.bubbled.Load() != 0 { // wakeable by hand: the call keeps an address in a register
		r.takers.mustBeInside(1)
	}
	l := looks{of: &r.givers.patience}
	for {
		t := r.tail.Load()
		k := r.place(t)
		at := &r.slots[k]
		s := at.stamp.Load()
		switch {
		case s&^more == r.free(t) && t&flags == 0:
			if !r.tail.CompareAndSwap(t, r.after(t, k, 1)) {
				retreat()
				continue
			}
			if s&more > 0 {
				r.slots[k+1].stamp.Store(s - 1) // (I3)
			}
			at.item = *v
			at.stamp.Store(s&^more | filled)
			if r.takers.any() {
				r.takers.call(1)
			}
			if l.looked() {
				l.found(r.is(r.after(t, k, 1), 0))
			}
			return done
		case t&closed != 0:
			return over
		case t&shut != 0:
			r.refuse()
		case r.full(r.head.Load(), t):
			return blocked // the tail cannot have moved: it is as far from the head as it gets
		}
		l.pause()
	}
}

// take is TryDequeue, likewise.
func (r *Ring[T]) take(v *T, now bool) outcome {
	if now {
		r.guard.CheckShared()
	}
	if r.givers.bubbled.Load() != 0 { // wakeable by hand: the call keeps an address in a register
		r.givers.mustBeInside(1)
	}
	l := looks{of: &r.takers.patience}
	for {
		h := r.head.Load()
		k := r.place(h)
		at := &r.slots[k]
		s := at.stamp.Load()
		if s&^more == r.free(h)|filled && h&flags == 0 {
			if !r.head.CompareAndSwap(h, r.after(h, k, 1)) {
				retreat()
				continue
			}
			if s&more > 0 {
				r.slots[k+1].stamp.Store(s - 1) // (I3)
			}
			*v = at.item
			if r.holds || r.watch.on() {
				r.clean(k, 1)
			}
			at.stamp.Store(r.free(h + 1<<(r.lap&63)))
			if r.givers.any() {
				r.givers.call(1)
			}
			if l.looked() {
				l.found(r.is(r.after(h, k, 1), filled))
			}
			return done
		}
		if h&shut != 0 {
			r.refuse()
		} else if t := r.tail.Load(); t&^flags == h {
			if t&closed != 0 {
				return over
			}
			return blocked // nor can the head have moved, which does not pass the tail
		}
		l.pause()
	}
}

// clean makes n places from k on keep nothing alive when nobody looks at them any more (I5, I6).
func (r *Ring[T]) clean(k, n int) {
	if r.watch.on() {
		r.watch.wait()
	}
	if r.holds {
		var none T
		for i := range r.slots[k : k+n] {
			r.slots[k+i].item = none
		}
	}
}

// empty makes n places from k on free, which somebody was handed with position h, and calls who waits for room.
func (r *Ring[T]) empty(h uint64, k, n int) {
	r.clean(k, n)
	r.slots[k].stamp.Store(r.free(h+1<<(r.lap&63)) | uint64(n-1))
	if r.givers.any() {
		r.givers.call(n)
	}
}

// refuse panics, or returns when the job that has the ring by position has given it back meanwhile.
func (r *Ring[T]) refuse() { r.guard.CheckShared() }
