package array

import (
	"iter"

	"example.com/custody/safety"
)

// Reader returns a view that reads everything: what is in the stream when the job starts.
func (s *Stream[T]) Reader() StreamReader[T] {
	if s == nil {
		return StreamReader[T]{}
	}
	return StreamReader[T]{hold: s.guard.Hold(safety.Read, (*streamReaderKind[T])(nil)), of: s}
}

// StreamReader is a view that reads every row of a stream. Any number of jobs may hold StreamReaders of one stream together. It works only
// inside the job that carries it.
type StreamReader[T any] struct {
	hold
	of      *Stream[T]
	items   []T
	offsets []int // none while the view is not bound
}

// At returns the items of row i, which must not be written; the slice is good until the job ends. An index outside [0, Len) is a violation.
func (r *StreamReader[T]) At(i int) []T {
	if safety.Strict {
		r.hold.Check()
	}
	if o := r.offsets; i >= 0 && i < len(o)-1 {
		return row(r.items, o, i)
	}
	panic(r.hold.Out(i))
}

// Count returns the number of items in row i. An index outside [0, Len) is a violation.
func (r *StreamReader[T]) Count(i int) int {
	if safety.Strict {
		r.hold.Check()
	}
	if o := r.offsets; i >= 0 && i < len(o)-1 {
		return o[i+1] - o[i]
	}
	panic(r.hold.Out(i))
}

// Len returns the number of rows.
func (r *StreamReader[T]) Len() int {
	r.mustBeBound()
	return len(r.offsets) - 1
}

// Total returns the number of items in all rows.
func (r *StreamReader[T]) Total() int {
	r.mustBeBound()
	return len(r.items)
}

func (r *StreamReader[T]) mustBeBound() {
	if safety.Strict {
		r.hold.Check()
	}
	if r.offsets == nil {
		panic(r.hold.Stale())
	}
}

// Items returns the items of all rows, one row after the other, which must not be written; the slice is good until the job ends.
func (r *StreamReader[T]) Items() []T {
	r.hold.Check()
	return r.items
}

// Offsets returns where the rows begin in what [StreamReader.Items] returns, and behind these where the last one ends. In all else it is as
// Items.
func (r *StreamReader[T]) Offsets() []int {
	r.hold.Check()
	return r.offsets
}

// All ranges over the rows and their items in order.
func (r *StreamReader[T]) All() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		r.hold.Check()
		for i := range len(r.offsets) - 1 {
			if !yield(i, row(r.items, r.offsets, i)) {
				return
			}
		}
	}
}

// streamReaderKind is the kind of StreamReaders.
type streamReaderKind[T any] StreamReader[T]

// Of implements safety.ViewKind.
func (*streamReaderKind[T]) Of(view any) safety.Binder {
	return (*streamReaderKind[T])(view.(*StreamReader[T]))
}

// Bind implements safety.Binder.
func (r *streamReaderKind[T]) Bind(b safety.Binding) {
	if !r.hold.Bound() {
		s := r.of
		r.items, r.offsets = s.items[:len(s.items):len(s.items)], s.offsets[:len(s.offsets):len(s.offsets)]
	}
	r.hold.Bind(b)
	if b.First() {
		declareReads(r.items)
		declareReads(r.offsets)
	}
}

// Window says what the view may touch, for texts.
func (r *streamReaderKind[T]) Window() (begin, end, length int) {
	n := max(len(r.offsets)-1, 0)
	return 0, n, n
}
