//go:build unix

package lawtest

import (
	"syscall"
	"time"
)

// computedBy returns the processor time that the process has used, if it is known.
func computedBy() (d time.Duration, known bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
