package groups

import (
	"example.com/custody/array"
	"example.com/custody/bench/internal/builds"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

func arrayRows(r *rows.Run) {
	guardedBatches(r)
	accessors(r)
	uncheckedBuild(r)
}

// double is the guarded loop out[i] = 2*in[i], by the loop that comes to mind.
type double struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *double) ExecuteBatch(begin, end int) {
	doubleInto(j.Out.Slice(), j.In.Slice()[begin:end])
}

// doubleInto is the loop that comes to mind, without bounds tests: 6 instructions an element.
//
// It is not inlined, so that all sides run the same code at the same address: whether a loop as
// short as this one crosses a cache line of code is worth up to a third of its time, and is
// luck.
//
//go:noinline
func doubleInto(out, in []float64) {
	in = in[:len(out)]
	for i := range out {
		out[i] = 2 * in[i]
	}
}

// guardedBatches is the promise that a guarded loop costs what a loop over a slice costs.
func guardedBatches(r *rows.Run) {
	const n = 1_000_000
	p := builds.NewPair(n)
	by := func(name string, parts func(int, func(p, begin, end int)), loop func(out, in []float64)) measure.Side {
		return measure.Do(name, func() {
			parts(n, func(_, begin, end int) { loop(p.To[begin:end], p.From[begin:end]) })
			p.Check(name)
		})
	}
	limit := []string{"goroutines", "goroutines and caller"}
	work := "out[i] = 2*in[i], 1M float64, batches"
	c := r.Compare(work, n, limit,
		measure.Do(ours, func() {
			parallelfor.ForBatch(n, double{p.In.Reader(), p.Out.Writer()}, (*double).ExecuteBatch)
			p.Check(ours)
		}),
		by(limit[0], rows.Parts, doubleInto), by(limit[1], rows.PartsHere, doubleInto))
	c.AtMost(1.1)

	c = r.Compare(work+", four at a time", n, limit,
		measure.Do(ours, func() {
			parallelfor.ForBatch(n, builds.Double4{In: p.In.Reader(), Out: p.Out.Writer()}, (*builds.Double4).ExecuteBatch)
			p.Check(ours)
		}),
		by(limit[0], rows.Parts, builds.DoubleInto4), by(limit[1], rows.PartsHere, builds.DoubleInto4))
	c.AtMost(1.1)
}

// The jobs of accessors use one or two of them for each index.

type readAll struct {
	In  array.Reader[int]
	Out array.Writer[int] // of one element for each cell
}

func (j *readAll) ExecuteBatch(begin, end int) {
	sum := 0
	for i := begin; i < end; i++ {
		sum += j.In.At(i)
	}
	j.Out.Set(begin, sum)
}

type writeAll struct{ Out array.Writer[int] }

func (j *writeAll) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Out.Set(i, i)
	}
}

type doubleByAccessors struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *doubleByAccessors) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Out.Set(i, 2*j.In.At(i))
	}
}

func (j *doubleByAccessors) Execute(i int) { j.Out.Set(i, 2*j.In.At(i)) }

// accessors is what a call of At or Set costs more than indexing a slice, on one worker, in memory
// that the core's caches have.
func accessors(r *rows.Run) {
	const n, cell = 1 << 15, 1 << 12
	one := []parallelfor.Option{parallelfor.Sequential(), parallelfor.Batch(cell)}
	limit := []string{"slice"}

	in, sums := array.New[int](n), array.New[int](n)
	numbers, cells := in.Slice(), sums.Slice()
	for i := range numbers {
		numbers[i] = i
	}
	c := r.Compare("At, one worker, ExecuteBatch, a call", n, limit,
		measure.Do(ours, func() {
			parallelfor.ForBatch(n, readAll{in.Reader(), sums.Writer()}, (*readAll).ExecuteBatch, one...)
			sum := 0
			for i := 0; i < n; i += cell {
				sum += cells[i]
			}
			rows.MustBe(ours, sum, n*(n-1)/2)
		}),
		measure.Do(limit[0], func() {
			sum := 0
			for _, v := range numbers {
				sum += v
			}
			rows.MustBe(limit[0], sum, n*(n-1)/2)
		}))
	c.LongerBy(1.1)

	c = r.Compare("Set, one worker, ExecuteBatch, a call", n, limit,
		measure.Do(ours, func() {
			parallelfor.ForBatch(n, writeAll{sums.Writer()}, (*writeAll).ExecuteBatch, one...)
			rows.MustBe(ours, cells[n-1], n-1)
			cells[n-1] = 0
		}),
		measure.Do(limit[0], func() {
			for i := range cells {
				cells[i] = i
			}
			rows.MustBe(limit[0], cells[n-1], n-1)
			cells[n-1] = 0
		}))
	c.LongerBy(1.1)

	p := builds.NewPair(n)
	slice := measure.Do(limit[0], func() {
		doubleInto(p.To, p.From)
		p.Check(limit[0])
	})
	// Two calls for each index: two units.
	c = r.Compare("At and Set, one worker, ExecuteBatch, a call", 2*n, limit,
		measure.Do(ours, func() {
			parallelfor.ForBatch(n, doubleByAccessors{p.In.Reader(), p.Out.Writer()}, (*doubleByAccessors).ExecuteBatch, one...)
			p.Check(ours)
		}), slice)
	c.LongerBy(1.1)

	c = r.Compare("At and Set, one worker, Execute(i), an index", n, limit,
		measure.Do(ours, func() {
			parallelfor.For(n, doubleByAccessors{p.In.Reader(), p.Out.Writer()}, (*doubleByAccessors).Execute, one...)
			p.Check(ours)
		}), slice)
	c.LongerBy(2.5)
}

// uncheckedBuild is the promise that checking costs nothing that can be measured in batches.
func uncheckedBuild(r *rows.Run) {
	const bar = 1.02
	peer := builds.Checking.Peer
	err := builds.Checking.Each(r.Config, func(work string, s *measure.Series) {
		r.Rows = append(r.Rows, report.Row{
			Group: r.Group, Work: "out[i] = 2*in[i], " + work + ", lower end of the interval", Ours: s.Time(ours).Median, Side: ours, Sides: rows.SidesOf(s),
			Peer: peer, PeerTime: s.Time(peer).Median, Ratio: s.Ratio(ours, peer), Bar: bar, Lower: true, Own: true,
		})
	})
	if err != nil {
		r.Note("skipped: checked against unchecked build: " + err.Error())
	}
}
