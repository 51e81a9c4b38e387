package fuzz

import (
	"testing"

	"example.com/custody/safety"
)

// toyCounter is a counter that is right, save for the fault that it is given.
type toyCounter struct {
	toy
	n int64
}

func (c *toyCounter) add(d int64) {
	c.lock()
	defer c.mu.Unlock()
	switch {
	case c.fault == "loses" && c.calls%64 == 63:
		return
	case c.fault == "loses when met" && c.calls%16 == 15:
		n := c.n
		c.gap()
		c.n = n + d
		return
	case c.fault == "saturates" && d > 0 && c.n+d < c.n:
		return
	}
	c.n += d
}

func (c *toyCounter) value() int64 {
	c.lock()
	defer c.mu.Unlock()
	if c.fault == "stale" && c.calls%8 == 7 {
		c.gap()
		return c.n - 1
	}
	return c.n
}

func (c *toyCounter) swap(v int64) int64 {
	c.lock()
	defer c.mu.Unlock()
	old := c.n
	if c.fault == "swap in two steps" {
		c.gap()
	}
	c.n = v
	return old
}

func (c *toyCounter) set(v int64) {
	c.lock()
	defer c.mu.Unlock()
	c.n = v
	if c.fault == "set adds" && v == 0 {
		c.n++
	}
}

func (c *toyCounter) local() LocalOf {
	c.lock()
	c.mu.Unlock()
	l := new(int64)
	return LocalOf{
		Add: func(d int64) {
			c.add(d)
			*l += d
		},
		Close: func() {
			if c.fault == "close adds again" {
				c.add(*l)
			}
		},
	}
}

func (c *toyCounter) of() CounterOf {
	return CounterOf{
		Add: c.add, Value: c.value, Swap: c.swap, Set: c.set, Reset: func() { c.set(0) }, Local: c.local,
		Dispose: func() { c.disposed = true },
	}
}

func counterSuiteOf(fault string, opts ...Option) func(h host) {
	return func(h host) {
		runCounter(h, func() CounterOf { return (&toyCounter{toy: toy{fault: fault}}).of() }, impatient(opts...))
	}
}

func TestCounterAcceptsWhatIsRight(t *testing.T) {
	passes(t, counterSuiteOf(""))
	passes(t, counterSuiteOf("", Linearizable))
}

func TestCounterCatchesFaults(t *testing.T) {
	elsewhere(t)
	catches(t, counterSuiteOf("loses"), "model", "conservation", "~linearizable")
	catches(t, counterSuiteOf("loses when met"), "conservation", "~linearizable")
	catches(t, counterSuiteOf("loses when met", Linearizable), "conservation", "linearizable")
	catches(t, counterSuiteOf("saturates"), "model")
	catches(t, counterSuiteOf("stale", Linearizable), "model", "conservation", "linearizable")
	catches(t, counterSuiteOf("swap in two steps"), "conservation", "~linearizable")
	catches(t, counterSuiteOf("swap in two steps", Linearizable), "conservation", "linearizable")
	catches(t, counterSuiteOf("set adds"), "model", "~linearizable")
	catches(t, counterSuiteOf("close adds again"), "model", "conservation")
	if safety.Enabled {
		catches(t, counterSuiteOf("lives on"), "misuse")
	}
}
