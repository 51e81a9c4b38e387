package main

import (
	"context"

	"example.com/custody/array"
	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

// readers are programs whose only batch writes to what its job claims to read.
var readers = map[string]program{
	"Reader, of an array": func(o parallelfor.Option) {
		parallelfor.Do(array.New[int](2).Reader(), written, o)
	},
	"Reader, of an array, in a loop of one batch": func(o parallelfor.Option) {
		parallelfor.For(2, array.New[int](2).Reader(), func(r *array.Reader[int], i int) { r.Slice()[i] = 1 }, o, parallelfor.Batch(2))
	},
	"Reader, of an array, by a first batch that fails": func(o parallelfor.Option) {
		_ = parallelfor.ForErr(context.Background(), 2, array.New[int](2).Reader(), func(r *array.Reader[int], i int) error {
			r.Slice()[0] = 1
			return context.Canceled
		}, o, each)
	},
	"Reader, of a list":   func(o parallelfor.Option) { parallelfor.Do(array.ListOf(make([]int, 2)).Reader(), written, o) },
	"Reader, of a Double": func(o parallelfor.Option) { parallelfor.Do(array.NewDouble[int](2).Front().Reader(), written, o) },
	"Reader, of a stream": func(o parallelfor.Option) {
		parallelfor.Do(array.StreamOf([][]int{{1}, {2}}).Reader(), func(r *array.StreamReader[int]) { r.Items()[1] = 3 }, o)
	},
	"Reader, of a stream's offsets": func(o parallelfor.Option) {
		parallelfor.Do(array.StreamOf([][]int{{1}, {2}}).Reader(), func(r *array.StreamReader[int]) { r.Offsets()[1] = 0 }, o)
	},
	"Reader, of a queue": func(o parallelfor.Option) {
		q := queue.New[int]()
		q.Enqueue(1)
		parallelfor.Do(q.Reader(), func(r *queue.Reader[int]) {
			for _, s := range r.Slices() {
				s[0] = 2
			}
		}, o)
	},
	"Reader, of a multimap": func(o parallelfor.Option) {
		m := hashmap.NewMulti[int, int]()
		m.Add(1, 1)
		parallelfor.Do(m.Reader(), func(r *hashmap.MultiReader[int, int]) { r.Values(1)[0] = 2 }, o)
	},
}

func written(r *array.Reader[int]) { r.Slice()[0] = 1 }
