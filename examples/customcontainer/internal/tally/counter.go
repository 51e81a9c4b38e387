package tally

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Counter counts. It is like an int64: goroutines that use it beside each other order themselves,
// and loops have views of it. A Counter must not be copied.
//
// Beside jobs: those that read it let the owner read, and no other lets the owner do anything.
type Counter struct {
	count int64 // first, because it must be aligned for atomic additions on machines of 32 bits
	guard safety.Guard
	lanes lane.Lanes[int64] // while a job appends: one partial sum for each run of batches
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

// Dispose ends the counter: every later use is a violation. So is Dispose while a job that holds
// the counter is not completed.
func (c *Counter) Dispose() {
	c.guard.Dispose()
	c.lanes.Trim()
}

// Disposed reports whether the counter was disposed.
func (c *Counter) Disposed() bool { return c.guard.Disposed() }

// OpenPhase implements safety.Phased.
func (c *Counter) OpenPhase(p *safety.Phase) { c.lanes.Open(p) }

// SealPhase implements safety.Phased.
func (c *Counter) SealPhase(p *safety.Phase) { c.lanes.Seal(p, c.fold) }

// fold adds the partial sums of the runs to the count. If a batch failed, the runs that begin above
// it are not among them (I2).
func (c *Counter) fold(sums lane.Items[int64]) {
	for _, piece := range sums.Slices(0, sums.Len()) {
		for _, sum := range piece {
			c.count += sum
		}
	}
}
