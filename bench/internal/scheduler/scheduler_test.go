package scheduler

import (
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/safety"
)

// running returns drivers for a test.
func running(t *testing.T) *drivers {
	d, err := startDrivers()
	require.NoError(t, err)
	t.Cleanup(d.close)
	return d
}

func TestDriversDoEveryIndexOnce(t *testing.T) {
	for _, d := range running(t).all {
		for _, n := range []int{1, 2, 3, 16, 1000} {
			for _, batch := range []int{0, 1, 7, 2000} {
				done := make([]atomic.Int32, n)
				d.loop(n, batch, func(begin, end int) {
					for i := begin; i < end; i++ {
						done[i].Add(1)
					}
				})
				for i := range done {
					require.EqualValues(t, 1, done[i].Load(), "%s, n %d, batch %d, index %d", d.name, n, batch, i)
				}
			}
		}
	}
}

func TestDriversThatNestDoEveryIndexOfEveryLoopOnce(t *testing.T) {
	for _, d := range running(t).all {
		if !d.nests {
			continue
		}
		var sum atomic.Int64
		d.loop(16, 1, func(begin, end int) {
			for i := begin; i < end; i++ {
				d.loop(100, 0, func(begin, end int) {
					for k := begin; k < end; k++ {
						sum.Add(int64(100*i + k))
					}
				})
			}
		})
		assert.EqualValues(t, 1600*1599/2, sum.Load(), d.name)
	}
}

func TestHalvingHandsAPanicToItsCaller(t *testing.T) {
	assert.PanicsWithValue(t, "right", func() {
		byHalving(100, 1, func(begin, _ int) {
			if begin == 99 {
				panic("right")
			}
		})
	})
}

func TestAContestStopsAtAWrongResult(t *testing.T) {
	r := &run{&rows.Run{Config: measure.Config{Reps: measure.LeastReps, Sample: 1}, Group: "g", Note: func(string) {}}, running(t)}
	got := make([]int, 10)
	part := func(begin, end int) {
		for i := begin; i < end; i++ {
			got[i]++
		}
	}
	loop := func() { part(0, len(got)) }
	right := contest{work: "w", loop: loop, ours: loop, by: loops(len(got), 1, part), results: newCells(got, loop)}
	s := r.contest(right)
	assert.Len(t, s.Peers, len(r.drivers.all))
	assert.Equal(t, make([]int, 10), got, "as before the loop")

	wrong := right
	wrong.ours = func() { part(0, len(got)-1) }
	assert.PanicsWithValue(t, "groups: w, ours: result 9 is 0, and 1 is right", func() { r.contest(wrong) })
	wrong = right
	wrong.by = loops(len(got), 1, part, part)
	assert.Panics(t, func() { r.contest(wrong) }, "a driver does it twice")
}

func TestCalibratedFindsTheScale(t *testing.T) {
	for _, want := range []time.Duration{3, 1000, 123_456_789} {
		last := time.Duration(0)
		scale := calibrated(want, func(scale float64) time.Duration {
			last = time.Duration(7 * scale)
			return last
		})
		assert.InEpsilon(t, float64(want)/7, scale, 0.2, "%d", want)
		assert.Equal(t, time.Duration(7*scale), last, "the last call is with the scale that is returned")
	}
	assert.NotPanics(t, func() { calibrated(time.Second, func(float64) time.Duration { return 0 }) }, "it ends")
}

func TestChoresHaveTheSharesThatTheyAreGiven(t *testing.T) {
	r := &run{Run: &rows.Run{Note: func(string) {}}}
	c := r.newChores(100, 100*time.Microsecond, ramp)
	assert.Zero(t, c.from[0].Rounds)
	assert.InDelta(t, 3*c.from[33].Rounds, c.from[99].Rounds, 2)
	assert.Positive(t, c.from[99].Rounds)

	weight := spikes()
	heavy := 0
	for i := range skewN {
		if weight(i) == 1000 {
			heavy++
		}
	}
	assert.Equal(t, skewN/100, heavy)
}

func TestSearchesFindWhatASlowSearchFindsAndLookAtTheSameShare(t *testing.T) {
	price, searches := newPaths()
	p, found := price.Slice(), searches.Slice()
	var seen []int
	for i := range found {
		s := &found[i]
		s.run(p)
		for from, cost := range s.Costs {
			require.Equal(t, slowPath(p, from, int(s.Goal)), int(cost), "from %d to goal %d", from, i)
			require.Positive(t, cost)
		}
		seen = append(seen, s.Seen)
	}
	assert.Less(t, float64(slices.Max(seen)), 1.1*float64(slices.Min(seen)), "%v", seen)
}

// slowPath is the cost of the cheapest path, by lowering costs until none can be lowered.
func slowPath(price []uint8, from, goal int) int {
	const far = math.MaxInt32
	cost := slices.Repeat([]int{far}, gridN)
	cost[from] = 0
	for changed := true; changed; {
		changed = false
		lower := func(to, via int) {
			if price[to] > 0 && cost[via] < far && cost[via]+int(price[to]) < cost[to] {
				cost[to], changed = cost[via]+int(price[to]), true
			}
		}
		for i := range gridN {
			if i%gridSide > 0 {
				lower(i, i-1)
			}
			if i%gridSide < gridSide-1 {
				lower(i, i+1)
			}
			if i >= gridSide {
				lower(i, i-gridSide)
			}
			if i < gridN-gridSide {
				lower(i, i+gridSide)
			}
		}
	}
	return cost[goal]
}

