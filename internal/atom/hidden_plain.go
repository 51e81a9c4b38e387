//go:build !race || custody_explore

package atom

import "unsafe"

// Race reports whether the race detector watches programs that use the library. It is false in
// builds without the detector, and in explored builds, where the detector watches the library
// itself.
const Race = false

// The hidden types are the plain ones: there is no race detector to hide from, or it is meant to
// watch the library.
type (
	HiddenUint32         = Uint32
	HiddenUint64         = Uint64
	HiddenInt64          = Int64
	HiddenPointer[T any] = Pointer[T]
	HiddenMutex          = Mutex
)

// Hide makes the calling goroutine's synchronization invisible to the race detector until Show. In
// this build Hide and the functions from here to WriteRange do nothing.
func Hide() {}

// Show ends what Hide began.
func Show() {}

// Acquire shows the race detector that the releases at p happen before what follows.
func Acquire(p unsafe.Pointer) {}

// ReleaseMerge shows the race detector that everything before the call happens before the next
// Acquire of p. Earlier releases at p keep their effect.
func ReleaseMerge(p unsafe.Pointer) {}

// ReadRange declares a read of n bytes at p to the race detector.
func ReadRange(p unsafe.Pointer, n int) {}

// WriteRange declares a write of n bytes at p to the race detector.
func WriteRange(p unsafe.Pointer, n int) {}

// Mark stands for a resource that the race detector does not see and that one goroutine at a time
// may use. In this build it is empty.
type Mark struct{}

// Write declares a use of the resource to the race detector.
func (*Mark) Write() {}

// Wait waits on c, which belongs to a hidden lock.
func Wait(c *Cond) { c.Wait() }

// Broadcast wakes all goroutines that wait on c, which belongs to a hidden lock.
func Broadcast(c *Cond) { c.Broadcast() }
