package tally

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// ParallelWriter is a view that adds from any cell of a parallel loop: plainly, to a lane that only its worker touches. The counter
// gets the sum when the job is sealed, and when a cell has failed exactly what the sequential loop would have added by then. It works only
// inside the job that carries it.
//
// Passed on to a nested job, what that adds belongs to the cell that passed it on. Two views of one counter in one job share the lane.
type ParallelWriter struct {
	access safety.Access
	lane   *lane.Lane[int64] // nil while the view is not bound (I3)
}

// ParallelWriter returns a view that adds from any cell of a loop.
func (c *Counter) ParallelWriter() ParallelWriter {
	if c == nil {
		return ParallelWriter{}
	}
	return ParallelWriter{access: c.guard.Access(safety.Append)}
}

// Add adds d. Of a view that is not bound, or in strict builds not to the current batch, it is a
// violation.
func (w *ParallelWriter) Add(d int64) { *w.lane.Partial(&w.access) += d }

// Inc is Add(1).
func (w *ParallelWriter) Inc() { *w.lane.Partial(&w.access) += 1 }

// Claim implements safety.View.
func (w *ParallelWriter) Claim() (c safety.Claim) {
	w.FillClaim(&c)
	return c
}

// FillClaim implements safety.ClaimFiller.
func (w *ParallelWriter) FillClaim(c *safety.Claim) {
	w.access.FillClaim(c)
	c.Into = w.lane
}

// Bind implements safety.View.
func (w *ParallelWriter) Bind(b safety.Binding) {
	w.access.Bind(b)
	w.lane = lane.Of[int64](b)
}

// BeginRun implements safety.RunView.
func (w *ParallelWriter) BeginRun(cell int) { w.lane.BeginRun(cell) }
