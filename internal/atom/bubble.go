package atom

import (
	"runtime/debug"
	"strings"
	"sync"
	"time"
)

// InBubble reports whether the calling goroutine is in a bubble of testing/synctest, where the clock stands still while any
// goroutine runs, and where a goroutine that sleeps may be woken by goroutines of the same bubble only: the runtime ends a
// program in which another one does. Goroutines, channels and timers belong to the bubble in which they are made.
//
// In a test it costs two readings of the clock, so it is asked where goroutines are started or about to sleep; in other
// programs nothing.
func InBubble() bool { return bubbles() && Bubbled(time.Now()) }

// Bubbled reports whether t, which time.Now has just returned, was read in a bubble: only there it has no monotonic reading.
func Bubbled(t time.Time) bool { return t == t.Round(0) }

// bubbles reports whether the program may have bubbles: a bubble needs a *testing.T, so it is a test.
var bubbles = sync.OnceValue(func() bool {
	info, ok := debug.ReadBuildInfo()
	return !ok || mayTest(info.Path)
})

// mayTest reports whether a program whose main package has that path may be a test. That of a test of a package has the suffix,
// and that of a test of some files is named as that of any program of some files.
func mayTest(path string) bool {
	return path == "" || path == "command-line-arguments" || strings.HasSuffix(path, ".test")
}
