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
	for k := range j.Count {
		j.Count[k].Add(int64(x))
	}
	for k := range j.Sum {
		j.Sum[k].Add(int8(x))
	}
	for k := range j.Floats {
		j.Floats[k].Add(float(summand(x)))
	}
	for k := range j.Best {
		j.Best[k].Observe(float(x))
	}
	for k := range j.Bins {
		j.Bins[k].AddN(x%bins, int64(x))
	}
	if i == j.FailAt {
		panic(boom(i))
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

// owners is what a single job carries: one container as its own.
type owners struct {
	Count  []counter.Writer
	Sum    []counter.SumWriter[int8]
	Floats []counter.SumWriter[float64]
	Best   []counter.ExtremumWriter[float64]
	Bins   []counter.HistogramWriter
	X      int
	Set    bool
}

func (j *owners) Execute() {
	x := j.X
	for k := range j.Count {
		if w := &j.Count[k]; j.Set {
			w.Set(int64(x))
		} else {
			w.Add(int64(x))
		}
	}
	for k := range j.Sum {
		if w := &j.Sum[k]; j.Set {
			w.Set(int8(x))
		} else {
			w.Add(int8(x))
		}
	}
	for k := range j.Floats {
		if w := &j.Floats[k]; j.Set {
			w.Set(float(x))
		} else {
			w.Add(float(x))
		}
	}
	for k := range j.Best {
		if w := &j.Best[k]; j.Set {
			w.Set(float(x))
		} else {
			w.Observe(float(x))
		}
	}
	for k := range j.Bins {
		if w := &j.Bins[k]; j.Set {
			for i := range w.Len() {
				w.Set(i, 0)
			}
		} else {
			w.Add(x%bins, int64(x))
		}
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
