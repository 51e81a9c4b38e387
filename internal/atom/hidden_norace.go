//go:build !race && !custody_explore

package atom

import "unsafe"

// Race says whether the race detector is compiled in.
const Race = false

// In builds without the race detector nothing needs hiding.
type (
	HiddenUint32         = Uint32
	HiddenUint64         = Uint64
	HiddenInt64          = Int64
	HiddenPointer[T any] = Pointer[T]
	HiddenMutex          = Mutex
)

// Hide makes the calling goroutine's synchronisation invisible to the race detector until Show.
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

// Wait waits on c, which belongs to a hidden lock.
func Wait(c *Cond) { c.Wait() }

// Broadcast wakes all that wait on c, which belongs to a hidden lock.
func Broadcast(c *Cond) { c.Broadcast() }

// Stamp is a word that one goroutine changes and others may look at without being ordered with it:
// they see some value it had. It is for detecting misuse, never for handing anything over. It is
// one machine word, so a look is never torn.
type Stamp struct{ v uintptr }

// Load returns a value that the stamp had.
func (s *Stamp) Load() uintptr { return s.v }

// Store sets the stamp; only one goroutine at a time may.
func (s *Stamp) Store(v uintptr) { s.v = v }
