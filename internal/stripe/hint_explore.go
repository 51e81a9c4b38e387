//go:build custody_explore

package stripe

import (
	"unsafe"

	"example.com/custody/internal/sched"
)

const page = 11

// Hint is that of ordinary builds outside executions. Within one it depends on the task alone, so that the same
// schedule does the same.
func Hint() uint64 {
	var here byte
	n := uint64(uintptr(unsafe.Pointer(&here)) >> page)
	if sched.Exploring() {
		n = uint64(sched.Current() + 1)
	}
	return n * 0x9e3779b97f4a7c15
}
