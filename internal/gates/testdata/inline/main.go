// Command inline calls the accessors that must be inlined, from a job's body as users write it.
// Only what the compiler says about it is of interest.
package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/lane"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type job struct {
	in    array.Reader[float64]
	out   array.Writer[float64]
	count counter.ParallelWriter
	hist  counter.HistogramParallelWriter
	sum   counter.SumParallelWriter[float64]
	list  array.ParallelWriter[int]
}

// laneWriter is a view of a container whose author knows the exported API only.
type laneWriter[T any] struct {
	lane *lane.Lane[T]
	safety.Hold
}

func (w *laneWriter[T]) Append(v T) { w.lane.Append(&w.Hold, v) }

func (j *job) Execute(i int) {
	if i < j.in.Len() {
		j.out.Set(i, j.in.At(i))
	}
	*j.out.Ptr(i) += j.out.At(i)
	j.count.Inc()
	j.count.Add(2)
	j.hist.Add(i&1, 1)
	j.sum.Add(1)
	j.list.Append(i)
}

func main() {
	const n = 100
	in, out := array.New[float64](n), array.New[float64](n)
	count, hist, sum := counter.New(), counter.NewHistogram(2), counter.NewSum[float64]()
	list := array.NewList[int]()
	parallelfor.For(n, job{in.Reader(), out.Writer(), count.ParallelWriter(), hist.ParallelWriter(), sum.ParallelWriter(), list.ParallelWriter()}, (*job).Execute)
	var lanes lane.Lanes[int]
	p := safety.Phase{Mode: safety.Append, Workers: 1, Batches: 1, Kept: 1}
	lanes.Open(&p)
	w := laneWriter[int]{lane: lanes.Lane(0)}
	w.lane.BeginSpan(0)
	for i := range n {
		w.Append(i)
	}
	lanes.Seal(&p, func(added lane.Items[int]) { fmt.Println(added.Len()) })
	fmt.Println(count.Value(), hist.Total(), sum.Value())
}
