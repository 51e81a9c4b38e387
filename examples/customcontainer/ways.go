package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/examples/customcontainer/internal/tally"
	"example.com/custody/parallelfor"
)

// way is one way to count the zeros of the array.
type way struct {
	name, what string
	like       int // the way of the library's counter that it is compared with, or -1
	// count returns how many zeros there are.
	count func(in *array.Array[int32], opts ...parallelfor.Option) int64
}

// ways are all, the reference first.
var ways = []way{
	{"plain loop", "a local variable, one goroutine", -1, plain},
	{"library, Execute(i)", "counter.ParallelWriter", -1, func(in *array.Array[int32], opts ...parallelfor.Option) int64 {
		c := counter.New()
		parallelfor.For(in.Len(), byLibrary{in.Reader(), c.ParallelWriter()}, (*byLibrary).Execute, opts...)
		return c.Value()
	}},
	{"library, ExecuteBatch", "counter.ParallelWriter, added to once for each batch", -1, func(in *array.Array[int32], opts ...parallelfor.Option) int64 {
		c := counter.New()
		parallelfor.ForBatch(in.Len(), byLibrary{in.Reader(), c.ParallelWriter()}, (*byLibrary).ExecuteBatch, opts...)
		return c.Value()
	}},
	{"Writer", "a single job, which has the counter as its own", -1, func(in *array.Array[int32], _ ...parallelfor.Option) int64 {
		c := tally.New()
		parallelfor.Do(alone{in.Reader(), c.Writer()}, (*alone).Execute)
		return c.Value()
	}},
	{"Atomic, Execute(i)", "one word for all workers", 1, func(in *array.Array[int32], opts ...parallelfor.Option) int64 {
		c := tally.New()
		parallelfor.For(in.Len(), byWord{in.Reader(), c.Atomic()}, (*byWord).Execute, opts...)
		return c.Value()
	}},
	{"Atomic, ExecuteBatch", "one word for all workers, added to once for each batch", 2, func(in *array.Array[int32], opts ...parallelfor.Option) int64 {
		c := tally.New()
		parallelfor.ForBatch(in.Len(), byWord{in.Reader(), c.Atomic()}, (*byWord).ExecuteBatch, opts...)
		return c.Value()
	}},
	{"ParallelWriter, Execute(i)", "a lane for each worker", 1, func(in *array.Array[int32], opts ...parallelfor.Option) int64 {
		c := tally.New()
		parallelfor.For(in.Len(), byLane{in.Reader(), c.ParallelWriter()}, (*byLane).Execute, opts...)
		return c.Value()
	}},
	{"ParallelWriter, ExecuteBatch", "a lane for each worker, added to once for each batch", 2, func(in *array.Array[int32], opts ...parallelfor.Option) int64 {
		c := tally.New()
		parallelfor.ForBatch(in.Len(), byLane{in.Reader(), c.ParallelWriter()}, (*byLane).ExecuteBatch, opts...)
		return c.Value()
	}},
}

func plain(in *array.Array[int32], _ ...parallelfor.Option) int64 { return zeros(in.Slice()) }

func zeros(s []int32) (n int64) {
	for _, x := range s {
		if x == 0 {
			n++
		}
	}
	return n
}

// The jobs differ in nothing but the view. One generic type for all would not do: its bodies would call Inc through a table, where
// these have it in the loop.

type byLibrary struct {
	In    array.Reader[int32]
	Zeros counter.ParallelWriter
}

func (j *byLibrary) Execute(i int) {
	if j.In.At(i) == 0 {
		j.Zeros.Inc()
	}
}

func (j *byLibrary) ExecuteBatch(begin, end int) { j.Zeros.Add(zeros(j.In.Slice()[begin:end])) }

type byWord struct {
	In    array.Reader[int32]
	Zeros tally.Atomic
}

func (j *byWord) Execute(i int) {
	if j.In.At(i) == 0 {
		j.Zeros.Inc()
	}
}

func (j *byWord) ExecuteBatch(begin, end int) { j.Zeros.Add(zeros(j.In.Slice()[begin:end])) }

type byLane struct {
	In    array.Reader[int32]
	Zeros tally.ParallelWriter
}

func (j *byLane) Execute(i int) {
	if j.In.At(i) == 0 {
		j.Zeros.Inc()
	}
}

func (j *byLane) ExecuteBatch(begin, end int) { j.Zeros.Add(zeros(j.In.Slice()[begin:end])) }

// alone is the single job.
type alone struct {
	In    array.Reader[int32]
	Zeros tally.Writer
}

func (j *alone) Execute() {
	for _, x := range j.In.Slice() {
		if x == 0 {
			j.Zeros.Inc()
		}
	}
}