func TestOnlyTheWorkOfASpacedSideIsTimedAndItIsDoneAtRegularTimes(t *testing.T) {
	var dues []time.Time
	calls := 0
	side := spaced("s", time.Hour, func(until time.Time) { dues = append(dues, until) }, func() {
		calls++
		time.Sleep(time.Millisecond)
	})
	took := side.Time(10)
	assert.Equal(t, 10, calls)
	assert.GreaterOrEqual(t, took, 10*time.Millisecond)
	assert.Less(t, took, time.Hour)
	require.Len(t, dues, 10)
	for i := 1; i < len(dues); i++ {
		assert.Equal(t, time.Hour, dues[i].Sub(dues[i-1]))
	}
}

func TestEverySchedulerRowIsMeasuredAndHasItsBar(t *testing.T) {
	if testing.Short() || safety.Strict {
		t.Skip("all rows of the group take some seconds, and minutes where every access is checked")
	}
	r := rows.Group{Name: "scheduler", Rows: Rows}
	var notes []string
	all := r.Start(measure.Config{Reps: 1, Sample: time.Microsecond, Brief: true}, false, func(text string) { notes = append(notes, text) })
	type bar struct {
		work string
		bar  float64
	}
	var bars []bar
	for i := range all {
		row := &all[i]
		assert.False(t, math.IsNaN(row.Ratio.Median) || math.IsInf(row.Ratio.Median, 0), row.Work)
		if !row.Info && row.Unit == "" {
			assert.Positive(t, row.Ours, row.Work)
			assert.Positive(t, max(row.Limit, row.PeerTime), row.Work)
			bars = append(bars, bar{row.Work, row.Bar})
		}
	}
	assert.Equal(t, []bar{
		{"empty ForBatch, 10k indices, no views", 0.3},
		{"empty ForBatch, 1 index, no views", 1},
		{"2 claims, empty ForBatch, 1 index, ns over the limit / 80", 1},
		{"4 claims, empty ForBatch, 1 index, ns over the limit / 130", 1},
		{"2 claims, empty ScheduleBatch and Complete, 1 index, ns over the limit / 600", 1},
		{"3.4 us in 256 indices, back to back", 0.58},
		{"17 us in 256 indices, back to back", 0.54},
		{"170 us in 256 indices, back to back", 0.53},
		{"3.4 us in 256 indices, back to back, one core busy", 1.05},
		{"17 us in 256 indices, back to back, one core busy", 1.05},
		{"170 us in 256 indices, back to back, one core busy", 1.05},
		{"17 us in 256 indices, every 2 ms, caller busy between", 0.85},
		{"17 us in 256 indices, every 2 ms, caller asleep between", 0.85},
		{"0.2 us in 10 indices, called", 2.35},
		{"0.5 us in 25 indices, called", 1.6},
		{"1.5 us in 75 indices, called", 1.27},
		{"3 us in 150 indices, called", 1.18},
		{"6 us in 256 indices, called", 0.75},
		{"17 us in 256 indices, called", 0.58},
		{"worst of 12 works from 0.1 us to 10 ms in 4 situations", 1},
		{"5 jobs in a chain, 5 us each", 0.75},
		{"5 jobs in a chain, 5 us each", 1.05},
		{"5 jobs in a chain, 17 us each", 0.6},
		{"5 jobs in a chain, 17 us each", 1.05},
		{"saxpy, 1k float32", 1.15},
		{"saxpy, 100k float32", 0.56},
		{"saxpy, 10M float32", 1.03},
		{"sum, 10M int64", 1.03},
		{"10k indices, index i costs as i, 1.4 ms, limit: half of the loop", 1.06},
		{"10k indices, 1 % cost x1000, 1.4 ms, limit: half of the loop", 1.06},
		{"Batch(0), saxpy, 100k float32", 1.05},
		{"Batch(0), 10k indices, index i costs as i, 1.4 ms", 1.05},
		{"Batch(0), 10k indices, 1 % cost x1000, 1.4 ms", 1.05},
		{"Batch(0), 10k indices of 140 ns", 1.05},
		{"Batch(1), 10k indices of 30 ns", 1.15},
		{"Batch(1), 10k indices of 100 ns", 1.15},
		{"3 jobs in a chain, 1k elements", 0.62},
		{"3 jobs in a chain, 10k elements", 0.54},
		{"A* to 10 goals on a 40x40 grid, a goal an index, limit: half of the loop", 1.05},
		{"loop of 16 with loops of 1000 in it, limit: half of the loop", 1.07},
		{"10,000th schedule of a chain not completed, each reads what the one before wrote", 2},
		{"10,000th schedule of a chain not completed, all read the same", 2},
	}, bars)
	for _, text := range notes {
		assert.True(t, strings.HasPrefix(text, "note: "), text)
	}
}
