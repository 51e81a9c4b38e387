package measure_test

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/bench/internal/measure"
)

var config = measure.Config{Reps: 7, Sample: time.Millisecond}

// fake is a side that claims to take ns(r) nanoseconds for doing its work once, r counting the
// calls, and notes which side was called.
func fake(name string, log *[]string, ns func(call int) float64) measure.Side {
	call := 0
	return measure.Side{Name: name, Time: func(n int) time.Duration {
		*log = append(*log, name)
		call++
		return time.Duration(ns(call) * float64(n))
	}}
}

func constant(ns float64) func(int) float64 { return func(int) float64 { return ns } }

func TestSidesRunInTurnWithAnUntimedRunBeforeEachSample(t *testing.T) {
	var log []string
	s := measure.Interleave(config, 1, fake("a", &log, constant(1e6)), fake("b", &log, constant(1e6)))
	require.Equal(t, []string{"a", "b"}, log[:2], "calibration")
	for r := range config.Reps {
		assert.Equal(t, []string{"a", "a", "b", "b"}, log[2+4*r:6+4*r], "repetition %d", r)
	}
	assert.Len(t, log, 2+4*config.Reps)
	assert.Len(t, s.Times[0], config.Reps)
}

func TestBriefSeriesDoLongWorkUntimedOnlyAtFirst(t *testing.T) {
	var log []string
	brief := config
	brief.Brief = true
	measure.Interleave(brief, 1, fake("long", &log, constant(2e6)), fake("short", &log, constant(1e3)))
	log = log[len(log)-3*brief.Reps:] // what comes before is calibration
	for r := range brief.Reps {
		assert.Equal(t, []string{"long", "short", "short"}, log[3*r:3*r+3], "repetition %d", r)
	}
}

func TestTheFirstTimeOfVeryLongWorkIsASampleOfABriefSeries(t *testing.T) {
	var log []string
	brief := config
	brief.Brief = true
	s := measure.Interleave(brief, 1, fake("very long", &log, func(call int) float64 { return float64(call) * 1e9 }), fake("long", &log, constant(2e6)))
	require.Equal(t, []string{"very long", "long", "long", "very long", "long"}, log[:5])
	assert.Len(t, log, 2*brief.Reps+1)
	assert.Equal(t, []float64{1e9, 2e9, 3e9, 4e9, 5e9, 6e9, 7e9}, s.Times[0])
	assert.Len(t, s.Times[1], brief.Reps)
}

func TestBriefSeriesCollectGarbageWhereThereIsSome(t *testing.T) {
	forced := func() uint32 {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.NumForcedGC
	}
	collections := func(brief bool, f func()) uint32 {
		c := config
		c.Brief = brief
		before := forced()
		measure.Interleave(c, 1, measure.Do("side", f))
		return forced() - before
	}
	sleep := func() { time.Sleep(time.Millisecond) }
	waste := func() { sink = make([]byte, 8<<20); sink = nil }
	assert.LessOrEqual(t, collections(true, sleep), uint32(1))
	assert.EqualValues(t, config.Reps+1, collections(true, waste), "also before calibration")
	assert.EqualValues(t, config.Reps, collections(false, sleep))
}

func TestPartsAreThoseOfTheSamplesOfTheWhole(t *testing.T) {
	call := 0
	whole, parts := measure.InterleaveParted(config, 10, 2, measure.Parted{Name: "a", Time: func(n int) []time.Duration {
		call++
		return []time.Duration{time.Duration(n*call) * time.Millisecond, time.Duration(2*n) * time.Millisecond}
	}})
	require.Len(t, parts, 2)
	require.Len(t, whole.Times[0], config.Reps)
	for r, all := range whole.Times[0] {
		assert.InEpsilon(t, 2e5, parts[1].Times[0][r], 1e-9)
		assert.InEpsilon(t, all-2e5, parts[0].Times[0][r], 1e-9)
	}
	assert.Less(t, parts[0].Times[0][0], parts[0].Times[0][1])
	assert.Equal(t, "a", parts[0].Sides[0].Name)
}

func TestTimesAreForOneUnitWhateverTheSamplesLength(t *testing.T) {
	var log []string
	s := measure.Interleave(config, 1000, fake("slow", &log, constant(5e7)), fake("fast", &log, constant(2000)))
	assert.InEpsilon(t, 5e4, s.Time("slow").Median, 1e-9)
	assert.InEpsilon(t, 2, s.Time("fast").Median, 1e-9)
}

