//go:build !custody_explore

package atom

import (
	"runtime"
	"time"
)

// SpinTime is how long a [Spin] lasts. That is about the time it takes to wake a sleeping thread,
// so a goroutine that spins before it sleeps waits at most twice as long as necessary.
const SpinTime = 50 * time.Microsecond

// Spin bounds a wait that polls for what another goroutine is about to do. It also ends where the
// clock stands still: at once in a bubble of testing/synctest, and elsewhere after mostLooks polls.
// The zero value is ready for use:
//
//	for s := (atom.Spin{}); !done.Load() && s.More(); {
//	}
type Spin struct {
	looks int
	start time.Time
}

// spinLooks is the number of polls between two readings of the clock. A reading costs as much as
// some tens of polls.
const spinLooks = 128

// mostLooks is more than the number of polls that fit into SpinTime, however short a poll is.
const mostLooks = 1 << 18

// More reports whether to poll again. It returns false on a single processor and in a bubble, where
// the goroutine had better sleep.
func (s *Spin) More() bool {
	s.looks++
	if s.looks%spinLooks != 1 {
		return true
	}
	return s.read()
}

// read is More at the first poll and at every spinLooks-th after it, which read the clock.
func (s *Spin) read() bool {
	if s.looks == 1 {
		s.start = time.Now()
		return runtime.GOMAXPROCS(0) > 1 && !Bubbled(s.start)
	}
	return s.looks < mostLooks && time.Since(s.start) < SpinTime
}
