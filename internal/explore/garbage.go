package explore

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// collector has garbage collected between executions and never during one: what the collector then starts, such as
// the functions given to runtime.AddCleanup, would be taken for the running task.
type collector struct {
	percent int
	runs    int
	after   uint64 // allocated bytes at which to collect
	bytes   [1]metrics.Sample
}

const (
	litter = 64 << 20 // bytes that are left lying
	looks  = 64       // executions between two looks at how many there are
)

// begin turns collections off.
func (c *collector) begin() {
	c.percent = debug.SetGCPercent(-1)
	c.bytes[0].Name = "/gc/heap/allocs:bytes"
	c.after = c.allocated() + litter
}

// between collects when there is much to collect. It is called when an execution is over.
func (c *collector) between() {
	if c.runs++; c.runs%looks != 0 || c.allocated() < c.after {
		return
	}
	runtime.GC()
	quiet()
	c.after = c.allocated() + litter
}

func (c *collector) end() { debug.SetGCPercent(c.percent) }

func (c *collector) allocated() uint64 {
	metrics.Read(c.bytes[:])
	return c.bytes[0].Value.Uint64()
}
