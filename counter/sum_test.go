package counter

import (
	"math"
	"sync"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/safety"
)

type SumSuite struct{ suite.Suite }

func TestSum(t *testing.T) { suite.Run(t, new(SumSuite)) }

func (s *SumSuite) TestStartsAtZeroAndAddsUp() {
	f := NewSum[float64]()
	s.Zero(f.Value())
	f.Set(42)
	s.Equal(42.0, f.Value())
	f.Set(40)
	f.Add(1.5)
	f.Add(0.5)
	s.Equal(42.0, f.Swap(-1))
	s.Equal(-1.0, f.Value())
	f.Set(0)
	s.Zero(f.Value())
	s.False(f.Disposed())
	f.Dispose()
	s.True(f.Disposed())
}

func (s *SumSuite) TestIntegersWrapAround() {
	b := NewSum[uint8]()
	b.Set(250)
	b.Add(10)
	s.Equal(uint8(4), b.Value())
	i := NewSum[int8]()
	i.Add(-100)
	i.Add(-100)
	s.Equal(int8(56), i.Value())
}

func (s *SumSuite) TestNothingIsLost() {
	f := NewSum[float64]()
	each := rounds(20000)
	swapped := 0.0
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range each {
				f.Add(2)
			}
		})
	}
	for range 100 {
		swapped += f.Swap(0)
	}
	group.Wait()
	s.Equal(float64(8*each), swapped+f.Value())
}

func (s *SumSuite) TestSingleJobsReadTheSum() {
	f := NewSum[int32]()
	f.Set(42)
	inside(copies(f.Reader()), func(v bound) { s.Equal(int32(42), v.(*SumReader[int32]).Value()) })()
}

// addAll is a body that adds the values to the views, and fails at the index fail.
func addAll(values []float64, fail int) body {
	return func(v []bound, begin, end int) {
		for i := begin; i < end; i++ {
			for _, w := range v {
				w.(*SumParallelWriter[float64]).Add(values[i])
			}
			if i == fail {
				panic(errBatch)
			}
		}
	}
}

func (s *SumSuite) TestFloatsAreTheSameBitForBitAtAnyNumberOfWorkers() {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = rounds(200)
	properties := gopter.NewProperties(params)
	properties.Property("equal", prop.ForAll(func(values []float64, batch, workers, fail int, seed int64) bool {
		want, got := NewSum[float64](), NewSum[float64]()
		for range 2 { // the second phase begins with the partial sums that the first one left
			for _, j := range []job{{workers: 1, views: []func() bound{copies(want.ParallelWriter())}},
				{workers: workers, seed: seed, views: []func() bound{copies(got.ParallelWriter())}}} {
				j.n, j.batch = len(values), batch
				j.do(s.T(), addAll(values, fail))
			}
		}
		reference := 0.0
		for range 2 {
			for c := 0; c < len(values) && c <= fail; c += batch {
				part := 0.0
				for i := c; i < min(c+batch, len(values)) && i <= fail; i++ {
					part += values[i]
				}
				reference += part
			}
		}
		a, b := math.Float64bits(got.Value()), math.Float64bits(want.Value())
		return a == b && a == math.Float64bits(reference)
	}, gen.SliceOf(gen.Float64Range(-1e9, 1e9)), gen.IntRange(1, 9), gen.IntRange(1, 8), gen.IntRange(0, 120), gen.Int64Range(1, 1<<40)))
	properties.TestingRun(s.T())
}

func (s *SumSuite) TestNestedJobsAddToTheBatchThatLentTheView() {
	values := []float64{1e16, 1, -1e16, 1, 3, 1e-3}
	sum := func(seed int64) float64 {
		f := NewSum[float64]()
		outer := job{n: 6, workers: 2, seed: seed, views: []func() bound{copies(f.ParallelWriter())}}
		outer.do(s.T(), func(v []bound, begin, _ int) {
			w := v[0].(*SumParallelWriter[float64])
			w.Add(0.1)
			job{n: 6, batch: 2, workers: 3, seed: seed, views: []func() bound{copies(*w), copies(*w)}}.do(s.T(), addAll(values, 4))
			w.Add(values[begin])
		})
		return f.Value()
	}
	for seed := range int64(20) {
		s.Equal(math.Float64bits(sum(0)), math.Float64bits(sum(seed)))
	}
}

