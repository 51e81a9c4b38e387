package atom

import (
	"sync"
	"sync/atomic"
	"unsafe"
)

// Worthwhile reports whether a buffer is worth keeping. room is the number of elements that fit
// into it, and used the number that its last use needed. A buffer is worth keeping if room is at
// most shortBuffer, or if used is at least a quarter of room.
func Worthwhile(room, used int) bool { return room <= shortBuffer || room/4 <= used }

// shortBuffer is the room, in elements, up to which a buffer is always worth keeping.
const shortBuffer = 256

// Spares keeps values that are no longer used for later use, until the garbage collector wants
// their memory. Everything before a Give happens before the Take of the same value returns. The
// zero value is empty; the first Give allocates. A Spares must not be copied.
//
// With the race detector a Spares keeps nothing. The detector would take the order of a Give and a
// Take for an order of the program's own, and miss races.
//
// In explored builds a Spares has no scheduling points and nothing waits for it, so schedules do
// not depend on it. It then keeps every value, so that a goroutine that still uses a value it gave
// away is found out.
type Spares[T any] struct{ of Pool }

// Give keeps v. The caller must not use v any more.
func (s *Spares[T]) Give(v *T) { s.of.Give(v) }

// Take returns a value that Give kept, or nil.
func (s *Spares[T]) Take() *T {
	v, _ := s.of.Take().(*T)
	return v
}

// Pool is a Spares of values of any types. Programs compile the methods of the generic types that
// the fields of containers lead to, so a Pool has no sync.Pool, which leads to many.
type Pool struct{ kept unsafe.Pointer } // a kept; nil before the first Give

type kept struct {
	pool sync.Pool
	mu   sync.Mutex
	all  []any // in explored builds
}

// Give is Give of a Spares. If it or Take were inlined, programs would compile what a sync.Pool
// leads to.
//
//go:noinline
func (p *Pool) Give(v any) {
	if Race {
		return
	}
	k := (*kept)(atomic.LoadPointer(&p.kept))
	if k == nil {
		k = keep(p, new(kept))
	}
	if Explored {
		k.mu.Lock()
		k.all = append(k.all, v)
		k.mu.Unlock()
		return
	}
	k.pool.Put(v)
}

// keep returns the kept of a Pool, which is fresh if there was none: of several first Gives one
// makes the kept of all. It is no method, or else programs would compile what a kept leads to.
func keep(p *Pool, fresh *kept) *kept {
	atomic.CompareAndSwapPointer(&p.kept, nil, unsafe.Pointer(fresh))
	return (*kept)(atomic.LoadPointer(&p.kept))
}

// Take is Take of a Spares.
//
//go:noinline
func (p *Pool) Take() (v any) {
	k := (*kept)(atomic.LoadPointer(&p.kept))
	switch {
	case k == nil:
	case Explored:
		k.mu.Lock()
		if last := len(k.all) - 1; last >= 0 {
			v, k.all[last] = k.all[last], nil
			k.all = k.all[:last]
		}
		k.mu.Unlock()
	default:
		v = k.pool.Get()
	}
	return v
}
