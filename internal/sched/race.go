//go:build race

package sched

import (
	"runtime"
	"unsafe"
)

// Race says whether the race detector is compiled in.
const Race = true

// Visible leaves the hand-over in the race detector's sight, so that every task seems to happen after the one
// that ran before it, and no race is ever seen. It is there for a test that must be able to tell.
var Visible bool

//go:norace
func hide() {
	if !Visible {
		runtime.RaceDisable()
	}
}

//go:norace
func show() {
	if !Visible {
		runtime.RaceEnable()
	}
}

// Races returns how many races the detector has reported in this process.
func Races() int { return runtime.RaceErrors() }

// Acquire shows the detector that what was released at p happens before what follows.
func Acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }

// Release shows the detector that what came before happens before the next Acquire of p.
func Release(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }
