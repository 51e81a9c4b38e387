package array_test

import (
	"testing"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

const benchLength = 1 << 16

// twice computes out[i] = 2*in[i], in each of the ways that views offer.
type twice struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (j *twice) Execute(i int) { j.Out.Set(i, 2*j.In.At(i)) }

type twiceAt struct{ twice }

func (j *twiceAt) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Out.Set(i, 2*j.In.At(i))
	}
}

type twiceSlice struct{ twice }

func (j *twiceSlice) ExecuteBatch(begin, end int) {
	in, out := j.In.Slice()[begin:end], j.Out.Slice()
	for i := range out {
		out[i] = 2 * in[i]
	}
}

// BenchmarkViews runs the loop on one worker through the views, and reports the time per element
// and, as ratio, against the plain loop over the same slices in the same run.
func BenchmarkViews(b *testing.B) {
	in, out := array.New[int](benchLength), array.New[int](benchLength)
	views := twice{in.Reader(), out.Writer()}
	plain := func() {
		x, y := in.Slice(), out.Slice()
		for i := range y {
			y[i] = 2 * x[i]
		}
	}
	one := parallelfor.Sequential()
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"Execute", func() { parallelfor.For(benchLength, views, (*twice).Execute, one) }},
		{"Accessors", func() { parallelfor.ForBatch(benchLength, twiceAt{views}, (*twiceAt).ExecuteBatch, one) }},
		{"Slices", func() { parallelfor.ForBatch(benchLength, twiceSlice{views}, (*twiceSlice).ExecuteBatch, one) }},
	} {
		b.Run(c.name, func(b *testing.B) { against(b, plain, c.run) })
	}
}

// BenchmarkOwner reads the elements outside jobs, one by one, against the slice.
func BenchmarkOwner(b *testing.B) {
	a := array.New[int](benchLength)
	var sum int
	plain := func() {
		for _, v := range a.Slice() {
			sum += v
		}
	}
	b.Run("At", func(b *testing.B) {
		against(b, plain, func() {
			for i := range benchLength {
				sum += a.At(i)
			}
		})
	})
	b.Run("All", func(b *testing.B) {
		against(b, plain, func() {
			for _, v := range a.All() {
				sum += v
			}
		})
	})
}

// BenchmarkDouble is a frame of a Double against one of two arrays that the program swaps itself.
func BenchmarkDouble(b *testing.B) {
	const n = 1024
	d := array.NewDouble[int](n)
	x, y := array.New[int](n), array.New[int](n)
	one := parallelfor.Sequential()
	against(b, func() {
		parallelfor.ForBatch(n, twiceSlice{twice{x.Reader(), y.Writer()}}, (*twiceSlice).ExecuteBatch, one)
		x, y = y, x
	}, func() {
		parallelfor.ForBatch(n, twiceSlice{twice{d.Front().Reader(), d.Back().Writer()}}, (*twiceSlice).ExecuteBatch, one)
		d.Swap()
	})
}
