package array

import (
	"iter"
	"strconv"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// hold is what views embed. Being an alias of the package, it keeps its methods from their pages.
type hold = safety.Hold

// window is what the range-guarded views share: the elements of the current batch, and access to them.
// Its methods are theirs. Indices are the array's, whatever the window.
type window[T any] struct {
	hold
	s      []T // elements min, min+1, ... of the array; none while the view is not bound (I3)
	min    int
	shadow *shadow // strict builds: of an Unrestricted view
	of     *Array[T]
	first  int // the loop's indices that own them are first <= i < last
	last   int
}

// At returns element i. An index that the batch does not own is a violation.
func (w *window[T]) At(i int) T {
	if safety.Strict {
		w.hold.Check()
	}
	if shadowed {
		w.use(i, false)
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		return s[k]
	}
	panic(w.hold.Out(i))
}

// Set sets element i. An index that the batch does not own is a violation.
func (w *window[T]) Set(i int, v T) {
	if safety.Strict {
		w.hold.Check()
	}
	if shadowed {
		w.use(i, true)
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		s[k] = v
		return
	}
	panic(w.hold.Out(i))
}

// Ptr returns a pointer to element i, good until the batch ends. An index that the batch does not own is
// a violation.
func (w *window[T]) Ptr(i int) *T {
	if safety.Strict {
		w.hold.Check()
	}
	if shadowed {
		w.use(i, true)
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		return &s[k]
	}
	panic(w.hold.Out(i))
}

// Slice returns the elements that the batch owns, good until the batch ends. Its element 0 is the
// array's element Begin. In strict builds a per-index loop owns one index at a time.
func (w *window[T]) Slice() []T {
	w.hold.Check()
	return w.s
}

// Begin returns the index of the first element that the batch owns.
func (w *window[T]) Begin() int {
	w.hold.Check()
	return w.min
}

// All ranges over the elements that the batch owns, with their indices in the array.
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

// restrict makes [lo, hi) of base, which the loop's indices [first, last) own, the window and declares it
// to the race detector. It keeps (I2).
func (w *window[T]) restrict(base []T, lo, hi, first, last int) {
	w.s, w.min = base[lo:hi:hi], lo
	w.first, w.last = first, last
	declareWrites(w.s)
}

// adopts tells the guard the range of addresses of the elements, which lie in an adopted slice. The
// ledger compares these ranges when it admits a job.
func (a *Array[T]) adopts() {
	a.takes = true
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(a.data)))
	a.guard.Adopts(begin, begin+uintptr(len(a.data))*unsafe.Sizeof(*new(T)))
}

// moves ends the adoption if data, the new elements, begins at another address than the old ones.
func (a *Array[T]) moves(data []T) {
	if unsafe.SliceData(data) != unsafe.SliceData(a.data) {
		a.takes = false
		a.guard.Adopts(0, 0)
	}
}

// declareWrites tells the race detector that the elements of s are written.
func declareWrites[T any](s []T) {
	if atom.Race && len(s) > 0 {
		atom.WriteRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// declareReads tells it that they are read.
func declareReads[T any](s []T) {
	if atom.Race && len(s) > 0 {
		atom.ReadRange(unsafe.Pointer(&s[0]), len(s)*int(unsafe.Sizeof(s[0])))
	}
}

// served returns where the batch of the loop's indices [begin, end) ends: end, but for a single job that was given unknown, because nobody
// knew when it was scheduled that the view serves rows. A loop whose batches need more than these is too long: only what jobs make longer can
// be shorter than was expected.
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

// row checks that index i is one of the batch's; rows is how many there are.
func (w *window[T]) row(i int, rows int) {
	w.hold.Check()
	if i >= w.first && i < w.last {
		return
	}
	if !w.hold.Bound() { // unchecked builds
		panic(w.hold.Stale())
	}
	g := &w.of.guard
	if i < 0 || i >= rows {
		v := g.Violation(safety.ErrIndex, "row "+strconv.Itoa(i)+" of "+g.Container()+" was used, which has "+strconv.Itoa(rows)+" rows", "Rows begin at 0 and end at Len-1.")
		v.Index, v.Min, v.Max, v.Length = i, w.first, w.last, rows
		panic(w.hold.Blame(v))
	}
	v := g.Violation(safety.ErrWriteRange, "row "+strconv.Itoa(i)+" of "+g.Container()+" was used in a batch that owns rows "+strconv.Itoa(w.first)+" <= row < "+strconv.Itoa(w.last),
		"A parallel loop may touch only the rows of its own indices. To read others take a Reader() of another array (double buffering);"+
			" to write anywhere, and answer for collisions yourself, take Writer().Unrestricted() and cut the rows from its Slice().")
	v.Index, v.Min, v.Max, v.Length = i, w.first, w.last, rows
	panic(w.hold.Blame(v))
}
