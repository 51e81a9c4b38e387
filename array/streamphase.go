package array

import (
	"math"
	"strconv"

	"example.com/custody/lane"
	"example.com/custody/safety"
)

// streamPhases hears of the phases of a Stream.
type streamPhases[T any] Stream[T]

// OpenPhase implements safety.Phased.
func (x *streamPhases[T]) OpenPhase(p *safety.Phase) {
	s := (*Stream[T])(x)
	if p.Mode != safety.Append {
		return
	}
	switch into := p.Into.(type) {
	case *cursor[T]:
		into.inner().open(p)
	case *rowOf[T]:
		if !into.last() {
			panic(s.gone(into, "was lent on"))
		}
		q := *p
		q.Into = into.cursor.lane
		s.fill.lanes.Open(&q)
		p.State = &rowPhase[T]{*into, q.State}
	case *lane.Lane[T]:
		s.fill.lanes.Open(p)
	default:
		if len(s.items) == 0 {
			s.fill.lanes.Lend(s.items)
		}
		s.fill.open(p)
	}
}

// SealPhase implements safety.Phased.
func (x *streamPhases[T]) SealPhase(p *safety.Phase) {
	s := (*Stream[T])(x)
	if p.Mode != safety.Append {
		return
	}
	switch state := p.State.(type) {
	case *filling[T]:
		state.seal(p)
	case *rowPhase[T]:
		q := *p
		q.Into, q.State = state.cursor.lane, state.lanes
		if p.Kept > 0 && !state.last() {
			q.Kept = 0
			defer panic(s.gone(&state.rowOf, "was appended to by a nested job"))
		}
		s.fill.lanes.Seal(&q, nil)
	default:
		s.fill.lanes.Seal(p, nil)
	}
}

// gone is the violation of using a row that a body lends on and that is not its last one any more.
//
//go:norace
func (s *Stream[T]) gone(r *rowOf[T], how string) *safety.Violation {
	v := s.guard.Violation(safety.ErrArgument, "row "+strconv.Itoa(r.row)+" of "+s.guard.Container()+" "+how+" after the body had gone on to row "+strconv.Itoa(r.cursor.row),
		"Complete the nested job before the body appends to another row.")
	v.Index = r.row
	return v
}

// rowOf is a row that a body lends on.
type rowOf[T any] struct {
	cursor *cursor[T]
	row    int
}

// last says whether the body has not gone on to another row.
//
//go:norace
func (r *rowOf[T]) last() bool { return r.cursor.row == r.row }

// rowPhase is the state of a nested job that appends to a row.
type rowPhase[T any] struct {
	rowOf[T]
	lanes any
}

// ParallelWriter returns a view that appends to the rows of the current batch's indices. While a job that was not completed holds one, the
// stream is nobody else's.
//
// Cost: that of an append to a slice for each item, and as much again for each row; and a copy, in parallel, when the job ends, as
// [List.ParallelWriter] says, if the stream had no items.
func (s *Stream[T]) ParallelWriter() StreamParallelWriter[T] {
	if s == nil {
		return StreamParallelWriter[T]{}
	}
	return StreamParallelWriter[T]{hold: s.guard.Hold(safety.Append, (*streamParallelWriterKind[T])(nil))}
}

// StreamParallelWriter is a view that appends items to the rows of a stream from all batches of a parallel loop, each to those of its own
// indices and to one after the other: within a batch rows come in ascending order, those that get nothing are left out. When the job has
// ended each row has the items that the sequential loop appends to it, in that order, at any number of workers. If a batch fails they are
// those that the sequential loop has appended until then. If the job was cancelled nothing has changed.
//
// A single job may append to any row, in ascending order; the stream then has rows up to the last of them.
//
// It works only inside the job that carries it. A nested loop that it is lent on to appends to the rows of the batch: index 0 is the first of
// them. To append to one row by a nested loop lend [StreamParallelWriter.Row] on.
type StreamParallelWriter[T any] struct {
	hold
	at *cursor[T] // nil while the view is not bound
}

// Append appends v to row i. A row that is not the batch's, or comes before the one that the batch appended to last, is a violation.
func (w *StreamParallelWriter[T]) Append(i int, v T) { w.at.append(&w.hold, i, v) }

// AppendAll appends all of vs to row i, in their order. In all else it is as Append.
func (w *StreamParallelWriter[T]) AppendAll(i int, vs []T) { w.at.appendAll(&w.hold, i, vs) }

// AvailableBuffer returns an empty slice with some capacity, to be appended to as any slice and then passed on to AppendAll: in the innermost
// loops that is faster than Append for each item, since what has found room in it is not copied. It is good until the view appends.
func (w *StreamParallelWriter[T]) AvailableBuffer() []T {
	if w.at == nil {
		panic(w.hold.Stale())
	}
	return w.at.lane.AvailableBuffer(&w.hold)
}

// Row returns a view for nested jobs that append to row i: what they leave is there in the order of their sequential loops. They must be
// completed before the body appends to another row. In all else it is as Append.
func (w *StreamParallelWriter[T]) Row(i int) StreamRow[T] {
	if w.at == nil {
		panic(w.hold.Stale())
	}
	w.at.turn(&w.hold, i)
	return StreamRow[T]{hold: w.hold.WithKind((*streamRowKind[T])(nil)), of: &rowOf[T]{w.at, i}}
}

// streamParallelWriterKind is the kind of StreamParallelWriters.
type streamParallelWriterKind[T any] StreamParallelWriter[T]

// Of implements safety.ViewKind.
func (*streamParallelWriterKind[T]) Of(view any) safety.Binder {
	return (*streamParallelWriterKind[T])(view.(*StreamParallelWriter[T]))
}

// Claim completes the claim.
func (w *streamParallelWriterKind[T]) Claim(c *safety.Claim) {
	c.Ranged, c.Extent = true, math.MaxInt
	if w.hold.Bound() && w.at != nil {
		c.Into, c.Extent = w.at, w.at.extent()
	}
}

// Bind implements safety.Binder.
func (w *streamParallelWriterKind[T]) Bind(b safety.Binding) {
	w.hold.Bind(b)
	f, ok := b.State().(*filling[T])
	if !ok { // a job of rows
		panic(w.hold.Blame(b.State().(*rowPhase[T]).cursor.of.of.several()))
	}
	w.at = f.cursors[b.Worker()]
}

// several is the violation of a job with views of rows that differ.
func (s *Stream[T]) several() *safety.Violation {
	return s.guard.Violation(safety.ErrArgument, "a nested job has views that append to different rows of "+s.guard.Container(),
		"A body lends on one row at a time, or all rows of its batch.")
}

// BeginSpan implements safety.SpanView.
func (w *streamParallelWriterKind[T]) BeginSpan(batch int) { w.at.lane.BeginSpan(batch) }

// BeginBatch is called by drivers before each batch: see safety.Binder.
func (w *streamParallelWriterKind[T]) BeginBatch(batch int) { w.at.begin(batch) }

// SetRange implements safety.RangeView. It is for drivers, and a body must not call it.
func (w *streamParallelWriterKind[T]) SetRange(begin, end int) { w.at.enter(begin, end) }

// Window implements safety.RangeView.
func (w *streamParallelWriterKind[T]) Window() (begin, end, length int) { return w.at.window() }

//go:norace
func (c *cursor[T]) window() (begin, end, length int) { return c.first, c.last, math.MaxInt }

// extent returns how many indices a nested loop can have.
//
//go:norace
func (c *cursor[T]) extent() int { return c.last - c.first }
