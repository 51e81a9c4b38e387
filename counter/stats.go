package counter

import "reflect"

// Stats says what a [Counter] has: what it counts in, and what that costs.
type Stats struct {
	// Stripes is how many cells all goroutines share: 0 until two Adds have met, which may never be, and then the same number for ever.
	Stripes int
	// Locals is how many Locals are open.
	Locals int
	// Lanes is the number of lanes that are kept for the workers of jobs: as many as the job with the
	// most workers has had, or fewer if a later job had less than a quarter of its workers.
	Lanes int
	// Bytes is the memory in bytes of the counter with its stripes, its lanes and the cells of its
	// Locals. It leaves out 16 bytes for each time that a worker of a job has gone on elsewhere.
	Bytes int
}

// Stats returns what the counter has. The figures are read one after the other: each was right at a moment of the call. It is wait-free, and a violation when Value
// is: while a job that changes c holds it.
//
// Cost: three loads.
func (c *Counter) Stats() Stats {
	c.guard.CheckRead()
	s := Stats{Locals: int(c.locals.open.Load()), Lanes: c.lanes.workers()}
	s.Bytes = size[Counter]() + s.Locals*size[localCell]() + s.Lanes*size[lane[int64]]()
	if t := c.stripes.Load(); t != nil {
		s.Stripes = len(t.cells)
		s.Bytes += size[table]() + (s.Stripes+1)*size[cell]() // with the padding in front
	}
	return s
}

func size[T any]() int { return int(reflect.TypeFor[T]().Size()) }
