package queue

import (
	"math/bits"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Ring is a bounded FIFO queue for any number of producers and consumers.
//
// Use it between stages that must keep pace, and where memory has a bound. Where no item may be
// refused, use a [Queue]. Between two goroutines an [SPSC] is faster.
//
// Any goroutine may call any method at any time, except while a job holds the ring in a way that
// excludes the method: see [Ring.Reader], [Ring.Writer] and [Ring.Shared]. A ring must not be
// copied; pass on the pointer that [NewRing] returned.
//
// Consistency: TryEnqueue, TryDequeue, Peek, Len and All are linearizable. If TryEnqueue returns
// false, the ring was full or closed at a moment of the call. If TryDequeue or Peek returns false,
// it was empty. Batches are linearizable item by item. What happens before an item is put in
// happens before what follows taking it out. A ring orders nothing else.
//
// Progress: as of a [Queue]. Enqueue waits for room as Dequeue waits for items.
//
// Cost: two atomic operations for an item, or a batch. Memory: 8 bytes beside each place for an
// item. The ring keeps no item alive that was taken out.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	TryEnqueue             linearizable  brief                     O(1)           never
//	EnqueueAll             item by item  brief                     O(n)           never
//	TryDequeue             linearizable  brief, lock beside Peek   O(1)           never
//	DequeueInto, Clear     item by item  brief, lock beside Peek   O(n)           never
//	Enqueue, Dequeue       linearizable  waits: for room, an item  O(1)           if it waits
//	Peek                   linearizable  brief, lock               O(1)           never
//	All                    snapshot      brief, lock               O(n)           one copy
//	Len                    linearizable  lock-free                 O(1)           never
//	Closed                 linearizable  wait-free                 O(1)           never
//	Close                  linearizable  lock-free, or lock        O(waiters)     never
//	Cap                    constant      wait-free                 O(1)           never
//	Dispose, DisposeAfter  ledger        lock                      O(n, waiters)  DisposeAfter: some
//
// The places are those of Dmitry Vyukov's bounded MPMC queue (2010): each has a stamp that says for
// which lap it is free or filled. Here a stamp says so of several places, so a batch costs as much
// as an item. The distance of head and tail, not a stamp, determines whether the ring is full or
// empty. A ring can be closed, waited for and looked at, and may have any capacity, 1 among them.
//
// Invariants:
//
//	(I1) Positions are handed out in order: each to one enqueue, by moving the tail, and then to
//	     one dequeue, by moving the head. The head is never before the tail, nor more than the
//	     capacity behind it. An operation that claimed a position has its place until it stores
//	     the place's next stamp.
//	(I2) A stamp says for which lap its place is free or filled, and how many places behind it, in
//	     the same lap, are in the same state: a stamp run. Only the stamp of its first place is
//	     current. The other stamps are of earlier laps.
//	(I3) An operation that claims only the front of a run first stamps the first of the remaining
//	     places.
//	(I4) An operation reads the tail before the stamps of the places from there on. If it then
//	     moves the tail past these places, they are still free: no other operation can use them
//	     without moving the tail. The same holds of the head and filled places.
//	(I5) A free place holds the zero value, if items may keep memory alive.
//	(I6) No operation clears a place while the observer reads items.
//	(I7) While a job has the ring by position, head and tail are shut, so no operation moves them.
//	     Before the job starts, all places that enqueues claimed are filled, and the observer is
//	     done. So an operation that passed the guard before the job was scheduled takes effect
//	     before the job starts, or finds the ring shut and is refused. An observer checks the
//	     guard again when the head cannot change any more. The jobs have a copy of the items. If
//	     a job could change the copy, it becomes the items before head and tail are opened.
type Ring[T any] struct {
	// Read by every operation and rarely written:
	guard    safety.Guard
	slots    []slot[T]
	places   uint64 // mask of the place number in a shifted position
	lap      uint   // shift of the lap in a position
	holds    bool   // items may keep memory alive
	observer observer

	_    pad.Bytes
	tail atom.HiddenUint64 // the position behind the last item, and flags
	_    pad.Bytes
	head atom.HiddenUint64 // the position of the first item, and a flag
	_    pad.Bytes

	notEmpty waiters // for an item
	notFull  waiters // for room

	mu      atom.HiddenMutex
	jobs    int  // number of jobs that have the ring by position; under mu
	all     []T  // the copy of the items that these jobs have
	written bool // one of these jobs may change the copy
}

// slot is a place for an item. Its stamp lies beside the item: an operation fetches one line.
type slot[T any] struct {
	stamp atom.Uint64
	item  T
}

// A position has the lap in its high bits, then the place, then flags. So it wraps with the word.
const (
	shut   = 1 << iota // a job has the ring by position; in head and tail
	closed             // in the tail
	unit               // between a position and the next

	flags    = unit - 1
	flagBits = 2
)

// A stamp has the lap in its high bits, then a bit for filled, then the number of further places in
// the run.
const (
	more    = 1<<15 - 1
	filled  = more + 1
	longest = more + 1 // stamp run
	lapBits = 16
)

// NewRing returns an empty ring with room for capacity items. A capacity below 1, or larger than
// memory can hold, is a violation.
func NewRing[T any](capacity int, opts ...safety.Option) *Ring[T] {
	r := new(Ring[T])
	r.guard.Init(r, 0, opts...)
	r.guard.Phases((*ringPhases[T])(r))
	checkCapacity(&r.guard, capacity, amount.Most[slot[T]]())
	n := bits.Len(uint(capacity)) // more than capacity: filled for a lap is not free for the next
	r.slots, r.holds = make([]slot[T], capacity), word.Held((*T)(nil))
	r.places, r.lap = 1<<n-1, uint(n)+flagBits
	r.notFull.most, r.notEmpty.most = capacity, capacity
	r.notFull.of, r.notEmpty.of = &r.guard, &r.guard
	return r
}

// place returns the number of the place of a position.
func (r *Ring[T]) place(p uint64) int { return int(p >> flagBits & r.places) }

// after returns the position n places behind p, which has no flags. k is the place of p, and the
// lap has at least n places from k on.
func (r *Ring[T]) after(p uint64, k, n int) uint64 {
	if k+n == len(r.slots) {
		return (p>>(r.lap&63) + 1) << (r.lap & 63)
	}
	return p + uint64(n)*unit
}

// between returns the number of positions from h to t.
func (r *Ring[T]) between(h, t uint64) int {
	laps := int64(t>>r.lap<<r.lap-h>>r.lap<<r.lap) >> r.lap
	return int(laps)*len(r.slots) + r.place(t) - r.place(h)
}

// full reports whether the tail is a lap ahead of the head.
func (r *Ring[T]) full(h, t uint64) bool { return h&^flags+1<<r.lap == t&^flags }

// free returns the stamp of a place that is free for the lap of a position.
func (r *Ring[T]) free(p uint64) uint64 { return p >> (r.lap & 63) << lapBits }

// ready returns the number n of places from k on that are in the given state, at most most, and the
// number of further places in the stamp run of the last one. state has the lap and the bit filled
// of a stamp. The lap has at least most places from k on.
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

// is reports whether the place of a position has the state for its lap: filled, or 0 for free.
func (r *Ring[T]) is(p, state uint64) bool {
	return r.slots[r.place(p)].stamp.Load()&^more == r.free(p)|state
}

// TryEnqueue puts v behind the last item. It returns false if the ring was full, or closed.
func (r *Ring[T]) TryEnqueue(v T) bool { return r.put(&v, true) == done }

// TryDequeue takes the first item. It returns false if the ring was empty.
func (r *Ring[T]) TryDequeue() (v T, ok bool) {
	ok = r.take(&v, true) == done
	return v, ok
}

// put implements TryEnqueue, which is inlined. check is false if the caller has passed the guard.
func (r *Ring[T]) put(v *T, check bool) outcome {
	if check {
		r.guard.CheckShared()
	}
	if r.notEmpty.bubbled.Load() != 0 { // wakeable by hand: the call keeps an address in a register
		r.notEmpty.mustBeInside(1)
	}
	l := pauses{of: &r.notFull.backoff}
	for {
		t := r.tail.Load()
		k := r.place(t)
		at := &r.slots[k]
		s := at.stamp.Load()
		switch {
		case s&^more == r.free(t) && t&flags == 0:
			if !r.tail.CompareAndSwap(t, r.after(t, k, 1)) {
				l.meet(t)
				continue
			}
			if s&more > 0 {
				r.slots[k+1].stamp.Store(s - 1) // (I3)
			}
			atom.Writes(&at.item)
			at.item = *v
			at.stamp.Store(s&^more | filled)
			if r.notEmpty.any() {
				r.notEmpty.call(1)
			}
			if l.learns() {
				l.learn(r.is(r.after(t, k, 1), 0))
			}
			return done
		case t&closed != 0:
			return over
		case t&shut != 0:
			r.refuse()
		case r.full(r.head.Load(), t):
			return blocked // the tail cannot have moved: it is a lap ahead
		}
		l.pause()
	}
}

// take implements TryDequeue. check is false if the caller has passed the guard.
func (r *Ring[T]) take(v *T, check bool) outcome {
	if check {
		r.guard.CheckShared()
	}
	if r.notFull.bubbled.Load() != 0 { // wakeable by hand: the call keeps an address in a register
		r.notFull.mustBeInside(1)
	}
	l := pauses{of: &r.notEmpty.backoff}
	for {
		h := r.head.Load()
		k := r.place(h)
		at := &r.slots[k]
		s := at.stamp.Load()
		if s&^more == r.free(h)|filled && h&flags == 0 {
			if !r.head.CompareAndSwap(h, r.after(h, k, 1)) {
				l.meet(h)
				continue
			}
			if s&more > 0 {
				r.slots[k+1].stamp.Store(s - 1) // (I3)
			}
			atom.Reads(&at.item)
			*v = at.item
			if r.holds || r.observer.on() {
				r.clean(k, 1)
			}
			at.stamp.Store(r.free(h + 1<<(r.lap&63)))
			if r.notFull.any() {
				r.notFull.call(1)
			}
			if l.learns() {
				l.learn(r.is(r.after(h, k, 1), filled))
			}
			return done
		}
		if h&shut != 0 {
			r.refuse()
		} else if t := r.tail.Load(); t&^flags == h {
			if t&closed != 0 {
				return over
			}
			return blocked // the head cannot have moved: it does not pass the tail
		}
		l.pause()
	}
}

// clean clears n places from k on, if holds is set, after the observer is done (I5, I6).
func (r *Ring[T]) clean(k, n int) {
	r.observer.wait()
	if r.holds {
		var none T
		for i := range r.slots[k : k+n] {
			r.slots[k+i].item = none
		}
	}
}

// empty frees n places from k on, which the caller has claimed at the position h, and calls
// goroutines that wait for room.
func (r *Ring[T]) empty(h uint64, k, n int) {
	r.clean(k, n)
	r.slots[k].stamp.Store(r.free(h+1<<(r.lap&63)) | uint64(n-1))
	if r.notFull.any() {
		r.notFull.call(n)
	}
}

// refuse is called if head or tail is shut. It panics if a job still holds the ring by position.
func (r *Ring[T]) refuse() { r.guard.CheckShared() }
