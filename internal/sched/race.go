//go:build race

package sched

import (
	"runtime"
	"unsafe"
)

// Race says whether the race detector is compiled in.
const Race = true

func hide() { runtime.RaceDisable() }

func show() { runtime.RaceEnable() }

func acquire(p unsafe.Pointer) { runtime.RaceAcquire(p) }

func release(p unsafe.Pointer) { runtime.RaceReleaseMerge(p) }
