package explore

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// collector collects garbage between executions and never during one. Functions that the garbage
// collector starts, such as those of runtime.AddCleanup, would be taken for the running task.
type collector struct {
	percent int
	runs    int
	after   uint64 // the allocated bytes at which to collect
	bytes   [1]metrics.Sample
}

const (
	litter = 64 << 20 // bytes allocated between two collections
	looks  = 64       // executions between two checks of the allocated bytes
)

// begin turns automatic collections off, and ends one that is under way.
func (c *collector) begin() {
	c.percent = debug.SetGCPercent(-1)
	c.bytes[0].Name = "/gc/heap/allocs:bytes"
	runtime.GC()
	c.after = c.allocated() + litter
}

// between collects if litter bytes were allocated since the last collection. It is called after
// each execution.
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
