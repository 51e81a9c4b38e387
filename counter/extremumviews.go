package counter

import "example.com/custody/safety"

// ExtremumParallelWriter is a view through which the batches of a parallel loop observe numbers for
// a [Min] or [Max]. Each worker keeps the best number plainly in a lane of its own; the container
// takes these in when the job is sealed, and has what the sequential loop gives it. If a batch
// fails, exactly the numbers count that the sequential loop observes before it fails. The view
// works only inside the job that carries it; Observes of the container stay legal beside it.
//
// Cost: a nil test and two comparisons; two more if the number is better.
// Each method: lane; wait-free; O(1); allocates never.
type ExtremumParallelWriter[T Number] struct {
	lane *lane[best[T]] // nil in an unbound view
	hold
	max bool
}

// Observe takes v in. It is a violation if the view is not bound, or in strict builds not to the
// current batch.
//
//go:norace
func (w *ExtremumParallelWriter[T]) Observe(v T) {
	if safety.Strict {
		w.hold.CheckLane()
	}
	if w.lane == nil {
		panic(w.hold.Stale())
	}
	w.lane.part.observe(v)
}

// extremumParallelWriterKind has the methods of an ExtremumParallelWriter that drivers call.
type extremumParallelWriterKind[T Number] ExtremumParallelWriter[T]

// Of implements safety.ViewKind.
func (*extremumParallelWriterKind[T]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*extremumParallelWriterKind[T])(view.(*ExtremumParallelWriter[T]))
}

// Claim completes the claim.
func (w *extremumParallelWriterKind[T]) Claim(c *safety.Claim) { c.Into = w.lane }

// Bind implements safety.Binder.
func (w *extremumParallelWriterKind[T]) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.lane = b.State().(*lanes[best[T]]).of(b.Worker())
}

// BeginSpan implements safety.SpanView.
//
//go:norace
func (w *extremumParallelWriterKind[T]) BeginSpan(batch int) {
	if _, ok := w.lane.begin(batch); ok {
		w.lane.part = best[T]{max: w.max}
	}
}

// ExtremumReader is a view through which jobs read a [Min] or [Max] that no job changes meanwhile.
// Each method: job reads; wait-free; O(1); allocates never.
type ExtremumReader[T Number] struct {
	held[extremum[T]] `custody:"part"`
}

// Value returns the best number and true, or false if none was observed. It is a violation outside
// the batch that the view is bound to.
func (r *ExtremumReader[T]) Value() (v T, ok bool) { return r.use().value() }

// ParallelWriter returns a view that observes from any batch of a loop.
func (m *Min[T]) ParallelWriter() ExtremumParallelWriter[T] { return m.of().parallelWriter() }

// ParallelWriter returns a view that observes from any batch of a loop.
func (m *Max[T]) ParallelWriter() ExtremumParallelWriter[T] { return m.of().parallelWriter() }

// Reader returns a view that reads.
func (m *Min[T]) Reader() ExtremumReader[T] { return m.of().reader() }

// Reader returns a view that reads.
func (m *Max[T]) Reader() ExtremumReader[T] { return m.of().reader() }

// of returns the extremum in m, or nil.
func (m *Min[T]) of() *extremum[T] {
	if m == nil {
		return nil
	}
	return &m.extremum
}

func (m *Max[T]) of() *extremum[T] {
	if m == nil {
		return nil
	}
	return &m.extremum
}

func (e *extremum[T]) parallelWriter() ExtremumParallelWriter[T] {
	if e == nil {
		return ExtremumParallelWriter[T]{}
	}
	return ExtremumParallelWriter[T]{hold: e.guard.Hold(safety.Append, (*extremumParallelWriterKind[T])(nil)), max: e.max}
}

func (e *extremum[T]) reader() ExtremumReader[T] {
	if e == nil {
		return ExtremumReader[T]{}
	}
	return ExtremumReader[T]{held[extremum[T]]{hold: e.guard.Hold(safety.Read, nil), of: e}}
}
