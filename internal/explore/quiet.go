package explore

import (
	"runtime/metrics"
	"time"
)

// mostLooks is the largest number of polls in quiet. They take about 10 s, or longer beside other
// programs.
const mostLooks = 100_000

// quiet waits until no other goroutine runs or is runnable, and no cleanup is due. Goroutines of
// earlier tests, such as workers that look for work a little longer, would be taken for the running
// task.
func quiet() {
	samples := []metrics.Sample{
		{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"},
		{Name: "/gc/cleanups/queued:cleanups"}, {Name: "/gc/cleanups/executed:cleanups"},
	}
	for looks, calm := 0, 0; calm < 3; looks++ {
		metrics.Read(samples)
		if samples[0].Value.Uint64() <= 1 && samples[1].Value.Uint64() == 0 &&
			samples[2].Value.Uint64() == samples[3].Value.Uint64() {
			calm++
		} else {
			calm = 0
		}
		if looks > mostLooks {
			panic("explore: other goroutines of the process, or its cleanups, do not come to rest")
		}
		time.Sleep(20 * time.Microsecond)
	}
}
