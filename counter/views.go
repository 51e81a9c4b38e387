package counter

import "example.com/custody/safety"

// ParallelWriter is a view through which the batches of a parallel loop add to a [Counter]. Each worker
// adds plainly to a lane of its own; the sum is added to the counter when the job is sealed. When a
// batch fails, exactly what the sequential loop would have added by then is. It works only inside the
// job that carries it; ordinary Adds stay legal beside it.
//
// Passed on to a nested job, what that adds belongs to the batch that passed it on, once completed.
//
// Cost: a nil test and an addition in memory. Where a branch that cannot be foreseen decides whether to
// add, the branch costs more than that: count in a local variable, which the compiler does without a
// branch, and Add once for each batch. Two views of one counter in one job share the lane.
type ParallelWriter struct {
	lane *lane[int64] // nil while the view is not bound
	hold
}

// ParallelWriter returns a view that adds from any batch of a loop.
func (c *Counter) ParallelWriter() ParallelWriter {
	if c == nil {
		return ParallelWriter{}
	}
	return ParallelWriter{hold: c.guard.Hold(safety.Append, (*parallelWriterKind)(nil))}
}

// Add adds d. Of a view that is not bound, or in strict builds not to the current batch, it is a
// violation.
//
//go:norace
func (w *ParallelWriter) Add(d int64) {
	if safety.Strict {
		w.hold.CheckLane()
	}
	if w.lane == nil {
		panic(w.hold.Stale())
	}
	w.lane.part += d
}

// Inc is Add(1).
//
//go:norace
func (w *ParallelWriter) Inc() {
	if safety.Strict {
		w.hold.CheckLane()
	}
	if w.lane == nil {
		panic(w.hold.Stale())
	}
	w.lane.part++
}

// parallelWriterKind is the kind of ParallelWriters.
type parallelWriterKind ParallelWriter

// Of implements safety.ViewKind.
func (*parallelWriterKind) Of(view any) safety.Binder {
	return (*parallelWriterKind)(view.(*ParallelWriter))
}

// Claim completes the claim.
func (w *parallelWriterKind) Claim(c *safety.Claim) {
	if w.lane != nil {
		c.Into = w.lane
	}
}

// Bind implements safety.Binder.
func (w *parallelWriterKind) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.lane = b.State().(*lanes[int64]).of(b.Worker())
}

// BeginSpan implements safety.SpanView.
//
//go:norace
func (w *parallelWriterKind) BeginSpan(batch int) {
	if _, ok := w.lane.begin(batch); ok {
		w.lane.part = 0
	}
}

// Reader is a view through which jobs read a [Counter] that nobody changes meanwhile.
type Reader struct {
	held[Counter] `custody:"part"`
}

// Reader returns a view that reads.
func (c *Counter) Reader() Reader {
	if c == nil {
		return Reader{}
	}
	return Reader{held[Counter]{hold: c.guard.Hold(safety.Read, nil), of: c}}
}

// Value returns the count, exactly. It is a violation outside the batch that the view is bound to.
func (r *Reader) Value() int64 { return r.use().sum() }
