package array

import (
	"iter"
	"math"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// serves returns the number of rows that a claim which is not admitted yet may count on. A stream
// that jobs hold may grow, so it serves any number.
func (s *Stream[T]) serves() int {
	if !safety.Enabled || s.guard.Held() {
		return math.MaxInt
	}
	return s.rows()
}

// Writer returns a view that reads and writes the items in the rows of the current batch's indices.
func (s *Stream[T]) Writer() (w StreamWriter[T]) {
	if w.of = s; s != nil {
		quiet.Set(&w.hold, &s.guard, safety.Write, (*streamWriterKind[T])(nil))
	}
	return w
}

// StreamWriter is a view that reads and writes the items of the rows whose numbers are the current
// batch's indices. It does not change how many items a row has. A single job owns every row. A
// StreamWriter works only inside the job that carries it.
//
// At, All: own batch; wait-free; O(1); allocates never.
// Len: job reads; wait-free; O(1); allocates never.
type StreamWriter[T any] struct {
	hold        `custody:"part"`
	of          *Stream[T]
	items       []T
	offsets     []int // none in an unbound view; in a nested job those of the body's batch
	first, last int   // the rows of the batch are first <= row < last
}

// At returns the items of row i, valid until the batch ends. A row that the batch does not own is a
// violation.
func (w *StreamWriter[T]) At(i int) []T {
	if safety.Strict {
		quiet.Of(&w.hold).Check()
	}
	if i >= w.first && i < w.last {
		return row(w.items, w.offsets, i)
	}
	panic(quiet.Of(&w.hold).Out(i))
}

// Len returns the number of indices that a loop over the view may have, which is the number of
// rows. It does not depend on the batch.
func (w *StreamWriter[T]) Len() int {
	quiet.MustBeBound(quiet.Of(&w.hold))
	return len(w.offsets) - 1
}

// All returns an iterator over the numbers and the items of the rows that the batch owns.
func (w *StreamWriter[T]) All() iter.Seq2[int, []T] {
	return func(yield func(int, []T) bool) {
		quiet.Of(&w.hold).Check()
		for i := w.first; i < w.last; i++ {
			if !yield(i, row(w.items, w.offsets, i)) {
				return
			}
		}
	}
}

// streamWriterKind has the methods of a StreamWriter that drivers call.
type streamWriterKind[T any] StreamWriter[T]

// Of implements safety.ViewKind.
func (*streamWriterKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*streamWriterKind[T])(view.(*StreamWriter[T]))
}

// Claim completes the claim.
func (w *streamWriterKind[T]) Claim(c *safety.Claim) {
	switch {
	case quiet.Of(&w.hold).Bound():
		c.Extent = w.last - w.first
	case c.Guard != nil:
		c.Extent = w.of.serves()
	}
	c.Ranged = true
}

// Bind implements safety.Binder.
func (w *streamWriterKind[T]) Bind(b safety.Binding) {
	if quiet.Of(&w.hold).Bound() {
		w.offsets = w.offsets[w.first : w.last+1]
	} else {
		w.items, w.offsets = w.of.items, w.of.offsets
	}
	quiet.Of(&w.hold).Bind(b)
	w.first, w.last = 0, 0
}

// SetRange implements safety.RangeView.
func (w *streamWriterKind[T]) SetRange(begin, end int) {
	w.first, w.last = 0, 0
	if end = served(quiet.Of(&w.hold), &w.of.guard, begin, end, len(w.offsets)-1, math.MaxInt); begin >= end {
		return
	}
	w.first, w.last = begin, end
	rows := w.items[w.offsets[begin]:w.offsets[end]]
	slice{p: elem.Data(rows), len: len(rows)}.declareWrites(uintptr(amount.Size[T]()))
}

// Window implements safety.RangeView.
func (w *streamWriterKind[T]) Window() (begin, end, length int) {
	return w.first, w.last, max(len(w.offsets)-1, 0)
}

// Elsewhere returns the advice of a violation by a row that the batch does not own.
func (w *streamWriterKind[T]) Elsewhere() string {
	return "A parallel loop may touch only the rows of its own indices through a StreamWriter. To read others take a Reader() of another stream (double buffering)."
}
