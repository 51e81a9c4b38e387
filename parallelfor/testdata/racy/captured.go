package main

import (
	"context"
	"slices"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// captured are loops whose batches share plain memory that their body captured.
var captured = map[string]program{
	"captured variable": func(o parallelfor.Option) {
		x := 0
		parallelfor.For(2, none{}, func(_ *none, i int) { x = i }, o)
		sink = x
	},
	"captured variable, a long loop": func(o parallelfor.Option) {
		sum := 0
		parallelfor.For(1000, none{}, func(_ *none, i int) { sum += i }, o)
		sink = sum
	},
	"captured variable, by batches": func(o parallelfor.Option) {
		sum := 0
		parallelfor.ForBatch(100, none{}, func(_ *none, begin, end int) { sum += end - begin }, o)
		sink = sum
	},
	"captured variable, one batch writes and one reads": func(o parallelfor.Option) {
		x := 0
		parallelfor.For(8, none{}, func(_ *none, i int) {
			switch i {
			case 2:
				x = 1
			case 5:
				sink = x
			}
		}, o, each)
	},
	"captured variable, first two of 150 batches":       pair(150, 0, 1),
	"captured variable, two of 150 batches, neighbours": pair(150, 15, 16),
	"captured variable, two of 150 batches, far apart":  pair(150, 7, 120),
	"captured variable, two of 150 batches, 16 apart":   pair(150, 33, 49),
	"captured variable, last two of 150 batches":        pair(150, 148, 149),
	"captured variable, of bodies that ask for their contexts": func(o parallelfor.Option) {
		x := 0
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		_ = parallelfor.ForErr(ctx, 2, parallelfor.Worker{}, func(w *parallelfor.Worker, i int) error {
			err := w.Context().Err()
			x = i
			return err
		}, o, each)
		sink = x
	},
	"captured variable, of MapSeq": func(o parallelfor.Option) {
		x := 0
		for range parallelfor.MapSeq(slices.Values([]int{1, 2}), func(v int) int { x = v; return v }, o) {
		}
		sink = x
	},
	"captured variable, of ForSeq": func(o parallelfor.Option) {
		x := 0
		parallelfor.ForSeq(slices.Values([]int{1, 2}), none{}, func(_ *none, i, _ int) { x = i }, o)
		sink = x
	},
	"captured variable, of Indices": func(o parallelfor.Option) {
		x := 0
		parallelfor.Indices(2, func(i int) { x = i }, o)
		sink = x
	},
	"captured variable, of Ranges": func(o parallelfor.Option) {
		sum := 0
		parallelfor.Ranges(100, func(begin, end int) { sum += end - begin }, o)
		sink = sum
	},
	"captured variable, of MapSlice": func(o parallelfor.Option) {
		sum := 0
		parallelfor.MapSlice(make([]int, 100), func(int) int { sum++; return sum }, o)
		sink = sum
	},
	"captured slice, of batches that are far apart": func(o parallelfor.Option) {
		list := make([]int, 200)
		parallelfor.Indices(len(list), func(i int) {
			list[i] = 1
			if i == len(list)-1 {
				list[7] = 3
			}
		}, o, each)
		sink = list[0]
	},
	"captured slice, whose last batch writes what the first one has written": func(o parallelfor.Option) {
		list := make([]int, 100_000) // 157 batches
		parallelfor.Ranges(len(list), func(begin, end int) {
			for i := begin; i < end; i++ {
				list[i] = i
			}
			if end == len(list) {
				list[0] = end
			}
		}, o)
		sink = list[0]
	},
	"captured slice, of Ranges whose bounds are wrong": func(o parallelfor.Option) {
		list := make([]int, 100)
		parallelfor.Ranges(100, func(begin, end int) {
			for i := begin; i <= end && i < 100; i++ {
				list[i]++
			}
		}, o)
		sink = list[0]
	},
	"captured slice, of SortSlice": func(o parallelfor.Option) {
		list, compared := make([]int, 100), 0
		parallelfor.SortSlice(list, func(a, b int) int { compared++; return a - b }, o, parallelfor.Batch(20))
		sink = compared
	},
	"captured slice, of SortSlice of few kinds": func(o parallelfor.Option) {
		list, compared := make([]int, 3000), 0
		for i := range list {
			list[i] = i%3<<16 | i
		}
		parallelfor.SortSlice(list, func(a, b int) int {
			if b&(1<<16-1)%500 == 7 { // once a batch
				compared++
			}
			return a>>16 - b>>16
		}, o, parallelfor.Batch(500))
		sink = compared
	},
	"captured variable, in a nested loop": func(o parallelfor.Option) {
		x := 0
		parallelfor.For(1, none{}, func(_ *none, i int) {
			parallelfor.For(4, none{}, func(_ *none, k int) { x = k }, o)
		}, o)
		sink = x
	},
	"captured variable, in the nested loops of two batches": func(o parallelfor.Option) {
		x := 0
		parallelfor.For(2, none{}, func(_ *none, i int) {
			parallelfor.For(1, none{}, func(_ *none, k int) { x = i }, o)
		}, o, each)
		sink = x
	},
	"captured variable, in a reduction": func(o parallelfor.Option) {
		x := 0
		sink = parallelfor.Reduce(100, none{}, func(_ *none, begin, end int) int { x = begin; return end }, func(a, b int) int { return max(a, b) }, o)
		sink = x
	},
	"captured variable, between uses of a lane": func(o parallelfor.Option) {
		x := 0
		parallelfor.For(2, counter.New().ParallelWriter(), func(w *counter.ParallelWriter, i int) {
			w.Inc()
			x = i
			w.Inc()
		}, o, each)
		sink = x
	},
	"captured variable, of a goroutine that outlives its batch": func(o parallelfor.Option) {
		x := 0
		var written hint[bool]
		parallelfor.For(2, none{}, func(_ *none, i int) {
			if i == 0 {
				go func() { x = 1; written.give(true) }()
			}
		}, o, each)
		written.wait()
		x = 2
		sink = x
	},
	"captured variable, of a goroutine beside its batch": func(o parallelfor.Option) {
		x := 0
		parallelfor.Do(none{}, func(_ *none) {
			var written hint[bool]
			go func() { x = 1; written.give(true) }()
			written.wait()
			x = 2
		}, o)
		sink = x
	},
	"captured slice": func(o parallelfor.Option) {
		shared := make([]int, 1)
		parallelfor.For(2, none{}, func(_ *none, i int) { shared[0] = i }, o)
	},
	"captured slice, a neighbour's element": func(o parallelfor.Option) {
		list := make([]int, 20)
		parallelfor.For(20, none{}, func(_ *none, i int) {
			list[i] = i
			if i == 10 {
				sink = list[i+1]
			}
		}, o, each)
	},
	"captured slice, appended to": func(o parallelfor.Option) {
		var found []int
		parallelfor.For(10, none{}, func(_ *none, i int) { found = append(found, i) }, o)
		sink = len(found)
	},
	"captured map": func(o parallelfor.Option) {
		m := map[int]int{}
		inTurn(o, func(i int) { m[i] = i })
	},
	"captured map, one batch writes and one reads": func(o parallelfor.Option) {
		m := map[int]int{1: 1}
		inTurn(o, func(i int) {
			if i == 0 {
				m[i] = i
			} else {
				sink = m[1]
			}
		})
	},
	"captured pointer": func(o parallelfor.Option) {
		p := &struct{ a, n int }{}
		parallelfor.For(2, none{}, func(_ *none, i int) { p.n = i }, o)
		sink = p.n
	},
	"pointer inside a Value": func(o parallelfor.Option) {
		x := array.NewValue(new(int))
		parallelfor.For(2, x.Reader(), func(r *array.ValueReader[*int], i int) { *r.Load() = i }, o, each)
	},
	"unguarded field": func(o parallelfor.Option) {
		parallelfor.For(2, scratch{Out: array.New[int](2).Writer(), Memory: make([]int, 1)}, (*scratch).Execute, o)
	},
	"adopted slice, written beside a Writer": func(o parallelfor.Option) {
		data := make([]int, 4)
		parallelfor.For(4, array.Of(data).Writer(), func(_ *writer, i int) {
			if i == 0 {
				data[3] = 1
			}
		}, o, each)
	},
	"adopted slice, read beside a Writer": func(o parallelfor.Option) {
		data := make([]int, 4)
		parallelfor.For(4, array.Of(data).Writer(), func(_ *writer, i int) {
			if i == 0 {
				sink = data[2]
			}
		}, o, each)
	},
	"adopted slice, written beside a Reader by the first batch": func(o parallelfor.Option) { besideReader(o, 0) },
	"adopted slice, written beside a Reader by another batch":   func(o parallelfor.Option) { besideReader(o, 2) },
}

// inTurn runs a loop of two batches one after the other: the runtime ends a program that uses a map
// at the same time.
func inTurn(o parallelfor.Option, f func(i int)) {
	var first hint[bool]
	parallelfor.For(2, none{}, func(_ *none, i int) {
		if i == 1 {
			first.wait()
		}
		f(i)
		first.give(true)
	}, o, each)
}

// besideReader has a batch write, by a captured slice, what the others may read through their view.
// Whether they do is their business: what a job claims to read is not to be written while it runs.
func besideReader(o parallelfor.Option, batch int) {
	data := make([]int, 4)
	parallelfor.For(4, array.Of(data).Reader(), func(_ *array.Reader[int], i int) {
		if i == batch {
			data[3] = 1
		}
	}, o, each)
}

// scratch is a job with memory that its batches share.
type scratch struct {
	Out    array.Writer[int]
	Memory []int `custody:"unguarded"`
}

// Execute is the body.
func (j *scratch) Execute(i int) { j.Memory[0] = i }

// pair is a loop of n batches, of which a and b write a captured variable once.
func pair(n, a, b int) program {
	return func(o parallelfor.Option) {
		x := 0
		parallelfor.For(n, none{}, func(_ *none, i int) {
			if i == a || i == b {
				x = i
			}
		}, o, each)
		sink = x
	}
}
