package groups

import (
	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/report"
	"example.com/custody/parallelfor"
)

func arrayRows(r *Run) {
	guardedBatches(r)
	accessors(r)
	uncheckedBuild(r)
}

// double is the guarded loop out[i] = 2*in[i], by the loop that everybody writes.
type double struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *double) ExecuteBatch(begin, end int) {
	doubleInto(j.Out.Slice(), j.In.Slice()[begin:end])
}

// double4 is double by the loop that takes four at a time.
type double4 struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *double4) ExecuteBatch(begin, end int) {
	doubleInto4(j.Out.Slice(), j.In.Slice()[begin:end])
}

// doubleInto is the loop that everybody writes, without bounds tests: 6 instructions an element.
//
// It is not inlined, so that all sides run the same code at the same address: whether a loop as short as
// this one crosses a cache line of code is worth up to a third of its time, and is anybody's luck.
//
//go:noinline
func doubleInto(out, in []float64) {
	in = in[:len(out)]
	for i := range out {
		out[i] = 2 * in[i]
	}
}

// doubleInto4 is doubleInto, four at a time: a loop long enough for its address not to matter much.
//
//go:noinline
func doubleInto4(out, in []float64) {
	in = in[:len(out)]
	for len(out) >= 4 && len(in) >= 4 {
		o, i := (*[4]float64)(out), (*[4]float64)(in)
		o[0] = 2 * i[0]
		o[1] = 2 * i[1]
		o[2] = 2 * i[2]
		o[3] = 2 * i[3]
		out, in = out[4:], in[4:]
	}
	for k := range out {
		out[k] = 2 * in[k]
	}
}

// pair is an array of numbers and one of as many results, and the slices for those who go without arrays.
type pair struct {
	n        int
	in, out  *array.Array[float64]
	from, to []float64
}

func newPair(n int) *pair {
	p := &pair{n: n, in: array.New[float64](n), out: array.New[float64](n)}
	p.from, p.to = p.in.Slice(), p.out.Slice()
	for i := range p.from {
		p.from[i] = float64(i)
	}
	return p
}

// check tests some results and takes them away, so that who comes next must make them again.
func (p *pair) check(side string) {
	for _, i := range []int{0, 1, p.n / 2, p.n - 1} {
		mustBe(side, p.to[i], 2*float64(i))
		p.to[i] = -1
	}
}

