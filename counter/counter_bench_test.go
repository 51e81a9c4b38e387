package counter

import (
	"strconv"
	"sync"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// spread divides b.N among g goroutines.
func spread(b *testing.B, g int, f func(n int)) {
	b.ReportAllocs()
	var group sync.WaitGroup
	for range g {
		group.Go(func() { f(b.N / g) })
	}
	group.Wait()
}

// BenchmarkInc is one increment by any of 1 to 64 goroutines; the atomic is the measure.
func BenchmarkInc(b *testing.B) {
	for _, g := range []int{1, 2, 8, 64} {
		name := "/G" + strconv.Itoa(g)
		b.Run("Counter"+name, func(b *testing.B) {
			c := New()
			spread(b, g, func(n int) {
				for range n {
					c.Inc()
				}
			})
		})
		b.Run("Local"+name, func(b *testing.B) {
			c := New()
			spread(b, g, func(n int) {
				l := c.Local()
				for range n {
					l.Inc()
				}
				l.Close()
			})
		})
		b.Run("atomic"+name, func(b *testing.B) {
			var c atom.Int64
			spread(b, g, func(n int) {
				for range n {
					c.Add(1)
				}
			})
		})
	}
}

func BenchmarkValue(b *testing.B) {
	c := New()
	c.collided(1)
	for b.Loop() {
		c.Value()
	}
}

// open returns a view that is bound as worker 0 of a phase.
func open[V any, P interface {
	*V
	bound
}](c safety.Phased, v P) *V {
	p := safety.Phase{Mode: safety.Append, Workers: 1, Batches: 1}
	c.OpenPhase(&p)
	switch w := any(v).(type) {
	case *ParallelWriter:
		w.lane = p.State.(*lanes[int64]).of(0)
		(*parallelWriterKind)(w).BeginSpan(0)
	case *SumParallelWriter[float64]:
		w.parts = p.State.(*partials[float64])
		(*sumParallelWriterKind[float64])(w).BeginBatch(0)
	case *ExtremumParallelWriter[float64]:
		w.lane = p.State.(*lanes[best[float64]]).of(0)
		(*extremumParallelWriterKind[float64])(w).BeginSpan(0)
	case *HistogramParallelWriter:
		w.lane = p.State.(*blocks).of(0)
		(*histogramParallelWriterKind)(w).BeginSpan(0)
	}
	return v
}

const elements = 1 << 16

// BenchmarkParallelWriter is one element of a loop over data of which a sixteenth counts; the local
// variable is the measure. Run it in a build without -race and without custody_strict.
func BenchmarkParallelWriter(b *testing.B) {
	if safety.Strict {
		b.Skip("views are not bound to a job")
	}
	ints, floats := make([]int, elements), make([]float64, elements)
	for i := range ints {
		ints[i] = i & 15
		floats[i] = float64(i * 7919 % 1000)
	}
	measure := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/elements, "ns/element")
		})
	}
	c, s, m, h := New(), NewSum[float64](), NewMax[float64](), NewHistogram(16)
	cw, sw, mw, hw := c.ParallelWriter(), s.ParallelWriter(), m.ParallelWriter(), h.ParallelWriter()
	measure("Counter", func() { countZeros(ints, open((*counterPhases)(c), &cw)) })
	measure("CounterEvery", func() { countAll(ints, open((*counterPhases)(c), &cw)) })
	measure("Sum", func() { sumAll(floats, open((*sumPhases[float64])(s), &sw)) })
	measure("Max", func() { maxAll(floats, open((*extremumPhases[float64])(&m.extremum), &mw)) })
	measure("Histogram", func() { binAll(ints, open((*histogramPhases)(h), &hw)) })
	measure("local", func() { sink += localZeros(ints) })
}

var sink int

func localZeros(data []int) (n int) {
	for _, x := range data {
		if x == 0 {
			n++
		}
	}
	return n
}

//go:noinline
func countZeros(data []int, w *ParallelWriter) {
	for _, x := range data {
		if x == 0 {
			w.Inc()
		}
	}
}

func countAll(data []int, w *ParallelWriter) {
	for range data {
		w.Inc()
	}
}

func sumAll(data []float64, w *SumParallelWriter[float64]) {
	for _, x := range data {
		w.Add(x)
	}
}

func maxAll(data []float64, w *ExtremumParallelWriter[float64]) {
	for _, x := range data {
		w.Observe(x)
	}
}

func binAll(data []int, w *HistogramParallelWriter) {
	for _, x := range data {
		w.Add(x, 1)
	}
}
