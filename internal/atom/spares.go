package atom

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
	"weak"
)

// Worthwhile reports whether a buffer is worth keeping. room is the number of elements that fit
// into it, and used the number that its last use needed. A buffer is worth keeping if room is at
// most shortBuffer, or if used is at least a quarter of room.
func Worthwhile(room, used int) bool { return room <= shortBuffer || room/4 <= used }

// shortBuffer is the room, in elements, up to which a buffer is always worth keeping.
const shortBuffer = 256

// Spares keeps values that are no longer used for later use: those of Give until the second garbage
// collection after that, those of Keep longer. A Spares gets values by one of them only. Everything
// before a Give or a Keep happens before the Take of the same value returns. The zero value is
// empty; the first value allocates. A Spares must not be copied.
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

// Keep is Give for a large value, which is kept until lasting collections have passed, or one more
// than idle after the one before it. A program that uses such a value again and again would
// otherwise pay for new memory after every second collection: it is cleared, is touched for the
// first time, and brings the next collection on. Keep is no method, or else each program with a
// Spares would compile it.
func Keep[T any](s *Spares[T], v *T) { s.of.Keep(v) }

// Take returns a value that is kept, or nil.
func (s *Spares[T]) Take() *T {
	v, _ := s.of.Take().(*T)
	return v
}

// Pool is a Spares of values of any types. Programs compile the methods of the generic types that
// the fields of containers lead to, so a Pool has no sync.Pool, which leads to many.
type Pool struct{ kept unsafe.Pointer } // a kept; nil before the first Give

type kept struct {
	pool sync.Pool
	any  atomic.Bool // all may have values

	mu  sync.Mutex
	all []aged    // of which the last is taken first; in explored builds those of Give, too
	now uint32    // collections that age has seen
	at  time.Time // of the last one
}

// aged is a value and when it was given, in collections.
type aged struct {
	v    any
	from uint32
}

const (
	lasting = 16          // collections
	idle    = time.Minute // the runtime forces a collection every two minutes
)

// Give is Give of a Spares. If it or Take were inlined, programs would compile what a sync.Pool
// leads to.
//
//go:noinline
func (p *Pool) Give(v any) {
	switch {
	case Race:
	case Explored:
		keptOf(p).add(v)
	default:
		keptOf(p).pool.Put(v)
	}
}

// Keep is Keep for a Spares.
//
//go:noinline
func (p *Pool) Keep(v any) {
	if !Race {
		keptOf(p).add(v)
	}
}

// add adds a value, and sees to it that values get older.
func (k *kept) add(v any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all = append(k.all, aged{v, k.now})
	if !k.any.Swap(true) && !Explored {
		k.at = time.Now()
		ageLater(k)
	}
}

// ageLater has the values of k get older after the next collection, unless the Pool is garbage by
// then.
func ageLater(k *kept) {
	runtime.AddCleanup(new([16]byte), func(w weak.Pointer[kept]) {
		if k := w.Value(); k != nil && k.age(time.Now()) {
			ageLater(k)
		}
	}, weak.Make(k))
}

// age lets go of the values that have lasted, and reports whether there are others.
func (k *kept) age(now time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	waits := now.Sub(k.at) > idle
	k.now, k.at = k.now+1, now
	old := 0
	for old < len(k.all) && (k.now-k.all[old].from > lasting || waits) {
		old++
	}
	if k.all = slices.Delete(k.all, 0, old); len(k.all) == 0 {
		k.all = nil
	}
	k.any.Store(len(k.all) > 0)
	return len(k.all) > 0
}

// keptOf returns the kept of a Pool, which it makes if there is none.
func keptOf(p *Pool) *kept {
	if k := (*kept)(atomic.LoadPointer(&p.kept)); k != nil {
		return k
	}
	return keep(p, new(kept))
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
	case k.any.Load():
		k.mu.Lock()
		defer k.mu.Unlock()
		if last := len(k.all) - 1; last >= 0 {
			v, k.all[last] = k.all[last].v, aged{}
			k.all = k.all[:last]
		}
	default:
		v = k.pool.Get()
	}
	return v
}
