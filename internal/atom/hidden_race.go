//go:build race && !custody_explore

package atom

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Race reports whether the race detector watches programs that use the library.
const Race = true

// Hide makes the calling goroutine's synchronization invisible to the race detector until Show.
// Calls nest.
func Hide() { runtime.RaceDisable() }

// Show ends what Hide began.
func Show() { runtime.RaceEnable() }

// Acquire shows the race detector that the releases at p happen before what follows.
func Acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }

// ReleaseMerge shows the race detector that everything before the call happens before the next
// Acquire of p. Earlier releases at p keep their effect.
func ReleaseMerge(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }

// ReadRange declares a read of n bytes at p to the race detector.
func ReadRange(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceReadRange(p, n)
	}
}

// WriteRange declares a write of n bytes at p to the race detector.
func WriteRange(p unsafe.Pointer, n int) {
	if n > 0 {
		runtime.RaceWriteRange(p, n)
	}
}

// Mark stands for a resource that the race detector does not see and that one goroutine at a time
// may use.
type Mark struct{ at byte }

// Write declares a use of the resource to the race detector.
func (m *Mark) Write() { runtime.RaceWrite(unsafe.Pointer(&m.at)) }

// Wait waits on c, which belongs to a hidden lock.
func Wait(c *Cond) {
	runtime.RaceDisable()
	c.Wait()
	runtime.RaceEnable()
}

// Broadcast wakes all goroutines that wait on c, which belongs to a hidden lock.
func Broadcast(c *Cond) {
	runtime.RaceDisable()
	c.Broadcast()
	runtime.RaceEnable()
}

// HiddenUint32 is a Uint32 that the race detector does not see.
type HiddenUint32 struct{ v atomic.Uint32 }

// Load returns the value.
func (h *HiddenUint32) Load() uint32 { return load32(&h.v) }

// Store sets the value.
func (h *HiddenUint32) Store(v uint32) {
	runtime.RaceDisable()
	h.v.Store(v)
	runtime.RaceEnable()
}

// HiddenUint64 is a Uint64 that the race detector does not see.
type HiddenUint64 struct{ v atomic.Uint64 }

// Load returns the value.
func (h *HiddenUint64) Load() uint64 { return load64(&h.v) }

// Store sets the value.
func (h *HiddenUint64) Store(v uint64) {
	runtime.RaceDisable()
	h.v.Store(v)
	runtime.RaceEnable()
}

// Add adds d and returns the new value.
func (h *HiddenUint64) Add(d uint64) uint64 {
	runtime.RaceDisable()
	v := h.v.Add(d)
	runtime.RaceEnable()
	return v
}

// CompareAndSwap sets the value to n if it is o, and reports whether it was.
func (h *HiddenUint64) CompareAndSwap(o, n uint64) bool {
	runtime.RaceDisable()
	ok := h.v.CompareAndSwap(o, n)
	runtime.RaceEnable()
	return ok
}

// HiddenInt64 is an Int64 that the race detector does not see.
type HiddenInt64 struct{ v atomic.Int64 }

// Load returns the value.
func (h *HiddenInt64) Load() int64 { return loadInt64(&h.v) }

// Store sets the value.
func (h *HiddenInt64) Store(v int64) {
	runtime.RaceDisable()
	h.v.Store(v)
	runtime.RaceEnable()
}

// Add adds d and returns the new value.
func (h *HiddenInt64) Add(d int64) int64 {
	runtime.RaceDisable()
	v := h.v.Add(d)
	runtime.RaceEnable()
	return v
}

// HiddenPointer is a Pointer that the race detector does not see. Its target must not change, or
// must be accessed by hidden operations only.
type HiddenPointer[T any] struct{ v atomic.Pointer[T] }

// Load returns the pointer.
func (h *HiddenPointer[T]) Load() *T { return loadPointer(&h.v) }

// Store sets the pointer.
func (h *HiddenPointer[T]) Store(p *T) {
	runtime.RaceDisable()
	h.v.Store(p)
	runtime.RaceEnable()
}

// Swap sets the pointer and returns the previous one.
func (h *HiddenPointer[T]) Swap(p *T) *T {
	runtime.RaceDisable()
	v := h.v.Swap(p)
	runtime.RaceEnable()
	return v
}

// CompareAndSwap sets the pointer to n if it is o, and reports whether it was.
func (h *HiddenPointer[T]) CompareAndSwap(o, n *T) bool {
	runtime.RaceDisable()
	ok := h.v.CompareAndSwap(o, n)
	runtime.RaceEnable()
	return ok
}

// HiddenMutex is a Mutex that the race detector does not see.
type HiddenMutex struct{ mu sync.Mutex }

// Lock locks the mutex.
func (m *HiddenMutex) Lock() {
	runtime.RaceDisable()
	m.mu.Lock()
	runtime.RaceEnable()
}

// TryLock locks the mutex if it is free, and reports whether it was.
func (m *HiddenMutex) TryLock() bool {
	runtime.RaceDisable()
	ok := m.mu.TryLock()
	runtime.RaceEnable()
	return ok
}

// Unlock unlocks the mutex.
func (m *HiddenMutex) Unlock() {
	runtime.RaceDisable()
	m.mu.Unlock()
	runtime.RaceEnable()
}
