package array

import (
	"iter"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// Reader returns a view that reads all rows that are in the stream when the job starts.
func (s *Stream[T]) Reader() (r StreamReader[T]) {
	if r.of = s; s != nil {
		quiet.Set(&r.hold, &s.guard, safety.Read, (*streamReaderKind[T])(nil))
	}
	return r
}

// StreamReader is a view that reads every row of a [Stream]. Any number of jobs may hold
// StreamReaders of one stream together. It works only inside the job that carries it.
// Each method: job reads; wait-free; O(1); allocates never.
type StreamReader[T any] struct {
	hold    `custody:"part"`
	of      *Stream[T]
	items   []T
	offsets []int // none in an unbound view
}

// At returns the items of row i, valid until the job ends. They must not be written. An index
// outside [0, Len) is a violation.
func (r *StreamReader[T]) At(i int) []T {
	if safety.Strict {
		quiet.Of(&r.hold).Check()
	}
	if o := r.offsets; i >= 0 && i < len(o)-1 {
		return row(r.items, o, i)
	}
	panic(quiet.Of(&r.hold).Out(i))
}

// Count returns the number of items in row i. An index outside [0, Len) is a violation.
func (r *StreamReader[T]) Count(i int) int {
	if safety.Strict {
		quiet.Of(&r.hold).Check()
	}
	if o := r.offsets; i >= 0 && i < len(o)-1 {
		return o[i+1] - o[i]
	}
	panic(quiet.Of(&r.hold).Out(i))
}

// Len returns the number of rows.
func (r *StreamReader[T]) Len() int {
	quiet.MustBeBound(quiet.Of(&r.hold))
	return len(r.offsets) - 1
}

// Total returns the number of items in all rows.
func (r *StreamReader[T]) Total() int {
	quiet.MustBeBound(quiet.Of(&r.hold))
	return len(r.items)
}

// Items returns the items of all rows, one row after the other, valid until the job ends. They must
// not be written.
func (r *StreamReader[T]) Items() []T {
	quiet.Of(&r.hold).Check()
	return r.items
}

// Offsets returns the positions in [StreamReader.Items] at which the rows begin, and behind them
// the one at which the last row ends. In all else it is as Items.
func (r *StreamReader[T]) Offsets() []int {
	quiet.Of(&r.hold).Check()
	return r.offsets
}

// All returns an iterator over the row numbers and the items of each row, in order.
func (r *StreamReader[T]) All() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		quiet.Of(&r.hold).Check()
		for i := range len(r.offsets) - 1 {
			if !yield(i, row(r.items, r.offsets, i)) {
				return
			}
		}
	}
}

// streamReaderKind has the methods of a StreamReader that drivers call.
type streamReaderKind[T any] StreamReader[T]

// Of implements safety.ViewKind.
func (*streamReaderKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*streamReaderKind[T])(view.(*StreamReader[T]))
}

// Bind implements safety.Binder.
func (r *streamReaderKind[T]) Bind(b safety.Binding) {
	if !quiet.Of(&r.hold).Bound() {
		s := r.of
		r.items, r.offsets = s.items[:len(s.items):len(s.items)], s.offsets[:len(s.offsets):len(s.offsets)]
	}
	quiet.Of(&r.hold).Bind(b)
	if b.First() {
		slice{p: elem.Data(r.items), len: len(r.items)}.declareReads(uintptr(amount.Size[T]()))
		slice{p: elem.Data(r.offsets), len: len(r.offsets)}.declareReads(uintptr(amount.Size[int]()))
	}
}

// Window returns the indices that the view may touch and the length, for texts.
func (r *streamReaderKind[T]) Window() (begin, end, length int) {
	n := max(len(r.offsets)-1, 0)
	return 0, n, n
}
