package array

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// StreamRow is a view that appends to one row of a stream, for a job that the body schedules which has got it from
// [StreamParallelWriter.Row].
type StreamRow[T any] struct {
	access safety.Access
	of     *rowOf[T]     // of the body that has made it
	lane   *lane.Lane[T] // of the job that it is bound to
}

// Append appends v to what the sequential loop has appended to the row before.
func (w *StreamRow[T]) Append(v T) { w.lane.Append(&w.access, v) }

// AppendAll appends all of vs, in their order.
func (w *StreamRow[T]) AppendAll(vs []T) { w.lane.AppendAll(&w.access, vs) }

// AvailableBuffer returns an empty slice to be appended to and passed on to AppendAll, as [ParallelWriter.AvailableBuffer] does.
func (w *StreamRow[T]) AvailableBuffer() []T { return w.lane.AvailableBuffer(&w.access) }

// Claim implements safety.View.
func (w *StreamRow[T]) Claim() safety.Claim {
	c := w.access.Claim()
	if w.of != nil {
		c.Into = w.of
	} else {
		c.Into = w.lane
	}
	return c
}

// Bind implements safety.View.
func (w *StreamRow[T]) Bind(b safety.Binding) {
	w.access.Bind(b)
	switch state := b.State().(type) {
	case *rowPhase[T]:
		if *w.of != state.rowOf {
			panic(w.access.Blame(state.cursor.of.of.several()))
		}
		w.lane = state.lanes.(*lane.Lanes[T]).Lane(b.Worker())
	case *filling[T]: // a job of all rows of the cell
		panic(w.access.Blame(state.of.several()))
	default: // lent on by a job that it was lent on to
		w.lane = lane.Of[T](b)
	}
	w.of = nil
}

// BeginRun implements safety.RunView.
func (w *StreamRow[T]) BeginRun(cell int) { w.lane.BeginRun(cell) }
