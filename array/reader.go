package array

import (
	"iter"

	"example.com/custody/safety"
)

// Reader is a view that reads every element. Any number of jobs may hold Readers of one array
// together. It works only inside the job that carries it.
type Reader[T any] struct {
	access safety.Access
	s      []T // none while the view is not bound
	of     *Array[T]
}

// At returns element i. An index outside [0, Len) is a violation.
func (r *Reader[T]) At(i int) T {
	if safety.Strict {
		r.access.Check()
	}
	if s := r.s; uint(i) < uint(len(s)) {
		return s[i]
	}
	panic(r.access.Out(i))
}

// Len returns the number of elements.
func (r *Reader[T]) Len() int {
	if safety.Strict {
		r.access.Check()
	}
	if !r.access.Bound() {
		panic(r.access.Stale())
	}
	return len(r.s)
}

// Slice returns the elements, which must not be written; it is good until the job ends.
func (r *Reader[T]) Slice() []T {
	r.access.Check()
	return r.s
}

// All ranges over the indices and elements in order.
func (r *Reader[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		r.access.Check()
		for i, v := range r.s {
			if !yield(i, v) {
				return
			}
		}
	}
}

// length returns the number of elements there will be once the view is bound, or the largest int where nobody knows.
func (r *Reader[T]) length() int {
	switch {
	case r.access.Bound():
		return len(r.s)
	case r.of != nil:
		return r.of.serves()
	}
	return 0
}

// Claim implements safety.View.
func (r *Reader[T]) Claim() (c safety.Claim) {
	r.FillClaim(&c)
	return c
}

// FillClaim implements safety.ClaimFiller.
func (r *Reader[T]) FillClaim(c *safety.Claim) { r.access.FillClaim(c) }

// Bind implements safety.View.
func (r *Reader[T]) Bind(b safety.Binding) {
	if !r.access.Bound() {
		r.s = r.of.data[:len(r.of.data):len(r.of.data)]
	}
	r.access.Bind(b)
	if b.First() {
		declareReads(r.s)
	}
}

// Window says what the view may touch, for texts.
func (r *Reader[T]) Window() (begin, end, length int) { return 0, len(r.s), len(r.s) }
