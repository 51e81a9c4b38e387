package array

import (
	"math"
	"strconv"

	"example.com/custody/safety"
)

// Writer is a view that reads and writes the elements that the indices of the current batch own: index
// i owns element i, or [i*k, (i+1)*k) with [Writer.Rows]. Single jobs own everything. It works only
// inside the job that carries it.
type Writer[T any] struct {
	window[T] `custody:"part"`
	base      []T  // what the job was given: the array, or the window of a body that lends it on
	stride    int  // elements that each index owns
	free      bool // no range
}

// Rows returns a view whose index i owns the k elements [i*k, (i+1)*k). A loop may have Len/k indices;
// what is left at the end belongs to none. k below 1 is a violation.
func (w Writer[T]) Rows(k int) Writer[T] {
	if k < 1 {
		panic(w.noRows(k))
	}
	w.stride = k
	return w
}

// noRows is the violation of rows of k elements.
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

// Unrestricted returns a view that may touch every element in every batch. That no two batches touch the
// same element, when one of them writes it, is then the program's promise: strict builds look, at everything but
// what is done with what Slice returns, where Ptr and Row count as writing what they hand out: to read only, use At. So
// does the race detector, at everything. Other jobs are kept away as ever.
func (w Writer[T]) Unrestricted() Writer[T] {
	w.free = true
	return w
}

// ByOffsets returns a view whose index i owns the elements [offsets[i], offsets[i+1]). A loop may have
// one index less than there are offsets. The offsets must not fall, and must lie in [0, Len]; a batch
// whose borders do not is a violation. The view is a claim to read offsets, too. It has a range, also when w is
// Unrestricted.
func (w Writer[T]) ByOffsets(offsets Reader[int]) OffsetWriter[T] {
	w.hold = w.hold.WithKind((*offsetWriterKind[T])(nil))
	return OffsetWriter[T]{window: w.window, offsets: offsets}
}

// Row returns the elements that index i owns, good until the batch ends. An index outside the batch is a
// violation.
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

// writerKind is the kind of Writers.
type writerKind[T any] Writer[T]

// Of implements safety.ViewKind.
func (*writerKind[T]) Of(view any) safety.Binder { return (*writerKind[T])(view.(*Writer[T])) }

// Claim completes the claim.
func (w *writerKind[T]) Claim(c *safety.Claim) {
	if w.hold.Bound() {
		c.Extent = len(w.s) / w.stride
	} else if c.Extent = w.of.serves(); w.stride > 1 {
		c.Extent /= w.stride
	}
	c.Ranged, c.Unrestricted, c.Own = !w.free, w.free, !w.free && w.stride == 1
	if shadowed && w.free {
		n := w.of.serves() // also what belongs to no row
		if w.hold.Bound() {
			n = len(w.s)
		}
		c.Into = newShadow(n, &w.window)
	}
}

// Bind implements safety.Binder.
func (w *writerKind[T]) Bind(b safety.Binding) {
	w.base = w.of.data
	if w.hold.Bound() {
		w.base = w.s
	}
	w.hold.Bind(b)
	w.restrict(nil, 0, 0, 0, 0)
	if w.free {
		w.s, w.last = w.base, len(w.base)/w.stride
		w.shadow, _ = b.State().(*shadow)
	}
}

// SetRange implements safety.RangeView. It is for drivers, and a body must not call it.
func (w *writerKind[T]) SetRange(begin, end int) {
	end = served(&w.hold, &w.of.guard, begin, end, len(w.base)/w.stride, math.MaxInt/w.stride)
	w.restrict(w.base, begin*w.stride, end*w.stride, begin, end)
}

// Window implements safety.RangeView.
func (w *writerKind[T]) Window() (begin, end, length int) {
	return w.min, w.min + len(w.s), len(w.base)
}
