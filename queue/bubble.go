package queue

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// A goroutine that waits in a bubble of testing/synctest must be woken from that bubble, because
// the runtime ends the program otherwise. So the goroutine sleeps on a parker that is made for the
// wait, and an operation that is going to wake it checks first whether the caller may.
//
// The program cannot tell two bubbles apart. So the check passes in every bubble, and the runtime
// ends a program in which an operation wakes a goroutine of another bubble.
//
// An operation checks before it takes effect, so a refused operation changes nothing. A goroutine
// may begin to wait in a bubble between the check and the effect. Then the operation takes effect
// and panics instead of waking the goroutine.

// outside returns a violation if the goroutine to be woken is in a bubble, which bubbled says, and
// the caller is in none. Otherwise it returns nil.
func outside(g *safety.Guard, bubbled bool) *safety.Violation {
	if !bubbled || atom.InBubble() {
		return nil
	}
	return g.Violation(safety.ErrConflict, "a goroutine in a synctest bubble waits for "+g.Container()+
		", and a goroutine outside the bubble was to wake it",
		"Use the container, close it, and end the contexts of its waits from goroutines of the bubble.")
}

// wakeable panics if the caller is in no bubble and one of the n longest waiting goroutines is in
// one. An operation that is going to call n waiters calls wakeable before it takes effect.
func (q *waiters) wakeable(n int) {
	if q.bubbled.Load() != 0 {
		q.mustBeInside(n)
	}
}

// mustBeInside implements wakeable for a list with a goroutine that waits in a bubble.
func (q *waiters) mustBeInside(n int) {
	var v *safety.Violation
	q.mu.Lock()
	for w := q.first; v == nil && n > 0 && w != nil; w, n = w.next, n-1 {
		v = outside(q.of, w.bubbled)
	}
	q.mu.Unlock()
	if v != nil {
		panic(v)
	}
}
