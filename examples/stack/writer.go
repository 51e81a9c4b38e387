package stack

import "example.com/custody/safety"

// Writer is a view that reads and changes the items at the positions that are indices of the
// current batch: position 0 is at the bottom, and the item on top is at position Len-1, so index i
// owns item i wherever the top is. Single jobs own everything. A Writer neither pushes nor pops. It
// works only inside the job that carries it.
//
// A loop may be as long as the stack's bound; indices without an item own nothing.
type Writer[T any] struct {
	safety.Hold
	of     *Stack[T]
	items  []T // what the job was given: all items, or the window of a body that lends the view on
	window []T // the current batch's, from position begin on; none while the view is not bound
	begin  int
}

// Writer returns a view that reads and changes what the current batch's indices own.
func (s *Stack[T]) Writer() Writer[T] {
	if s == nil {
		return Writer[T]{}
	}
	return Writer[T]{Hold: s.guard.Hold(safety.Write, nil), of: s}
}

// At returns the item at a position. A position that the batch does not own is a violation.
func (w *Writer[T]) At(position int) T {
	if safety.Strict {
		w.Hold.Check()
	}
	if k := uint(position - w.begin); k < uint(len(w.window)) {
		return w.window[k]
	}
	panic(w.Hold.Out(position))
}

// Set changes the item at a position. A position that the batch does not own is a violation.
func (w *Writer[T]) Set(position int, v T) {
	if safety.Strict {
		w.Hold.Check()
	}
	if k := uint(position - w.begin); k < uint(len(w.window)) {
		w.window[k] = v
		return
	}
	panic(w.Hold.Out(position))
}

// Len returns the number of items, whichever of them the batch owns.
func (w *Writer[T]) Len() int {
	if safety.Strict {
		w.Hold.Check()
	}
	if !w.Hold.Bound() {
		panic(w.Hold.Stale())
	}
	return len(w.items)
}

// Claim completes the claim.
func (w *Writer[T]) Claim(c *safety.Claim) {
	c.Ranged = true
	switch {
	case w.Hold.Bound():
		c.Extent = len(w.window)
	case w.of != nil:
		c.Extent = w.of.bound // the number of items is known only when the job starts
	}
}

// Bind implements safety.Binder.
func (w *Writer[T]) Bind(b safety.Binding) {
	w.items = w.of.items
	if w.Hold.Bound() {
		w.items = w.window
	}
	w.Hold.Bind(b)
	w.window, w.begin = nil, 0
}

// SetRange implements safety.RangeView.
func (w *Writer[T]) SetRange(begin, end int) {
	begin, end = min(begin, len(w.items)), min(end, len(w.items))
	w.window, w.begin = w.items[begin:end:end], begin
}

// Window implements safety.RangeView.
func (w *Writer[T]) Window() (begin, end, length int) {
	return w.begin, w.begin + len(w.window), len(w.items)
}
