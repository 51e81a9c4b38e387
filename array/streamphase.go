package array

import (
	"math"
	"strconv"

	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// streamPhases has the methods of a Stream that the ledger calls when a phase opens and ends.
type streamPhases[T any] Stream[T]

// OpenPhase opens the lanes of a job that appends. Into says where its items go. nil is the stream,
// a cursor the rows of a body's batch, and a rowOf one of these rows. A lane is that of a nested
// job whose body passed on the view of a row. byKey is any rows, and a lane of keyed items that of
// a body.
func (x *streamPhases[T]) OpenPhase(p *safety.Phase) {
	s := (*Stream[T])(x)
	if p.Mode != safety.Append {
		return
	}
	switch into := p.Into.(type) {
	case *cursor:
		into.inner().open(p)
	case *rowOf:
		if !into.current() {
			panic(into.gone("was passed on"))
		}
		q := *p
		q.Into = into.cursor.lane
		s.fill.lanes.Open(&q)
		p.State = &rowPhase{*into, q.State}
	case *lanes.Lane:
		s.lanesLike(into).Open(p)
	case byKey:
		s.grouped().open(p)
	default:
		if len(s.items) == 0 {
			lanes.Lend(&s.fill.lanes, s.items)
		}
		s.fill.open(p)
	}
}

// SealPhase adds the items that a job has appended, where Into says.
func (x *streamPhases[T]) SealPhase(p *safety.Phase) {
	s := (*Stream[T])(x)
	if p.Mode != safety.Append {
		return
	}
	switch state := p.State.(type) {
	case *filling:
		state.seal(p)
	case *rowPhase:
		q := *p
		q.Into, q.State = state.cursor.lane, state.lanes
		if p.Kept > 0 && !state.current() {
			q.Kept = 0
			defer panic(state.gone("was appended to by a nested job"))
		}
		s.fill.lanes.Seal(&q, nil)
	case *grouping[T]:
		state.seal(p)
	default:
		s.lanesLike(p.Into).Seal(p, nil)
	}
}

// lanesLike returns the lanes of items like those of a lane, for a nested job.
func (s *Stream[T]) lanesLike(into any) *lanes.Lanes {
	if l, ok := into.(*lanes.Lane); ok && s.group != nil && l.Fits(&s.group.lanes) {
		return &s.group.lanes
	}
	return &s.fill.lanes
}

// gone returns the violation of using a row that the body has passed on and then left.
//
//go:norace
func (r *rowOf) gone(how string) *safety.Violation {
	g := r.cursor.of.guard
	v := g.Violation(safety.ErrArgument, "row "+strconv.Itoa(r.row)+" of "+g.Container()+" "+how+" after the body had gone on to row "+strconv.Itoa(r.cursor.row),
		"Complete the nested job before the body appends to another row.")
	v.Index = r.row
	return v
}

// rowOf is a row that a body passes on.
type rowOf struct {
	cursor *cursor
	row    int
}

// current reports whether the body is still at the row.
//
//go:norace
func (r *rowOf) current() bool { return r.cursor.row == r.row }

// rowPhase is the state of a nested job that appends to a row.
type rowPhase struct {
	rowOf
	lanes any // what the lanes use as the State
}

// Lanes is for [lane.Of].
func (r *rowPhase) Lanes() any { return r.lanes }

// ParallelWriter returns a view that appends to the rows of the current batch's indices. While an
// uncompleted job holds it, every use of the stream is a violation.
//
// Cost: that of an append to a slice for each item, and as much again for each row; and, if the
// stream has no items, a parallel copy when the job ends, as of [List.ParallelWriter].
func (s *Stream[T]) ParallelWriter() (w StreamParallelWriter[T]) {
	if s != nil {
		quiet.Set(&w.hold, &s.guard, safety.Append, (*streamParallelWriterKind[T])(nil))
	}
	return w
}

// StreamParallelWriter is a view that appends items to the rows of a [Stream] from all batches of a
// parallel loop. A batch appends to the rows of its own indices, in ascending order, and may leave
// rows out. When the job has ended, each row has the items that the sequential loop appends to it,
// in that order, at any number of workers. If a batch fails, they are those that the sequential
// loop appends before it fails. A cancelled job changes nothing.
//
// A single job may append to any row, in ascending order. The stream then has rows up to the last
// of these.
//
// The view works only inside the job that carries it. A nested loop to which it is passed on
// appends to the rows of the batch, of which index 0 is the first. A nested loop that appends to
// one row gets [StreamParallelWriter.Row].
//
// Append, AppendAll, AvailableBuffer: lane; wait-free; O(items); allocates chunks.
// Row: lane; wait-free; O(1); allocates one.
type StreamParallelWriter[T any] struct {
	hold `custody:"part"`
	_    [0]*T   // no conversion to a view of other items
	at   *cursor // nil in an unbound view
}

// Append appends v to row i. It is a violation if the batch does not own the row, or has appended
// to a later row.
func (w *StreamParallelWriter[T]) Append(i int, v T) { appendTo(w.at, quiet.Of(&w.hold), i, v) }

// AppendAll appends all of vs to row i, in their order. In all else it is as Append.
func (w *StreamParallelWriter[T]) AppendAll(i int, vs []T) {
	appendAllTo(w.at, quiet.Of(&w.hold), i, vs)
}

// AvailableBuffer returns an empty slice to append to and to pass to AppendAll, as
// [ParallelWriter.AvailableBuffer] does.
func (w *StreamParallelWriter[T]) AvailableBuffer() []T {
	if w.at == nil {
		panic(quiet.Of(&w.hold).Stale())
	}
	return lanes.Available[T](w.at.lane, quiet.Of(&w.hold))
}

// Row returns a view for nested jobs that append to row i, each in the order of its sequential
// loop. The jobs must be completed before the body appends to another row. In all else it is as
// Append.
func (w *StreamParallelWriter[T]) Row(i int) StreamRow[T] {
	if w.at == nil {
		panic(quiet.Of(&w.hold).Stale())
	}
	w.at.turn(quiet.Of(&w.hold), i)
	return StreamRow[T]{hold: quiet.New(quiet.Of(&w.hold).WithKind((*streamRowKind[T])(nil))), of: &rowOf{w.at, i}}
}

// streamParallelWriterKind has the methods of a StreamParallelWriter that drivers call.
type streamParallelWriterKind[T any] StreamParallelWriter[T]

// Of implements safety.ViewKind.
func (*streamParallelWriterKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*streamParallelWriterKind[T])(view.(*StreamParallelWriter[T]))
}

