//go:build !race

package sched

import "unsafe"

// Race reports whether the race detector is compiled in.
const Race = false

func hide() {}

func show() {}

// Races returns the number of races that the detector has reported in this process.
func Races() int { return 0 }

// Acquire shows the race detector that the releases at p happen before what follows.
func Acquire(p unsafe.Pointer) {}

// Release shows the race detector that everything before the call happens before the next Acquire
// of p.
func Release(p unsafe.Pointer) {}
