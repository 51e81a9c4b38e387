//go:build !race

package sched

import "unsafe"

// Race says whether the race detector is compiled in.
const Race = false

func hide() {}

func show() {}

// Races returns how many races the detector has reported in this process.
func Races() int { return 0 }

// Acquire shows the race detector that what was released at p happens before what follows.
func Acquire(p unsafe.Pointer) {}

// Release shows the race detector that what came before happens before the next Acquire of p.
func Release(p unsafe.Pointer) {}
