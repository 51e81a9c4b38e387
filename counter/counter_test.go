package counter

import (
	"math"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
	"github.com/stretchr/testify/suite"

	"example.com/custody/safety"
)

type CounterSuite struct{ suite.Suite }

func TestCounter(t *testing.T) { suite.Run(t, new(CounterSuite)) }

func (s *CounterSuite) TestStartsAtZero() { s.Zero(New().Value()) }

func (s *CounterSuite) TestSetReadsBack() {
	c := New()
	c.Set(42)
	s.Equal(int64(42), c.Value())
}

func (s *CounterSuite) TestIncrementsAddToWhatWasSet() {
	c := New()
	c.Set(40)
	c.Inc()
	c.Inc()
	s.Equal(int64(42), c.Value())
	c.Add(-1)
	c.Add(-40)
	s.Equal(int64(1), c.Value())
	c.Set(0)
	s.Zero(c.Value())
}

func (s *CounterSuite) TestWrapsAround() {
	c := New()
	c.Set(math.MaxInt64)
	c.Inc()
	s.Equal(int64(math.MinInt64), c.Value())
}

func (s *CounterSuite) TestSwapReturnsWhatAllCellsHeld() {
	c := New()
	l := c.Local()
	c.Add(1)
	c.collided(20) // makes the stripes
	c.Add(300)
	l.Add(4000)
	s.Equal(int64(4321), c.Value())
	s.Equal(int64(4321), c.Swap(5))
	s.Equal(int64(5), c.Swap(0))
	s.Zero(c.Value())
	l.Close()
}

func (s *CounterSuite) TestDisposeEnds() {
	c := New()
	s.False(c.Disposed())
	c.Dispose()
	s.True(c.Disposed())
}

func (s *CounterSuite) TestAddIsLegalBesideAParallelWriter() {
	c := New()
	l := c.Local()
	holding(copies(c.ParallelWriter()), func() {
		c.Inc()
		l.Inc()
	})()
	s.Equal(int64(2), c.Value())
	l.Close()
}

func (s *CounterSuite) TestSingleJobsReadTheCounter() {
	c := New()
	c.Set(42)
	inside(copies(c.Reader()), func(v bound) { s.Equal(int64(42), v.(*Reader).Value()) })()
}

func (s *CounterSuite) TestTwoParallelWritersShareTheLane() {
	c := New()
	w := copies(c.ParallelWriter())
	job{n: 100, batch: 7, workers: 3, seed: 1, views: []func() bound{w, w}}.do(s.T(), func(v []bound, begin, end int) {
		for range end - begin {
			v[0].(*ParallelWriter).IncIf(true)
			v[0].(*ParallelWriter).IncIf(false)
			v[1].(*ParallelWriter).Add(2)
		}
		v[1].(*ParallelWriter).Add(-1)
	})
	s.Equal(int64(300-15), c.Value())
}

func (s *CounterSuite) TestARunBegunTwiceIsOneRun() {
	c := New()
	p := safety.Phase{Mode: safety.Append, Workers: 1, Batches: 9, Kept: 5}
	(*counterPhases)(c).OpenPhase(&p)
	l := p.State.(*lanes[int64]).of(0)
	v, w := ParallelWriter{lane: l}, ParallelWriter{lane: l}
	s.Zero(l.count())
	for _, batch := range []int{4, 0, 5} {
		(*parallelWriterKind)(&v).BeginSpan(batch)
		addTo(l, 1)
		(*parallelWriterKind)(&w).BeginSpan(batch)
		addTo(l, 10)
	}
	s.Equal(3, l.count())
	(*counterPhases)(c).SealPhase(&p)
	s.Zero(l.count())
	s.Equal(int64(22), c.Value())
}

func (s *CounterSuite) TestNestedJobsAddToTheCellThatLentTheView() {
	c := New()
	outer := job{n: 6, workers: 2, seed: 5, views: []func() bound{copies(c.ParallelWriter())}}
	outer.do(s.T(), func(v []bound, begin, _ int) {
		w := v[0].(*ParallelWriter)
		w.Inc()
		job{n: 10, batch: 2, workers: 3, seed: 9, views: []func() bound{copies(*w)}}.do(s.T(), func(v []bound, begin, end int) {
			v[0].(*ParallelWriter).Add(int64(10 * (end - begin)))
		})
		w.Inc()
		if begin == 3 {
			panic(errBatch)
		}
	})
	s.Equal(int64(4*102), c.Value())
}

