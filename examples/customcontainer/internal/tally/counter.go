package tally

import "example.com/custody/safety"

// Counter counts. It is like an int64: goroutines that use it beside each other order themselves, and loops have views of it. A Counter must not
// be copied.
//
// Beside jobs: those that read it let the owner read, and no other lets the owner do anything.
type Counter struct {
	count int64 // jobs that share it add atomically, so it is first: there it is aligned where words have 32 bits, too
	guard safety.Guard
	lanes lanes // of the phase in which a job appends
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
	c.lanes = lanes{}
}

// Disposed says whether the counter was disposed.
func (c *Counter) Disposed() bool { return c.guard.Disposed() }

// OpenPhase implements safety.Phased. A job that a body schedules gets lanes of its own, as the counter's are those of the job around it.
func (c *Counter) OpenPhase(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	ls := &c.lanes
	if p.Into != nil {
		ls = new(lanes)
	}
	ls.open(p.Workers)
	p.State = ls
}

// SealPhase implements safety.Phased. What a nested job has added is the cell's that scheduled it.
func (c *Counter) SealPhase(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	sum := p.State.(*lanes).sum(p.Kept)
	if l, nested := p.Into.(*lane); nested {
		l.add(sum)
		return
	}
	c.count += sum
}
