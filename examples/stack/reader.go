package stack

import (
	"iter"

	"example.com/custody/safety"
)

// Reader is a view that reads every item. Any number of jobs may hold Readers of one stack
// together. It works only inside the job that carries it.
type Reader[T any] struct {
	safety.Hold
	of    *Stack[T]
	items []T // none while the view is not bound
}

// Reader returns a view that reads everything.
func (s *Stack[T]) Reader() Reader[T] {
	if s == nil {
		return Reader[T]{}
	}
	return Reader[T]{Hold: s.guard.Hold(safety.Read, nil), of: s}
}

// At returns the item at a depth: 0 is the one on top. A depth outside [0, Len) is a violation.
func (r *Reader[T]) At(depth int) T {
	if safety.Strict {
		r.Hold.Check()
	}
	if k := uint(len(r.items) - 1 - depth); k < uint(len(r.items)) {
		return r.items[k]
	}
	panic(r.Hold.Out(depth))
}

// Len returns the number of items.
func (r *Reader[T]) Len() int {
	if safety.Strict {
		r.Hold.Check()
	}
	if !r.Hold.Bound() {
		panic(r.Hold.Stale())
	}
	return len(r.items)
}

// All ranges over the items from the top down, within the batch.
func (r *Reader[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		if !r.Hold.Bound() {
			panic(r.Hold.Stale())
		}
		borrow := r.Hold.Borrow("an iterator", 0)
		for depth := 0; depth < len(r.items) && yield(r.At(depth)); depth++ {
			borrow.Check()
		}
	}
}

// Window says what the view may touch, for the texts of violations.
func (r *Reader[T]) Window() (begin, end, length int) { return 0, len(r.items), len(r.items) }

// Bind implements safety.Binder.
func (r *Reader[T]) Bind(b safety.Binding) {
	if !r.Hold.Bound() { // a bound view is passed on with the items that it has
		r.items = r.of.items
	}
	r.Hold.Bind(b)
}
