package atom

import "sync"

// Worthwhile reports whether a buffer with room for room elements, of which a use has needed used,
// is worth keeping: it is short, or used is at least a quarter of its room.
func Worthwhile(room, used int) bool { return room <= shortBuffer || room/4 <= used }

// shortBuffer is the number of elements up to which the room of a buffer is always worth keeping.
const shortBuffer = 256

// Spares are things that nobody uses and somebody may use again, until the garbage collector wants their memory. What is
// done before one is given happens before what follows its being taken. The zero value is empty; it must not be copied.
//
// Where the race detector looks at users' programs nothing is kept: it would take that order for theirs. A schedule of an
// explored build does not depend on it: there is nothing to wait for, and no operation is a scheduling point. There all are kept,
// so that whoever still knows of one is found out.
type Spares[T any] struct {
	pool sync.Pool
	mu   sync.Mutex
	all  []*T // of explored builds
}

// Give keeps one. The caller does not use it any more.
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

// Take returns one, or nil.
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
