package counter

import "example.com/custody/safety"

// held is what the views that use a whole container share.
type held[C any] struct {
	access safety.Access
	of     *C
	on     *C // of, once the view is bound
}

// use returns the container, if the view may be used now.
func (h *held[C]) use() *C {
	if h.on == nil {
		panic(h.access.Stale())
	}
	h.access.Check()
	return h.on
}

func (h *held[C]) bind(b safety.Binding) {
	h.access.Bind(b)
	h.on = h.of
}
