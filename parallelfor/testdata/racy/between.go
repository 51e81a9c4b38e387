package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// between are programs in which two goroutines share a variable and use the library between: the
// first after it has written, the second before. What the library does to look after custody orders
// nothing, so each is a race.
var between = map[string]program{
	"between, the length of an array": func(o parallelfor.Option) {
		a := array.New[int](1)
		twice(func() { a.Len() })
	},
	"between, reading an array": func(o parallelfor.Option) {
		a := array.New[int](1)
		twice(func() { a.At(0) })
	},
	"between, taking views": func(o parallelfor.Option) {
		a := array.New[int](1)
		twice(func() { a.Reader(); array.ByRows(a.Writer(), 1) })
	},
	"between, checks of a guard": func(o parallelfor.Option) {
		a := counter.New()
		twice(func() { a.Disposed(); a.Value() })
	},
	"between, new containers": func(o parallelfor.Option) {
		twice(func() { array.New[int](1).Dispose(); counter.New() })
	},
	"between, what is refused": func(o parallelfor.Option) {
		a := array.New[int](1)
		h := parallelfor.Schedule(1, setting{a.Writer()}, (*setting).Execute, o)
		twice(func() {
			defer func() { recover() }()
			a.Set(0, 1)
		})
		h.Complete()
	},
	"between, a loop over containers of one's own": func(o parallelfor.Option) {
		twice(func() { parallelfor.For(4, setting{array.New[int](4).Writer()}, (*setting).Execute, o) })
	},
	"between, a loop that reads what the other's reads": func(o parallelfor.Option) {
		a := array.New[int](4)
		twice(func() { parallelfor.For(4, reading{a.Reader()}, (*reading).Execute, o) })
	},
	"between, scheduling and completing": func(o parallelfor.Option) {
		twice(func() {
			h := work(func() {}, o)
			parallelfor.Combine(h, work(func() {}, o)).Complete()
		})
	},
	"between, splitting and joining": func(o parallelfor.Option) {
		twice(func() { array.New[int](4).Split(2).Join() })
	},
	"between, what leaks": func(o parallelfor.Option) {
		twice(func() { safety.Leaks() })
	},
	"between, in batches: the length of an array": func(o parallelfor.Option) {
		a := array.New[int](1)
		batches(o, none{}, func(*none) { a.Len() })
	},
	"between, in batches: a view": func(o parallelfor.Option) {
		batches(o, array.New[int](2).Reader(), func(r *array.Reader[int]) { r.At(r.Len() - 1) })
	},
	"between, in batches: a lane": func(o parallelfor.Option) {
		batches(o, counter.NewHistogram(2).ParallelWriter(), func(w *counter.HistogramParallelWriter) { w.Add(w.Len()-1, 1) })
	},
	"between, in batches: a Permuted view": func(o parallelfor.Option) {
		next := 0
		batches(o, array.Permuted(array.New[int](64).Writer()), func(w *array.PermutedWriter[int]) { w.Set(step(&next), 1) })
	},
	"between, in batches: a nested loop": func(o parallelfor.Option) {
		batches(o, none{}, func(*none) { parallelfor.For(4, setting{array.New[int](4).Writer()}, (*setting).Execute, o) })
	},
}

// twice has two goroutines, one after the other as the clock goes, share a variable, with use in
// between.
func twice(use func()) {
	x := 0
	var first, second hint[bool]
	go func() { x = 1; use(); first.give(true) }()
	go func() { first.wait(); use(); x = 2; second.give(true) }()
	second.wait()
	sink = x
}

// batches does the same with two batches of a loop.
func batches[V any](o parallelfor.Option, view V, use func(v *V)) {
	x := 0
	var first hint[bool]
	parallelfor.For(2, view, func(v *V, i int) {
		if i == 0 {
			x = 1
			use(v)
			first.give(true)
			return
		}
		first.wait()
		use(v)
		x = 2
	}, o, each)
	sink = x
}

// step counts, with the detector looking away.
//
//go:norace
func step(n *int) int { *n++; return *n }
