package main

import (
	"runtime"
	"time"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// durations are the work of loops.
var durations = []time.Duration{3 * time.Microsecond, 17 * time.Microsecond, 170 * time.Microsecond, 1700 * time.Microsecond, 17 * time.Millisecond}

const (
	indices     = 1008
	loopRounds  = 15
	loopTime    = 25 * time.Millisecond  // of a round of a loop, before it and in it
	blockTime   = 300 * time.Microsecond // of loops that are timed together
	leastBlocks = 4
	mostCrew    = 63 // of an execution that is simulated, which has 64 tasks; one calls
)

// undisturbed is the part of the rounds of loops that counts: other processes make loops slower,
// and none makes them faster.
const undisturbed = 0.9

// spends is the body of a loop whose indices take equally long, together so many units of Delay.
type spends struct{ units int }

func (s *spends) ExecuteBatch(begin, end int) {
	atom.Delay(s.units*end/indices - s.units*begin/indices)
}

// call calls a loop once.
func (s spends) call(pool *parallelfor.Pool) {
	parallelfor.ForBatch(indices, s, (*spends).ExecuteBatch, parallelfor.On(pool))
}

// measuredLoops returns how many times as fast as plain loops the loops are.
func measuredLoops(rounds int) map[key]*cell {
	all := map[key]*cell{}
	for range rounds {
		for _, work := range durations {
			s := spends{int(float64(work) / pace())}
			for _, n := range counts() {
				k := key{work.String(), n}
				if all[k] == nil {
					all[k] = new(cell)
				}
				all[k].rounds = append(all[k].rounds, s.fast(n, work))
			}
		}
	}
	return all
}

// pace returns the nanoseconds of a unit of Delay.
func pace() float64 {
	const units, often = 10_000, 21
	all := make([]float64, often)
	for i := range all {
		from := time.Now()
		atom.Delay(units)
		all[i] = float64(time.Since(from)) / units
	}
	return measure.EstimateOf(all).Median
}

// fast returns how many times as fast as a plain loop the loop is by n workers. The time of each is
// that which a tenth of its blocks do not exceed: other processes only make it longer.
func (s spends) fast(n int, work time.Duration) float64 {
	pool := parallelfor.NewPool(n)
	defer pool.Close()
	often := max(1, int(blockTime/work))
	call := func() { s.call(pool) }
	for range int(loopTime/work) + 1 {
		call()
	}
	var plain, loops cell
	blocks := max(leastBlocks, int(loopTime/(time.Duration(often)*work)))
	for range blocks {
		loops.rounds = append(loops.rounds, timed(often, call))
	}
	for range blocks {
		plain.rounds = append(plain.rounds, timed(often, func() { atom.Delay(s.units) }))
	}
	return plain.part(0.1) / loops.part(0.1)
}

func timed(often int, f func()) float64 {
	from := time.Now()
	for range often {
		f()
	}
	return float64(time.Since(from))
}

// predictLoops runs the loops on the simulated machine.
func predictLoops(m explore.Machine, all *predictions) error {
	for _, work := range durations {
		for n := 1; n <= mostCrew+1; n *= 2 {
			took, err := loopOn(m, work, min(n, mostCrew))
			if err != nil {
				return err
			}
			all.Loops = append(all.Loops, prediction{Name: work.String(), Goroutines: min(n, mostCrew), Value: float64(work) / took})
		}
	}
	return nil
}

// loopOn returns the nanoseconds that a loop takes by n workers, on the simulated machine.
func loopOn(m explore.Machine, work time.Duration, n int) (float64, error) {
	runtime.GOMAXPROCS(mostCrew)
	warm, timed := 4, 8
	if work < 20*time.Microsecond { // whole rounds in which loops are shared, and then alone
		warm, timed = 200, 160
	}
	s, pool := spends{int(work)}, parallelfor.NewPool(n)
	took, err := explore.Time(m, 1, false, explore.Load{Goroutines: 1, Warm: warm, Timed: timed, Close: pool.Close,
		Fresh: func() func(g, i int) { return func(int, int) { s.call(pool) } }})
	return float64(took.Time) / float64(timed), err
}
