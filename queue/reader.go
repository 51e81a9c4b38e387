package queue

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// lent is a queue as its views by position see it.
type lent[T any] interface {
	// outline returns as many items as there are; which they are means nothing as long as somebody may put some in or take
	// some out.
	outline() stretches[T]
	// extent returns how many items there may be.
	extent() int
}

// stretchesOf returns the items that a view is bound to: those that the queue has left when the phase was opened, or, before it
// was, those that there are.
func stretchesOf[T any](of lent[T], b safety.Binding) stretches[T] {
	if all, ok := b.State().(stretches[T]); ok {
		return all
	}
	return of.outline()
}

// hold is what views embed. Being an alias of the package, it keeps its methods from their pages.
type hold = safety.Hold

// Reader is a view that reads all items of a queue by position: 0 is the next to leave. Any number of jobs may hold
// Readers of one queue together. It works only inside the job that carries it.
type Reader[T any] struct {
	hold
	of  lent[T]
	all stretches[T] // none while the view is not bound
	s   stretch[T]   // the one that was used last
}

// At returns the item at position i. One outside [0, Len) is a violation.
//
// Cost: that of a slice, and where the items of a queue lie in several pieces of memory a binary search from piece to
// piece.
func (r *Reader[T]) At(i int) T {
	if safety.Strict {
		r.hold.Check()
	}
	if s, k := r.s.items, uint(i-r.s.at); k < uint(len(s)) {
		return s[k]
	}
	return r.elsewhere(i)
}

// elsewhere is At for an item of another stretch.
func (r *Reader[T]) elsewhere(i int) T {
	if i < 0 || i >= r.all.len() {
		panic(r.hold.Out(i))
	}
	r.s = *r.all.find(i)
	return r.s.items[i-r.s.at]
}

// Len returns the number of items.
func (r *Reader[T]) Len() int {
	if safety.Strict {
		r.hold.Check()
	}
	if !r.hold.Bound() {
		panic(r.hold.Stale())
	}
	return r.all.len()
}

// Slices ranges over the items in order, as slices, which must not be written, with the position of the first of each.
// They are good until the job ends.
func (r *Reader[T]) Slices() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		r.hold.Check()
		r.all.each(0, r.all.len(), yield)
	}
}

// All ranges over the positions and items in order.
func (r *Reader[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		r.hold.Check()
		r.all.each(0, r.all.len(), func(at int, s []T) bool { return items(at, s, yield) })
	}
}

// items calls yield for all items of a slice, until it says false, and says whether it did not.
func items[T any](at int, s []T, yield func(int, T) bool) bool {
	for k, v := range s {
		if !yield(at+k, v) {
			return false
		}
	}
	return true
}

// readerKind is the kind of Readers.
type readerKind[T any] Reader[T]

// Of implements safety.ViewKind.
func (*readerKind[T]) Of(view any) safety.Binder { return (*readerKind[T])(view.(*Reader[T])) }

// Bind implements safety.Binder.
func (r *readerKind[T]) Bind(b safety.Binding) {
	if !r.hold.Bound() { // otherwise a body lends it on, with the items that it has
		r.all = stretchesOf(r.of, b)
	}
	r.hold.Bind(b)
	if b.First() {
		r.all.declare(0, r.all.len(), atom.ReadRange)
	}
}

// Window says what the view may touch, for texts.
func (r *readerKind[T]) Window() (begin, end, length int) { return 0, r.all.len(), r.all.len() }
