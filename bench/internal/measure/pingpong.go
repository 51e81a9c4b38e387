package measure

import (
	"runtime"
	"sync/atomic"
	"time"
)

// PingPong returns how many nanoseconds a cache line takes from one core to another and back: the
// figure that latencies depend on. It is 0 when only one goroutine can run at a time.
func PingPong() float64 {
	const blocks, rounds, enough = 41, 500, 100 * time.Millisecond
	if runtime.GOMAXPROCS(0) < 2 || runtime.NumCPU() < 2 {
		return 0
	}
	var line struct {
		_ [128]byte
		n atomic.Int64
		_ [128]byte
	}
	const end = -1
	go func() {
		runtime.LockOSThread()
		for i := int64(0); ; i++ {
			for n := line.n.Load(); n != 2*i+1; n = line.n.Load() {
				if n == end {
					return
				}
			}
			line.n.Store(2*i + 2)
		}
	}()
	defer line.n.Store(end)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	values := make([]float64, 0, blocks)
	i, began := int64(0), time.Now()
	for range blocks {
		if len(values) >= LeastReps && time.Since(began) > enough {
			break // others run where the goroutine should
		}
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
