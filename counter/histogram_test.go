package counter

import (
	"maps"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"

	"example.com/custody/safety"
)

type HistogramSuite struct{ suite.Suite }

func TestHistogram(t *testing.T) { suite.Run(t, new(HistogramSuite)) }

func (s *HistogramSuite) TestStartsAtZeroAndCounts() {
	h := NewHistogram(4)
	s.Equal(4, h.Len())
	s.Equal([]int64{0, 0, 0, 0}, h.Counts(nil))
	h.Add(1, 1)
	h.Add(3, 41)
	h.Add(3, 1)
	s.Equal(int64(42), h.At(3))
	s.Equal(int64(43), h.Total())
	s.Equal(map[int]int64{0: 0, 1: 1, 2: 0, 3: 42}, maps.Collect(h.All()))
	for i := range h.All() {
		s.Zero(i)
		break
	}
	dst := make([]int64, 9)
	s.Equal([]int64{0, 1, 0, 42}, h.Counts(dst))
	s.Equal(int64(42), dst[3])
	h.Reset()
	s.Zero(h.Total())
	s.False(h.Disposed())
	h.Dispose()
	s.True(h.Disposed())
}

func (s *HistogramSuite) TestNothingIsLost() {
	h := NewHistogram(3)
	each := rounds(20000)
	var group sync.WaitGroup
	for g := range 6 {
		group.Go(func() {
			for range each {
				h.Add(g%3, 1)
			}
		})
	}
	group.Wait()
	s.Equal([]int64{int64(2 * each), int64(2 * each), int64(2 * each)}, h.Counts(nil))
}

func (s *HistogramSuite) TestLoopsOverTheBinsOwnTheirBins() {
	h, g := NewHistogram(10), NewHistogram(10)
	for i := range 10 {
		h.Add(i, int64(i))
		g.Add(i, 100)
	}
	job{n: 10, batch: 3, workers: 2, seed: 3, views: []func() bound{copies(h.Writer()), copies(g.Reader())}}.do(s.T(),
		func(v []bound, begin, end int) {
			into, from := v[0].(*HistogramWriter), v[1].(*HistogramReader)
			s.Equal(10, into.Len())
			s.Equal(10, from.Len())
			s.Equal(int64(1000), from.Total())
			s.Equal(int64(100), from.Counts(nil)[9])
			s.Len(maps.Collect(from.All()), 10)
			for i := range from.All() {
				s.Zero(i)
				break
			}
			for i := begin; i < end; i++ {
				into.Add(i, from.At(i)-1)
				into.Add(i, 1)
				into.Set(i, 2*into.At(i))
			}
		})
	s.Equal([]int64{200, 202, 204, 206, 208, 210, 212, 214, 216, 218}, h.Counts(nil))
}

func (s *HistogramSuite) TestLentBinsBeginAtZero() {
	h := NewHistogram(6)
	job{n: 6, batch: 3, views: []func() bound{copies(h.Writer())}}.do(s.T(), func(v []bound, begin, _ int) {
		w := v[0].(*HistogramWriter)
		job{n: 3, views: []func() bound{copies(*w)}}.do(s.T(), func(v []bound, b, e int) {
			inner := v[0].(*HistogramWriter)
			s.Equal(3, inner.Len())
			for i := b; i < e; i++ {
				inner.Set(i, int64(10*begin+i))
			}
		})
	})
	s.Equal([]int64{0, 1, 2, 30, 31, 32}, h.Counts(nil))
}

// addBins is a body that adds the bins and fails at the index fail.
func addBins(bins []int, fail int) body {
	return func(v []bound, begin, end int) {
		for i := begin; i < end; i++ {
			for k, w := range v {
				if i%2 == 0 {
					CountAll(w.(*HistogramParallelWriter), bins[i:i+1])
				} else {
					w.(*HistogramParallelWriter).Add(bins[i], 1)
				}
				w.(*HistogramParallelWriter).Add(bins[i], int64(10*k))
			}
			if i == fail {
				panic(errBatch)
			}
		}
	}
}

func (s *HistogramSuite) TestParallelLoopsEqualTheSequentialLoop() {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = rounds(200)
	properties := gopter.NewProperties(params)
	properties.Property("equal", prop.ForAll(func(bins []int, batch, workers, fail int, seed int64) bool {
		h, want := NewHistogram(300), make([]int64, 300)
		w := copies(h.ParallelWriter())
		for range 3 { // later phases begin with the blocks that earlier ones left
			for i, b := range bins {
				want[b] += 12
				if i == fail {
					break
				}
			}
			job{n: len(bins), batch: batch, workers: workers, seed: seed, views: []func() bound{w, w}}.do(s.T(), addBins(bins, fail))
		}
		return slices.Equal(want, h.Counts(nil))
	}, gen.SliceOf(gen.IntRange(0, 299)), gen.IntRange(1, 9), gen.IntRange(1, 8), gen.IntRange(0, 120), gen.Int64Range(1, 1<<40)))
	properties.TestingRun(s.T())
}

