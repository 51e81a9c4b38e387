package builds

import (
	"example.com/custody/array"
	"example.com/custody/bench/internal/rows"
	"example.com/custody/parallelfor"
)

// Double4 is the guarded loop out[i] = 2*in[i], by a loop that takes four at a time.
type Double4 struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *Double4) ExecuteBatch(begin, end int) {
	DoubleInto4(j.Out.Slice(), j.In.Slice()[begin:end])
}

// DoubleInto4 is the loop, four at a time: one that is long enough for its address not to matter
// much. It is not inlined, so that all sides run the same code at the same address.
//
//go:noinline
func DoubleInto4(out, in []float64) {
	in = in[:len(out)]
	for len(out) >= 4 && len(in) >= 4 {
		o, i := (*[4]float64)(out), (*[4]float64)(in)
		o[0] = 2 * i[0]
		o[1] = 2 * i[1]
		o[2] = 2 * i[2]
		o[3] = 2 * i[3]
		out, in = out[4:], in[4:]
	}
	for k := range out {
		out[k] = 2 * in[k]
	}
}

// Pair is an array of numbers and one of as many results, and the slices for programs without
// arrays.
type Pair struct {
	N        int
	In, Out  *array.Array[float64]
	From, To []float64
}

// NewPair returns the numbers from 0 to n-1.
func NewPair(n int) *Pair {
	p := &Pair{N: n, In: array.New[float64](n), Out: array.New[float64](n)}
	p.From, p.To = p.In.Slice(), p.Out.Slice()
	for i := range p.From {
		p.From[i] = float64(i)
	}
	return p
}

// Check tests some results and takes them away, so that the next side must make them again.
func (p *Pair) Check(side string) {
	for _, i := range []int{0, 1, p.N / 2, p.N - 1} {
		rows.MustBe(side, p.To[i], 2*float64(i))
		p.To[i] = -1
	}
}

func doubled(n int) work {
	p := NewPair(n)
	return work{units: n, ours: func() {
		parallelfor.ForBatch(n, Double4{p.In.Reader(), p.Out.Writer()}, (*Double4).ExecuteBatch)
		p.Check(rows.Ours)
	}}
}

// repeats is how often repeated does a batch, each time with windows of its own.
const repeats = 16

// repeated does every batch again and again. In cache a loop is over so soon that scheduling it,
// whose cost is that of the scheduler, would be seen instead of what checking costs a batch.
type repeated struct{ Double4 }

func (j *repeated) ExecuteBatch(begin, end int) {
	for range repeats {
		j.Double4.ExecuteBatch(begin, end)
	}
}

func doubledOften(n, batch int) work {
	p := NewPair(n)
	return work{units: n * repeats, ours: func() {
		parallelfor.ForBatch(n, repeated{Double4{p.In.Reader(), p.Out.Writer()}}, (*repeated).ExecuteBatch, parallelfor.Batch(batch))
		p.Check(rows.Ours)
	}}
}
