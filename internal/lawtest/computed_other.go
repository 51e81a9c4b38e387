//go:build !unix

package lawtest

import "time"

// computedBy returns how long the process has computed, if that is known.
func computedBy() (d time.Duration, known bool) { return 0, false }