// Claim completes the claim.
//
//go:norace
func (w *streamParallelWriterKind[T]) Claim(c *safety.Claim) {
	c.Ranged, c.Extent = true, math.MaxInt
	if quiet.Of(&w.hold).Bound() && w.at != nil {
		c.Into, c.Extent = w.at, w.at.last-w.at.first
	}
}

// Bind implements safety.Binder.
func (w *streamParallelWriterKind[T]) Bind(b safety.Binding) {
	quiet.Of(&w.hold).Bind(b)
	switch state := b.State().(type) {
	case *filling:
		w.at = state.cursors[b.Worker()]
	case *rowPhase: // a job that appends to one row
		panic(quiet.Of(&w.hold).Blame(state.cursor.of.several()))
	case *grouping[T]:
		panic(quiet.Of(&w.hold).Blame(state.of.mixed()))
	}
}

// several returns the violation of a job with views of different rows.
func (f *filling) several() *safety.Violation {
	return f.guard.Violation(safety.ErrArgument, "a nested job has views that append to different rows of "+f.guard.Container(),
		"A body passes on one row at a time, or all rows of its batch.")
}

// BeginSpan implements safety.SpanView.
func (w *streamParallelWriterKind[T]) BeginSpan(batch int) { w.at.lane.BeginSpan(batch) }

// BeginBatch is called by drivers before each batch: see safety.Binder.
func (w *streamParallelWriterKind[T]) BeginBatch(batch int) { w.at.begin(batch) }

// SetRange implements safety.RangeView.
func (w *streamParallelWriterKind[T]) SetRange(begin, end int) { w.at.enter(begin, end) }

// Window implements safety.RangeView.
//
//go:norace
func (w *streamParallelWriterKind[T]) Window() (begin, end, length int) {
	return w.at.first, w.at.last, math.MaxInt
}
