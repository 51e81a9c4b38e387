package main

import (
	"cmp"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// right are programs in which nothing is wrong.
var right = map[string]program{
	"right, loops and owner in turn": func(o parallelfor.Option) {
		in, out := array.New[int](500), array.New[int](500)
		plain := make([]int, 500)
		for round := range 3 {
			parallelfor.For(500, two{in.Reader(), out.Writer()}, func(v *two, i int) {
				v.Out.Set(i, v.In.At(i)+v.In.At(499-i))
				plain[i] = i
			}, o, parallelfor.Batch(25))
			for i := range plain {
				in.Set(i, out.At(i)+plain[i]+round)
			}
		}
	},
	"right, captured memory handed on by edges": func(o parallelfor.Option) {
		x := 0
		for range 20 { // an edge that is missing does not show each time
			a := work(func() { x++ }, o)
			b := work(func() { x++ }, o, parallelfor.After(a))
			c := work(func() { x++ }, o, parallelfor.After(b))
			parallelfor.Combine(c).Complete()
			x++
		}
		sink = x
	},
	"right, nested loops": func(o parallelfor.Option) {
		rows, most := array.New[int](64), counter.NewMax[int]()
		type views struct {
			Rows array.Writer[int]
			Most counter.ExtremumParallelWriter[int]
		}
		parallelfor.For(16, views{array.ByRows(rows.Writer(), 4), most.ParallelWriter()}, func(v *views, i int) {
			own := array.New[int](8)
			parallelfor.For(8, own.Writer(), func(w *writer, k int) { w.Set(k, i*k) }, o)
			h := parallelfor.Schedule(1, setting{v.Rows}, (*setting).Execute, o)
			h.Complete()
			v.Rows.Row(i)[0] = own.At(7)
			parallelfor.For(2, v.Most, func(w *counter.ExtremumParallelWriter[int], k int) { w.Observe(i + k) }, o)
		}, o, each)
		sink, _ = most.Value()
		sink += rows.At(60)
	},
	"right, all counters": func(o parallelfor.Option) {
		n, sum, bins := counter.New(), counter.NewSum[float64](), counter.NewHistogram(8)
		least, most := counter.NewMin[int](), counter.NewMax[int]()
		type views struct {
			N     counter.ParallelWriter
			Sum   counter.SumParallelWriter[float64]
			Least counter.ExtremumParallelWriter[int]
			Most  counter.ExtremumParallelWriter[int]
			Bins  counter.HistogramParallelWriter
		}
		for range 3 {
			h := parallelfor.Go(none{}, func(*none) { n.Disposed() }, o)
			parallelfor.For(200, views{n.ParallelWriter(), sum.ParallelWriter(), least.ParallelWriter(), most.ParallelWriter(), bins.ParallelWriter()},
				func(v *views, i int) {
					v.N.Inc()
					v.Sum.Add(float64(i))
					v.Least.Observe(i)
					v.Most.Observe(i)
					v.Bins.Add(i%8, 1)
				}, o, parallelfor.Batch(20))
			h.Complete()
			parallelfor.For(8, bins.Writer(), func(w *counter.HistogramWriter, i int) { w.Add(i, 1) }, o, each)
			sink = int(n.Value()) + int(sum.Value()) + int(bins.At(3))
			sum.Set(0)
		}
	},
	"right, ordinary adding beside lanes": func(o parallelfor.Option) {
		n := counter.New()
		h := parallelfor.Schedule(100, counting{n.ParallelWriter()}, (*counting).Execute, o)
		together(3, func(int) { n.Add(1) })
		h.Complete()
		sink = int(n.Value())
	},
	"right, AutoOrder of several goroutines": func(o parallelfor.Option) {
		a, x := array.New[int](8), 0
		together(4, func(int) {
			for range 5 {
				parallelfor.For(1, shareWriter{a.Writer(), func() { x++ }}, (*shareWriter).Execute, o, parallelfor.AutoOrder())
			}
		})
		sink = x
	},
	"right, a diamond of jobs": func(o parallelfor.Option) {
		a, b, c := array.New[int](50), array.New[int](50), array.New[int](50)
		var last parallelfor.Handle
		for range 5 {
			first := parallelfor.Schedule(50, setting{a.Writer()}, (*setting).Execute, o, parallelfor.After(last))
			left := parallelfor.Schedule(50, doubling{two{a.Reader(), b.Writer()}}, (*doubling).Execute, o, parallelfor.After(first))
			right := parallelfor.Schedule(50, doubling{two{a.Reader(), c.Writer()}}, (*doubling).Execute, o, parallelfor.After(first))
			last = parallelfor.Combine(left, right)
		}
		last.Complete()
		sink = a.At(1) + b.At(2) + c.At(3)
	},
	"right, handles completed by several goroutines": func(o parallelfor.Option) {
		a := array.New[int](50)
		h := parallelfor.Schedule(50, setting{a.Writer()}, (*setting).Execute, o)
		together(3, func(k int) { h.Complete(); sinks[k] = a.At(k) })
		a.Set(0, 1)
	},
	"right, Permuted, Unrestricted, ByOffsets": func(o parallelfor.Option) {
		const n = 97
		out := array.New[int](n)
		offsets := array.New[int](n + 1)
		for i := range n + 1 {
			offsets.Set(i, i)
		}
		for range 3 {
			parallelfor.For(n, array.Permuted(out.Writer()), func(w *array.PermutedWriter[int], i int) { w.Set(i*35%n, i) }, o, each)
			parallelfor.For(n, array.Unrestricted(out.Writer()), func(w *writer, i int) { w.Set(i*35%n, w.At(i*35%n)+1) }, o, parallelfor.Batch(10))
			parallelfor.For(n, array.ByOffsets(out.Writer(), offsets.Reader()), func(w *array.OffsetWriter[int], i int) { w.Row(i)[0]++ }, o, parallelfor.Batch(10))
		}
		sink = out.At(1)
	},
	"right, parts beside each other": func(o parallelfor.Option) {
		a := array.New[int](60)
		for range 3 {
			p := a.Split(3)
			h := parallelfor.Schedule(20, setting{p.Part(0).Writer()}, (*setting).Execute, o)
			g := parallelfor.Schedule(20, setting{p.Part(2).Writer()}, (*setting).Execute, o)
			p.Part(1).Clear()
			h.Complete()
			g.Complete()
			p.Join()
			a.Set(20, a.At(0)+a.At(59))
		}
	},
	"right, Double, Value, Optional": func(o parallelfor.Option) {
		d, x := array.NewDouble[int](40), array.NewValue(3)
		type views struct {
			Last array.Reader[int]
			Next array.Writer[int]
			By   safety.Optional[array.ValueReader[int]]
		}
		for round := range 6 {
			v := views{Last: d.Front().Reader(), Next: d.Back().Writer()}
			if round%2 == 0 {
				v.By = safety.Some(x.Reader())
			}
			parallelfor.For(40, v, func(v *views, i int) {
				by := 1
				if r, ok := v.By.View(); ok {
					by = r.Load()
				}
				v.Next.Set(i, v.Last.At(39-i)+by)
			}, o, parallelfor.Batch(7))
			d.Swap()
			x.Store(d.Front().At(round))
		}
	},
	"right, the further kinds": func(o parallelfor.Option) {
		a, b := array.New[int](300), array.New[int](300)
		parallelfor.For(300, setting{a.Writer()}, (*setting).Execute, o)
		add := func(a, b int) int { return a + b }
		sink = parallelfor.Scan(300, two{a.Reader(), b.Writer()},
			func(v *two, i int) int { return v.In.At(i) }, func(v *two) []int { return v.Out.Slice() }, add, o)
		sink += parallelfor.Reduce(300, b.Reader(), func(r *array.Reader[int], begin, end int) int { return r.Slice()[begin] }, add, o)
		parallelfor.Sort(b.Writer(), (*writer).Slice, func(a, b int) int { return cmp.Compare(b, a) }, o, parallelfor.Batch(50))
		kept := parallelfor.Compact(300, b.Writer(), (*writer).Slice, func(w *writer, i int) bool { return i%3 == 0 }, o)
		sink += kept + parallelfor.Find(kept, b.Reader(), func(r *array.Reader[int], i int) bool { return r.At(i) == 0 }, o)
		sink += len(parallelfor.Filter(300, b.Reader(), func(r *array.Reader[int], i int) bool { return r.At(i) > 4 }, o))
		list := make([]int, 100)
		from := b.Slice()
		parallelfor.Indices(100, func(i int) { list[i] = from[i] }, o)
		list[0] = 1
		parallelfor.Ranges(100, func(begin, end int) { copy(list[begin:end], list[begin:end]) }, o)
		parallelfor.SortSlice(list, func(a, b int) int { return cmp.Compare(b, a) }, o, parallelfor.Batch(20))
		parallelfor.SortSliceByKey(list, func(x int) int { return x }, o, parallelfor.Batch(20))
		squares := parallelfor.MapSlice(list, func(x int) int { return x * x }, o)
		squares[0] = 1
	},
	"right, goroutines of a batch that it waits for": func(o parallelfor.Option) {
		a := array.New[int](40)
		parallelfor.ForBatch(40, a.Writer(), func(w *writer, begin, end int) {
			s := w.Slice()
			together(len(s), func(i int) { s[i] = i })
			w.Set(begin, end)
		}, o, parallelfor.Batch(10))
		a.Clear()
	},
}

var sinks [3]int

// together calls f(0) to f(n-1) on goroutines of their own, and returns when all have ended.
func together(n int, f func(k int)) {
	ended := make(chan struct{}, n)
	for k := range n {
		go func() {
			f(k)
			ended <- struct{}{}
		}()
	}
	for range n {
		<-ended
	}
}

// two are an array that is read and one that is written.
type two struct {
	In  array.Reader[int]
	Out writer
}

// doubling is a job that writes what it reads, twice.
type doubling struct{ two }

// Execute is the body.
func (j *doubling) Execute(i int) { j.Out.Set(i, 2*j.In.At(i)) }

// counting is a job that counts.
type counting struct{ N counter.ParallelWriter }

// Execute is the body.
func (j *counting) Execute(int) { j.N.Inc() }
