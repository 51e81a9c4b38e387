package main

import (
	"sync/atomic"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// variant is one way to count the zeros of the array.
type variant struct {
	name string
	what string // in a few words
	// count returns how many zeros there are.
	count func(in *array.Array[int32], opts ...parallelfor.Option) int64
}

// variants are all ways, the reference first.
var variants = []variant{
	{"local variable", "plain loop over the slice, one goroutine", countLocal},
	{"one atomic", "Execute(i), all workers add to one atomic.Int64", countAtomic},
	{"Execute(i)", "a ParallelWriter, index by index", countByIndex},
	{"ExecuteBatch", "a ParallelWriter, batch by batch", countByBatch},
}

// countLocal is the loop that nothing can be faster than on one processor.
func countLocal(in *array.Array[int32], _ ...parallelfor.Option) int64 {
	var n int64
	for _, x := range in.Slice() {
		if x == 0 {
			n++
		}
	}
	return n
}

// atomicZeros is what a program without the library would do: correct, and slow, because every zero
// that one worker finds takes the cache line from all others.
type atomicZeros struct {
	In    array.Reader[int32]
	Zeros *atomic.Int64 `custody:"unguarded"`
}

func (j *atomicZeros) Execute(i int) {
	if j.In.At(i) == 0 {
		j.Zeros.Add(1)
	}
}

func countAtomic(in *array.Array[int32], opts ...parallelfor.Option) int64 {
	var zeros atomic.Int64
	parallelfor.For(in.Len(), atomicZeros{In: in.Reader(), Zeros: &zeros}, (*atomicZeros).Execute, opts...)
	return zeros.Load()
}

// countZeros is the job as one writes it with the library. Each worker adds plainly to a cache line of
// its own; the counter gets the sum when the loop is done.
type countZeros struct {
	In    array.Reader[int32]
	Zeros counter.ParallelWriter
}

func (j *countZeros) Execute(i int) {
	if j.In.At(i) == 0 {
		j.Zeros.Inc()
	}
}

func (j *countZeros) ExecuteBatch(begin, end int) {
	for _, x := range j.In.Slice()[begin:end] {
		if x == 0 {
			j.Zeros.Inc()
		}
	}
}

func countByIndex(in *array.Array[int32], opts ...parallelfor.Option) int64 {
	zeros := counter.New()
	parallelfor.For(in.Len(), countZeros{In: in.Reader(), Zeros: zeros.ParallelWriter()}, (*countZeros).Execute, opts...)
	return zeros.Value()
}

func countByBatch(in *array.Array[int32], opts ...parallelfor.Option) int64 {
	zeros := counter.New()
	parallelfor.ForBatch(in.Len(), countZeros{In: in.Reader(), Zeros: zeros.ParallelWriter()}, (*countZeros).ExecuteBatch, opts...)
	return zeros.Value()
}