// guardedBatches is the promise that a guarded loop costs what a loop over a slice costs.
func guardedBatches(r *Run) {
	const n = 1_000_000
	p := newPair(n)
	by := func(name string, parts func(int, func(p, begin, end int)), loop func(out, in []float64)) measure.Side {
		return measure.Do(name, func() {
			parts(n, func(_, begin, end int) { loop(p.to[begin:end], p.from[begin:end]) })
			p.check(name)
		})
	}
	limit := []string{"goroutines", "goroutines and caller"}
	work := "out[i] = 2*in[i], 1M float64, batches"
	c := r.compare(work, n, limit,
		measure.Do(ours, func() {
			parallelfor.RunBatch(n, double{p.in.Reader(), p.out.Writer()})
			p.check(ours)
		}),
		by(limit[0], parts, doubleInto), by(limit[1], partsHere, doubleInto))
	c.atMost(1.1)

	c = r.compare(work+", four at a time", n, limit,
		measure.Do(ours, func() {
			parallelfor.RunBatch(n, double4{p.in.Reader(), p.out.Writer()})
			p.check(ours)
		}),
		by(limit[0], parts, doubleInto4), by(limit[1], partsHere, doubleInto4))
	c.atMost(1.1)
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
func accessors(r *Run) {
	const n, cell = 1 << 15, 1 << 12
	one := []parallelfor.Option{parallelfor.Sequential(), parallelfor.Batch(cell)}
	limit := []string{"slice"}

	in, sums := array.New[int](n), array.New[int](n)
	numbers, cells := in.Slice(), sums.Slice()
	for i := range numbers {
		numbers[i] = i
	}
	c := r.compare("At, one worker, ExecuteBatch, a call", n, limit,
		measure.Do(ours, func() {
			parallelfor.RunBatch(n, readAll{in.Reader(), sums.Writer()}, one...)
			sum := 0
			for i := 0; i < n; i += cell {
				sum += cells[i]
			}
			mustBe(ours, sum, n*(n-1)/2)
		}),
		measure.Do(limit[0], func() {
			sum := 0
			for _, v := range numbers {
				sum += v
			}
			mustBe(limit[0], sum, n*(n-1)/2)
		}))
	c.over(1.1)

	c = r.compare("Set, one worker, ExecuteBatch, a call", n, limit,
		measure.Do(ours, func() {
			parallelfor.RunBatch(n, writeAll{sums.Writer()}, one...)
			mustBe(ours, cells[n-1], n-1)
			cells[n-1] = 0
		}),
		measure.Do(limit[0], func() {
			for i := range cells {
				cells[i] = i
			}
			mustBe(limit[0], cells[n-1], n-1)
			cells[n-1] = 0
		}))
	c.over(1.1)

	p := newPair(n)
	slice := measure.Do(limit[0], func() {
		doubleInto(p.to, p.from)
		p.check(limit[0])
	})
	// Two calls for each index: two units.
	c = r.compare("At and Set, one worker, ExecuteBatch, a call", 2*n, limit,
		measure.Do(ours, func() {
			parallelfor.RunBatch(n, doubleByAccessors{p.in.Reader(), p.out.Writer()}, one...)
			p.check(ours)
		}), slice)
	c.over(1.1)

	c = r.compare("At and Set, one worker, Execute(i), an index", n, limit,
		measure.Do(ours, func() {
			parallelfor.Run(n, doubleByAccessors{p.in.Reader(), p.out.Writer()}, one...)
			p.check(ours)
		}), slice)
	c.over(2.5)
}

// served is the work that is timed in processes of builds of their own.
var served = map[string]func() (units int, work func()){
	"batches, 1M":           func() (int, func()) { return doubleServed(1_000_000) },
	"batches, 32k in cache": func() (int, func()) { return doubleRepeated(1<<15, 1<<12) },
}

func doubleServed(n int) (int, func()) {
	p := newPair(n)
	return n, func() {
		parallelfor.RunBatch(n, double4{p.in.Reader(), p.out.Writer()})
		p.check(ours)
	}
}

// repeats is how often repeated does a batch, each time with windows of its own.
const repeats = 16

// repeated does every batch again and again. In cache a loop is over so soon that scheduling it, whose cost is
// that of the scheduler, would be seen instead of what checking costs a batch.
type repeated struct{ double4 }

func (j *repeated) ExecuteBatch(begin, end int) {
	for range repeats {
		j.double4.ExecuteBatch(begin, end)
	}
}

func doubleRepeated(n, batch int) (int, func()) {
	p := newPair(n)
	return n * repeats, func() {
		parallelfor.RunBatch(n, repeated{double4{p.in.Reader(), p.out.Writer()}}, parallelfor.Batch(batch))
		p.check(ours)
	}
}

// uncheckedBuild is the promise that checking costs nothing that can be measured in batches: the same
// work in processes of the checked and of the unchecked build. Several of each, because where a
// process's memory lies changes its speed for its life.
func uncheckedBuild(r *Run) {
	const bar, pairs = 1.02, 5
	checked, unchecked, remove, err := buildBoth()
	if err != nil {
		r.Note("skipped: checked against unchecked build: " + err.Error())
		return
	}
	defer remove()
	for _, work := range []string{"batches, 1M", "batches, 32k in cache"} {
		all := &measure.Series{Times: make([][]float64, 2)}
		config := r.Config
		config.Reps = max((config.Reps+pairs-1)/pairs, 3)
		for range pairs {
			s, err := both(config, work, checked, unchecked)
			if err != nil {
				r.Note("skipped: checked against unchecked build: " + err.Error())
				return
			}
			all.Sides = s.Sides
			for i := range s.Times {
				all.Times[i] = append(all.Times[i], s.Times[i]...)
			}
		}
		const peer = "unchecked build"
		r.Rows = append(r.Rows, report.Row{
			Group: r.Group, Work: "out[i] = 2*in[i], " + work + ", lower end of the interval", Ours: all.Time(ours).Median, Side: ours, Sides: sidesOf(all),
			Peer: peer, PeerTime: all.Time(peer).Median, Ratio: all.Ratio(ours, peer), Bar: bar, Lower: true, Own: true,
		})
	}
}

func both(c measure.Config, work, checked, unchecked string) (*measure.Series, error) {
	a, err := startChild(checked, work, true)
	if err != nil {
		return nil, err
	}
	defer a.stop()
	b, err := startChild(unchecked, work, false)
	if err != nil {
		return nil, err
	}
	defer b.stop()
	units, _ := served[work]()
	return measure.Interleave(c, units, measure.Side{Name: ours, Time: a.time}, measure.Side{Name: "unchecked build", Time: b.time}), nil
}
