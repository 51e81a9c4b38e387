// Outliers collects the measurements that are far from the mean. The jobs are scheduled at once:
// the first two leave the mean in an array.Value, the third reads it and appends to an array.List.
package main

import (
	"fmt"
	"math"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// add adds up the measurements.
type add struct {
	In  array.Reader[float64]
	Sum counter.SumParallelWriter[float64]
}

func (a *add) Execute(i int) { a.Sum.Add(a.In.At(i)) }

// divide stores the mean.
type divide struct {
	Sum  counter.SumReader[float64]
	Mean array.ValueWriter[float64]
	N    int
}

func (d *divide) Execute() { d.Mean.Store(d.Sum.Value() / float64(d.N)) }

// collect appends what is far from the mean, in the order of the measurements.
type collect struct {
	In   array.Reader[float64]
	Mean array.ValueReader[float64]
	Out  array.ParallelWriter[float64]
	Far  float64
}

func (c *collect) Execute(i int) {
	if v := c.In.At(i); math.Abs(v-c.Mean.Load()) > c.Far {
		c.Out.Append(v)
	}
}

func main() {
	in := array.New[float64](100_000, safety.Named("measurements"))
	for i := range in.Len() {
		in.Set(i, 20+math.Sin(float64(i)))
		if i%25_000 == 7 {
			in.Set(i, float64(i)/1000)
		}
	}
	sum := counter.NewSum[float64](safety.Named("sum"))
	mean := array.NewValue(0.0, safety.Named("mean"))
	far := array.NewList[float64](safety.Named("outliers"))

	added := parallelfor.Schedule(in.Len(), add{
		In:  in.Reader(),
		Sum: sum.ParallelWriter(),
	}, (*add).Execute)
	divided := parallelfor.ScheduleDo(divide{
		Sum:  sum.Reader(),
		Mean: mean.Writer(),
		N:    in.Len(),
	}, (*divide).Execute, parallelfor.After(added))
	parallelfor.Schedule(in.Len(), collect{
		In:   in.Reader(),
		Mean: mean.Reader(),
		Out:  far.ParallelWriter(),
		Far:  5,
	}, (*collect).Execute, parallelfor.After(divided)).Complete()
	fmt.Printf("mean %.4f, outliers %v\n", mean.Load(), far.Slice())
}
