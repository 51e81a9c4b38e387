package measure

import "runtime"

// Allocs returns how many objects f allocates in one call: the median of the repetitions, each the
// mean of calls calls. Unlike testing.AllocsPerRun it leaves GOMAXPROCS alone and does not round.
func Allocs(c Config, calls int, f func()) Estimate {
	var before, after runtime.MemStats
	for range calls {
		f()
	}
	var values []float64
	for range c.Reps {
		runtime.GC()
		f()
		runtime.ReadMemStats(&before)
		for range calls {
			f()
		}
		runtime.ReadMemStats(&after)
		values = append(values, float64(after.Mallocs-before.Mallocs)/float64(calls))
	}
	return EstimateOf(values)
}
