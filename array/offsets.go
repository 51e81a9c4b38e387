package array

import (
	"strconv"

	"example.com/custody/safety"
)

// OffsetWriter is a view that reads and writes the elements that the indices of the current cell own,
// where index i owns [offsets[i], offsets[i+1]). See [Writer.ByOffsets].
type OffsetWriter[T any] struct {
	window[T]
	base    []T
	of      *Array[T]
	pair    *Double[T]
	offsets Reader[int]
}

// Row returns the elements that index i owns, good until the cell ends. An index outside the cell is a
// violation.
func (w *OffsetWriter[T]) Row(i int) []T { return w.sub(w.offsets.At(i), w.offsets.At(i+1)) }

// Claim implements safety.View.
func (w *OffsetWriter[T]) Claim() safety.Claim {
	if w.pair != nil && !w.access.Bound() {
		w.of = w.pair.back()
		w.access = w.of.guard.Access(safety.Write)
	}
	c := w.access.Claim()
	if c.Guard != nil {
		c.Ranged = true
		c.Extent = max(w.offsets.length()-1, 0)
	}
	return c
}

// Bind implements safety.View.
func (w *OffsetWriter[T]) Bind(b safety.Binding) {
	w.base = w.of.data
	if w.access.Bound() {
		w.base = w.s
	}
	w.access.Bind(b)
	w.s, w.min = nil, 0
}

// SetRange implements safety.RangeView. Neighbouring cells share a border offset, so when no cell's
// offsets fall the windows do not overlap (I1).
func (w *OffsetWriter[T]) SetRange(begin, end int) {
	if begin >= end {
		w.s, w.min = nil, 0
		return
	}
	lo, hi := w.offsets.At(begin), w.offsets.At(end)
	if lo < 0 || lo > hi || hi > len(w.base) {
		g := &w.of.guard
		v := g.Violation(safety.ErrArgument, "offsets "+strconv.Itoa(begin)+" and "+strconv.Itoa(end)+" are "+strconv.Itoa(lo)+" and "+strconv.Itoa(hi)+
			", which is no range of "+g.Container()+" of length "+strconv.Itoa(len(w.base)), "Offsets must not fall, and must lie in [0, Len].")
		v.Min, v.Max, v.Length = lo, hi, len(w.base)
		panic(v)
	}
	w.restrict(w.base, lo, hi)
}

// Window implements safety.RangeView.
func (w *OffsetWriter[T]) Window() (begin, end, length int) {
	return w.min, w.min + len(w.s), len(w.base)
}
