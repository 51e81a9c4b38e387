package tally

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Counter counts. It is like an int64: goroutines that use it beside each other order themselves, and loops have views of it. A Counter must not
// be copied.
//
// Beside jobs: those that read it let the owner read, and no other lets the owner do anything.
type Counter struct {
	count int64 // jobs that share it add atomically, so it is first: there it is aligned where words have 32 bits, too
	guard safety.Guard
	lanes lane.Lanes[int64] // of the phase in which a job appends: what each run adds up to
}

// New returns a counter that is 0.
func New(opts ...safety.Option) *Counter {
	c := new(Counter)
	c.guard.Init(c, 0, opts...)
	return c
}

// Add adds d. The count wraps around.
func (c *Counter) Add(d int64) {
	c.guard.CheckWrite()
	c.count += d
}

// Inc is Add(1).
func (c *Counter) Inc() { c.Add(1) }

// Set makes the count v.
func (c *Counter) Set(v int64) {
	c.guard.CheckWrite()
	c.count = v
}

// Value returns the count.
func (c *Counter) Value() int64 {
	c.guard.CheckRead()
	return c.count
}

// Dispose ends the counter: every later use is a violation. It is one itself while a job that holds the counter is not complete.
func (c *Counter) Dispose() {
	c.guard.Dispose()
	c.lanes.Trim()
}

// Disposed says whether the counter was disposed.
func (c *Counter) Disposed() bool { return c.guard.Disposed() }

// OpenPhase implements safety.Phased.
func (c *Counter) OpenPhase(p *safety.Phase) { c.lanes.Open(p) }

// SealPhase implements safety.Phased.
func (c *Counter) SealPhase(p *safety.Phase) { c.lanes.Seal(p, c.fold) }

// fold adds what the runs of batches add up to, in the order of the sequential loop. Runs that begin
// above a batch that failed are not among them.
func (c *Counter) fold(sums lane.Items[int64]) {
	for piece := range sums.Pieces() {
		for _, sum := range piece {
			c.count += sum
		}
	}
}
