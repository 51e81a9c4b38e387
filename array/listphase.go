package array

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// listPhases hears of the phases of a List.
type listPhases[T any] List[T]

// OpenPhase implements safety.Phased. What views share that were made when nobody knew how long the list would be gets its length.
func (x *listPhases[T]) OpenPhase(p *safety.Phase) {
	l := (*List[T])(x)
	if p.Mode == safety.Append {
		l.lanes.Lend(l.of.data)
		l.lanes.Open(p)
		return
	}
	p.State = p.Into
	if s, ok := p.Into.(unsized); ok && safety.Enabled {
		s.size(&l.of.guard, len(l.of.data))
	}
}

// unsized is what the copies of a view share: a bit or a mark for each element.
type unsized interface{ size(g *safety.Guard, n int) }

// SealPhase implements safety.Phased.
//
//go:norace
func (x *listPhases[T]) SealPhase(p *safety.Phase) {
	l := (*List[T])(x)
	l.lanes.Seal(p, l.add)
}

// adopt adds what a job has appended.
//
//go:norace
func (l *List[T]) adopt(added lane.Items[T]) {
	n, more := len(l.of.data), added.Len()
	if more == 0 {
		return
	}
	l.more(more)
	l.room(more)
	data := l.of.data[:n+more]
	added.CopyTo(data[n:])
	l.set(data)
}

// ParallelWriter returns a view that appends. While a job that was not completed holds one, the list is nobody else's.
//
// Cost: that of an append to a slice for each element, and a copy, in parallel, when the job ends, but for what the worker with the first batch
// appended there and in the batches behind it, if the list had room.
func (l *List[T]) ParallelWriter() ParallelWriter[T] {
	if l == nil {
		return ParallelWriter[T]{}
	}
	return ParallelWriter[T]{hold: l.of.guard.Hold(safety.Append, (*parallelWriterKind[T])(nil))}
}

// ParallelWriter is a view that appends to a list from all batches of a parallel loop: when the job has ended its elements are the last ones,
// in the order in which the sequential loop appends them, at any number of workers. If a batch fails they are those that the sequential loop
// has appended until then. There is no capacity to exceed. It works only inside the job that carries it.
type ParallelWriter[T any] struct {
	hold
	lane *lane.Lane[T] // nil while the view is not bound
}

// Append appends v to what the sequential loop has appended before.
func (w *ParallelWriter[T]) Append(v T) { w.lane.Append(&w.hold, v) }

// AppendAll appends all of vs, in their order.
func (w *ParallelWriter[T]) AppendAll(vs []T) { w.lane.AppendAll(&w.hold, vs) }

// AvailableBuffer returns an empty slice with some capacity, to be appended to as any slice and then passed on to AppendAll: in the innermost
// loops that is faster than Append for each element, since what has found room in it is not copied. It is good until the view appends.
func (w *ParallelWriter[T]) AvailableBuffer() []T { return w.lane.AvailableBuffer(&w.hold) }

// parallelWriterKind is the kind of ParallelWriters.
type parallelWriterKind[T any] ParallelWriter[T]

// Of implements safety.ViewKind.
func (*parallelWriterKind[T]) Of(view any) safety.Binder {
	return (*parallelWriterKind[T])(view.(*ParallelWriter[T]))
}

// Claim completes the claim.
func (w *parallelWriterKind[T]) Claim(c *safety.Claim) {
	c.Into = w.lane
}

// Bind implements safety.Binder.
func (w *parallelWriterKind[T]) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.lane = lane.Of[T](b)
}

// BeginSpan implements safety.SpanView.
func (w *parallelWriterKind[T]) BeginSpan(batch int) { w.lane.BeginSpan(batch) }
