package counter

import (
	"math"
	"sync"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/suite"

	"example.com/custody/safety"
)

type ExtremumSuite struct{ suite.Suite }

func TestExtremum(t *testing.T) { suite.Run(t, new(ExtremumSuite)) }

func (s *ExtremumSuite) TestObservesNothingAtFirst() {
	_, ok := NewMin[int]().Value()
	s.False(ok)
	_, ok = NewMax[float64]().Value()
	s.False(ok)
}

func (s *ExtremumSuite) TestKeepsTheBest() {
	low, high := NewMin[int](), NewMax[int]()
	for _, v := range []int{3, -1, 4, -1, 5} {
		low.Observe(v)
		high.Observe(v)
	}
	s.has(-1, &low.extremum)
	s.has(5, &high.extremum)
	low.Set(7)
	s.has(7, &low.extremum)
	low.Observe(8)
	s.has(7, &low.extremum)
	low.Reset()
	_, ok := low.Value()
	s.False(ok)
	low.Observe(0)
	s.has(0, &low.extremum)
	s.False(low.Disposed())
	low.Dispose()
	s.True(low.Disposed())
}

func (s *ExtremumSuite) has(want int, e *extremum[int]) {
	s.T().Helper()
	v, ok := e.Value()
	s.True(ok)
	s.Equal(want, v)
}

func (s *ExtremumSuite) TestNaNsAreIgnored() {
	high := NewMax[float64]()
	high.Observe(math.NaN())
	_, ok := high.Value()
	s.False(ok)
	high.Observe(math.Inf(-1))
	high.Observe(math.NaN())
	v, ok := high.Value()
	s.True(ok)
	s.Equal(math.Inf(-1), v)
	high.Set(math.NaN())
	_, ok = high.Value()
	s.False(ok)
}

func (s *ExtremumSuite) TestOfEqualNumbersTheFirstStays() {
	negative := math.Copysign(0, -1)
	for _, order := range [][2]float64{{0, negative}, {negative, 0}} {
		plain, low := NewMin[float64](), NewMin[float64]()
		for _, v := range order {
			plain.Observe(v)
		}
		a, _ := plain.Value()
		s.Equal(math.Signbit(order[0]), math.Signbit(a))
		for seed := range int64(20) {
			low.Reset()
			job{n: 2, workers: 2, seed: seed, views: []func() bound{copies(low.ParallelWriter())}}.do(s.T(), observeAll(order[:], -1))
			b, _ := low.Value()
			s.Equal(math.Signbit(order[0]), math.Signbit(b), "seed %d", seed)
		}
	}
}

// No reader takes half of a change for the result.
func (s *ExtremumSuite) TestAReadWaitsForAChange() {
	low := NewMin[int]()
	low.Observe(3)
	low.mu.Lock()
	low.state.Store(low.state.Load() | changing)
	low.word.Store(encode(-99))
	read := make(chan int)
	go func() {
		v, _ := low.Value()
		read <- v
	}()
	low.word.Store(encode(2))
	low.state.Store(low.state.Load() &^ changing)
	low.mu.Unlock()
	s.Equal(2, <-read)
	low.state.Store(low.state.Load() | changing) // as a reader meets it that comes in between
	s.has(2, &low.extremum)
}

func (s *ExtremumSuite) TestTheBestIsNeverLost() {
	low, high := NewMin[int64](), NewMax[int64]()
	each := int64(rounds(20000))
	var group sync.WaitGroup
	for g := range int64(4) {
		group.Go(func() {
			for k := range each {
				low.Observe(-(4*k + g))
				high.Observe(4*k + g)
				if v, ok := high.Value(); !ok || v < 4*k+g {
					s.Fail("an observation was lost")
				}
			}
		})
	}
	group.Wait()
	v, _ := low.Value()
	s.Equal(-(4*each - 1), v)
	v, _ = high.Value()
	s.Equal(4*each-1, v)
}

func (s *ExtremumSuite) TestSingleJobsReadTheContainer() {
	high := NewMax[int]()
	high.Set(2)
	inside(copies(high.Reader()), func(v bound) {
		v2, ok := v.(*ExtremumReader[int]).Value()
		s.True(ok)
		s.Equal(2, v2)
	})()
	high.Reset()
	inside(copies(high.Reader()), func(v bound) {
		_, ok := v.(*ExtremumReader[int]).Value()
		s.False(ok)
	})()
}

// observeAll is a body that observes the values and fails at the index fail.
func observeAll(values []float64, fail int) body {
	return func(v []bound, begin, end int) {
		for i := begin; i < end; i++ {
			for _, w := range v {
				w.(*ExtremumParallelWriter[float64]).Observe(values[i])
			}
			if i == fail {
				panic(errBatch)
			}
		}
	}
}

