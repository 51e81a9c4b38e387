package explore

import (
	"runtime/metrics"
	"time"
)

// mostLooks is how often quiet looks: for ten seconds or so, or for longer beside other programs.
const mostLooks = 100_000

// quiet waits until no other goroutine runs or could: what is left of earlier tests, workers that look
// for work a little longer, would be taken for the running task.
func quiet() {
	samples := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}}
	for looks, calm := 0, 0; calm < 3; looks++ {
		metrics.Read(samples)
		if samples[0].Value.Uint64() <= 1 && samples[1].Value.Uint64() == 0 {
			calm++
		} else {
			calm = 0
		}
		if looks > mostLooks {
			panic("explore: other goroutines of the process do not come to rest")
		}
		time.Sleep(20 * time.Microsecond)
	}
}
