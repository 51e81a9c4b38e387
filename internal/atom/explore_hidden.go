//go:build custody_explore

package atom

import (
	"runtime"
	"unsafe"
)

// Race says whether the library takes part in the race detector's work. Explored builds do not: there the
// detector watches the library itself.
const Race = false

// Nothing is hidden from the detector that watches the library.
type (
	HiddenUint32         = Uint32
	HiddenUint64         = Uint64
	HiddenInt64          = Int64
	HiddenPointer[T any] = Pointer[T]
	HiddenMutex          = Mutex
)

// Hide does nothing in explored builds.
func Hide() {}

// Show does nothing in explored builds.
func Show() {}

// Acquire does nothing in explored builds.
func Acquire(p unsafe.Pointer) {}

// ReleaseMerge does nothing in explored builds.
func ReleaseMerge(p unsafe.Pointer) {}

// ReadRange does nothing in explored builds.
func ReadRange(p unsafe.Pointer, n int) {}

// WriteRange does nothing in explored builds.
func WriteRange(p unsafe.Pointer, n int) {}

// Wait waits on c.
func Wait(c *Cond) { c.Wait() }

// Broadcast wakes all that wait on c.
func Broadcast(c *Cond) { c.Broadcast() }

// Stamp is a word that one goroutine changes and others may look at without being ordered with it:
// they see some value it had. It is for detecting misuse, never for handing anything over. It is no
// scheduling point.
type Stamp struct{ v uintptr }

// Load returns a value that the stamp had.
//
//go:norace
func (s *Stamp) Load() uintptr { return s.v }

// Store sets the stamp; only one goroutine at a time may.
//
//go:norace
func (s *Stamp) Store(v uintptr) { s.v = v }

func yield() { runtime.Gosched() }

// Explored says whether a controlled scheduler is behind the types of this package.
const Explored = true
