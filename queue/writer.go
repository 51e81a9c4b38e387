package queue

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Writer is a view that reads and writes the items of a queue whose positions the current batch owns: index i owns the item at
// position i, and 0 is the next to leave. Single jobs own all. It works only inside the job that carries it.
type Writer[T any] struct {
	hold
	of         lent[T]
	all        stretches[T] // what the job was given: all items, or the window of a body that lends the view on
	begin, end int          // the positions that the batch owns
	s          stretch[T]   // of these, the stretch that was used last; none while the view is not bound
}

// At returns the item at position i. One that the batch does not own is a violation.
func (w *Writer[T]) At(i int) T {
	if safety.Strict {
		w.hold.Check()
	}
	if s, k := w.s.items, uint(i-w.s.at); k < uint(len(s)) {
		return s[k]
	}
	return *w.elsewhere(i)
}

// Set makes v the item at position i. One that the batch does not own is a violation.
func (w *Writer[T]) Set(i int, v T) {
	if safety.Strict {
		w.hold.Check()
	}
	if s, k := w.s.items, uint(i-w.s.at); k < uint(len(s)) {
		s[k] = v
		return
	}
	*w.elsewhere(i) = v
}

// Ptr returns a pointer to the item at position i, good until the batch ends. One that the batch does not own is a
// violation.
func (w *Writer[T]) Ptr(i int) *T {
	if safety.Strict {
		w.hold.Check()
	}
	if s, k := w.s.items, uint(i-w.s.at); k < uint(len(s)) {
		return &s[k]
	}
	return w.elsewhere(i)
}

// elsewhere is Ptr for an item of another stretch.
func (w *Writer[T]) elsewhere(i int) *T {
	if i < w.begin || i >= w.end {
		panic(w.hold.Out(i))
	}
	w.seek(i)
	return &w.s.items[i-w.s.at]
}

// seek makes the stretch that has position i, as far as the batch owns it, the one that is used.
func (w *Writer[T]) seek(i int) {
	s := w.all.find(i)
	lo, hi := max(w.begin, s.at), min(w.end, s.end())
	w.s = stretch[T]{lo, s.items[lo-s.at : hi-s.at : hi-s.at]}
}

// Len returns how many items the job was given.
func (w *Writer[T]) Len() int {
	if safety.Strict {
		w.hold.Check()
	}
	if !w.hold.Bound() {
		panic(w.hold.Stale())
	}
	return w.all.len()
}

// Slices ranges over the items that the batch owns, in order, as slices, with the position of the first of each. They are
// good until the batch ends. In strict builds a per-index loop owns one item at a time.
func (w *Writer[T]) Slices() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		w.hold.Check()
		w.all.each(w.begin, w.end, yield)
	}
}

// All ranges over the items that the batch owns, with their positions.
func (w *Writer[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		w.hold.Check()
		w.all.each(w.begin, w.end, func(at int, s []T) bool { return items(at, s, yield) })
	}
}

// writerKind is the kind of Writers.
type writerKind[T any] Writer[T]

// Of implements safety.ViewKind.
func (*writerKind[T]) Of(view any) safety.Binder { return (*writerKind[T])(view.(*Writer[T])) }

// Claim completes the claim.
func (w *writerKind[T]) Claim(c *safety.Claim) {
	c.Ranged = true
	switch {
	case w.hold.Bound():
		c.Extent = w.end - w.begin
	case w.of != nil:
		c.Extent = w.of.extent()
	}
}

// Bind implements safety.Binder.
func (w *writerKind[T]) Bind(b safety.Binding) {
	if w.hold.Bound() {
		w.all = w.all.cut(w.begin, w.end)
	} else {
		w.all = stretchesOf(w.of, b)
	}
	w.hold.Bind(b)
	w.s, w.begin, w.end = stretch[T]{}, 0, 0
}

// SetRange implements safety.RangeView.
func (w *writerKind[T]) SetRange(begin, end int) {
	n := w.all.len()
	w.begin, w.end, w.s = min(begin, n), min(end, n), stretch[T]{}
	if w.begin < w.end {
		(*Writer[T])(w).seek(w.begin)
		w.all.declare(w.begin, w.end, atom.WriteRange)
	}
}

// Window implements safety.RangeView.
func (w *writerKind[T]) Window() (begin, end, length int) { return w.begin, w.end, w.all.len() }

// Elsewhere says what to do for items that the batch does not own, for texts.
func (w *writerKind[T]) Elsewhere() string {
	return "A parallel loop may touch only the items at its own indices through a Writer. To have one body see all of them run a single job." +
		" To take items out from any body take Shared()."
}
