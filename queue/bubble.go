package queue

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// A goroutine that waits in a bubble of testing/synctest is woken by goroutines of that bubble only, by whatever queue: a wake-up
// from elsewhere ends the program. So it sleeps on a parker that is made for the wait, and whoever is to wake it asks first.

// outside returns the violation of ending a wait in a bubble from outside, or nil when the wait is in none or the caller is in one.
func outside(g *safety.Guard, bubbled bool) *safety.Violation {
	if !bubbled || atom.InBubble() {
		return nil
	}
	return g.Violation(safety.ErrConflict, "a goroutine in a synctest bubble waits for "+g.Container()+", and a goroutine outside the bubble was to wake it",
		"Use the container, close it, and end the contexts of its waits from goroutines of the bubble.")
}
