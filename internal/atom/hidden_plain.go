//go:build !race || custody_explore

package atom

import "unsafe"

// Race says whether the library takes part in the race detector's work. Builds without the detector have none to
// take part in. In explored builds it watches the library itself.
const Race = false

// Without the race detector nothing needs hiding, and from the one that watches the library nothing is hidden.
type (
	HiddenUint32         = Uint32
	HiddenUint64         = Uint64
	HiddenInt64          = Int64
	HiddenPointer[T any] = Pointer[T]
	HiddenMutex          = Mutex
)

// Hide makes the calling goroutine's synchronisation invisible to the race detector until Show. Here it does
// nothing, and so do all down to WriteRange.
func Hide() {}

// Show ends what Hide began.
func Show() {}

// Acquire shows the race detector that what was released at p happens before what follows.
func Acquire(p unsafe.Pointer) {}

// ReleaseMerge shows the race detector that what came before happens before the next Acquire of p,
// beside what others released there.
func ReleaseMerge(p unsafe.Pointer) {}

// ReadRange declares a read of n bytes at p to the race detector.
func ReadRange(p unsafe.Pointer, n int) {}

// WriteRange declares a write of n bytes at p to the race detector.
func WriteRange(p unsafe.Pointer, n int) {}

// Mark stands for something that the race detector does not see, and that one goroutine may use at a time. Here it is
// nothing.
type Mark struct{}

// Write declares a use of it to the race detector.
func (*Mark) Write() {}

// Wait waits on c, which belongs to a hidden lock.
func Wait(c *Cond) { c.Wait() }

// Broadcast wakes all that wait on c, which belongs to a hidden lock.
func Broadcast(c *Cond) { c.Broadcast() }
