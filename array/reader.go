package array

import (
	"iter"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// Reader is a view that reads every element. Any number of jobs may hold Readers of one array
// together. A Reader works only inside the job that carries it.
// Each method: job reads; wait-free; O(1); allocates never.
type Reader[T any] struct {
	hold `custody:"part"`
	s    []T // none in an unbound view
	of   *core
}

// At returns element i. An index outside [0, Len) is a violation.
func (r *Reader[T]) At(i int) T {
	if safety.Strict {
		return *(*T)((*readerKind)(elem.Pointer(r)).checked(i))
	}
	if s := r.s; uint(i) < uint(len(s)) {
		return s[i]
	}
	panic(quiet.Of(&r.hold).Out(i))
}

// Len returns the number of elements.
func (r *Reader[T]) Len() int {
	if safety.Strict || r.s == nil {
		quiet.MustBeBound(quiet.Of(&r.hold))
	}
	return len(r.s)
}

// Slice returns all elements, valid until the job ends. They must not be written. A batch
// has Slice()[begin:end].
func (r *Reader[T]) Slice() []T {
	quiet.Of(&r.hold).Check()
	return r.s
}

// All returns an iterator over the indices and elements in order.
func (r *Reader[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		quiet.Of(&r.hold).Check()
		for i, v := range r.s {
			if !yield(i, v) {
				return
			}
		}
	}
}

// readerKind has the layout of a Reader, and the methods that drivers call.
type readerKind struct {
	kept safety.Hold
	s    slice
	of   *core
}

// checked returns a pointer to element i, in strict builds. See the checked of a windowKind.
//
//go:norace
func (r *readerKind) checked(i int) elem.Pointer {
	r.kept.Check()
	if uint(i) < uint(r.s.len) {
		return r.s.at(i, r.of.size)
	}
	panic(r.kept.Out(i))
}

// length returns the number of elements, or in an unbound view how many a claim may count on.
func (r *readerKind) length() int {
	if r.of == nil || r.kept.Bound() {
		return r.s.len
	}
	return r.of.serves()
}

// Bind implements safety.Binder.
func (r *readerKind) Bind(b safety.Binding) {
	if !r.kept.Bound() {
		r.s = r.of.data.part(0, r.of.data.len, r.of.size)
	}
	r.kept.Bind(b)
	if b.First() {
		r.s.declareReads(r.of.size)
	}
}

// Window returns the indices that the view may touch and the length, for texts.
func (r *readerKind) Window() (begin, end, length int) { return 0, r.s.len, r.s.len }
