package lane

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Partial returns a pointer to the partial result of the current span. The partial result is an
// item: the first call in a span appends it, with the zero value. It is for containers whose
// batches add up instead of appending, such as a counter or a histogram. Their views add to the
// partial result with plain reads and writes.
//
//	func (w *Writer) Add(d int64) { *w.lane.Partial(&w.hold) += d }
//
// The container folds the partial results when the job is sealed. They come in the order of the
// sequential loop. When a batch fails, the last partial result holds what the batch added before it
// failed.
//
// Which batches form a span depends on which workers are free. So the result of the fold must not
// depend on how the batches are grouped: sums of integers, minima and concatenation qualify. Sums
// of floats do not. For these a view with a method BeginBatch appends one item for each batch.
//
// The pointer is valid until the next method of the view. A nested job ends the partial result:
// what the body adds after the nested job goes to another item, so the items of the nested job are
// folded between the two.
//
// The partial result belongs to one span. In builds with the race detector each batch is a span, so
// a view's method that uses the pointer needs no go:norace directive, unlike one that uses memory
// kept for each worker. The race detector reports two goroutines that use the pointer in one batch.
//
// A phase uses either the methods that append or Partial. by is the hold of the view, as in
// [Lane.Append], and the violations are the same. T must be small, or hold a slice that its first
// use allocates, because each span has one.
//
// Cost: two comparisons, and a call where the view's method is too long to be inlined. A span is
// many batches of one worker, except in strict builds, where it is one batch.
//
//go:norace
func (l *Lane[T]) Partial(by *safety.Hold) *T {
	if safety.Strict || l == nil || l.of.partial == nil {
		return (*T)(l.core().newPartial(by))
	}
	return (*T)(l.of.partial)
}

// newPartial implements Partial for the first call in a span, and for every call in strict builds.
//
//go:norace
func (l *lane) newPartial(by *safety.Hold) elem.Pointer {
	if safety.Strict && by != nil {
		by.CheckLane()
	}
	if l == nil || !l.open {
		panic(stale(by))
	}
	if l.partial == nil {
		if l.n == l.cap {
			l.grow(nil)
		}
		if atom.Race {
			l.witness.Write()
		}
		l.partial = l.of.elem.At(l.buf, l.n)
		l.of.elem.Clear(l.partial, 1)
		l.n++
	}
	return l.partial
}

// split ends the partial result, because items of a nested job follow it. The span goes on.
//
//go:norace
func (l *lane) split() { l.partial = nil }
