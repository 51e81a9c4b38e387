package measure

import (
	"runtime"
	"runtime/metrics"
)

// collector collects garbage, or only where there is some.
type collector struct {
	sparing bool
	read    [2]metrics.Sample // what was allocated in all, and the size of the heap at which Go collects by itself
	last    uint64            // what had been allocated when garbage was last collected; 0 is never
}

func newCollector(sparing bool) *collector {
	return &collector{sparing: sparing, read: [2]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/goal:bytes"}}}
}

// collect collects garbage. When it is sparing it lets be what is less than an eighth of the heap:
// marking what lives takes as long for it as for much garbage, and a sample is hardly sooner
// interrupted by a collection.
func (c *collector) collect() {
	if c.sparing {
		metrics.Read(c.read[:])
		allocated := c.read[0].Value.Uint64()
		if c.last > 0 && allocated-c.last < c.read[1].Value.Uint64()/8 {
			return
		}
		c.last = allocated
	}
	runtime.GC()
}
