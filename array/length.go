package array

import "example.com/custody/safety"

// Len returns how many indices of a loop the view serves, whichever of them the batch owns: the number of
// elements, or with [Writer.Rows] of rows.
func (w *Writer[T]) Len() int {
	w.mustBeBound()
	return len(w.base) / w.stride
}

// Len returns how many indices of a loop the view serves, whichever of them the batch owns: one less than there
// are offsets.
func (w *OffsetWriter[T]) Len() int {
	w.mustBeBound()
	return max(w.offsets.length()-1, 0)
}

// mustBeBound panics when the view has no data. Strict builds find every stale view.
func (w *window[T]) mustBeBound() {
	if safety.Strict {
		w.hold.Check()
	}
	if !w.hold.Bound() {
		panic(w.hold.Stale())
	}
}
