package counter

import "example.com/custody/safety"

// guarded is the part that all containers share: the guard, and the end of the container.
type guarded struct{ guard safety.Guard }

// Dispose ends the container: every later use is a violation, and so is a Dispose while a job holds
// it. The garbage collector frees the memory, also without Dispose.
func (g *guarded) Dispose() { g.guard.Dispose() }

// DisposeAfter is Dispose for a container that jobs hold. From now on every use is a violation,
// except those of h's job and of the jobs that it runs after. If another job holds the container,
// DisposeAfter is a violation and changes nothing.
func (g *guarded) DisposeAfter(h safety.Handle) { g.guard.DisposeAfter(h, func() {}) }

// Disposed reports whether the container was disposed.
func (g *guarded) Disposed() bool { return g.guard.Disposed() }

// hold is what views embed. The unexported alias keeps its methods out of their documentation.
type hold = safety.Hold

// held is the part that the views of a whole container share.
type held[C any] struct {
	hold
	of *C
}

// use returns the container. It panics with a violation unless the view may be used now.
func (h *held[C]) use() *C {
	mustBeBound(&h.hold)
	return h.of
}

// mustBeBound panics with a violation unless the view with the hold h may be used now.
func mustBeBound(h *safety.Hold) {
	if !h.Bound() {
		panic(h.Stale())
	}
	h.Check()
}
