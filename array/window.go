package array

import (
	"strconv"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// windowKind is the part that Writer and OffsetWriter share: the elements of the current batch.
// Indices are those of the array. From s to stride it is a slide.Window.
type windowKind struct {
	kept        safety.Hold
	s           slice // elements min, min+1, ... of base; none in an unbound view (view.I3)
	min         int
	first, last int     // the window belongs to the loop's indices first <= i < last
	base        slice   // the array, or the window of the body that passed the view on
	stride      int     // the number of elements that each index of a Writer owns
	shadow      *shadow // strict builds: of an Unrestricted view
	of          *core
}

// checked is Ptr in strict builds. The race detector sees the caller's access to the element, and
// one read of the view, which races with restrict on another goroutine.
//
//go:norace
func (w *windowKind) checked(i int, write bool) elem.Pointer {
	w.kept.Check()
	atom.ReadRange(unsafe.Pointer(&w.min), 1)
	if k := uint(i - w.min); k < uint(w.s.len) {
		if shadowed {
			w.use(i, write)
		}
		return w.s.at(int(k), w.of.size)
	}
	panic(w.kept.Out(i))
}

// Bind binds the view and sets base, from which restrict cuts windows. The first window is empty.
func (w *windowKind) Bind(b safety.Binding) {
	w.base = w.of.data
	if w.kept.Bound() {
		w.base = w.s
	}
	w.kept.Bind(b)
	w.shadow, _ = b.State().(*shadow)
	w.restrict(0, 0, 0, 0)
}

// Window implements safety.RangeView.
func (w *windowKind) Window() (begin, end, length int) {
	return w.min, w.min + w.s.len, w.base.len
}

// Part returns the elements that the view has, for package safety.
func (w *windowKind) Part() (begin, end int) { return w.min, w.min + w.s.len }

// restrict makes [lo, hi) of base the window of the loop's indices [first, last), with its capacity
// cut (view.I2), and declares it to the race detector.
//
//go:norace
func (w *windowKind) restrict(lo, hi, first, last int) {
	w.s, w.min, w.first, w.last = w.base.part(lo, hi, w.of.size), lo, first, last
	atom.WriteRange(unsafe.Pointer(&w.s), int(unsafe.Offsetof(w.base)-unsafe.Offsetof(w.s)))
	w.s.declareWrites(w.of.size)
}

// row panics with a violation unless the batch owns index i of the loop. rows is the number of
// indices that the view serves.
func (w *windowKind) row(i, rows int) {
	w.kept.Check()
	if i >= w.first && i < w.last {
		return
	}
	if !w.kept.Bound() { // unchecked builds
		panic(w.kept.Stale())
	}
	g := &w.of.guard
	kind, do := safety.ErrIndex, "Rows begin at 0 and end at Len-1."
	what := "row " + strconv.Itoa(i) + " of " + g.Container() + " was used"
	if i < 0 || i >= rows {
		what += ", which has " + strconv.Itoa(rows) + " rows"
	} else {
		kind = safety.ErrWriteRange
		what += " through a view that owns rows " + strconv.Itoa(w.first) + " <= row < " + strconv.Itoa(w.last)
		do = "A parallel loop may touch only the rows of its own indices. To read others take a Reader() of another array (double buffering);" +
			" to write anywhere, and answer for collisions yourself, take array.Unrestricted and cut the rows from its Slice()."
	}
	v := g.Violation(kind, what, do)
	v.Index, v.Min, v.Max, v.Length = i, w.first, w.last, rows
	panic(w.kept.Blame(v))
}

// served returns the end of the batch [begin, end) for a view that serves rows indices. A batch
// that ends beyond rows is a violation: the container is shorter than the schedule assumed. The one
// batch of a single job whose length the schedule did not know ends at unknown, which becomes rows.
//
//go:norace
func served(by *safety.Hold, g *safety.Guard, begin, end, rows, unknown int) int {
	if end <= rows {
		return end
	}
	if begin == 0 && end == unknown {
		return rows
	}
	v := g.Violation(safety.ErrLength, "a batch has the indices "+strconv.Itoa(begin)+" <= i < "+strconv.Itoa(end)+", but a view of "+g.Container()+" serves only "+strconv.Itoa(rows),
		"It was shorter when the job started than the loop is long: schedule -1 indices with parallelfor.LengthOf of a view, and the loop is as long as it is then.")
	v.N, v.Length = end, rows
	panic(by.Blame(v))
}