func (s *CounterSuite) TestPhasesAllocateNothingOnceWarm() {
	c := New()
	p := safety.Phase{Mode: safety.Append, Workers: 4, Batches: 8, Kept: 8}
	s.Zero(testing.AllocsPerRun(100, func() {
		(*counterPhases)(c).OpenPhase(&p)
		ls := p.State.(*lanes[int64])
		for batch := range 8 {
			w := ParallelWriter{lane: ls.of(batch % 4)}
			(*parallelWriterKind)(&w).BeginSpan(batch)
			w.lane.part++
		}
		(*counterPhases)(c).SealPhase(&p)
		c.Inc()
	}))
	s.Equal(int64(101*9), c.Value())
}

// What a parallel loop counts is what the sequential loop counts, also when a batch fails on its
// way.
func (s *CounterSuite) TestParallelLoopsEqualTheSequentialLoop() {
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests = rounds(200)
	properties := gopter.NewProperties(params)
	properties.Property("equal", prop.ForAll(func(values []int64, batch, workers, fail int, seed int64) bool {
		got, want := New(), int64(0)
		for i, v := range values {
			want += v
			if i == fail {
				break
			}
		}
		job{n: len(values), batch: batch, workers: workers, seed: seed, views: []func() bound{copies(got.ParallelWriter())}}.do(s.T(),
			func(v []bound, begin, end int) {
				for i := begin; i < end; i++ {
					v[0].(*ParallelWriter).Add(values[i])
					if i == fail {
						panic(errBatch)
					}
				}
			})
		return got.Value() == want
	}, gen.SliceOf(gen.Int64()), gen.IntRange(1, 9), gen.IntRange(1, 8), gen.IntRange(0, 120), gen.Int64Range(1, 1<<40)))
	properties.TestingRun(s.T())
}

func (s *CounterSuite) TestMisuses() {
	c := New(safety.Named("hits"))
	l := c.Local()
	gone := New()
	disposed := gone.Local()
	gone.Dispose()
	in := safety.Violation{Container: `counter.Counter "hits"`, OtherJob: "Job", OtherField: "View"}
	of := safety.Violation{Container: `counter.Counter "hits"`}
	read, add := copies(c.Reader()), copies(c.ParallelWriter())
	var kept *ParallelWriter
	var keptReader *Reader
	inside(add, func(v bound) { kept = v.(*ParallelWriter) })()
	inside(read, func(v bound) { keptReader = v.(*Reader) })()
	pw, r, none := c.ParallelWriter(), c.Reader(), ParallelWriter{}
	rows := []misuse{
		{"Add while read", holding(read, func() { c.Add(1) }), safety.ErrInFlight, in},
		{"Inc while read", holding(read, func() { c.Inc() }), safety.ErrInFlight, in},
		{"Local.Add while read", holding(read, func() { l.Add(1) }), safety.ErrInFlight, in},
		{"Value while added to", holding(add, func() { c.Value() }), safety.ErrInFlight, in},
		{"Set while added to", holding(add, func() { c.Set(1) }), safety.ErrInFlight, in},
		{"Set while read", holding(read, func() { c.Set(1) }), safety.ErrInFlight, in},
		{"Swap while added to", holding(add, func() { c.Swap(1) }), safety.ErrInFlight, in},
		{"Dispose while read", holding(read, func() { c.Dispose() }), safety.ErrInFlight, in},
		{"Add after Dispose", gone.Inc, safety.ErrDisposed, safety.Violation{Container: "counter.Counter"}},
		{"Local after Dispose", func() { gone.Local() }, safety.ErrDisposed, safety.Violation{Container: "counter.Counter"}},
		{"Local.Add after Dispose", disposed.Inc, safety.ErrDisposed, safety.Violation{Container: "counter.Counter"}},
		{"never made", new(Counter).Inc, safety.ErrUnassigned, safety.Violation{}},
		{"never made Local", new(Local).Inc, safety.ErrUnassigned, safety.Violation{}},
		{"unbound ParallelWriter.Add", func() { pw.Add(1) }, safety.ErrStaleView, of},
		{"unbound ParallelWriter.Inc", func() { pw.Inc() }, safety.ErrStaleView, of},
		{"unbound ParallelWriter.IncIf", func() { pw.IncIf(false) }, safety.ErrStaleView, of},
		{"zero ParallelWriter", func() { none.Inc() }, safety.ErrStaleView, safety.Violation{}},
		{"unbound Reader", func() { r.Value() }, safety.ErrStaleView, of},
		{"Reader kept after its batch", func() { keptReader.Value() }, safety.ErrStaleView, of},
	}
	if safety.Strict {
		rows = append(rows,
			misuse{"kept ParallelWriter.Add", func() { kept.Add(1) }, safety.ErrStaleView, of},
			misuse{"kept ParallelWriter.Inc", func() { kept.Inc() }, safety.ErrStaleView, of},
			misuse{"kept ParallelWriter.IncIf", func() { kept.IncIf(false) }, safety.ErrStaleView, of})
	}
	expect(s.T(), rows)
	l.Close()
}
