package tally

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// ParallelWriter is a view that adds from any batch of a parallel loop: plainly, to the partial sum
// of the worker's current run (I1). The counter gets the sums when the job is sealed. If a batch
// has failed, it gets exactly what the sequential loop would have added by then (I2). The view
// works only inside the job that carries it.
//
// What a nested job adds belongs to the batch that passed the view on. Two views of one counter in
// one job share the lane.
type ParallelWriter struct {
	safety.Hold
	lane *lane.Lane[int64] // nil while the view is not bound (I3)
}

// ParallelWriter returns a view that adds from any batch of a loop.
func (c *Counter) ParallelWriter() ParallelWriter {
	if c == nil {
		return ParallelWriter{}
	}
	return ParallelWriter{Hold: c.guard.Hold(safety.Append, nil)}
}

// Add adds d. It panics with a violation if the view is not bound, and in strict builds also if the
// batch that the view was bound for has ended.
func (w *ParallelWriter) Add(d int64) { *w.lane.Partial(&w.Hold) += d }

// Inc is Add(1).
func (w *ParallelWriter) Inc() { *w.lane.Partial(&w.Hold) += 1 }

// Claim completes the claim.
func (w *ParallelWriter) Claim(c *safety.Claim) {
	c.Into = w.lane
}

// Bind implements safety.Binder.
func (w *ParallelWriter) Bind(b safety.Binding) {
	w.Hold.Bind(b)
	w.lane = lane.Of[int64](b)
}

// BeginSpan implements safety.SpanView.
func (w *ParallelWriter) BeginSpan(batch int) { w.lane.BeginSpan(batch) }
