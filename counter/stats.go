package counter

import "reflect"

// Stats is the numbers of parts that a [Counter] counts in, and their memory.
type Stats struct {
	// Stripes is the number of counts that all goroutines share: 0 until two Adds have collided,
	// which may never happen, and then constant.
	Stripes int
	// Locals is the number of Locals that are open.
	Locals int
	// Lanes is the number of lanes that are kept for the workers of jobs: as many as the job with
	// the most workers had, or fewer if a later job had less than a quarter of its workers.
	Lanes int
	// Bytes is the size in bytes of the counter, its stripes, its lanes and the counts of its
	// Locals. It leaves out 16 bytes for each time that a worker went on with a batch that does not
	// follow its last one.
	Bytes int
}

// Stats returns the counter's figures. They are read one after the other: each was right at a
// moment of the call. Stats is wait-free. It panics with a violation while a job that changes c
// holds it.
//
// Cost: three loads.
func (c *Counter) Stats() Stats {
	c.guard.CheckRead()
	s := Stats{Locals: int(c.locals.open.Load()), Lanes: c.lanes.workers()}
	s.Bytes = size[Counter]() + s.Locals*size[localCount]() + s.Lanes*size[lane[int64]]()
	if t := c.stripes.Load(); t != nil {
		s.Stripes = len(t.counts)
		s.Bytes += size[stripes]() + (s.Stripes+1)*size[padded]() // with the padding in front
	}
	return s
}

func size[T any]() int { return int(reflect.TypeFor[T]().Size()) }
