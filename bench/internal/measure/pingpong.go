package measure

import (
	"runtime"
	"sync/atomic"
	"time"
)

// PingPong returns how many nanoseconds a cache line takes from one core to another and back: the
// figure that latencies depend on. It is 0 when only one goroutine can run at a time.
func PingPong() float64 {
	const blocks, rounds = 41, 2000
	if runtime.GOMAXPROCS(0) < 2 || runtime.NumCPU() < 2 {
		return 0
	}
	var line struct {
		_ [128]byte
		n atomic.Int64
		_ [128]byte
	}
	const total = blocks * rounds
	go func() {
		runtime.LockOSThread()
		for i := range int64(total) {
			for line.n.Load() != 2*i+1 {
			}
			line.n.Store(2*i + 2)
		}
	}()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	values := make([]float64, 0, blocks)
	i := int64(0)
	for range blocks {
		start := time.Now()
		for range rounds {
			line.n.Store(2*i + 1)
			for line.n.Load() != 2*i+2 {
			}
			i++
		}
		values = append(values, float64(time.Since(start).Nanoseconds())/rounds)
	}
	return EstimateOf(values).Median
}
