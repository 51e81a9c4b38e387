//go:build !unix

package lawtest

import "time"

// computedBy returns the processor time that the process has used, if it is known.
func computedBy() (d time.Duration, known bool) { return 0, false }
