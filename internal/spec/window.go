package spec

import "example.com/custody/internal/linear"

// window tells which elements were possibly or certainly present while the operation h[i] ran.
type window[I, O any] struct {
	h []linear.Op[I, O]
	i int
}

// certain reports whether the element that h[add] added was present for the whole interval of h[i]
// in every order. That is so if h[add] returned before h[i] was called, and no operation for which
// takes reports true can have come between. h[add] must have added an element for certain.
func (w window[I, O]) certain(add int, takes func(k int) bool) bool {
	a, at := &w.h[add], &w.h[w.i]
	if !a.Before(at) {
		return false
	}
	for k := range w.h {
		if t := &w.h[k]; k != w.i && takes(k) && !t.Before(a) && !at.Before(t) {
			return false
		}
	}
	return true
}

// possible reports whether the element that h[add] added can have been present at some moment of
// h[i]. It cannot if h[add] was called after h[i] returned, or if an operation that certainly
// removes the element came between.
func (w window[I, O]) possible(add int, takesAll func(k int) bool) bool {
	a, at := &w.h[add], &w.h[w.i]
	if at.Before(a) {
		return false
	}
	for k := range w.h {
		if t := &w.h[k]; k != w.i && takesAll(k) && a.Before(t) && t.Before(at) {
			return false
		}
	}
	return true
}