func (s *ExtremumSuite) TestParallelLoopsEqualTheSequentialLoop() {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = rounds(200)
	properties := gopter.NewProperties(params)
	number := gen.OneConstOf(0.0, math.Copysign(0, -1), math.NaN(), 1.0, -1.0, 2.5, math.Inf(1))
	properties.Property("equal", prop.ForAll(func(values []float64, batch, workers, fail int, seed int64) bool {
		lowWant, highWant, low, high := NewMin[float64](), NewMax[float64](), NewMin[float64](), NewMax[float64]()
		for range 2 {
			for i, v := range values {
				lowWant.Observe(v)
				highWant.Observe(v)
				if i == fail {
					break
				}
			}
			job{n: len(values), batch: batch, workers: workers, seed: seed,
				views: []func() bound{copies(low.ParallelWriter()), copies(high.ParallelWriter()), copies(low.ParallelWriter())}}.
				do(s.T(), observeAll(values, fail))
		}
		return same(lowWant.Value())(low.Value()) && same(highWant.Value())(high.Value())
	}, gen.SliceOf(number), gen.IntRange(1, 9), gen.IntRange(1, 8), gen.IntRange(0, 120), gen.Int64Range(1, 1<<40)))
	properties.TestingRun(s.T())
}

func same(a float64, aok bool) func(b float64, bok bool) bool {
	return func(b float64, bok bool) bool {
		return aok == bok && math.Float64bits(a) == math.Float64bits(b)
	}
}

func (s *ExtremumSuite) TestNestedJobsObserveForTheBatchThatLentTheView() {
	low := NewMin[float64]()
	outer := job{n: 6, workers: 2, seed: 5, views: []func() bound{copies(low.ParallelWriter())}}
	outer.do(s.T(), func(v []bound, begin, _ int) {
		w := v[0].(*ExtremumParallelWriter[float64])
		values := []float64{5, float64(-begin), 7}
		job{n: 3, workers: 3, seed: 9, views: []func() bound{copies(*w)}}.do(s.T(), observeAll(values, -1))
		job{n: 0, views: []func() bound{copies(*w)}}.do(s.T(), observeAll(nil, -1))
		if begin == 3 {
			panic(errBatch)
		}
	})
	v, ok := low.Value()
	s.True(ok)
	s.Equal(-3.0, v)
}

func (s *ExtremumSuite) TestPhasesAllocateNothingOnceWarm() {
	high := NewMax[int]()
	p := safety.Phase{Mode: safety.Append, Workers: 4, Batches: 8, Kept: 8}
	s.Zero(testing.AllocsPerRun(100, func() {
		(*extremumPhases[int])(&high.extremum).OpenPhase(&p)
		for batch := range 8 {
			w := ExtremumParallelWriter[int]{max: true, lane: p.State.(*lanes[best[int]]).of(batch % 4)}
			(*extremumParallelWriterKind[int])(&w).BeginSpan(batch)
			w.lane.part.observe(batch)
		}
		(*extremumPhases[int])(&high.extremum).SealPhase(&p)
		high.Observe(9)
	}))
	s.has(9, &high.extremum)
}

func (s *ExtremumSuite) TestMisuses() {
	m := NewMax[int](safety.Named("peak"))
	in := safety.Violation{Container: `counter.Max[int] "peak"`, OtherJob: "Job", OtherField: "View"}
	of := safety.Violation{Container: in.Container}
	read, add := copies(m.Reader()), copies(m.ParallelWriter())
	var kept *ExtremumParallelWriter[int]
	inside(add, func(v bound) { kept = v.(*ExtremumParallelWriter[int]) })()
	pw, r := m.ParallelWriter(), m.Reader()
	rows := []misuse{
		{"Observe while read", holding(read, func() { m.Observe(1) }), safety.ErrInFlight, in},
		{"Value while added to", holding(add, func() { m.Value() }), safety.ErrInFlight, in},
		{"Set while read", holding(read, func() { m.Set(1) }), safety.ErrInFlight, in},
		{"Reset while read", holding(read, func() { m.Reset() }), safety.ErrInFlight, in},
		{"Dispose while read", holding(read, func() { m.Dispose() }), safety.ErrInFlight, in},
		{"unbound ParallelWriter", func() { pw.Observe(1) }, safety.ErrStaleView, of},
		{"unbound Reader", func() { r.Value() }, safety.ErrStaleView, of},
	}
	if safety.Strict {
		rows = append(rows, misuse{"kept ParallelWriter", func() { kept.Observe(1) }, safety.ErrStaleView, of})
	}
	expect(s.T(), rows)
}
