package scheduler

import (
	"example.com/custody/array"
	"example.com/custody/bench/internal/measure"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// saxpyInto is y += a*x, the loop that comes to mind, and the same code for all sides.
//
//go:noinline
func saxpyInto(y, x []float32, a float32) {
	x = x[:len(y)]
	for i := range y {
		y[i] += a * x[i]
	}
}

const saxpyBy = 1.5

// adding is the job y += a*x.
type adding struct {
	X array.Reader[float32]
	Y array.Writer[float32]
	A float32
}

func (j *adding) ExecuteBatch(begin, end int) {
	saxpyInto(j.Y.Slice(), j.X.Slice()[begin:end], j.A)
}

// vectors are the operands of saxpy.
type vectors struct {
	n    int
	x, y *array.Array[float32]
	from []float32
	to   []float32
}

func newVectors(n int) *vectors {
	v := &vectors{n: n, x: array.New[float32](n), y: array.New[float32](n)}
	v.from, v.to = v.x.Slice(), v.y.Slice()
	for i := range v.from {
		v.from[i], v.to[i] = float32(i%1000), float32(i%7)
	}
	return v
}

func (v *vectors) loop() { saxpyInto(v.to, v.from, saxpyBy) }

func (v *vectors) ours(opts ...parallelfor.Option) func() {
	return func() {
		parallelfor.ForBatch(v.n, adding{v.x.Reader(), v.y.Writer(), saxpyBy}, (*adding).ExecuteBatch, opts...)
	}
}

func (v *vectors) contest(work string) contest {
	part := func(begin, end int) { saxpyInto(v.to[begin:end], v.from[begin:end], saxpyBy) }
	return contest{work: work, loop: v.loop, ours: v.ours(), by: loops(v.n, 0, part), results: newCells(v.to, v.loop)}
}

// saxpy is the loop that does the least for what it reads: 1k elements are too few to be worth a
// second core, 100k are worth it, and 10M do not get faster than memory is.
func saxpy(r *run) {
	s := r.contest(newVectors(1000).contest("saxpy, 1k float32"))
	s.AtMost(1.15)
	s.Beside()
	s = r.contest(newVectors(100_000).contest("saxpy, 100k float32"))
	s.AtMost(0.56)
	s.Beside()
	s = r.contest(newVectors(10_000_000).contest("saxpy, 10M float32"))
	s.Limit = s.Best(static...)
	s.AtMost(1.03)
	s.Beside()
}

// sumOf is the loop that comes to mind, and the same code for all sides.
//
//go:noinline
func sumOf(s []int64) (sum int64) {
	for _, v := range s {
		sum += v
	}
	return sum
}

// summing is the job that adds up, with an addition to the sum for each cell.
type summing struct {
	In  array.Reader[int64]
	Sum counter.SumParallelWriter[int64]
}

func (j *summing) ExecuteBatch(begin, end int) { j.Sum.Add(sumOf(j.In.Slice()[begin:end])) }

// sums is the sum of 10M numbers. Each side looks at its result every time.
func sums(r *run) {
	const n = 10_000_000
	in := array.New[int64](n)
	data := in.Slice()
	for i := range data {
		data[i] = int64(i)
	}
	const want = int64(n) * (n - 1) / 2
	total := counter.NewSum[int64]()
	const places = 64
	var slots [places]rows.Slot

	sides := []measure.Side{
		measure.Do(ours, func() {
			parallelfor.ForBatch(n, summing{in.Reader(), total.ParallelWriter()}, (*summing).ExecuteBatch)
			rows.MustBe(ours, total.Swap(0), want)
		}),
		measure.Do(plain, func() { rows.MustBe(plain, sumOf(data), want) }),
	}
	// The drivers' tasks add to places of their own while there are fewer than places.
	var peers []string
	for i := range r.drivers.all {
		d := &r.drivers.all[i]
		peers = append(peers, d.name)
		sides = append(sides, measure.Do(d.name, func() {
			d.loop(n, 0, func(begin, end int) { slots[begin*places/n].Add(sumOf(data[begin:end])) })
			sum := int64(0)
			for i := range slots {
				sum += slots[i].Swap(0)
			}
			rows.MustBe(d.name, sum, want)
		}))
	}
	s := r.Compare("sum, 10M int64", 1, static, sides...)
	s.Peers = peers
	s.AtMost(1.03)
	s.Beside()
}