func (s *HistogramSuite) TestWideHistogramsAreFoldedInParts() {
	h := NewHistogram(worth + 1)
	bins := []int{0, 1, 255, 256, worth - 1, worth}
	for range 2 {
		job{n: 6, workers: 3, seed: 4, views: []func() bound{copies(h.ParallelWriter())}}.do(s.T(), addBins(bins, -1))
	}
	s.Equal(int64(12), h.Total())
	for _, b := range bins {
		s.Equal(int64(2), h.At(b))
	}
}

func (s *HistogramSuite) TestNestedJobsAddToTheBatchThatLentTheView() {
	h := NewHistogram(300)
	outer := job{n: 6, workers: 2, seed: 5, views: []func() bound{copies(h.ParallelWriter())}}
	outer.do(s.T(), func(v []bound, begin, _ int) {
		w := v[0].(*HistogramParallelWriter)
		s.Equal(300, w.Len())
		w.Add(begin, 1)
		job{n: 4, workers: 3, seed: 9, views: []func() bound{copies(*w)}}.do(s.T(), addBins([]int{7, 7, 299, 8}, 2))
		w.Add(begin, 1)
		if begin == 3 {
			panic(errBatch)
		}
	})
	s.Equal(int64(4*5), h.Total())
	s.Equal(int64(2), h.At(3))
	s.Equal(int64(8), h.At(7))
	s.Equal(int64(4), h.At(299))
}

func (s *HistogramSuite) TestPhasesAllocateNothingOnceWarm() {
	h := NewHistogram(40)
	p := safety.Phase{Mode: safety.Append, Workers: 4, Batches: 8, Kept: 8}
	s.Zero(testing.AllocsPerRun(100, func() {
		(*histogramPhases)(h).OpenPhase(&p)
		for batch := range 8 {
			w := HistogramParallelWriter{bins: 40, lane: p.State.(*blocks).of(batch % 4)}
			(*histogramParallelWriterKind)(&w).BeginSpan(batch)
			w.counts[batch]++
		}
		(*histogramPhases)(h).SealPhase(&p)
		h.Add(9, 1)
	}))
	s.Equal(int64(101*9), h.Total())
}

func (s *HistogramSuite) TestMisuses() {
	h := NewHistogram(4, safety.Named("ages"))
	name := `counter.Histogram "ages"`
	in := safety.Violation{Container: name, OtherJob: "Job", OtherField: "View"}
	of := safety.Violation{Container: name}
	index := func(i int) safety.Violation {
		return safety.Violation{Container: name, Index: i, Max: 4, Length: 4}
	}
	viewIndex := func(i int) safety.Violation {
		return safety.Violation{Container: name, Job: "Job", Field: "View", Index: i, Max: 4, Length: 4}
	}
	read, write, add := copies(h.Reader()), copies(h.Writer()), copies(h.ParallelWriter())
	var kept *HistogramParallelWriter
	var keptWriter *HistogramWriter
	inside(add, func(v bound) { kept = v.(*HistogramParallelWriter) })()
	job{n: 4, batch: 4, views: []func() bound{write}}.do(s.T(), func(v []bound, _, _ int) { keptWriter = v[0].(*HistogramWriter) })
	pw, w, r := h.ParallelWriter(), h.Writer(), h.Reader()
	rows := []misuse{
		{"no bins", func() { NewHistogram(0) }, safety.ErrLength, safety.Violation{Container: "counter.Histogram"}},
		{"fewer bins than none", func() { NewHistogram(-2) }, safety.ErrLength, safety.Violation{Container: "counter.Histogram", N: -2}},
		{"Add while read", holding(read, func() { h.Add(1, 1) }), safety.ErrInFlight, in},
		{"At while added to", holding(add, func() { h.At(1) }), safety.ErrInFlight, in},
		{"Counts while added to", holding(add, func() { h.Counts(nil) }), safety.ErrInFlight, in},
		{"Total while added to", holding(add, func() { h.Total() }), safety.ErrInFlight, in},
		{"All while added to", holding(add, func() { _ = maps.Collect(h.All()) }), safety.ErrInFlight, in},
		{"Reset while read", holding(read, func() { h.Reset() }), safety.ErrInFlight, in},
		{"Dispose while read", holding(read, func() { h.Dispose() }), safety.ErrInFlight, in},
		{"Add to bin Len", func() { h.Add(4, 1) }, safety.ErrIndex, index(4)},
		{"Add to bin -1", func() { h.Add(-1, 1) }, safety.ErrIndex, index(-1)},
		{"At of bin Len", func() { h.At(4) }, safety.ErrIndex, index(4)},
		{"ParallelWriter.Add to bin Len", inside(add, func(v bound) { v.(*HistogramParallelWriter).Add(4, 1) }), safety.ErrIndex, viewIndex(4)},
		{"ParallelWriter.Add to bin -1", inside(add, func(v bound) { v.(*HistogramParallelWriter).Add(-1, 1) }), safety.ErrIndex, viewIndex(-1)},
		{"CountAll of bin Len", inside(add, func(v bound) { CountAll(v.(*HistogramParallelWriter), []byte{3, 4}) }), safety.ErrIndex, viewIndex(4)},
		{"CountAll of bin -1", inside(add, func(v bound) { CountAll(v.(*HistogramParallelWriter), []int8{-1}) }), safety.ErrIndex, viewIndex(-1)},
		{"CountAll of a bin beyond ints", inside(add, func(v bound) { CountAll(v.(*HistogramParallelWriter), []uint64{math.MaxUint64}) }), safety.ErrIndex, viewIndex(math.MaxInt)},
		{"unbound CountAll", func() { CountAll(&pw, []byte{1}) }, safety.ErrStaleView, safety.Violation{Container: name}},
		{"Reader.At bin Len", inside(read, func(v bound) { v.(*HistogramReader).At(4) }), safety.ErrIndex, viewIndex(4)},
		{"Writer outside the batch", func() {
			job{n: 4, batch: 2, views: []func() bound{write}}.do(s.T(), func(v []bound, begin, _ int) { v[0].(*HistogramWriter).Set(begin+2, 1) })
		}, safety.ErrWriteRange, safety.Violation{Container: name, Job: "Job", Field: "View", Index: 2, Max: 2, Length: 4}},
		{"Writer with a longer loop", func() {
			_, v := job{n: 5, views: []func() bound{write}}.run(nil)
			panic(v)
		}, safety.ErrLength, safety.Violation{Container: name, Job: "Job", Field: "View", N: 5, Length: 4}},
		{"unbound ParallelWriter.Add", func() { pw.Add(1, 1) }, safety.ErrStaleView, of},
		{"unbound Writer", func() { w.At(1) }, safety.ErrStaleView, of},
		{"unbound Reader", func() { r.At(1) }, safety.ErrStaleView, of},
	}
	if safety.Strict {
		rows = append(rows,
			misuse{"kept ParallelWriter.Add", func() { kept.Add(1, 1) }, safety.ErrStaleView, of},
			misuse{"kept Writer", func() { keptWriter.At(1) }, safety.ErrStaleView, of})
	}
	expect(s.T(), rows)
}

