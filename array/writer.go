package array

import (
	"iter"
	"math"
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/quiet"
	"example.com/custody/internal/slide"
	"example.com/custody/safety"
)

// Writer is a view that reads and writes the elements that the indices of the current batch own.
// Index i owns element i, or with [ByRows] the elements [i*k, (i+1)*k). A single job owns all
// elements. A Writer works only inside the job that carries it. Functions make other views of it:
// [ByRows], [ByOffsets], [Permuted], [Unrestricted] and [SplitAt]. Methods would be compiled in
// each package that uses a Writer.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	At, Set, Ptr, All, Begin, Row, Slice  own batch  wait-free  O(1)  never
//	Len                                   job reads  wait-free  O(1)  never
type Writer[T any] struct {
	hold        `custody:"part"`
	s           []T // as in windowKind
	min         int
	first, last int
	base        []T
	stride      int
	shadow      *shadow
	of          *core
	free        bool // the view is Unrestricted
}

// ByRows returns a view whose index i owns the k elements [i*k, (i+1)*k), for a job that is
// scheduled afterwards; in its body, Row(i) returns these elements. A loop may have Len/k indices,
// and elements left over at the end belong to none. A k below 1 is a violation.
//
//	// sums of the rows of a matrix that has k columns
//	sum := job{In: array.ByRows(m.Writer(), k), Out: sums.Writer()}
//	parallelfor.For(sums.Len(), sum, func(j *job, i int) {
//		for _, v := range j.In.Row(i) {
//			*j.Out.Ptr(i) += v
//		}
//	})
//
//go:noinline
func ByRows[T any](w Writer[T], k int) Writer[T] {
	if k < 1 {
		panic(w.of.noRows(k))
	}
	w.stride = k
	return w
}

// noRows returns the violation of rows of k elements of a, which may be nil.
func (a *core) noRows(k int) *safety.Violation {
	what, do := "rows of "+strconv.Itoa(k)+" elements", "A row has 1 element or more."
	v := safety.NewViolation(safety.ErrArgument, what+" were asked for", do)
	if a != nil {
		v = a.guard.Violation(safety.ErrArgument, what+" of "+a.guard.Container()+" were asked for", do)
	}
	v.N = k
	return v
}

// Unrestricted returns a view that may touch every element in every batch. The program then
// promises that no two batches touch one element which one of them writes. Other jobs are excluded
// as before.
//
// Strict builds check that promise for everything except uses of the slice that Slice returns. They
// count Ptr and Row as writes of the elements returned; a body that only reads uses At. The race
// detector checks it for everything.
//
//go:noinline
func Unrestricted[T any](w Writer[T]) Writer[T] {
	w.free = true
	return w
}

// At returns element i. An index that the batch does not own is a violation.
func (w *Writer[T]) At(i int) T {
	if safety.Strict {
		return *(*T)((*windowKind)(elem.Pointer(w)).checked(i, false))
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		return s[k]
	}
	panic(quiet.Of(&w.hold).Out(i))
}

// Set sets element i. An index that the batch does not own is a violation.
func (w *Writer[T]) Set(i int, v T) {
	if safety.Strict {
		*(*T)((*windowKind)(elem.Pointer(w)).checked(i, true)) = v
		return
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		s[k] = v
		return
	}
	panic(quiet.Of(&w.hold).Out(i))
}

// Ptr returns a pointer to element i, which is valid until the batch ends. An index that the batch
// does not own is a violation.
func (w *Writer[T]) Ptr(i int) *T {
	if safety.Strict {
		return (*T)((*windowKind)(elem.Pointer(w)).checked(i, true))
	}
	if s, k := w.s, uint(i-w.min); k < uint(len(s)) {
		return &s[k]
	}
	panic(quiet.Of(&w.hold).Out(i))
}

// Slice returns the elements that the batch owns, valid until the batch ends. Positions in it are
// local to the batch: position 0 is element Begin of the array, which Set and At take.
//
//	for k := range w.Slice() {
//		w.Slice()[k] = f(w.Begin() + k) // the same as w.Set(w.Begin()+k, f(w.Begin()+k))
//	}
//
// In strict builds a batch of a per-index loop owns one index at a time.
func (w *Writer[T]) Slice() []T {
	quiet.Of(&w.hold).Check()
	return w.s
}

// Begin returns the index, in the array, of the first element that the batch owns.
func (w *Writer[T]) Begin() int {
	quiet.Of(&w.hold).Check()
	return w.min
}

