package stack

import "example.com/custody/safety"

// Writer is a view that reads and changes the items at the positions that are indices of the
// current batch: position 0 is at the bottom, and the item on top is at position Len-1, so index i
// owns item i wherever the top is. Single jobs own everything. A Writer neither pushes nor pops. It
// works only inside the job that carries it.
//
// A loop may be as long as the stack's bound; indices without an item own nothing.
type Writer[T any] struct {
	access safety.Access
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
	return Writer[T]{access: s.guard.Access(safety.Write), of: s}
}

// At returns the item at a position. A position that the batch does not own is a violation.
func (w *Writer[T]) At(position int) T {
	if safety.Strict {
		w.access.Check()
	}
	if k := uint(position - w.begin); k < uint(len(w.window)) {
		return w.window[k]
	}
	panic(w.access.Out(position))
}

// Set changes the item at a position. A position that the batch does not own is a violation.
func (w *Writer[T]) Set(position int, v T) {
	if safety.Strict {
		w.access.Check()
	}
	if k := uint(position - w.begin); k < uint(len(w.window)) {
		w.window[k] = v
		return
	}
	panic(w.access.Out(position))
}

// Len returns the number of items, whichever of them the batch owns.
func (w *Writer[T]) Len() int {
	if safety.Strict {
		w.access.Check()
	}
	if !w.access.Bound() {
		panic(w.access.Stale())
	}
	return len(w.items)
}

// Claim implements safety.View.
func (w *Writer[T]) Claim() (c safety.Claim) {
	w.FillClaim(&c)
	return c
}

// FillClaim implements safety.ClaimFiller.
func (w *Writer[T]) FillClaim(c *safety.Claim) {
	w.access.FillClaim(c)
	c.Ranged = true
	switch {
	case w.access.Bound():
		c.Extent = len(w.window)
	case w.of != nil:
		c.Extent = w.of.bound // how many items there will be when the job starts, nobody knows now
	}
}

// Bind implements safety.View.
func (w *Writer[T]) Bind(b safety.Binding) {
	w.items = w.of.items
	if w.access.Bound() {
		w.items = w.window
	}
	w.access.Bind(b)
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