// An ordinary Add that arrives while the partial sums are folded is not lost, and neither are they.
func (s *SumSuite) TestAddsBesideTheSealConserve() {
	f := NewSum[int64]()
	const batches = 1 << 14
	stop, added := make(chan struct{}), make(chan int64)
	go func() {
		for n := int64(0); ; n++ {
			select {
			case <-stop:
				added <- n
				return
			default:
				f.Add(1)
			}
		}
	}()
	phases := int64(rounds(50))
	for range phases {
		job{n: batches, batch: batches, views: []func() bound{copies(f.ParallelWriter())}}.do(s.T(), func(v []bound, _, _ int) {
			v[0].(*SumParallelWriter[int64]).Add(1000)
		})
		p := safety.Phase{Mode: safety.Append, Batches: batches, Kept: batches}
		(*sumPhases[int64])(f).OpenPhase(&p)
		p.State.(*partials[int64]).list[7] = 1
		(*sumPhases[int64])(f).SealPhase(&p)
	}
	close(stop)
	n := <-added
	s.Equal(n+phases*1001, f.Value())
}

func (s *SumSuite) TestAFoldThatMeetsAnAddArrivesAsOneMore() {
	f := NewSum[float64]()
	f.parts.open(2)
	f.parts.list[0], f.parts.list[1] = 1, 2
	old := f.word.Load()
	f.Add(10)
	f.addFold(old, &f.parts, 2)
	s.Equal(float64(13), f.Value())
}

func (s *SumSuite) TestPhasesAllocateNothingOnceWarm() {
	f := NewSum[float32]()
	p := safety.Phase{Mode: safety.Append, Workers: 4, Batches: 8, Kept: 8}
	s.Zero(testing.AllocsPerRun(100, func() {
		(*sumPhases[float32])(f).OpenPhase(&p)
		for batch := range 8 {
			w := SumParallelWriter[float32]{parts: p.State.(*partials[float32])}
			(*sumParallelWriterKind[float32])(&w).BeginBatch(batch)
			*w.at++
		}
		(*sumPhases[float32])(f).SealPhase(&p)
	}))
	s.Equal(float32(101*8), f.Value())
}

func (s *SumSuite) TestMisuses() {
	f := NewSum[float64](safety.Named("energy"))
	in := safety.Violation{Container: `counter.Sum[float64] "energy"`, OtherJob: "Job", OtherField: "View"}
	of := safety.Violation{Container: in.Container}
	read, add := copies(f.Reader()), copies(f.ParallelWriter())
	var kept *SumParallelWriter[float64]
	inside(add, func(v bound) { kept = v.(*SumParallelWriter[float64]) })()
	pw, r := f.ParallelWriter(), f.Reader()
	rows := []misuse{
		{"Add while read", holding(read, func() { f.Add(1) }), safety.ErrInFlight, in},
		{"Value while added to", holding(add, func() { f.Value() }), safety.ErrInFlight, in},
		{"Set while read", holding(read, func() { f.Set(1) }), safety.ErrInFlight, in},
		{"Set while added to", holding(add, func() { f.Set(1) }), safety.ErrInFlight, in},
		{"Swap while added to", holding(add, func() { f.Swap(1) }), safety.ErrInFlight, in},
		{"Dispose while read", holding(read, func() { f.Dispose() }), safety.ErrInFlight, in},
		{"unbound ParallelWriter", func() { pw.Add(1) }, safety.ErrStaleView, of},
		{"unbound Reader", func() { r.Value() }, safety.ErrStaleView, of},
	}
	if safety.Strict {
		rows = append(rows, misuse{"kept ParallelWriter", func() { kept.Add(1) }, safety.ErrStaleView, of})
	}
	expect(s.T(), rows)
}

func TestWordsGiveBackWhatWasEncoded(t *testing.T) {
	type celsius float32
	for _, v := range []float64{0, math.Copysign(0, -1), 1, -1.5, math.Inf(-1), math.MaxFloat64} {
		require.Equal(t, math.Float64bits(v), math.Float64bits(decode[float64](encode(v))))
		f := celsius(v)
		require.Equal(t, math.Float32bits(float32(f)), math.Float32bits(float32(decode[celsius](encode(f)))))
	}
	require.True(t, math.IsNaN(decode[float64](encode(math.NaN()))))
	for _, v := range []int64{0, 1, -1, math.MinInt64, math.MaxInt64} {
		require.Equal(t, v, decode[int64](encode(v)))
		require.Equal(t, int8(v), decode[int8](encode(int8(v))))
		require.Equal(t, uint64(v), decode[uint64](encode(uint64(v))))
		require.Equal(t, uintptr(v), decode[uintptr](encode(uintptr(v))))
	}
}
