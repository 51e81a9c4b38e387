package array

import (
	"math"
	"strconv"

	"example.com/custody/safety"
)

// OffsetWriter is a view that reads and writes the elements that the indices of the current batch own,
// where index i owns [offsets[i], offsets[i+1]). See [Writer.ByOffsets].
type OffsetWriter[T any] struct {
	window[T] `custody:"part"`
	base      []T
	offsets   Reader[int]
}

// Row returns the elements that index i owns, good until the batch ends. An index outside the batch is a
// violation.
func (w *OffsetWriter[T]) Row(i int) []T {
	w.row(i, w.offsets.length()-1)
	lo, hi := w.span(i, i+1)
	return w.s[lo-w.min : hi-w.min : hi-w.min]
}

// span returns the elements that the indices [begin, end) own, which must be in what the view was given,
// and when the batch has a window already, in that.
func (w *OffsetWriter[T]) span(begin, end int) (lo, hi int) {
	least, most := 0, len(w.base)
	if w.first < w.last {
		least, most = w.min, w.min+len(w.s)
	}
	lo, hi = w.offsets.At(begin), w.offsets.At(end)
	if lo >= least && lo <= hi && hi <= most {
		return lo, hi
	}
	g := &w.of.guard
	v := g.Violation(safety.ErrArgument, "offsets "+strconv.Itoa(begin)+" and "+strconv.Itoa(end)+" are "+strconv.Itoa(lo)+" and "+strconv.Itoa(hi)+
		", but must be a range within "+strconv.Itoa(least)+" and "+strconv.Itoa(most)+" of "+g.Container(), "Offsets must not fall, and must lie in [0, Len] of what they cut.")
	v.Min, v.Max, v.Length = lo, hi, len(w.base)
	panic(w.hold.Blame(v))
}

// offsetWriterKind is the kind of OffsetWriters.
type offsetWriterKind[T any] OffsetWriter[T]

// Of implements safety.ViewKind.
func (*offsetWriterKind[T]) Of(view any) safety.Binder {
	return (*offsetWriterKind[T])(view.(*OffsetWriter[T]))
}

// Claim completes the claim.
func (w *offsetWriterKind[T]) Claim(c *safety.Claim) {
	if shadowed && w.shadow != nil {
		c.Into = newShadow(len(w.s), &w.window)
	}
	if c.Guard != nil {
		c.Ranged = true
		c.Extent = max(w.offsets.length()-1, 0)
	}
}

// Bind implements safety.Binder.
func (w *offsetWriterKind[T]) Bind(b safety.Binding) {
	w.base = w.of.data
	if w.hold.Bound() {
		w.base = w.s
	}
	w.hold.Bind(b)
	w.shadow, _ = b.State().(*shadow)
	w.restrict(nil, 0, 0, 0, 0)
}

// SetRange implements safety.RangeView. Neighbouring batches share a border offset, so when no batch's
// offsets fall the windows do not overlap (I1).
func (w *offsetWriterKind[T]) SetRange(begin, end int) {
	w.restrict(nil, 0, 0, 0, 0)
	end = served(&w.hold, &w.of.guard, begin, end, max(w.offsets.length()-1, 0), math.MaxInt-1)
	if begin < end {
		lo, hi := (*OffsetWriter[T])(w).span(begin, end)
		w.restrict(w.base, lo, hi, begin, end)
	}
}

// Elsewhere says what to do for elements that the batch does not own, for texts.
func (w *offsetWriterKind[T]) Elsewhere() string {
	return "A parallel loop may touch only the elements between the offsets of its own indices. To read others take a Reader() of another array (double buffering);" +
		" to write anywhere, and answer for collisions yourself, take Writer().Unrestricted() without ByOffsets."
}

// Window implements safety.RangeView.
func (w *offsetWriterKind[T]) Window() (begin, end, length int) {
	return w.min, w.min + len(w.s), len(w.base)
}
