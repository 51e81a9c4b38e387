// Countzeros counts the zeros of an array in a plain loop, with one atomic that all workers share,
// and with a counter.ParallelWriter. It prints how long each takes, and its ratio to the first.
package main

import (
	"fmt"
	"log"
	"slices"
	"sync/atomic"
	"time"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// count counts in a lane of its worker. The counter has the sum when the loop returns.
type count struct {
	In    array.Reader[int32]
	Zeros counter.ParallelWriter
}

func (c *count) Execute(i int) {
	c.Zeros.IncIf(c.In.At(i) == 0)
}

func (c *count) ExecuteBatch(begin, end int) { c.Zeros.Add(zeros(c.In.Slice()[begin:end])) }

func zeros(s []int32) (n int64) {
	for _, v := range s {
		if v == 0 {
			n++
		}
	}
	return n
}

func main() {
	const n = 1 << 22
	in := array.New[int32](n, safety.Named("in"))
	for i := range in.Len() {
		in.Set(i, int32(i%2))
	}
	total := counter.New()
	job := count{In: in.Reader(), Zeros: total.ParallelWriter()}
	var shared atomic.Int64
	ways := []struct {
		name string
		run  func() int64
	}{
		{"plain loop", func() int64 { return zeros(in.Slice()) }},
		{"one atomic", func() int64 {
			slice := in.Slice()
			parallelfor.Indices(len(slice), func(i int) { shared.Add(1 - int64(slice[i])) })
			return shared.Swap(0)
		}},
		{"Execute(i)", func() int64 { parallelfor.For(n, job, (*count).Execute); return total.Swap(0) }},
		{"ExecuteBatch", func() int64 { parallelfor.ForBatch(n, job, (*count).ExecuteBatch); return total.Swap(0) }},
	}
	times := make([][]time.Duration, len(ways))
	for range 9 {
		for k, way := range ways {
			began := time.Now()
			if got := way.run(); got != n/2 {
				log.Fatalf("%s counted %d zeros", way.name, got)
			}
			times[k] = append(times[k], time.Since(began))
		}
	}
	plain := slices.Sorted(slices.Values(times[0]))[len(times[0])/2]
	for k, way := range ways {
		median := slices.Sorted(slices.Values(times[k]))[len(times[k])/2]
		ratio := float64(median) / float64(plain)
		fmt.Printf("%-12s  %9v  %.2f\n", way.name, median.Round(time.Microsecond), ratio)
	}
	fmt.Println("all ways counted the same")
}