// SplitAt splits what the batch owns before element i of the array, into a view of the elements
// below i and a view of those from i on. It is for recursion inside a body. Two goroutines may use
// the two views at the same time. They can be split again, and are valid until the batch ends. An i
// outside [Begin, Begin+len(Slice)] is a violation.
//
//	below, from := array.SplitAt(w, w.Begin() + len(w.Slice())/2)
//
// A view of an Unrestricted one is restricted to its side, too. With [ByRows] a view has the
// rows that lie on its side as a whole. If i is inside a row, neither view has that row, only its
// elements, and a job's rows begin with the view. A job that the body schedules with one of the two
// views leaves the other one free, unless it carries a Permuted one.
//
//go:noinline
func SplitAt[T any](w *Writer[T], i int) (below, from Writer[T]) {
	(*writerKind)(elem.Pointer(w)).split(i, (*writerKind)(elem.Pointer(&below)), (*writerKind)(elem.Pointer(&from)))
	return below, from
}

// All returns an iterator over the elements that the batch owns, with their indices in the array.
func (w *Writer[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		quiet.Of(&w.hold).Check()
		for k, v := range w.s {
			if shadowed {
				(*windowKind)(elem.Pointer(w)).use(w.min+k, false)
			}
			if !yield(w.min+k, v) {
				return
			}
		}
	}
}

// Len returns the number of indices that a loop over the view may have: the number of elements, or
// with [ByRows] of rows. It does not depend on the batch.
func (w *Writer[T]) Len() int {
	quiet.MustBeBound(quiet.Of(&w.hold))
	return len(w.base) / w.stride
}

// Row returns the elements that index i of the loop owns, valid until the batch ends: element i
// alone, or with [ByRows] its k elements. An index outside the batch is a violation.
func (w *Writer[T]) Row(i int) []T {
	lo := (*writerKind)(elem.Pointer(w)).rowAt(i)
	return w.s[lo : lo+w.stride : lo+w.stride]
}

// writerKind has the layout of a Writer, and the methods that drivers call.
type writerKind struct {
	windowKind `custody:"part"`
	free       bool
}

// rowAt returns where in the window the row of index i begins, after the checks of Row.
func (w *writerKind) rowAt(i int) (lo int) {
	w.row(i, w.base.len/max(w.stride, 1))
	if shadowed {
		for k := range w.stride {
			w.use(i*w.stride+k, true)
		}
	}
	return i*w.stride - w.min
}

// split makes below and from what SplitAt returns.
func (w *writerKind) split(i int, below, from *writerKind) {
	w.kept.Check()
	k := i - w.min
	if uint(k) > uint(w.s.len) || !w.kept.Bound() { // unchecked builds
		panic(w.kept.Out(i))
	}
	*below, *from = *w, *w
	below.s, from.s, from.min = w.s.part(0, k, w.of.size), w.s.part(k, w.s.len, w.of.size), i
	row := i / w.stride
	below.last = min(max(row, w.first), w.last)
	if row*w.stride < i {
		row++
	}
	from.first = min(max(row, w.first), w.last)
}

// Claim completes the claim.
func (w *writerKind) Claim(c *safety.Claim) {
	n := w.of.serves()
	if w.kept.Bound() {
		n = w.s.len
	}
	c.Extent = n
	if w.stride > 1 {
		c.Extent /= w.stride
	}
	c.Ranged, c.Unrestricted, c.Own = !w.free, w.free, !w.free && w.stride == 1
	if shadowed && w.free {
		c.Into = newShadow(n, &w.windowKind) // for elements that belong to no row, too
	}
}

// Bind implements safety.Binder.
func (w *writerKind) Bind(b safety.Binding) {
	w.windowKind.Bind(b)
	if w.free {
		w.s, w.last = w.base, w.base.len/w.stride
	}
}

// Slide implements slide.View.
func (w *writerKind) Slide() (*slide.Window, uintptr) {
	return (*slide.Window)(elem.Pointer(&w.s)), w.of.size
}

// SetRange implements safety.RangeView.
//
//go:norace
func (w *writerKind) SetRange(begin, end int) {
	end = served(&w.kept, &w.of.guard, begin, end, w.base.len/w.stride, math.MaxInt/w.stride)
	w.restrict(begin*w.stride, end*w.stride, begin, end)
}
