package measure

import (
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/perf/benchmath"
)

// Confidence is that of all intervals.
const Confidence = 0.95

// LeastReps is the number of repetitions from which on the interval of a median is finite.
const LeastReps = 6

// Config says how much to measure.
type Config struct {
	Reps   int           // samples of each side; at least LeastReps
	Sample time.Duration // how long one sample takes, about
	// Brief leaves out the untimed work before a sample where doing it once takes as long as a
	// sample, and the collection of garbage where there is next to none. Where doing it once takes
	// as long as thirty samples the first time is a sample, too.
	Brief bool
}

// veryLong is how many samples' time work takes that a brief series does not do untimed at all.
const veryLong = 30

// Side is one program of a comparison.
type Side struct {
	Name string
	// Time does the work n times and returns how long that took.
	Time func(n int) time.Duration
}

// Do returns a side that does its work by calling f.
func Do(name string, f func()) Side {
	return Side{Name: name, Time: func(n int) time.Duration {
		start := time.Now()
		for range n {
			f()
		}
		return time.Since(start)
	}}
}

// Series is the times of some sides in nanoseconds for one unit of work: Times[s][r] is that of
// side s in repetition r.
type Series struct {
	Sides []Side
	Times [][]float64
}

// Interleave measures the sides in turn: first, second, ..., first, second, ... Doing a side's work
// once is so many units. Before each sample the garbage of the one before is collected and the work
// is done once without being timed; a brief config leaves some of that out.
func Interleave(c Config, units int, sides ...Side) *Series {
	return interleave(c, units, func(int, int) {}, sides...)
}

// Parted is one program of a comparison whose work has parts, one after the other.
type Parted struct {
	Name string
	// Time does the work n times and returns how long each part took.
	Time func(n int) []time.Duration
}

// InterleaveParted is Interleave for programs with so many parts. It returns the series of the
// whole and those of the parts.
func InterleaveParted(c Config, units, parts int, programs ...Parted) (whole *Series, each []*Series) {
	sides, took := make([]Side, len(programs)), make([][]time.Duration, len(programs))
	for i, p := range programs {
		sides[i] = Side{Name: p.Name, Time: func(n int) (all time.Duration) {
			took[i] = p.Time(n)
			for _, t := range took[i] {
				all += t
			}
			return all
		}}
	}
	for range parts {
		each = append(each, &Series{Sides: sides, Times: make([][]float64, len(sides))})
	}
	whole = interleave(c, units, func(i, often int) {
		for k, s := range each {
			s.Times[i] = append(s.Times[i], float64(took[i][k].Nanoseconds())/float64(often)/float64(units))
		}
	}, sides...)
	return whole, each
}

// interleave calls sampled when a sample has been taken of a side, with how often that did its
// work.
func interleave(c Config, units int, sampled func(i, often int), sides ...Side) *Series {
	s := &Series{Sides: sides, Times: make([][]float64, len(sides))}
	often := make([]int, len(sides))
	garbage := newCollector(c.Brief)
	add := func(i int, took time.Duration) {
		s.Times[i] = append(s.Times[i], float64(took.Nanoseconds())/float64(often[i])/float64(units))
		sampled(i, often[i])
	}
	for i, side := range sides {
		if c.Brief {
			garbage.collect()
		}
		var once time.Duration
		if often[i], once = calibrate(side, c.Sample); c.Brief && once >= veryLong*c.Sample {
			add(i, once)
		}
	}
	for r := range c.Reps {
		for i, side := range sides {
			if len(s.Times[i]) > r {
				continue
			}
			garbage.collect()
			if !c.Brief || often[i] > 1 {
				side.Time(1)
			}
			add(i, side.Time(often[i]))
		}
	}
	return s
}

// calibrate returns how often to do the side's work in one sample, and how long doing it once took
// if it was done just once. It warms the side up.
func calibrate(side Side, sample time.Duration) (often int, once time.Duration) {
	n := 1
	for {
		took := max(side.Time(n), time.Nanosecond)
		if took >= sample/2 || n >= 1<<30 {
			if n == 1 {
				once = took
			}
			return max(1, int(math.Round(float64(n)*float64(sample)/float64(took)))), once
		}
		n *= 2
	}
}

// Estimate is a median and its interval.
type Estimate struct{ Median, Lo, Hi float64 }

// EstimateOf returns the median of values, and its interval.
func EstimateOf(values []float64) Estimate {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds), Confidence)
	return Estimate{s.Center, s.Lo, s.Hi}
}

// String gives the median and the interval.
func (e Estimate) String() string { return fmt.Sprintf("%.3g [%.3g, %.3g]", e.Median, e.Lo, e.Hi) }

// Spread writes the interval as benchstat does: how far its farther end is from the median.
func (e Estimate) Spread() string {
	return "±" + benchmath.Summary{Center: e.Median, Lo: e.Lo, Hi: e.Hi, Confidence: Confidence}.PctRangeString()
}

// Times returns the estimate of k times what e estimates; k is above 0.
func (e Estimate) Times(k float64) Estimate { return Estimate{k * e.Median, k * e.Lo, k * e.Hi} }

// Middle returns the mean of the middle four fifths of values: of what is left without the lowest
// and the highest tenth. Values of a machine that now and then does something else for a while have
// a mean that says nothing, and those of two kinds a median that hides one of them.
func Middle(values []float64) float64 {
	s := slices.Clone(values)
	slices.Sort(s)
	s = s[len(s)/10 : len(s)-len(s)/10]
	sum := 0.0
	for _, v := range s {
		sum += v
	}
	return sum / float64(len(s))
}

// index returns the number of the side with that name.
func (s *Series) index(name string) int {
	i := slices.IndexFunc(s.Sides, func(side Side) bool { return side.Name == name })
	if i < 0 {
		panic("measure: there is no side " + name)
	}
	return i
}

// Time returns the nanoseconds that a side takes for one unit of work.
func (s *Series) Time(side string) Estimate { return EstimateOf(s.Times[s.index(side)]) }

// Ratio returns how many times as long a takes as b.
func (s *Series) Ratio(a, b string) Estimate {
	return s.Paired(a, b, func(x, y float64) float64 { return x / y })
}

// Over returns how much longer a takes than b, in units of so many nanoseconds.
func (s *Series) Over(a, b string, ns float64) Estimate {
	return s.Paired(a, b, func(x, y float64) float64 { return (x - y) / ns })
}

// Paired returns the estimate of f, called with the times of a and b that were measured in turn.
func (s *Series) Paired(a, b string, f func(x, y float64) float64) Estimate {
	xs, ys := s.Times[s.index(a)], s.Times[s.index(b)]
	out := make([]float64, len(xs))
	for r := range xs {
		out[r] = f(xs[r], ys[r])
	}
	return EstimateOf(out)
}

// Best returns the fastest of some sides, by their medians. It is how a limit is the best of
// several programs for the same work.
func (s *Series) Best(sides ...string) string {
	return slices.MinFunc(sides, func(a, b string) int {
		x, y := s.Time(a).Median, s.Time(b).Median
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
