package array

import (
	"iter"
	"math"
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// OffsetWriter is a view that reads and writes the elements that the indices of the current batch
// own, where index i owns [offsets[i], offsets[i+1]). [ByOffsets] makes it.
//
// At, Set, Ptr, All, Begin, Row, Slice: own batch; wait-free; O(1); allocates never.
// Len: job reads; wait-free; O(1); allocates never.
type OffsetWriter[T any] struct {
	hold        `custody:"part"`
	s           []T // as in windowKind
	min         int
	first, last int
	base        []T
	stride      int
	shadow      *shadow
	of          *core
	offsets     Reader[int]
}

// ByOffsets returns a view of what w has, whose index i owns the elements [offsets[i],
// offsets[i+1]). A loop may have one index less than there are offsets. The offsets must not fall
// and must lie in [0, Len]; a batch whose borders do not is a violation. The view also claims to
// read offsets. It has a range even if w is Unrestricted.
//
//go:noinline
func ByOffsets[T any](w Writer[T], offsets Reader[int]) (o OffsetWriter[T]) {
	*(*windowKind)(elem.Pointer(&o)) = *(*windowKind)(elem.Pointer(&w))
	*quiet.Of(&o.hold) = quiet.Of(&w.hold).WithKind(offsetWriters)
	o.offsets = offsets
	return o
}

// At is [Writer.At].
func (w *OffsetWriter[T]) At(i int) T { return (*Writer[T])(elem.Pointer(w)).At(i) }

// Set is [Writer.Set].
func (w *OffsetWriter[T]) Set(i int, v T) { (*Writer[T])(elem.Pointer(w)).Set(i, v) }

// Ptr is [Writer.Ptr].
func (w *OffsetWriter[T]) Ptr(i int) *T { return (*Writer[T])(elem.Pointer(w)).Ptr(i) }

// Slice is [Writer.Slice].
func (w *OffsetWriter[T]) Slice() []T { return (*Writer[T])(elem.Pointer(w)).Slice() }

// Begin is [Writer.Begin].
func (w *OffsetWriter[T]) Begin() int { return (*Writer[T])(elem.Pointer(w)).Begin() }

// All is [Writer.All].
func (w *OffsetWriter[T]) All() iter.Seq2[int, T] { return (*Writer[T])(elem.Pointer(w)).All() }

// Len returns the number of indices that a loop over the view may have: one less than there are
// offsets. It does not depend on the batch.
func (w *OffsetWriter[T]) Len() int {
	quiet.MustBeBound(quiet.Of(&w.hold))
	return max(w.offsets.Len()-1, 0)
}

// Row returns the elements that index i of the loop owns, valid until the batch ends. An index
// outside the batch is a violation.
func (w *OffsetWriter[T]) Row(i int) []T {
	lo, hi := (*offsetWriterKind)(elem.Pointer(w)).rowAt(i)
	return w.s[lo:hi:hi]
}

// offsetWriterKind has the layout of an OffsetWriter, and the methods that drivers call.
type offsetWriterKind struct {
	windowKind `custody:"part"`
	offsets    Reader[int]
}

// rows is Len, also before the view is bound.
func (w *offsetWriterKind) rows() int {
	return max((*readerKind)(elem.Pointer(&w.offsets)).length()-1, 0)
}

// rowAt returns where in the window the row of index i lies.
func (w *offsetWriterKind) rowAt(i int) (lo, hi int) {
	w.row(i, w.rows())
	lo, hi = w.span(i, i+1)
	return lo - w.min, hi - w.min
}

// span returns the elements that the indices [begin, end) own. It is a violation if they are not
// in base, or not in the batch's window if there is one. SetRange checks the offsets at the borders
// of the batch, and Row those between them.
func (w *offsetWriterKind) span(begin, end int) (lo, hi int) {
	least, most := 0, w.base.len
	if w.first < w.last {
		least, most = w.min, w.min+w.s.len
	}
	lo, hi = w.offsets.At(begin), w.offsets.At(end)
	if lo >= least && lo <= hi && hi <= most {
		return lo, hi
	}
	g := &w.of.guard
	v := g.Violation(safety.ErrArgument, "offsets "+strconv.Itoa(begin)+" and "+strconv.Itoa(end)+" are "+strconv.Itoa(lo)+" and "+strconv.Itoa(hi)+
		", but must be a range within "+strconv.Itoa(least)+" and "+strconv.Itoa(most)+" of "+g.Container(), "Offsets must not fall, and must lie in [0, Len] of what they cut.")
	v.Min, v.Max, v.Length = lo, hi, w.base.len
	panic(w.kept.Blame(v))
}

// Claim completes the claim.
func (w *offsetWriterKind) Claim(c *safety.Claim) {
	if shadowed && w.shadow != nil {
		c.Into = newShadow(w.s.len, &w.windowKind)
	}
	if c.Guard != nil {
		c.Ranged = true
		c.Extent = w.rows()
	}
}

// SetRange gives the batch its window. Neighbouring batches share a border offset, so the windows
// of batches whose offsets do not fall do not overlap (view.I1).
func (w *offsetWriterKind) SetRange(begin, end int) {
	w.restrict(0, 0, 0, 0)
	end = served(&w.kept, &w.of.guard, begin, end, w.rows(), math.MaxInt-1)
	if begin < end {
		lo, hi := w.span(begin, end)
		w.restrict(lo, hi, begin, end)
	}
}

// Elsewhere returns the advice of a violation by an element that the batch does not own.
func (*offsetWriterKind) Elsewhere() string {
	return "A parallel loop may touch only the elements between the offsets of its own indices. To read others take a Reader() of another array (double buffering);" +
		" to write anywhere, and answer for collisions yourself, take array.Unrestricted without ByOffsets."
}
