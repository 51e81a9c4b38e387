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
		if !strings.Contains(f.Function, "/internal/sched.") && !strings.Contains(f.Function, "/internal/atom.") && !strings.HasPrefix(f.Function, "runtime.") {
			name := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
			return fmt.Sprintf("%s %s:%d", name, f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return ""
		}
	}
}

//go:norace
func callers() []uintptr {
	pc := make([]uintptr, 24)
	return pc[:runtime.Callers(3, pc)]
}
