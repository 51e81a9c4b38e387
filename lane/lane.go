package lane

import (
	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// Lane is what one worker of a job appends to. A view's Bind gets it from [Of], its BeginSpan calls
// the lane's, and its Claim names it as Into, so that a nested job appends to it too. All views of
// one container in one job share the worker's lane, so their items are in program order.
//
// A Lane belongs to its [Lanes] and must not be copied. Only its worker uses it, inside batches. An
// unbound view has a nil lane: the methods that append, except TryAppend, report a stale view.
// Append, AppendAll, Partial, AvailableBuffer: lane; wait-free; O(items); allocates chunks.
// BeginSpan: lane; wait-free; O(1); allocates growth.
// TryAppend, Last, Len: lane; wait-free; O(1); allocates never.
type Lane[T any] struct {
	_  [0]*T
	of lanes.Lane
}

// BeginSpan begins a span at the given batch. It does nothing if another view of the container has
// begun that span. A view's BeginSpan calls it.
func (l *Lane[T]) BeginSpan(batch int) { l.core().BeginSpan(batch) }

// core returns the lane without its type.
func (l *Lane[T]) core() *lanes.Lane { return (*lanes.Lane)(elem.Pointer(l)) }

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
	if safety.Strict || l == nil || !l.TryAppend(v) {
		*(*T)(l.core().Next(by)) = v
	}
}

// TryAppend appends v if the current chunk has room, and reports whether it did. It does not check
// the view. TryAppend can be inlined into a view's method that is not.
//
//go:norace
func (l *Lane[T]) TryAppend(v T) bool { return lanes.TryAppend(&l.of, v) }

// Len returns the number of items that the worker has appended in this phase.
func (l *Lane[T]) Len() int { return l.of.Len() }

// Last returns the last item of the current span, or nil if the span is empty. The caller may
// change the item through the pointer during the span. The race detector does not see that.
func (l *Lane[T]) Last() *T { return (*T)(l.of.Last()) }

// AppendAll appends all of vs, in order. It is a violation if the worker has more items than memory
// can hold, which only items without a size can cause. In all else it is as [Lane.Append].
func (l *Lane[T]) AppendAll(by *safety.Hold, vs []T) { lanes.AppendAll(l.core(), by, vs) }

// AvailableBuffer returns an empty slice whose capacity is the memory behind the lane's last item.
// A caller may append to it as to any slice and pass the result to [Lane.AppendAll]. That saves a
// call for each item, and the copy if all items fit. The slice is valid until the next append to
// the lane: to pass it to AppendAll later is a violation. In builds with the race detector all is
// copied.
func (l *Lane[T]) AvailableBuffer(by *safety.Hold) []T { return lanes.Available[T](l.core(), by) }

// Partial returns a pointer to the partial result of the current span. The partial result is an
// item: the first call in a span appends it, with the zero value. It is for containers whose
// batches add up instead of appending, such as a counter or a histogram. Their views add to the
// partial result with plain reads and writes.
//
//	func (w *Writer) Add(d int64) { *w.lane.Partial(&w.hold) += d }
//
// The container folds the partial results when the job is sealed. They come in the order of the
// sequential loop. When a batch fails, the last partial result holds what the batch added before it
// failed.
//
// Which batches form a span depends on which workers are free. So the result of the fold must not
// depend on how the batches are grouped: sums of integers, minima and concatenation qualify. Sums
// of floats do not. For these a view with a method BeginBatch appends one item for each batch.
//
// The pointer is valid until the next method of the view. A nested job ends the partial result:
// what the body adds after the nested job goes to another item, so the items of the nested job are
// folded between the two.
//
// The partial result belongs to one span. In builds with the race detector each batch is a span, so
// a view's method that uses the pointer needs no go:norace directive, unlike one that uses memory
// kept for each worker. The race detector reports two goroutines that use the pointer in one batch.
//
// A phase uses either the methods that append or Partial. by is the hold of the view, as in
// [Lane.Append], and the violations are the same. T must be small, or hold a slice that its first
// use allocates, because each span has one.
//
// Cost: two comparisons, and a call where the view's method is too long to be inlined. A span is
// many batches of one worker, except in strict builds, where it is one batch.
func (l *Lane[T]) Partial(by *safety.Hold) *T { return lanes.Partial[T](l.core(), by) }
