package array

import (
	"iter"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// window is what the range-guarded views share: the elements of the current cell, and access to them.
// Its methods are theirs. Indices are the array's, whatever the window.
type window[T any] struct {
	access safety.Access
	s      []T // elements min, min+1, ... of the array; none while the view is not bound (I3)
	min    int
}

// At returns element i. An index that the cell does not own is a violation.
func (w *window[T]) At(i int) T {
	if safety.Strict {
		w.access.Check()
	}
	if k := uint(i - w.min); k < uint(len(w.s)) {
		return w.s[k]
	}
	panic(w.access.Out(i))
}

// Set sets element i. An index that the cell does not own is a violation.
func (w *window[T]) Set(i int, v T) {
	if safety.Strict {
		w.access.Check()
	}
	if k := uint(i - w.min); k < uint(len(w.s)) {
		w.s[k] = v
		return
	}
	panic(w.access.Out(i))
}

// Ptr returns a pointer to element i, good until the cell ends. An index that the cell does not own is
// a violation.
func (w *window[T]) Ptr(i int) *T {
	if safety.Strict {
		w.access.Check()
	}
	if k := uint(i - w.min); k < uint(len(w.s)) {
		return &w.s[k]
	}
	panic(w.access.Out(i))
}

// Slice returns the elements that the cell owns, good until the cell ends. Its element 0 is the
// array's element [window.Begin]. In strict builds a per-index loop owns one index at a time.
func (w *window[T]) Slice() []T {
	w.access.Check()
	return w.s
}

// Begin returns the index of the first element that the cell owns.
func (w *window[T]) Begin() int { return w.min }

// All ranges over the elements that the cell owns, with their indices in the array.
func (w *window[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		w.access.Check()
		for k, v := range w.s {
			if !yield(w.min+k, v) {
				return
			}
		}
	}
}

// restrict makes [lo, hi) of base the window and declares it to the race detector. It keeps (I2).
func (w *window[T]) restrict(base []T, lo, hi int) {
	w.s, w.min = base[lo:hi:hi], lo
	if atom.Race && hi > lo {
		atom.WriteRange(unsafe.Pointer(&w.s[0]), (hi-lo)*int(unsafe.Sizeof(w.s[0])))
	}
}

// sub returns [lo, hi) of the array, which must lie in the window.
func (w *window[T]) sub(lo, hi int) []T {
	w.access.Check()
	a, b := lo-w.min, hi-w.min
	if a < 0 || a > len(w.s) {
		panic(w.access.Out(lo))
	}
	if b < a || b > len(w.s) {
		panic(w.access.Out(hi - 1))
	}
	return w.s[a:b:b]
}
