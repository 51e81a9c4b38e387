package array

import (
	"iter"

	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Reader is a view that reads every element. Any number of jobs may hold Readers of one array
// together. A Reader works only inside the job that carries it.
// Each method: job reads; wait-free; O(1); allocates never.
type Reader[T any] struct {
	hold
	s  []T // none in an unbound view
	of *Array[T]
}

// At returns element i. An index outside [0, Len) is a violation.
func (r *Reader[T]) At(i int) T {
	if safety.Strict {
		return *r.checked(i)
	}
	if s := r.s; uint(i) < uint(len(s)) {
		return s[i]
	}
	panic(r.hold.Out(i))
}

// checked returns a pointer to element i, in strict builds. See the checked of a window.
//
//go:norace
//go:noinline
func (r *Reader[T]) checked(i int) *T {
	r.hold.Check()
	if s := r.s; uint(i) < uint(len(s)) {
		return &s[i]
	}
	panic(r.hold.Out(i))
}

// Len returns the number of elements.
func (r *Reader[T]) Len() int {
	if safety.Strict {
		r.hold.Check()
	}
	if !r.hold.Bound() {
		panic(r.hold.Stale())
	}
	return len(r.s)
}

// Slice returns all elements, valid until the job ends. They must not be written.
func (r *Reader[T]) Slice() []T {
	r.hold.Check()
	return r.s
}

// All returns an iterator over the indices and elements in order.
func (r *Reader[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		r.hold.Check()
		for i, v := range r.s {
			if !yield(i, v) {
				return
			}
		}
	}
}

// length returns the number of elements, or in an unbound view how many a claim may count on.
func (r *Reader[T]) length() int {
	switch {
	case r.hold.Bound():
		return len(r.s)
	case r.of != nil:
		return r.of.serves()
	}
	return 0
}

// readerKind has the methods of a Reader that drivers call.
type readerKind[T any] struct{ view Reader[T] }

// Of implements safety.ViewKind.
func (*readerKind[T]) Of(view any) safety.Binder {
	return (*readerKind[T])(elem.Pointer(view.(*Reader[T])))
}

// Bind implements safety.Binder.
func (k *readerKind[T]) Bind(b safety.Binding) {
	r := &k.view
	if !r.hold.Bound() {
		r.s = r.of.data[:len(r.of.data):len(r.of.data)]
	}
	r.hold.Bind(b)
	if b.First() {
		declareReads(r.s)
	}
}

// Window returns the indices that the view may touch and the length, for texts.
func (k *readerKind[T]) Window() (begin, end, length int) { return 0, len(k.view.s), len(k.view.s) }