func TestRatioIsThatOfNeighboursSoThatADriftCancels(t *testing.T) {
	var log []string
	drift := func(base float64) func(int) float64 {
		return func(call int) float64 { return base * math.Pow(2, float64(call)) }
	}
	s := measure.Interleave(config, 1, fake("a", &log, drift(3e6)), fake("b", &log, drift(2e6)))
	r := s.Ratio("a", "b")
	assert.InEpsilon(t, 1.5, r.Median, 1e-6)
	assert.InEpsilon(t, 1.5, r.Lo, 1e-6)
	assert.InEpsilon(t, 1.5, r.Hi, 1e-6)
	assert.Less(t, s.Time("a").Lo, s.Time("a").Hi, "the times themselves do drift")
}

func TestOverCountsInUnits(t *testing.T) {
	s := &measure.Series{
		Sides: []measure.Side{{Name: "a"}, {Name: "b"}},
		Times: [][]float64{{3, 3, 3, 3, 3, 3}, {1, 1, 1, 1, 1, 1}},
	}
	assert.InEpsilon(t, 4, s.Over("a", "b", 0.5).Median, 1e-9)
	assert.InEpsilon(t, -4, s.Over("b", "a", 0.5).Median, 1e-9)
}

func TestBestIsTheSideWithTheLowestMedian(t *testing.T) {
	s := &measure.Series{
		Sides: []measure.Side{{Name: "outlier"}, {Name: "steady"}},
		Times: [][]float64{{1, 9, 9, 9, 9, 9}, {5, 5, 5, 5, 5, 5}},
	}
	assert.Equal(t, "steady", s.Best("outlier", "steady"))
	assert.Equal(t, "outlier", s.Best("outlier"))
	assert.Panics(t, func() { s.Time("unknown") })
}

func TestEstimateHasAFiniteIntervalFromLeastRepsOn(t *testing.T) {
	values := []float64{6, 5, 4, 3, 2, 1}
	require.Len(t, values, measure.LeastReps)
	e := measure.EstimateOf(values)
	assert.Equal(t, measure.Estimate{Median: 3.5, Lo: 1, Hi: 6}, e)
	assert.Equal(t, []float64{6, 5, 4, 3, 2, 1}, values, "the values keep their order")
	assert.True(t, math.IsInf(measure.EstimateOf(values[1:]).Lo, -1))
}

func TestTimesScalesTheMedianAndTheInterval(t *testing.T) {
	assert.Equal(t, measure.Estimate{Median: 4, Lo: 2, Hi: 6}, measure.Estimate{Median: 2, Lo: 1, Hi: 3}.Times(2))
}

func TestMiddleLeavesOutTheLowestAndTheHighestTenth(t *testing.T) {
	values := []float64{1e9, 1, 1, 1, 1, 3, 3, 3, 3, -1e9}
	assert.InDelta(t, 2, measure.Middle(values), 1e-9)
	assert.InDelta(t, 1e9, values[0], 0, "the values keep their order")
	assert.InDelta(t, 7, measure.Middle([]float64{7}), 0)
	assert.InDelta(t, 5, measure.Middle([]float64{0, 10}), 1e-9, "of few values all count")
}

func TestDoTimesEveryCall(t *testing.T) {
	calls := 0
	side := measure.Do("sleep", func() { calls++; time.Sleep(time.Millisecond) })
	took := side.Time(5)
	assert.Equal(t, 5, calls)
	assert.GreaterOrEqual(t, took, 5*time.Millisecond)
}

var sink []byte

func TestAllocsCountsWhatIsAllocated(t *testing.T) {
	assert.Zero(t, measure.Allocs(config, 100, func() {}).Median)
	assert.InDelta(t, 2, measure.Allocs(config, 100, func() { sink = make([]byte, 32); sink = make([]byte, 32) }).Median, 0.1)
	k := 0
	some := measure.Allocs(config, 100, func() {
		if k++; k%4 == 0 {
			sink = make([]byte, 32)
		}
	})
	assert.InDelta(t, 0.25, some.Median, 0.1, "not rounded")
}

func TestPingPongEnds(t *testing.T) {
	assert.GreaterOrEqual(t, measure.PingPong(), 0.0)
}
