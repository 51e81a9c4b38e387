package array

import (
	"iter"
	"strconv"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// hold is what views embed. The unexported alias keeps its methods off the pages of the views.
type hold = safety.Hold

// window is the part that Writer and OffsetWriter share: the elements of the current batch, and
// the methods that use them. Indices are those of the array. From s to stride it is a slide.Window.
type window[T any] struct {
	hold
	s           []T // elements min, min+1, ... of base; none in an unbound view (view.I3)
	min         int
	first, last int     // the window belongs to the loop's indices first <= i < last
	base        []T     // the array, or the window of the body that passed the view on
	stride      int     // the number of elements that each index of a Writer owns
	shadow      *shadow // strict builds: of an Unrestricted view
	of          *Array[T]
}

// At returns element i. An index that the batch does not own is a violation.
func (w *window[T]) At(i int) T {
	if safety.Strict {
		return *w.checked(i, false)
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		return s[k]
	}
	panic(w.hold.Out(i))
}

// Set sets element i. An index that the batch does not own is a violation.
func (w *window[T]) Set(i int, v T) {
	if safety.Strict {
		*w.checked(i, true) = v
		return
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		s[k] = v
		return
	}
	panic(w.hold.Out(i))
}

// Ptr returns a pointer to element i, which is valid until the batch ends. An index that the batch
// does not own is a violation.
func (w *window[T]) Ptr(i int) *T {
	if safety.Strict {
		return w.checked(i, true)
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		return &s[k]
	}
	panic(w.hold.Out(i))
}

// checked is Ptr in strict builds. The race detector sees the caller's access to the element, and
// one read of the view, which races with restrict on another goroutine.
//
//go:norace
//go:noinline
func (w *window[T]) checked(i int, write bool) *T {
	w.hold.Check()
	if shadowed {
		w.use(i, write)
	}
	atom.ReadRange(unsafe.Pointer(&w.min), 1)
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		return &s[k]
	}
	panic(w.hold.Out(i))
}

// Slice returns the elements that the batch owns, valid until the batch ends. Positions in it are
// local to the batch: position 0 is element Begin of the array, which Set and At take.
//
//	for k := range w.Slice() {
//		w.Slice()[k] = f(w.Begin() + k) // the same as w.Set(w.Begin()+k, f(w.Begin()+k))
//	}
//
// In strict builds a batch of a per-index loop owns one index at a time.
func (w *window[T]) Slice() []T {
	w.hold.Check()
	return w.s
}

// Begin returns the index, in the array, of the first element that the batch owns.
func (w *window[T]) Begin() int {
	w.hold.Check()
	return w.min
}

// All returns an iterator over the elements that the batch owns, with their indices in the array.
func (w *window[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		w.hold.Check()
		for k, v := range w.s {
			if shadowed {
				w.use(w.min+k, false)
			}
			if !yield(w.min+k, v) {
				return
			}
		}
	}
}

// bind binds the view and sets base, from which restrict cuts windows. The first window is empty.
func (w *window[T]) bind(b safety.Binding) {
	w.base = w.of.data
	if w.hold.Bound() {
		w.base = w.s
	}
	w.hold.Bind(b)
	w.shadow, _ = b.State().(*shadow)
	w.restrict(0, 0, 0, 0)
}

// restrict makes [lo, hi) of base the window of the loop's indices [first, last), with its capacity
// cut (view.I2), and declares it to the race detector.
//
//go:norace
func (w *window[T]) restrict(lo, hi, first, last int) {
	w.s, w.min, w.first, w.last = w.base[lo:hi:hi], lo, first, last
	atom.WriteRange(unsafe.Pointer(&w.s), int(unsafe.Offsetof(w.base)-unsafe.Offsetof(w.s)))
	declareWrites(w.s)
}

// row panics with a violation unless the batch owns index i of the loop. rows is the number of
// indices that the view serves.
func (w *window[T]) row(i, rows int) {
	w.hold.Check()
	if i >= w.first && i < w.last {
		return
	}
	if !w.hold.Bound() { // unchecked builds
		panic(w.hold.Stale())
	}
	g := &w.of.guard
	kind, do := safety.ErrIndex, "Rows begin at 0 and end at Len-1."
	what := "row " + strconv.Itoa(i) + " of " + g.Container() + " was used"
	if i < 0 || i >= rows {
		what += ", which has " + strconv.Itoa(rows) + " rows"
	} else {
		kind = safety.ErrWriteRange
		what += " in a batch that owns rows " + strconv.Itoa(w.first) + " <= row < " + strconv.Itoa(w.last)
		do = "A parallel loop may touch only the rows of its own indices. To read others take a Reader() of another array (double buffering);" +
			" to write anywhere, and answer for collisions yourself, take Writer().Unrestricted() and cut the rows from its Slice()."
	}
	v := g.Violation(kind, what, do)
	v.Index, v.Min, v.Max, v.Length = i, w.first, w.last, rows
	panic(w.hold.Blame(v))
}

// mustBeBound panics if the view with the hold h is not bound, and in strict builds if it is stale.
func mustBeBound(h *safety.Hold) {
	if safety.Strict {
		h.Check()
	}
	if !h.Bound() {
		panic(h.Stale())
	}
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

// adopts passes the address range of the elements, which lie in an adopted slice, to the guard. The
// ledger compares these ranges when it admits a job.
func (a *Array[T]) adopts() {
	a.adopted = true
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(a.data)))
	a.guard.Adopts(begin, begin+uintptr(len(a.data))*unsafe.Sizeof(*new(T)))
}

// moves ends the adoption if data, the new elements, begins at another address than the old ones.
func (a *Array[T]) moves(data []T) {
	if unsafe.SliceData(data) != unsafe.SliceData(a.data) {
		a.adopted = false
		a.guard.Adopts(0, 0)
	}
}

// declareWrites declares to the race detector that the elements of s are written.
func declareWrites[T any](s []T) {
	if atom.Race && len(s) > 0 {
		atom.WriteRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// declareReads declares to the race detector that the elements of s are read.
func declareReads[T any](s []T) {
	if atom.Race && len(s) > 0 {
		atom.ReadRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}
