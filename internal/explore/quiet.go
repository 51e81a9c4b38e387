package explore

import (
	"runtime/metrics"
	"time"
)

// quiet waits until no other goroutine runs or could: what is left of earlier tests, workers that look
// for work a little longer, would be taken for the running task.
func quiet() {
	samples := []metrics.Sample{{Name: "/sched/goroutines/running:goroutines"}, {Name: "/sched/goroutines/runnable:goroutines"}}
	for start, calm := time.Now(), 0; calm < 3; {
		metrics.Read(samples)
		if samples[0].Value.Uint64() <= 1 && samples[1].Value.Uint64() == 0 {
			calm++
		} else {
			calm = 0
		}
		if time.Since(start) > 10*time.Second {
			panic("explore: other goroutines of the process do not come to rest")
		}
		time.Sleep(20 * time.Microsecond)
	}
}
