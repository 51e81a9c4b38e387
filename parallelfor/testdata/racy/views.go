package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

type writer = array.Writer[int]

// views are programs that use what a view gave them where it is not theirs.
var views = map[string]program{
	"window, written in the next batch": func(o parallelfor.Option) {
		keptWindow(o, func(kept []int) { kept[0] = 1 })
	},
	"window, read in the next batch": func(o parallelfor.Option) {
		keptWindow(o, func(kept []int) { sink = kept[0] })
	},
	"window, of a pointer to an element": func(o parallelfor.Option) {
		var first hint[*int]
		parallelfor.For(2, array.New[int](2).Writer(), func(w *writer, i int) {
			if i == 0 {
				first.give(w.Ptr(0))
				return
			}
			*first.wait() = 1
		}, o, each)
	},
	"window, written while another job reads": func(o parallelfor.Option) {
		a := array.New[int](2)
		var kept []int
		parallelfor.Do(a.Writer(), func(w *writer) { kept = w.Slice() }, o)
		h := parallelfor.Schedule(2, reading{a.Reader()}, (*reading).Execute, o)
		await(h)
		kept[0] = 1
		h.Complete()
	},
	"window of a Reader, read while another job writes": func(o parallelfor.Option) {
		a := array.New[int](2)
		var kept []int
		parallelfor.Do(a.Reader(), func(r *array.Reader[int]) { kept = r.Slice() }, o)
		h := parallelfor.Schedule(2, writing{a.Writer()}, (*writing).Execute, o)
		await(h)
		sink = kept[0]
		h.Complete()
	},
	"window, written by a goroutine that outlives the batch": func(o parallelfor.Option) {
		a := array.New[int](2)
		var returned, written hint[bool]
		parallelfor.For(2, a.Writer(), func(w *writer, i int) {
			if s := w.Slice(); i == 1 {
				go func() { returned.wait(); s[0] = 1; written.give(true) }()
			}
		}, o, each)
		returned.give(true)
		written.wait()
		sink = a.At(1)
	},
	"view, used by a goroutine that nobody waits for": func(o parallelfor.Option) {
		a := array.New[int](2)
		parallelfor.For(2, a.Writer(), func(w *writer, i int) {
			if i == 1 {
				var written hint[bool]
				go func() { w.Set(1, 1); written.give(true) }()
				written.wait()
			}
		}, o, each)
		sink = a.At(1)
	},
	"view, used by a goroutine in an index of a batch": func(o parallelfor.Option) {
		parallelfor.For(2, array.New[int](2).Writer(), func(w *writer, i int) {
			if i == 0 {
				var written hint[bool]
				go func() { w.Set(0, 1); written.give(true) }()
				written.wait()
			}
		}, o, parallelfor.Batch(2))
	},
	"view, copied to another goroutine": func(o parallelfor.Option) {
		parallelfor.For(2, array.New[int](2).Writer(), func(w *writer, i int) {
			var written hint[bool]
			other := *w
			go func() { other.Set(i, 1); written.give(true) }()
			written.wait()
			w.Set(i, 2)
		}, o, each)
	},
	"view, kept in a captured variable": func(o parallelfor.Option) {
		var kept writer
		parallelfor.For(2, array.New[int](2).Writer(), func(w *writer, i int) { kept = *w }, o, each)
		_ = kept
	},
	"Unrestricted, two write": func(o parallelfor.Option) {
		parallelfor.For(2, array.Unrestricted(array.New[int](2).Writer()), func(w *writer, i int) { w.Set(0, i) }, o, each)
	},
	"Unrestricted, one writes and a later one reads": func(o parallelfor.Option) { overlap(o, 3, 6) },
	"Unrestricted, one reads and a later one writes": func(o parallelfor.Option) { overlap(o, 6, 3) },
	"Unrestricted, by windows": func(o parallelfor.Option) {
		parallelfor.For(2, array.Unrestricted(array.New[int](2).Writer()), func(w *writer, i int) { w.Slice()[1] = i }, o, each)
	},
	"Permuted, by a kept pointer": func(o parallelfor.Option) {
		var first hint[*int]
		parallelfor.For(2, array.Permuted(array.New[int](2).Writer()), func(w *array.PermutedWriter[int], i int) {
			if i == 0 {
				p := w.Ptr(1)
				*p = 1
				first.give(p)
				return
			}
			*first.wait() = 2
		}, o, each)
	},
	"lane, of a counter": func(o parallelfor.Option) {
		lane(o, counter.New().ParallelWriter(), func(w *counter.ParallelWriter) { w.Add(1) })
	},
	"lane, of a counter that is counted up and down": func(o parallelfor.Option) {
		lane(o, counter.New().ParallelWriter(), func(w *counter.ParallelWriter) { w.Inc(); w.Add(-1) })
	},
	"lane, of a sum": func(o parallelfor.Option) {
		lane(o, counter.NewSum[float64]().ParallelWriter(), func(w *counter.SumParallelWriter[float64]) { w.Add(1) })
	},
	"lane, of a maximum": func(o parallelfor.Option) {
		lane(o, counter.NewMax[int]().ParallelWriter(), func(w *counter.ExtremumParallelWriter[int]) { w.Observe(1) })
	},
	"lane, of a histogram": func(o parallelfor.Option) {
		lane(o, counter.NewHistogram(8).ParallelWriter(), func(w *counter.HistogramParallelWriter) { w.Add(1, 1) })
	},
}

// keptWindow has batch 1 use the window of batch 0.
func keptWindow(o parallelfor.Option, use func(kept []int)) {
	var first hint[[]int]
	parallelfor.ForBatch(2, array.New[int](2).Writer(), func(w *writer, begin, _ int) {
		if begin == 0 {
			first.give(w.Slice())
			return
		}
		use(first.wait())
	}, o, each)
}

// overlap has one batch write an element and another one read it.
func overlap(o parallelfor.Option, writes, reads int) {
	parallelfor.For(8, array.Unrestricted(array.New[int](8).Writer()), func(w *writer, i int) {
		switch i {
		case writes:
			w.Set(4, 1)
		case reads:
			sink = w.At(4)
		}
	}, o, each)
}

// lane has a batch add from two goroutines, not at the same time, though nothing but time orders
// them.
func lane[V any](o parallelfor.Option, view V, add func(v *V)) {
	parallelfor.For(2, view, func(v *V, i int) {
		var added hint[bool]
		go func() { add(v); added.give(true) }()
		added.wait()
		add(v)
	}, o, each)
}

// reading is a job that may read an array.
type reading struct{ In array.Reader[int] }

// Execute is the body.
func (j *reading) Execute(int) {}

// writing is a job that may write one.
type writing struct{ Out array.Writer[int] }

// Execute is the body.
func (j *writing) Execute(int) {}
