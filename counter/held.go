package counter

import "example.com/custody/safety"

// hold is what views embed. Being an alias of the package, it keeps its methods from their pages.
type hold = safety.Hold

// held is what the views that use a whole container share.
type held[C any] struct {
	hold
	of *C
}

// use returns the container, if the view may be used now.
func (h *held[C]) use() *C {
	if !h.hold.Bound() {
		panic(h.hold.Stale())
	}
	h.hold.Check()
	return h.of
}
