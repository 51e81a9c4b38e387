//go:build custody_explore

package atom

import (
	"sync/atomic"
	"unsafe"

	"example.com/custody/internal/sched"
)

// The atomic types have the sizes, alignments and methods of those of sync/atomic. Every operation
// is a scheduling point.
type (
	// Bool is an atomic.Bool whose operations are scheduling points.
	Bool struct {
		word[bool, atomic.Bool, *atomic.Bool]
	}
	// Int32 is an atomic.Int32 whose operations are scheduling points.
	Int32 struct {
		number[int32, atomic.Int32, *atomic.Int32]
	}
	// Int64 is an atomic.Int64 whose operations are scheduling points.
	Int64 struct {
		number[int64, atomic.Int64, *atomic.Int64]
	}
	// Uint32 is an atomic.Uint32 whose operations are scheduling points.
	Uint32 struct {
		number[uint32, atomic.Uint32, *atomic.Uint32]
	}
	// Uint64 is an atomic.Uint64 whose operations are scheduling points.
	Uint64 struct {
		number[uint64, atomic.Uint64, *atomic.Uint64]
	}
	// Pointer is an atomic.Pointer whose operations are scheduling points.
	Pointer[T any] struct {
		word[*T, atomic.Pointer[T], *atomic.Pointer[T]]
	}
)

// word has the methods that all the types share. V is a type of sync/atomic that holds a T.
type word[T, V any, P words[T, V]] struct{ v V }

// words are the methods that all types of sync/atomic share.
type words[T, V any] interface {
	*V
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(o, n T) bool
}

// Load returns the value.
func (a *word[T, V, P]) Load() T {
	sched.Point(sched.OpLoad, unsafe.Pointer(a))
	v := P(&a.v).Load()
	sched.After(unsafe.Pointer(a))
	return v
}

// Store sets the value.
func (a *word[T, V, P]) Store(n T) {
	sched.Point(sched.OpStore, unsafe.Pointer(a))
	P(&a.v).Store(n)
	sched.After(unsafe.Pointer(a))
}

// Swap sets the value and returns the previous one.
func (a *word[T, V, P]) Swap(n T) T {
	sched.Point(sched.OpSwap, unsafe.Pointer(a))
	v := P(&a.v).Swap(n)
	sched.After(unsafe.Pointer(a))
	return v
}

// CompareAndSwap sets the value to n if it is o, and reports whether it was.
func (a *word[T, V, P]) CompareAndSwap(o, n T) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(a))
	ok := P(&a.v).CompareAndSwap(o, n)
	sched.After(unsafe.Pointer(a))
	return ok
}

// number has the methods that the integer types share.
type number[T, V any, P numbers[T, V]] struct{ word[T, V, P] }

// numbers are the methods of sync/atomic's integer types.
type numbers[T, V any] interface {
	words[T, V]
	Add(T) T
	And(T) T
	Or(T) T
}

// Add adds d and returns the new value.
func (a *number[T, V, P]) Add(d T) T {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	v := P(&a.v).Add(d)
	sched.After(unsafe.Pointer(a))
	return v
}

// And clears the bits that are not in m and returns the previous value.
func (a *number[T, V, P]) And(m T) T {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	v := P(&a.v).And(m)
	sched.After(unsafe.Pointer(a))
	return v
}

// Or sets the bits of m and returns the previous value.
func (a *number[T, V, P]) Or(m T) T {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	v := P(&a.v).Or(m)
	sched.After(unsafe.Pointer(a))
	return v
}
