//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// countCounters counts the rows of package counter.
func countCounters(c *counted) {
	n := counter.New()
	l := n.Local()
	of := c.of("counter.Counter")
	of("Value", func() { used(n.Value()) })
	of("Set, Swap", func() { n.Set(1); used(n.Swap(2)) })
	of("Reader, ParallelWriter", func() { used(n.Reader()); used(n.ParallelWriter()) })
	of("Disposed", func() { used(n.Disposed()) })
	of("Dispose", each(func() *counter.Counter { return counter.New() }, func(n *counter.Counter) { n.Dispose() }))
	of = c.of("counter.Local")
	of("Add, Inc", func() { l.Add(2); l.Inc() })
	of("Close", each(n.Local, func(l *counter.Local) { l.Close() }))

	s := counter.NewSum[int]()
	of = c.of("counter.Sum")
	of("Add", func() { s.Add(1) })
	of("Value, Set, Swap", func() { s.Set(s.Value()); used(s.Swap(2)) })
	of("Reader, ParallelWriter", func() { used(s.Reader()); used(s.ParallelWriter()) })
	of("Disposed", func() { used(s.Disposed()) })
	of("Dispose", each(func() *counter.Sum[int] { return counter.NewSum[int]() }, func(s *counter.Sum[int]) { s.Dispose() }))
	countExtrema(c)
	countHistograms(c)
}

func countExtrema(c *counted) {
	most, least := counter.NewMax[int](), counter.NewMin[int]()
	of := c.of("counter.Max")
	of("Observe", func() { most.Reset(); most.Observe(1); most.Observe(0); most.Observe(2) })
	of("Value", func() { most.Value() })
	of("Set, Reset", func() { most.Reset(); most.Set(2) })
	of("Reader, ParallelWriter", func() { used(most.Reader()); used(most.ParallelWriter()) })
	of("Disposed", func() { used(most.Disposed()) })
	of("Dispose", each(func() *counter.Max[int] { return counter.NewMax[int]() }, func(m *counter.Max[int]) { m.Dispose() }))

	of = c.of("counter.Min")
	of("Observe", func() { least.Reset(); least.Observe(1); least.Observe(2); least.Observe(0) })
	of("Value", func() { least.Value() })
	of("Set, Reset", func() { least.Reset(); least.Set(2) })
	of("Reader, ParallelWriter", func() { used(least.Reader()); used(least.ParallelWriter()) })
	of("Disposed", func() { used(least.Disposed()) })
	of("Dispose", each(func() *counter.Min[int] { return counter.NewMin[int]() }, func(m *counter.Min[int]) { m.Dispose() }))
}

func countHistograms(c *counted) {
	h := counter.NewHistogram(many)
	of := c.of("counter.Histogram")
	of("Add, At", func() { h.Add(2, 3); used(h.At(1)) })
	of("Total", func() { used(h.Total()) })
	of("All", func() {
		for range h.All() {
		}
	})
	of("Reset", func() { h.Reset() })
	of("Len", func() { used(h.Len()) })
	of("Reader, Writer, ParallelWriter", func() { used(h.Reader()); used(h.Writer()); used(h.ParallelWriter()) })
	of("Disposed", func() { used(h.Disposed()) })
	of("Dispose", each(func() *counter.Histogram { return counter.NewHistogram(1) }, func(h *counter.Histogram) { h.Dispose() }))
}

// counting has views of package counter.
type counting struct {
	Read      counter.Reader
	ReadSum   counter.SumReader[int]
	ReadMax   counter.ExtremumReader[int]
	ReadBins  counter.HistogramReader
	WriteBins counter.HistogramWriter
	Add       counter.ParallelWriter
	AddSum    counter.SumParallelWriter[int]
	Observe   counter.ExtremumParallelWriter[int]
	AddBins   counter.HistogramParallelWriter
}

// countCounterViews counts the rows of the views of package counter, and of their drivers.
func countCounterViews(c *counted) {
	bins := func() *counter.Histogram { return counter.NewHistogram(many) }
	v := counting{
		counter.New().Reader(), counter.NewSum[int]().Reader(), counter.NewMax[int]().Reader(), bins().Reader(),
		bins().Writer(),
		counter.New().ParallelWriter(), counter.NewSum[int]().ParallelWriter(), counter.NewMax[int]().ParallelWriter(), bins().ParallelWriter(),
	}
	parallelfor.Do(v, func(v *counting) {
		c.of("counter.Reader")("Value", func() { used(v.Read.Value()) })
		c.of("counter.SumReader")("Value", func() { used(v.ReadSum.Value()) })
		c.of("counter.ExtremumReader")("Value", func() { v.ReadMax.Value() })
		of := c.of("counter.HistogramReader")
		of("At, Total, Len", func() { used(v.ReadBins.At(1)); used(v.ReadBins.Total()); used(v.ReadBins.Len()) })
		of("All", func() {
			for range v.ReadBins.All() {
			}
		})

		of = c.of("counter.HistogramWriter")
		of("Add, At, Set", func() { v.WriteBins.Add(2, 3); v.WriteBins.Set(3, v.WriteBins.At(1)) })
		of("Len", func() { used(v.WriteBins.Len()) })

		c.of("counter.ParallelWriter")("Add, Inc, IncIf", func() { v.Add.Add(2); v.Add.Inc(); v.Add.IncIf(true) })
		c.of("counter.SumParallelWriter")("Add", func() { v.AddSum.Add(1) })
		c.of("counter.ExtremumParallelWriter")("Observe", func() { v.Observe.Observe(1) })
		c.of("counter")("CountAll", func() { counter.CountAll(&v.AddBins, []int{2, 3}) })
		c.of("counter.HistogramParallelWriter")("Add, Len", func() { v.AddBins.Add(2, 3); used(v.AddBins.Len()) })
	})
}
