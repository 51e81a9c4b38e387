//go:build custody_explore

package atom

import (
	"sync/atomic"
	"unsafe"

	"example.com/custody/internal/sched"
)

// Bool is an atomic.Bool whose operations are scheduling points.
type Bool struct{ v atomic.Bool }

// Load returns the value.
func (a *Bool) Load() bool {
	sched.Point(sched.OpLoad, unsafe.Pointer(a))
	return a.v.Load()
}

// Store sets the value.
func (a *Bool) Store(n bool) {
	sched.Point(sched.OpStore, unsafe.Pointer(a))
	a.v.Store(n)
}

// Swap sets the value and returns the one before.
func (a *Bool) Swap(n bool) bool {
	sched.Point(sched.OpSwap, unsafe.Pointer(a))
	return a.v.Swap(n)
}

// CompareAndSwap sets the value to n if it is o.
func (a *Bool) CompareAndSwap(o, n bool) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(a))
	return a.v.CompareAndSwap(o, n)
}

// Int32 is an atomic.Int32 whose operations are scheduling points.
type Int32 struct{ v atomic.Int32 }

// Load returns the value.
func (a *Int32) Load() int32 {
	sched.Point(sched.OpLoad, unsafe.Pointer(a))
	return a.v.Load()
}

// Store sets the value.
func (a *Int32) Store(n int32) {
	sched.Point(sched.OpStore, unsafe.Pointer(a))
	a.v.Store(n)
}

// Swap sets the value and returns the one before.
func (a *Int32) Swap(n int32) int32 {
	sched.Point(sched.OpSwap, unsafe.Pointer(a))
	return a.v.Swap(n)
}

// CompareAndSwap sets the value to n if it is o.
func (a *Int32) CompareAndSwap(o, n int32) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(a))
	return a.v.CompareAndSwap(o, n)
}

// Add adds d and returns the new value.
func (a *Int32) Add(d int32) int32 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Add(d)
}

// And clears the bits that are not in m and returns the value before.
func (a *Int32) And(m int32) int32 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.And(m)
}

// Or sets the bits of m and returns the value before.
func (a *Int32) Or(m int32) int32 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Or(m)
}

// Int64 is an atomic.Int64 whose operations are scheduling points.
type Int64 struct{ v atomic.Int64 }

// Load returns the value.
func (a *Int64) Load() int64 {
	sched.Point(sched.OpLoad, unsafe.Pointer(a))
	return a.v.Load()
}

// Store sets the value.
func (a *Int64) Store(n int64) {
	sched.Point(sched.OpStore, unsafe.Pointer(a))
	a.v.Store(n)
}

// Swap sets the value and returns the one before.
func (a *Int64) Swap(n int64) int64 {
	sched.Point(sched.OpSwap, unsafe.Pointer(a))
	return a.v.Swap(n)
}

// CompareAndSwap sets the value to n if it is o.
func (a *Int64) CompareAndSwap(o, n int64) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(a))
	return a.v.CompareAndSwap(o, n)
}

// Add adds d and returns the new value.
func (a *Int64) Add(d int64) int64 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Add(d)
}

// And clears the bits that are not in m and returns the value before.
func (a *Int64) And(m int64) int64 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.And(m)
}

// Or sets the bits of m and returns the value before.
func (a *Int64) Or(m int64) int64 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Or(m)
}

// Uint32 is an atomic.Uint32 whose operations are scheduling points.
type Uint32 struct{ v atomic.Uint32 }

// Load returns the value.
func (a *Uint32) Load() uint32 {
	sched.Point(sched.OpLoad, unsafe.Pointer(a))
	return a.v.Load()
}

// Store sets the value.
func (a *Uint32) Store(n uint32) {
	sched.Point(sched.OpStore, unsafe.Pointer(a))
	a.v.Store(n)
}

// Swap sets the value and returns the one before.
func (a *Uint32) Swap(n uint32) uint32 {
	sched.Point(sched.OpSwap, unsafe.Pointer(a))
	return a.v.Swap(n)
}

// CompareAndSwap sets the value to n if it is o.
func (a *Uint32) CompareAndSwap(o, n uint32) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(a))
	return a.v.CompareAndSwap(o, n)
}

// Add adds d and returns the new value.
func (a *Uint32) Add(d uint32) uint32 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Add(d)
}

// And clears the bits that are not in m and returns the value before.
func (a *Uint32) And(m uint32) uint32 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.And(m)
}

// Or sets the bits of m and returns the value before.
func (a *Uint32) Or(m uint32) uint32 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Or(m)
}

// Uint64 is an atomic.Uint64 whose operations are scheduling points.
type Uint64 struct{ v atomic.Uint64 }

// Load returns the value.
func (a *Uint64) Load() uint64 {
	sched.Point(sched.OpLoad, unsafe.Pointer(a))
	return a.v.Load()
}

// Store sets the value.
func (a *Uint64) Store(n uint64) {
	sched.Point(sched.OpStore, unsafe.Pointer(a))
	a.v.Store(n)
}

// Swap sets the value and returns the one before.
func (a *Uint64) Swap(n uint64) uint64 {
	sched.Point(sched.OpSwap, unsafe.Pointer(a))
	return a.v.Swap(n)
}

// CompareAndSwap sets the value to n if it is o.
func (a *Uint64) CompareAndSwap(o, n uint64) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(a))
	return a.v.CompareAndSwap(o, n)
}

// Add adds d and returns the new value.
func (a *Uint64) Add(d uint64) uint64 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Add(d)
}

// And clears the bits that are not in m and returns the value before.
func (a *Uint64) And(m uint64) uint64 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.And(m)
}

// Or sets the bits of m and returns the value before.
func (a *Uint64) Or(m uint64) uint64 {
	sched.Point(sched.OpAdd, unsafe.Pointer(a))
	return a.v.Or(m)
}

// Pointer is an atomic.Pointer whose operations are scheduling points.
type Pointer[T any] struct{ v atomic.Pointer[T] }

// Load returns the pointer.
func (a *Pointer[T]) Load() *T {
	sched.Point(sched.OpLoad, unsafe.Pointer(a))
	return a.v.Load()
}

// Store sets the pointer.
func (a *Pointer[T]) Store(p *T) {
	sched.Point(sched.OpStore, unsafe.Pointer(a))
	a.v.Store(p)
}

// Swap sets the pointer and returns the one before.
func (a *Pointer[T]) Swap(p *T) *T {
	sched.Point(sched.OpSwap, unsafe.Pointer(a))
	return a.v.Swap(p)
}

// CompareAndSwap sets the pointer to n if it is o.
func (a *Pointer[T]) CompareAndSwap(o, n *T) bool {
	sched.Point(sched.OpCAS, unsafe.Pointer(a))
	return a.v.CompareAndSwap(o, n)
}
