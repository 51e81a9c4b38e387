package counter

import (
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// hold is what views embed. The unexported alias keeps its methods out of their documentation.
type hold = safety.Hold

// held is the part that the views of a whole container share.
type held[C any] struct {
	hold
	of *C
}

// use returns the container. It panics with a violation unless the view may be used now.
func (h *held[C]) use() *C {
	quiet.MustBeUsable(&h.hold)
	return h.of
}
