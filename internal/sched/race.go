//go:build race

package sched

import (
	"runtime"
	"unsafe"
)

// Race reports whether the race detector is compiled in.
const Race = true

// Visible leaves the hand-over visible to the race detector, so that every task seems to happen
// after the previous one and no race is seen. It is for a test that the detector works.
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

// Races returns the number of races that the detector has reported in this process.
func Races() int { return runtime.RaceErrors() }

// Acquire shows the race detector that the releases at p happen before what follows.
func Acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }

// Release shows the race detector that everything before the call happens before the next Acquire
// of p.
func Release(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }
