package counter

import "example.com/custody/safety"

// ExtremumParallelWriter is a view through which the batches of a parallel loop observe numbers for a
// [Min] or [Max]. Each worker keeps the best plainly in a lane of its own; the result takes them in
// when the job is sealed, and is what the sequential loop gives. When a batch fails, exactly what the
// sequential loop would have observed by then counts. It works only inside the job that carries it;
// ordinary Observes stay legal beside it.
//
// Cost: a nil test and two comparisons; two more when the number is better.
type ExtremumParallelWriter[T Number] struct {
	lane *lane[best[T]] // nil while the view is not bound
	hold
	max bool
}

// parallelWriter returns a view that observes from any batch of a loop.
func (e *extremum[T]) parallelWriter() ExtremumParallelWriter[T] {
	return ExtremumParallelWriter[T]{hold: e.guard.Hold(safety.Append, (*extremumParallelWriterKind[T])(nil)), max: e.max}
}

// Observe takes v in. Of a view that is not bound, or in strict builds not to the current batch, it is
// a violation.
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

// extremumParallelWriterKind is the kind of ExtremumParallelWriters.
type extremumParallelWriterKind[T Number] ExtremumParallelWriter[T]

// Of implements safety.ViewKind.
func (*extremumParallelWriterKind[T]) Of(view any) safety.Binder {
	return (*extremumParallelWriterKind[T])(view.(*ExtremumParallelWriter[T]))
}

// Claim completes the claim.
func (w *extremumParallelWriterKind[T]) Claim(c *safety.Claim) {
	if w.lane != nil {
		c.Into = w.lane
	}
}

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

// ExtremumReader is a view through which jobs read a [Min] or [Max] that nobody changes meanwhile.
type ExtremumReader[T Number] struct {
	held[extremum[T]] `custody:"part"`
}

// reader returns a view that reads.
func (e *extremum[T]) reader() ExtremumReader[T] {
	return ExtremumReader[T]{held[extremum[T]]{hold: e.guard.Hold(safety.Read, nil), of: e}}
}

// Value returns the best number and true, or false when none was observed. It is a violation outside
// the batch that the view is bound to.
func (r *ExtremumReader[T]) Value() (v T, ok bool) { return r.use().value() }

// The views of Min and Max are those of the extremum in them.

// ParallelWriter returns a view that observes from any batch of a loop.
func (m *Min[T]) ParallelWriter() ExtremumParallelWriter[T] {
	if m == nil {
		return ExtremumParallelWriter[T]{}
	}
	return m.parallelWriter()
}

// Reader returns a view that reads.
func (m *Min[T]) Reader() ExtremumReader[T] {
	if m == nil {
		return ExtremumReader[T]{}
	}
	return m.reader()
}

// ParallelWriter returns a view that observes from any batch of a loop.
func (m *Max[T]) ParallelWriter() ExtremumParallelWriter[T] {
	if m == nil {
		return ExtremumParallelWriter[T]{}
	}
	return m.parallelWriter()
}

// Reader returns a view that reads.
func (m *Max[T]) Reader() ExtremumReader[T] {
	if m == nil {
		return ExtremumReader[T]{}
	}
	return m.reader()
}
