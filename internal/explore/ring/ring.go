package ring

import (
	"fmt"
	"math/bits"

	"example.com/custody/internal/atom"
)

// Ring is a bounded queue of ints other than 0, for any number of goroutines.
//
// TryEnqueue, TryDequeue and Len are linearizable. They are not lock-free: each may have to wait
// for an operation that began before it.
type Ring struct {
	head, tail atom.Uint64
	slots      []slot
	lap        uint64 // the distance between a position and that of the same slot in the next lap
	fault      Fault
}

// slot holds an item. The value belongs to the operation that the stamp permits.
type slot struct {
	stamp atom.Uint64
	value int
}

// New returns a ring for n items with a fault.
func New(n int, f Fault) *Ring {
	if n < 1 {
		panic(fmt.Sprintf("ring: a capacity of %d", n))
	}
	r := &Ring{slots: make([]slot, n), fault: f}
	most := n // lap must be greater than most
	if f == StampsClash {
		most = n - 1
	}
	r.lap = 1 << bits.Len(uint(most))
	r.Reset(0)
	return r
}

// Reset empties the ring. It must not run concurrently with other operations. Positions begin the
// given number of laps before they wrap around to 0.
func (r *Ring) Reset(laps uint64) {
	start := -laps * r.lap
	r.head.Store(start)
	r.tail.Store(start)
	for i := range r.slots {
		r.slots[i].stamp.Store(start + uint64(i))
		r.slots[i].value = 0
	}
}

// at returns the slot of a position.
func (r *Ring) at(p uint64) *slot { return &r.slots[p&(r.lap-1)] }

// after returns the position after p.
func (r *Ring) after(p uint64) uint64 {
	if int(p&(r.lap-1)) == len(r.slots)-1 {
		return p&^(r.lap-1) + r.lap
	}
	return p + 1
}

// TryEnqueue appends v. False means that the ring was full at a moment of the call.
func (r *Ring) TryEnqueue(v int) bool {
	for t := r.tail.Load(); ; {
		s := r.at(t)
		stamp := s.stamp.Load()
		switch {
		case r.free(stamp, t):
			if !r.moveTail(t) {
				switch r.fault {
				case FullOnLostCAS:
					return false
				case DropOnLostCAS:
					return true
				case StaleTail:
					continue
				}
				break
			}
			if r.fault == PublishBeforeWrite {
				s.stamp.Store(t + 1)
				s.value = v
				return true
			}
			s.value = v // (I2)
			s.stamp.Store(t + 1)
			return true
		case r.fault == FullMidRelease:
			return false
		case r.fault == OrderedCompare:
			if stamp < t {
				return false
			}
		case r.head.Load()+r.lap == t:
			return false // the tail cannot have moved, since the ring was full
		case r.tail.Load() == t: // the dequeue of the slot has not stored the stamp
			r.yield()
		}
		t = r.tail.Load()
	}
}

// free reports whether the slot of position t, with this stamp, is free for it.
func (r *Ring) free(stamp, t uint64) bool {
	switch r.fault {
	case FullByCounters:
		return r.head.Load()+r.lap != t
	case WrongStamp:
		return stamp != t-r.lap+1
	}
	return stamp == t
}

// moveTail moves the tail from t to the next position, and reports whether it was at t.
func (r *Ring) moveTail(t uint64) bool {
	if r.fault == TailLoadStore {
		if r.tail.Load() != t {
			return false
		}
		r.tail.Store(r.after(t))
		return true
	}
	return r.tail.CompareAndSwap(t, r.after(t))
}

// TryDequeue removes the first item. False means that the ring was empty at a moment of the call.
func (r *Ring) TryDequeue() (v int, ok bool) {
	for {
		h := r.head.Load()
		s := r.at(h)
		stamp := s.stamp.Load()
		switch {
		case r.filled(stamp, h):
			if r.fault == ReadBeforeClaim {
				v = s.value
			}
			if r.moveHead(h) {
				return r.take(s, h, v), true
			}
			if r.fault == EmptyOnLostCAS {
				return 0, false
			}
		case r.fault == EmptyMidPublish:
			return 0, false
		case r.tail.Load() == h:
			return 0, false // the head cannot have moved either, since it does not pass the tail
		case r.head.Load() == h: // the enqueue of the slot has not stored the stamp
			r.yield()
		}
	}
}

// filled reports whether the slot of position h, with this stamp, holds its item.
func (r *Ring) filled(stamp, h uint64) bool {
	if r.fault == EmptyByCounters {
		return r.tail.Load() != h
	}
	return stamp == h+1
}

// moveHead moves the head from h to the next position, and reports whether it was at h.
func (r *Ring) moveHead(h uint64) bool {
	if r.fault == HeadLoadStore {
		if r.head.Load() != h {
			return false
		}
		r.head.Store(r.after(h))
		return true
	}
	return r.head.CompareAndSwap(h, r.after(h))
}

// take empties the slot of position h. early is the value for ReadBeforeClaim, which has read it
// before.
func (r *Ring) take(s *slot, h uint64, early int) (v int) {
	free := h + r.lap
	switch r.fault {
	case ReleaseBeforeRead:
		s.stamp.Store(free)
		v, s.value = s.value, 0
		return v
	case ClearAfterRelease:
		v = s.value
		s.stamp.Store(free)
		s.value = 0
		return v
	case HeadTwice:
		r.head.Store(r.after(h))
	}
	v = s.value // (I2)
	if r.fault == ReadBeforeClaim {
		v = early
	}
	if r.fault != NotCleared {
		s.value = 0 // keeps (I3)
	}
	s.stamp.Store(free)
	return v
}

// Len returns the number of items in the ring at a moment of the call.
func (r *Ring) Len() int {
	switch r.fault {
	case LenTailFirst:
		t := r.tail.Load()
		return max(r.between(r.head.Load(), t), 0)
	case LenNegative:
		t := r.tail.Load()
		return r.between(r.head.Load(), t)
	case LenAboveCapacity:
		h := r.head.Load()
		return r.between(h, r.tail.Load())
	}
	for {
		t := r.tail.Load()
		h := r.head.Load()
		if r.tail.Load() == t { // the tail was t when the head was h
			return r.between(h, t)
		}
	}
}

// between returns the number of slots from position h to position t.
func (r *Ring) between(h, t uint64) int {
	laps := int64(t&^(r.lap-1)-h&^(r.lap-1)) / int64(r.lap)
	return int(laps)*len(r.slots) + int(t&(r.lap-1)) - int(h&(r.lap-1))
}

// Broken returns an error if (I1) does not hold. It must not run concurrently with operations.
func (r *Ring) Broken() error {
	if n := r.between(r.head.Load(), r.tail.Load()); n < 0 || n > len(r.slots) {
		return fmt.Errorf("ring: from head to tail there are %d of %d slots", n, len(r.slots))
	}
	return nil
}

// Kept returns a value that is still in a slot of the empty ring, or 0. It must not run
// concurrently with operations.
func (r *Ring) Kept() int {
	for i := range r.slots {
		if v := r.slots[i].value; v != 0 {
			return v
		}
	}
	return 0
}

func (r *Ring) yield() {
	if r.fault != SpinWithoutYield {
		atom.Yield()
	}
}
