package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/elem"
	"example.com/custody/internal/slide"
	"example.com/custody/safety"
)

// Writer is a view that reads and writes the elements that the indices of the current batch own.
// Index i owns element i, or with [Writer.ByRows] the elements [i*k, (i+1)*k). A single job owns
// all elements. A Writer works only inside the job that carries it.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	At, Set, Ptr, All, Begin, Row, Slice  own batch  wait-free  O(1)               never
//	Len                                   job reads  wait-free  O(1)               never
//	ByRows, ByOffsets, Unrestricted       constant   wait-free  O(1)               never
//	Permuted                              constant   wait-free  O(1), nested O(n)  bits, nested
type Writer[T any] struct {
	window[T] `custody:"part"`
	free      bool // the view is Unrestricted
}

// ByRows returns a view whose index i owns the k elements [i*k, (i+1)*k), for a job that is
// scheduled afterwards; in its body, Row(i) returns these elements. A loop may have Len/k indices,
// and elements left over at the end belong to none. A k below 1 is a violation.
//
//	// sums of the rows of a matrix that has k columns
//	parallelfor.For(rows, job{In: m.Writer().ByRows(k), Out: sums.Writer()}, func(j *job, i int) {
//		for _, v := range j.In.Row(i) {
//			*j.Out.Ptr(i) += v
//		}
//	})
func (w Writer[T]) ByRows(k int) Writer[T] {
	if k < 1 {
		panic(w.noRows(k))
	}
	w.stride = k
	return w
}

// noRows returns the violation of rows of k elements.
func (w *Writer[T]) noRows(k int) *safety.Violation {
	what, do := "rows of "+strconv.Itoa(k)+" elements", "A row has 1 element or more."
	v := safety.NewViolation(safety.ErrArgument, what+" were asked for", do)
	if w.of != nil {
		g := &w.of.guard
		v = g.Violation(safety.ErrArgument, what+" of "+g.Container()+" were asked for", do)
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
func (w Writer[T]) Unrestricted() Writer[T] {
	w.free = true
	return w
}

// ByOffsets returns a view whose index i owns the elements [offsets[i], offsets[i+1]). A loop may
// have one index less than there are offsets. The offsets must not fall and must lie in [0, Len]; a
// batch whose borders do not is a violation. The view also claims to read offsets. It has a range
// even if w is Unrestricted.
func (w Writer[T]) ByOffsets(offsets Reader[int]) OffsetWriter[T] {
	w.hold = w.hold.WithKind((*offsetWriterKind[T])(nil))
	return OffsetWriter[T]{window: w.window, offsets: offsets}
}

// Len returns the number of indices that a loop over the view may have: the number of elements, or
// with [Writer.ByRows] of rows. It does not depend on the batch.
func (w *Writer[T]) Len() int {
	mustBeBound(&w.hold)
	return len(w.base) / w.stride
}

// Row returns the elements that index i of the loop owns, valid until the batch ends: element i
// alone, or with [Writer.ByRows] its k elements. An index outside the batch is a violation.
func (w *Writer[T]) Row(i int) []T {
	w.row(i, len(w.base)/max(w.stride, 1))
	lo := i*w.stride - w.min
	if shadowed {
		for k := range w.stride {
			w.use(w.min+lo+k, true)
		}
	}
	return w.s[lo : lo+w.stride : lo+w.stride]
}

// writerKind has the methods of a Writer that drivers call.
type writerKind[T any] struct{ view Writer[T] }

// Of implements safety.ViewKind.
func (*writerKind[T]) Of(view any) safety.Binder {
	return (*writerKind[T])(elem.Pointer(view.(*Writer[T])))
}

// Claim completes the claim.
func (k *writerKind[T]) Claim(c *safety.Claim) {
	w := &k.view
	n := w.of.serves()
	if w.hold.Bound() {
		n = len(w.s)
	}
	c.Extent = n
	if w.stride > 1 {
		c.Extent /= w.stride
	}
	c.Ranged, c.Unrestricted, c.Own = !w.free, w.free, !w.free && w.stride == 1
	if shadowed && w.free {
		c.Into = newShadow(n, &w.window) // for elements that belong to no row, too
	}
}

// Bind implements safety.Binder.
func (k *writerKind[T]) Bind(b safety.Binding) {
	w := &k.view
	w.bind(b)
	if w.free {
		w.s, w.last = w.base, len(w.base)/w.stride
	}
}

// Slide implements slide.View.
func (k *writerKind[T]) Slide() (*slide.Window, uintptr) { return slide.Over(&k.view.s) }

// SetRange implements safety.RangeView.
//
//go:norace
func (k *writerKind[T]) SetRange(begin, end int) {
	w := &k.view
	end = served(&w.hold, &w.of.guard, begin, end, len(w.base)/w.stride, math.MaxInt/w.stride)
	w.restrict(begin*w.stride, end*w.stride, begin, end)
}

// Window implements safety.RangeView.
func (k *writerKind[T]) Window() (begin, end, length int) {
	w := &k.view
	return w.min, w.min + len(w.s), len(w.base)
}
