package array

import (
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// StreamRow is a view that appends to one row of a [Stream], for jobs that a body schedules.
// [StreamParallelWriter.Row] makes it.
// Each method: lane; wait-free; O(items); allocates chunks.
type StreamRow[T any] struct {
	hold `custody:"part"`
	_    [0]*T       // no conversion to a view of other items
	of   *rowOf      // of the body that made the view; nil in a bound view
	lane *lanes.Lane // of the job that the view is bound to
}

// Append appends v to what the sequential loop has appended to the row before.
func (w *StreamRow[T]) Append(v T) { lanes.Append(w.lane, quiet.Of(&w.hold), v) }

// AppendAll appends all of vs, in their order.
func (w *StreamRow[T]) AppendAll(vs []T) { lanes.AppendAll(w.lane, quiet.Of(&w.hold), vs) }

// AvailableBuffer returns an empty slice to append to and to pass to AppendAll, as
// [ParallelWriter.AvailableBuffer] does.
func (w *StreamRow[T]) AvailableBuffer() []T { return lanes.Available[T](w.lane, quiet.Of(&w.hold)) }

// streamRowKind has the methods of a StreamRow that drivers call.
type streamRowKind[T any] StreamRow[T]

// Of implements safety.ViewKind.
func (*streamRowKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*streamRowKind[T])(view.(*StreamRow[T]))
}

// Claim completes the claim.
func (w *streamRowKind[T]) Claim(c *safety.Claim) {
	if w.of != nil {
		c.Into = w.of
	} else {
		c.Into = w.lane
	}
}

// Bind implements safety.Binder.
func (w *streamRowKind[T]) Bind(b safety.Binding) {
	quiet.Of(&w.hold).Bind(b)
	switch state := b.State().(type) {
	case *rowPhase:
		if *w.of != state.rowOf {
			panic(quiet.Of(&w.hold).Blame(state.cursor.of.several()))
		}
		w.lane = lanes.Of(b, (*T)(nil))
	case *filling: // a job of all rows of the batch
		panic(quiet.Of(&w.hold).Blame(state.several()))
	default: // a job that got the view passed it on
		w.lane = lanes.Of(b, (*T)(nil))
	}
	w.of = nil
}

// BeginSpan implements safety.SpanView.
func (w *streamRowKind[T]) BeginSpan(batch int) { w.lane.BeginSpan(batch) }
