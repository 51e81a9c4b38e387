package atom

import (
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"
)

// InBubble reports whether the calling goroutine is in a bubble of testing/synctest. The clock of a
// bubble stands still while any of its goroutines runs. A goroutine that sleeps in a bubble may be
// woken only by goroutines of the same bubble: the runtime ends a program in which another
// goroutine wakes it. Goroutines, channels and timers belong to the bubble in which they are made.
//
// In a test a call costs two readings of the clock, so callers ask only where they start goroutines
// or are about to sleep. In other programs a call costs nothing.
func InBubble() bool { return bubbles.Load() != never && mayBubble() }

// Bubbled reports whether t, which time.Now has just returned, was read in a bubble. Only a time
// that was read there has no monotonic reading.
func Bubbled(t time.Time) bool { return t == t.Round(0) }

// bubbles tells whether the program may have bubbles: 0 is unknown. A bubble needs a *testing.T, so
// only a test may have one.
var bubbles atomic.Uint32

const (
	never = 1 + iota
	perhaps
)

// mayBubble is InBubble for a program that may have bubbles, or of which that is not known yet.
func mayBubble() bool {
	if bubbles.Load() == 0 {
		is := uint32(never)
		if info, ok := debug.ReadBuildInfo(); !ok || mayTest(info.Path) {
			is = perhaps
		}
		bubbles.Store(is)
	}
	return bubbles.Load() == perhaps && Bubbled(time.Now())
}

// mayTest reports whether a program whose main package has that path may be a test. A test of a
// package has a path with the suffix .test. A test of listed files has the same path as any other
// program of listed files: command-line-arguments.
func mayTest(path string) bool {
	return path == "" || path == "command-line-arguments" || strings.HasSuffix(path, ".test")
}