// Len is a use like any other: of what is there, and of a view that is bound.
func (s *HistogramSuite) TestLenIsAUse() {
	h := NewHistogram(4)
	r, zero := h.Reader(), HistogramReader{}
	s.ErrorIs(violation(s.T(), func() { r.Len() }), safety.ErrStaleView)
	s.ErrorIs(violation(s.T(), func() { zero.Len() }), safety.ErrStaleView)
	w, pw := h.Writer(), h.ParallelWriter()
	s.ErrorIs(violation(s.T(), func() { w.Len() }), safety.ErrStaleView)
	s.ErrorIs(violation(s.T(), func() { pw.Len() }), safety.ErrStaleView)
	s.ErrorIs(violation(s.T(), func() { new(HistogramWriter).Len() }), safety.ErrStaleView)
	s.ErrorIs(violation(s.T(), func() { new(HistogramParallelWriter).Len() }), safety.ErrStaleView)
	inside(copies(h.Reader()), func(b bound) { s.Equal(4, b.(*HistogramReader).Len()) })()
	inside(copies(h.Writer()), func(b bound) { w = *b.(*HistogramWriter); s.Equal(4, w.Len()) })()
	inside(copies(h.ParallelWriter()), func(b bound) { pw = *b.(*HistogramParallelWriter); s.Equal(4, pw.Len()) })()
	if safety.Enabled {
		s.ErrorIs(violation(s.T(), func() { w.Len() }), safety.ErrStaleView)
		s.ErrorIs(violation(s.T(), func() { pw.Len() }), safety.ErrStaleView)
		h.Dispose()
		s.ErrorIs(violation(s.T(), func() { h.Len() }), safety.ErrDisposed)
	}
}

// The advice for another batch's bin names no view that histograms do not have.
func (s *HistogramSuite) TestAdviceForOtherBins() {
	w := NewHistogram(4).Writer()
	s.Contains((*histogramWriterKind)(&w).Elsewhere(), "to count in any bin take a ParallelWriter()")
}

// A histogram without bins is refused, and leaves nothing behind that cannot be disposed.
func TestARefusedHistogramLeavesNothing(t *testing.T) {
	defer safety.SetLeakMode(safety.SetLeakMode(safety.LeaksOn))
	left := len(safety.Leaks())
	for _, bins := range []int{0, -1} {
		require.ErrorIs(t, violation(t, func() { NewHistogram(bins) }), safety.ErrLength)
	}
	require.Len(t, safety.Leaks(), left)
}
