package spec

import "example.com/custody/internal/linear"

// window answers what can have been there while the operation h[i] ran, and what must have been.
type window[I, O any] struct {
	h []linear.Op[I, O]
	i int
}

// certain says whether what h[add] put there was there during all of the operation, whatever the order:
// it was put there before, and nothing that takes it can have come between. It is wrong for an h[add] that
// may have put nothing there.
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

// possible says whether what h[add] put there can have been there at some moment of the operation: it can
// have been put there, and nothing that surely takes it came between.
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
