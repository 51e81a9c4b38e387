package fuzz_test

import "example.com/custody/counter"

// adders is what a parallel loop carries: any of the containers, some twice.
type adders struct {
	Count  []counter.ParallelWriter
	Sum    []counter.SumParallelWriter[int8]
	Floats []counter.SumParallelWriter[float64]
	Best   []counter.ExtremumParallelWriter[float64]
	Bins   []counter.HistogramParallelWriter
	Seed   int
	FailAt int
}

func (j *adders) Execute(i int) {
	x := operand(j.Seed, i)
	each(j.Count, (*counter.ParallelWriter).Add, int64(x))
	each(j.Sum, (*counter.SumParallelWriter[int8]).Add, int8(x))
	each(j.Floats, (*counter.SumParallelWriter[float64]).Add, float(summand(x)))
	each(j.Best, (*counter.ExtremumParallelWriter[float64]).Observe, float(x))
	for k := range j.Bins {
		j.Bins[k].Add(x%bins, int64(x))
	}
	if i == j.FailAt {
		panic(boom(i))
	}
}

// each calls a method of every view.
func each[V, X any](views []V, method func(v *V, x X), x X) {
	for k := range views {
		method(&views[k], x)
	}
}

// operand returns what index i adds: small numbers often, because they are the strange ones.
func operand(seed, i int) int {
	x := int(uint32((seed+1)*(i+3))*2654435761>>7) & 0xff
	if x&1 != 0 {
		return x >> 4
	}
	return x
}

// owners is what a single job carries that has the bins as its own.
type owners struct {
	Bins counter.HistogramWriter
	X    int
	Set  bool
}

func (j *owners) Execute() {
	if !j.Set {
		j.Bins.Add(j.X%bins, int64(j.X))
		return
	}
	for i := range j.Bins.Len() {
		j.Bins.Set(i, 0)
	}
}

// readers is what a job carries that reads all it can.
type readers struct {
	Count  []counter.Reader
	Sum    []counter.SumReader[int8]
	Floats []counter.SumReader[float64]
	Best   []counter.ExtremumReader[float64]
	Bins   []counter.HistogramReader
	Got    *[1]any `custody:"unguarded"`
	Which  int
}

func (j *readers) Execute() {
	var n numbers
	for k := range j.Count {
		n.count = j.Count[k].Value()
	}
	for k := range j.Sum {
		n.sum = j.Sum[k].Value()
	}
	for k := range j.Floats {
		n.floats = j.Floats[k].Value()
	}
	for k := range j.Best {
		v, ok := j.Best[k].Value()
		n.min, n.max = best{v, ok}, best{v, ok}
	}
	for k := range j.Bins {
		j.Bins[k].Counts(n.counts[:0])
	}
	j.Got[0] = n.show(j.Which)
}

// scale is the job of merge: each index doubles its bin, and one perhaps another's.
type scale struct {
	Bins  counter.HistogramWriter
	At    int
	Touch int
}

func (j *scale) Execute(i int) {
	j.Bins.Set(i, 2*j.Bins.At(i))
	if i == j.At {
		j.Bins.Add(j.Touch, 1)
	}
}
