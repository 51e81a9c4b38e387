package sched

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// Kind is the kind of operation that a task does after a scheduling point.
type Kind uint8

// The kinds of steps.
const (
	OpStart Kind = iota
	OpLoad
	OpStore
	OpAdd
	OpSwap
	OpCAS
	OpLock
	OpUnlock
	OpWait
	OpWake
	OpPark
	OpUnpark
	OpYield
	OpGo
	OpPlain
	OpAfter
)

var kindNames = [...]string{"start", "Load", "Store", "Add", "Swap", "CompareAndSwap", "Lock", "Unlock", "Wait", "Signal", "Park", "Unpark", "Yield", "Go", "plain", "after"}

func (k Kind) String() string { return kindNames[k] }

// Step is one scheduling point that a task passed.
type Step struct {
	Task int
	Kind Kind
	Word unsafe.Pointer // the word of the operation; only for comparison
	At   []uintptr      // the callers, with Exec.Log
}

// Where returns the innermost function and line of the step outside of packages sched, atom and
// runtime.
func (s *Step) Where() string {
	if len(s.At) == 0 {
		return ""
	}
	frames := runtime.CallersFrames(s.At)
	for {
		f, more := frames.Next()
		if Outside(f.Function) && !strings.HasPrefix(f.Function, "runtime.") {
			return PlaceOf(f)
		}
		if !more {
			return ""
		}
	}
}

// Outside reports whether a function belongs to neither of the packages that stand for sync and
// sync/atomic, nor to this one.
func Outside(function string) bool {
	for _, pkg := range []string{"/internal/sched.", "/internal/atom.", "/safety/atom."} {
		if strings.Contains(function, pkg) {
			return false
		}
	}
	return true
}

// PlaceOf returns the function and line of a frame.
func PlaceOf(f runtime.Frame) string {
	return fmt.Sprintf("%s %s:%d", f.Function[strings.LastIndexByte(f.Function, '/')+1:], f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
}

//go:norace
func callers() []uintptr {
	pc := make([]uintptr, 24)
	return pc[:runtime.Callers(3, pc)]
}
