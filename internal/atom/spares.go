package atom

import "sync"

// Worthwhile reports whether a buffer is worth keeping. room is the number of elements that fit
// into it, and used the number that its last use needed. A buffer is worth keeping if room is at
// most shortBuffer, or if used is at least a quarter of room.
func Worthwhile(room, used int) bool { return room <= shortBuffer || room/4 <= used }

// shortBuffer is the room, in elements, up to which a buffer is always worth keeping.
const shortBuffer = 256

// Spares keeps values that are no longer used for later use, until the garbage collector wants
// their memory. Everything before a Give happens before the Take of the same value returns. The
// zero value is empty. A Spares must not be copied.
//
// With the race detector a Spares keeps nothing. The detector would take the order of a Give and a
// Take for an order of the program's own, and miss races.
//
// In explored builds a Spares has no scheduling points and nothing waits for it, so schedules do
// not depend on it. It then keeps every value, so that a goroutine that still uses a value it gave
// away is found out.
type Spares[T any] struct {
	pool sync.Pool
	mu   sync.Mutex
	all  []*T // in explored builds
}

// Give keeps v. The caller must not use v any more.
func (s *Spares[T]) Give(v *T) {
	switch {
	case Race:
	case Explored:
		s.mu.Lock()
		s.all = append(s.all, v)
		s.mu.Unlock()
	default:
		s.pool.Put(v)
	}
}

// Take returns a value that Give kept, or nil.
func (s *Spares[T]) Take() (v *T) {
	switch {
	case Race:
	case Explored:
		s.mu.Lock()
		if last := len(s.all) - 1; last >= 0 {
			v, s.all[last] = s.all[last], nil
			s.all = s.all[:last]
		}
		s.mu.Unlock()
	default:
		v, _ = s.pool.Get().(*T)
	}
	return v
}
