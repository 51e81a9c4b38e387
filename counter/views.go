package counter

import "example.com/custody/safety"

// ParallelWriter is a view through which the cells of a parallel loop add to a [Counter]. Each worker
// adds plainly to a lane of its own; the sum is added to the counter when the job is sealed. When a
// cell fails, exactly what the sequential loop would have added by then is. It works only inside the
// job that carries it; ordinary Adds stay legal beside it.
//
// Passed on to a nested job, what that adds belongs to the cell that passed it on, once completed.
//
// Cost: a nil test and an addition in memory. Where a branch that cannot be foreseen decides whether to
// add, the branch costs more than that: count in a local variable, which the compiler does without a
// branch, and Add once for each batch. Two views of one counter in one job share the lane.
type ParallelWriter struct {
	lane   *lane[int64] // nil while the view is not bound
	access safety.Access
}

// ParallelWriter returns a view that adds from any cell of a loop.
func (c *Counter) ParallelWriter() ParallelWriter {
	if c == nil {
		return ParallelWriter{}
	}
	return ParallelWriter{access: c.guard.Access(safety.Append)}
}

// Add adds d. Of a view that is not bound, or in strict builds not to the current cell, it is a
// violation.
//
//go:norace
func (w *ParallelWriter) Add(d int64) {
	if safety.Strict {
		w.access.CheckLane()
	}
	if w.lane == nil {
		panic(w.access.Stale())
	}
	w.lane.part += d
}

// Inc is Add(1).
//
//go:norace
func (w *ParallelWriter) Inc() {
	if safety.Strict {
		w.access.CheckLane()
	}
	if w.lane == nil {
		panic(w.access.Stale())
	}
	w.lane.part++
}

// Dec is Add(-1).
//
//go:norace
func (w *ParallelWriter) Dec() {
	if safety.Strict {
		w.access.CheckLane()
	}
	if w.lane == nil {
		panic(w.access.Stale())
	}
	w.lane.part--
}

// Claim implements safety.View.
func (w *ParallelWriter) Claim() safety.Claim {
	c := w.access.Claim()
	if w.lane != nil {
		c.Into = w.lane
	}
	return c
}

// Bind implements safety.View.
func (w *ParallelWriter) Bind(b safety.Binding) {
	w.access.Bind(b)
	w.lane = b.State().(*lanes[int64]).of(b.Worker())
}

// BeginRun implements safety.RunView.
//
//go:norace
func (w *ParallelWriter) BeginRun(cell int) {
	if _, ok := w.lane.begin(cell); ok {
		w.lane.part = 0
	}
}

// Reader is a view through which jobs read a [Counter] that nobody changes meanwhile.
type Reader struct{ held[Counter] }

// Reader returns a view that reads.
func (c *Counter) Reader() Reader {
	if c == nil {
		return Reader{}
	}
	return Reader{held[Counter]{access: c.guard.Access(safety.Read), of: c}}
}

// Value returns the count, exactly. It is a violation outside the cell that the view is bound to.
func (r *Reader) Value() int64 { return r.use().sum() }

// Claim implements safety.View.
func (r *Reader) Claim() safety.Claim { return r.access.Claim() }

// Bind implements safety.View.
func (r *Reader) Bind(b safety.Binding) { r.bind(b) }
