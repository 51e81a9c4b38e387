// Customcontainer counts the zeros of an array with a container of its own, the counter of package
// tally, through each of its views: by a loop that has a lane for each worker, by a loop that adds
// atomically, and by a single job.
package main

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/examples/customcontainer/internal/tally"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

type byLane struct {
	In    array.Reader[int32]
	Zeros tally.ParallelWriter
}

func (j *byLane) Execute(i int) {
	if j.In.At(i) == 0 {
		j.Zeros.Inc()
	}
}

type byWord struct {
	In    array.Reader[int32]
	Zeros tally.Atomic
}

// ExecuteBatch adds once for each batch: all workers share the word.
func (j *byWord) ExecuteBatch(begin, end int) {
	n := int64(0)
	for _, v := range j.In.Slice()[begin:end] {
		if v == 0 {
			n++
		}
	}
	j.Zeros.Add(n)
}

type alone struct {
	In    array.Reader[int32]
	Zeros tally.Writer
}

func (j *alone) Execute() {
	for _, v := range j.In.All() {
		if v == 0 {
			j.Zeros.Inc()
		}
	}
}

func main() {
	in := array.New[int32](1_000_000, safety.Named("in"))
	for i := range in.Len() {
		in.Set(i, int32(i%3))
	}
	zeros := tally.New(safety.Named("zeros"))
	count := func(view string, run func()) {
		zeros.Set(0)
		run()
		fmt.Println(view, zeros.Value())
	}
	count("ParallelWriter", func() {
		parallelfor.For(in.Len(), byLane{In: in.Reader(), Zeros: zeros.ParallelWriter()}, (*byLane).Execute)
	})
	count("Atomic", func() {
		parallelfor.ForBatch(in.Len(), byWord{In: in.Reader(), Zeros: zeros.Atomic()}, (*byWord).ExecuteBatch)
	})
	count("Writer", func() {
		parallelfor.Do(alone{In: in.Reader(), Zeros: zeros.Writer()}, (*alone).Execute)
	})
}
