package lane

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Lane is what one worker of a job appends to. A view's Bind gets it from [Of], its BeginSpan calls
// the lane's, and its Claim names it as Into, so that a nested job appends to it too. All views of
// one container in one job share the worker's lane, so their items are in program order.
//
// A Lane belongs to its [Lanes] and must not be copied. Only its worker uses it, inside batches. An
// unbound view has a nil lane: the methods that append report it as a stale view.
// Append, AppendAll, Partial, AvailableBuffer: lane; wait-free; O(items); allocates chunks.
// BeginSpan: lane; wait-free; O(1); allocates growth.
// TryAppend, Last, Len: lane; wait-free; O(1); allocates never.
type Lane[T any] struct {
	_  [0]*T
	of lane
}

// BeginSpan begins a span at the given batch. It does nothing if another view of the container has
// begun that span. A view's BeginSpan calls it.
//
//go:norace
func (l *Lane[T]) BeginSpan(batch int) { l.core().beginSpan(batch) }

// core returns the lane without its type.
//
//go:norace
func (l *Lane[T]) core() *lane { return (*lane)(elem.Pointer(l)) }

// Append appends v. by is the hold of the view, or nil if there is no view. An unbound view is a
// violation that names the container. So is a view that was kept after its job, if no job appends
// to the container now. Strict builds report every view that was kept after its job or its batch.
// So the view's method needs no checks of its own.
//
// Cost: a call, a comparison and a store, about 2 ns. Append itself is not inlined, so that the
// view's method that calls it is: a loop pays for one call. It allocates in the first phases only.
//
//go:norace
func (l *Lane[T]) Append(by *safety.Hold, v T) {
	if safety.Strict && by != nil {
		by.Check()
	}
	if l == nil {
		panic(stale(by))
	}
	if l.TryAppend(v) {
		return
	}
	l.of.grow(by)
	l.Append(nil, v)
}

// TryAppend appends v if the current chunk has room, and reports whether it did. It does not check
// the view. TryAppend can be inlined into a view's method that is not.
//
//go:norace
func (l *Lane[T]) TryAppend(v T) bool {
	k := l.of.n
	if k == l.of.cap {
		return false
	}
	if atom.Race {
		l.of.witness.Write()
	}
	*elem.Nth[T](l.of.buf, k) = v
	l.of.n = k + 1
	return true
}

// Len returns the number of items that the worker has appended in this phase.
func (l *Lane[T]) Len() int { return l.of.len() }

// Last returns the last item of the current span, or nil if the span is empty. The caller may
// change the item through the pointer during the span. The race detector does not see that.
//
//go:norace
func (l *Lane[T]) Last() *T { return (*T)(l.of.last()) }

// AppendAll appends all of vs, in order. It is a violation if the worker has more items than memory
// can hold, which only items without a size can cause. In all else it is as [Lane.Append].
func (l *Lane[T]) AppendAll(by *safety.Hold, vs []T) {
	p, n := l.core().room(by, elem.Data(vs), len(vs))
	if atom.Race && n > 0 && amount.Size[T]() > 0 {
		for _, v := range vs { // the detector sees the reads, not the writes (I6)
			l.Append(nil, v)
		}
		return
	}
	for n > 0 {
		n = copy(elem.Slice[T](p, n), vs)
		vs = vs[n:]
		p, n = l.of.filled(by, n, len(vs))
	}
}

// AvailableBuffer returns an empty slice whose capacity is the memory behind the lane's last item.
// A caller may append to it as to any slice and pass the result to [Lane.AppendAll]. That saves a
// call for each item, and the copy if all items fit. The slice is valid until the next append to
// the lane. In builds with the race detector it is nil.
//
//go:norace
func (l *Lane[T]) AvailableBuffer(by *safety.Hold) []T {
	p, n := l.core().available(by)
	return elem.Slice[T](p, n)[:0]
}
