//go:build custody_explore

package stripe

import (
	"unsafe"

	"example.com/custody/internal/sched"
)

const page = 11

// Hint returns the hint of ordinary builds when no execution is explored. Within an execution the
// hint depends only on the task, so that a schedule can be replayed.
func Hint() uint64 {
	var here byte
	n := uint64(uintptr(unsafe.Pointer(&here)) >> page)
	if sched.Exploring() {
		n = uint64(sched.Current() + 1)
	}
	return n * 0x9e3779b97f4a7c15
}
