package atom

import "time"

// InBubble reports whether the calling goroutine is in a bubble of testing/synctest, where the clock stands still while any
// goroutine runs, and where a goroutine that sleeps may be woken by goroutines of the same bubble only: the runtime ends a
// program in which another one does. Goroutines, channels and timers belong to the bubble in which they are made. It costs
// two readings of the clock, so it is asked where goroutines are started or about to sleep.
func InBubble() bool { return Bubbled(time.Now()) }

// Bubbled reports whether t, which time.Now has just returned, was read in a bubble: only there it has no monotonic reading.
func Bubbled(t time.Time) bool { return t == t.Round(0) }
