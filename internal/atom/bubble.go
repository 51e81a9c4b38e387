package atom

import (
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// InBubble reports whether the calling goroutine is in a bubble of testing/synctest. The clock of a
// bubble stands still while any of its goroutines runs. A goroutine that sleeps in a bubble may be
// woken only by goroutines of the same bubble: the runtime ends a program in which another
// goroutine wakes it. Goroutines, channels and timers belong to the bubble in which they are made.
//
// In a test a call costs two readings of the clock, so callers ask only where they start goroutines
// or are about to sleep. In other programs a call costs nothing.
func InBubble() bool { return bubbles() && Bubbled(time.Now()) }

// Bubbled reports whether t, which time.Now has just returned, was read in a bubble. Only a time
// that was read there has no monotonic reading.
func Bubbled(t time.Time) bool { return t == t.Round(0) }

// bubbles reports whether the program may have bubbles. A bubble needs a *testing.T, so only a test
// may have one.
var bubbles = sync.OnceValue(func() bool {
	info, ok := debug.ReadBuildInfo()
	return !ok || mayTest(info.Path)
})

// mayTest reports whether a program whose main package has that path may be a test. A test of a
// package has a path with the suffix .test. A test of listed files has the same path as any other
// program of listed files: command-line-arguments.
func mayTest(path string) bool {
	return path == "" || path == "command-line-arguments" || strings.HasSuffix(path, ".test")
}
