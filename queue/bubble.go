package queue

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// A goroutine that waits in a bubble of testing/synctest must be woken from that bubble: otherwise the
// runtime ends the program. So it sleeps on a parker that is made for the wait, and a goroutine that
// is going to wake it asks first whether it may.
//
// An operation asks before it takes effect, so one that is refused changes nothing. Between the
// question and the effect another goroutine may begin to wait in a bubble. Then the operation takes
// effect, and panics when it is to wake that goroutine.

// outside returns the violation of waking a goroutine in a bubble from outside. It returns nil if the
// goroutine is in no bubble, as bubbled reports, or the caller is in one.
func outside(g *safety.Guard, bubbled bool) *safety.Violation {
	if !bubbled || atom.InBubble() {
		return nil
	}
	return g.Violation(safety.ErrConflict, "a goroutine in a synctest bubble waits for "+g.Container()+", and a goroutine outside the bubble was to wake it",
		"Use the container, close it, and end the contexts of its waits from goroutines of the bubble.")
}

// wakeable panics if one of the n goroutines that have waited longest is in a bubble and the caller is
// outside. An operation that is going to call n goroutines asks before it takes effect.
func (q *waiters) wakeable(n int) {
	if q.bubbled.Load() != 0 {
		q.mustBeInside(n)
	}
}

// mustBeInside is wakeable when some goroutine waits in a bubble.
func (q *waiters) mustBeInside(n int) {
	var v *safety.Violation
	q.mu.Lock()
	for w := q.first; v == nil && n > 0 && w != nil; w = w.next {
		v = outside(q.of, w.bubbled)
		n--
	}
	q.mu.Unlock()
	if v != nil {
		panic(v)
	}
}
