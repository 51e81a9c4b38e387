//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/parallelfor"
)

// spends is the body of a loop whose indices take equally long.
type spends struct{ each time.Duration }

func (s *spends) ExecuteBatch(begin, end int) { atom.Delay(int(s.each) * (end - begin)) }

// rested is the body of a loop that is called after a pause: what its loops cost, which the library
// remembers for each type, is another matter.
type rested struct{ each time.Duration }

func (r *rested) ExecuteBatch(begin, end int) { (*spends)(r).ExecuteBatch(begin, end) }

// indices is the number of indices of the loops: 63 batches. An execution has at most 64 tasks: 63
// workers, and the goroutine that calls.
const indices = 1008

// loops times a loop of so much work that is called again and again, on a pool of so many workers.
func loops(t *testing.T, work time.Duration, workers int, call func(on parallelfor.Option)) explore.Timing {
	t.Helper()
	before := runtime.GOMAXPROCS(63)
	defer runtime.GOMAXPROCS(before)
	warm, timed := 4, 8
	if work < 20*time.Microsecond { // whole rounds in which loops are shared, and then alone
		warm, timed = 200, 160
	}
	pool := parallelfor.NewPool(workers)
	took, err := explore.Time(explore.Usual, 1, false, explore.Load{Goroutines: 1, Warm: warm, Timed: timed, Close: pool.Close,
		Fresh: func() func(g, i int) { return func(int, int) { call(parallelfor.On(pool)) } }})
	require.NoError(t, err)
	took.Time /= time.Duration(timed)
	took.Transfers /= timed
	took.Chain /= timed
	return took
}

// durations are the work of loops, and crews the numbers of their workers.
var (
	durations = []time.Duration{17 * time.Microsecond, 170 * time.Microsecond, 1700 * time.Microsecond, 17 * time.Millisecond}
	crews     = []int{1, 2, 4, 8, 16, 32, 63}
)

// timesAsFast returns how many times as fast loops are by so many workers as by one, which is
// called after the caller has slept so long, and what a loop took.
func timesAsFast(t *testing.T, work time.Duration, workers int, after time.Duration) (float64, explore.Timing) {
	t.Helper()
	took := loops(t, work, workers, func(on parallelfor.Option) {
		if after > 0 {
			atom.Sleep(after)
			parallelfor.ForBatch(indices, rested{work / indices}, (*rested).ExecuteBatch, on)
			return
		}
		parallelfor.ForBatch(indices, spends{work / indices}, (*spends).ExecuteBatch, on)
	})
	fast := float64(work) / float64(took.Time-after)
	t.Logf("%v by %d: %.1f times as fast, %d transfers, %d one after the other", work, workers, fast, took.Transfers, took.Chain)
	return fast, took
}

// The bars are efficiencies: how many times as fast a loop is as by one worker, divided by the
// number of workers.
func TestScalingOfLoops(t *testing.T) {
	bars := map[string]float64{
		"17µs by 4": 0.5, "170µs by 8": 0.8, "170µs by 16": 0.6, "1.7ms by 16": 0.9, "1.7ms by 32": 0.8, "1.7ms by 63": 0.65, "17ms by 63": 0.95,
	}
	for _, work := range durations {
		best := 0.0
		for _, workers := range crews {
			name := fmt.Sprintf("%v by %d", work, workers)
			fast, took := timesAsFast(t, work, workers, 0)
			require.GreaterOrEqual(t, fast/float64(workers), bars[name], name)
			require.Greater(t, fast, 0.95*best, "%s is slower than with fewer workers", name)
			if work < 17*time.Millisecond { // workers sleep in longer loops, and are woken
				require.LessOrEqual(t, took.Chain, 8*workers+4, "%s: transfers one after the other", name)
				require.LessOrEqual(t, took.Transfers, 22*workers, "%s: transfers", name)
			}
			best = max(best, fast)
		}
	}
}

// A loop that is called when all workers sleep has them woken, and none waits in line for that.
func TestScalingOfLoopsThatWakeWorkers(t *testing.T) {
	fast, _ := timesAsFast(t, 1700*time.Microsecond, 63, 300*time.Microsecond)
	require.Greater(t, fast, 16.0)
}

// fills is the body of a loop that one goroutine calls, beside those of others.
type fills struct {
	To   array.Writer[int]
	each time.Duration
}

func (f *fills) ExecuteBatch(begin, end int) { (*spends)(&spends{f.each}).ExecuteBatch(begin, end) }

// Goroutines that call loops of one type at the same time, each over an array of its own, hardly
// delay each other.
func TestScalingOfLoopsOfManyCallers(t *testing.T) {
	const n = 8
	call := func(callers int, work time.Duration) explore.Timing {
		took, err := explore.Time(explore.Usual, 1, false, explore.Load{Goroutines: callers, Warm: 20, Timed: 20, Fresh: func() func(g, i int) {
			arrays := make([]*array.Array[int], callers)
			for g := range arrays {
				arrays[g] = array.New[int](n)
			}
			return func(g, i int) {
				parallelfor.ForBatch(n, fills{arrays[g].Writer(), work / n}, (*fills).ExecuteBatch, parallelfor.Workers(1))
			}
		}})
		require.NoError(t, err)
		return took
	}
	for _, work := range []time.Duration{2 * time.Microsecond, 10 * time.Microsecond} {
		alone := call(1, work)
		for _, callers := range []int{2, 16, 63} {
			took := call(callers, work)
			slower, transfers := float64(took.Time)/float64(alone.Time), float64(took.Transfers)/float64(20*callers)
			t.Logf("%v called by %d: %.2f of the time, %.1f transfers a call", work, callers, slower, transfers)
			require.Less(t, slower, 1.35)
			require.Less(t, transfers, 6.0)
		}
	}
}

// appends is the body of a loop that appends items for each index.
type appends struct {
	To   array.ParallelWriter[int]
	each time.Duration
}

func (a *appends) ExecuteBatch(begin, end int) {
	for i := range itemsEach * (end - begin) {
		a.To.Append(i)
	}
	atom.Delay(int(a.each) * (end - begin))
}

const itemsEach = 3

// Items are appended to lanes without a transfer: a loop that appends has as many as one that does
// not, and a few of each worker when lanes are opened and sealed.
func TestScalingOfLanes(t *testing.T) {
	const workers, each = 16, 170 * time.Microsecond / indices
	plain := loops(t, each*indices, workers, func(on parallelfor.Option) {
		parallelfor.ForBatch(indices, spends{each}, (*spends).ExecuteBatch, on)
	})
	list := array.NewList[int]()
	appended := loops(t, each*indices, workers, func(on parallelfor.Option) {
		list.Clear()
		parallelfor.ForBatch(indices, appends{list.ParallelWriter(), each}, (*appends).ExecuteBatch, on)
	})
	t.Logf("%d transfers in a loop, and %d if it appends %d items", plain.Transfers, appended.Transfers, itemsEach*indices)
	require.Less(t, appended.Transfers-plain.Transfers, 4*workers)
}
