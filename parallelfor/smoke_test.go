package parallelfor_test

import (
	"testing"
	"fmt"

	"example.com/custody/array"
	"example.com/custody/internal/handout"
	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/require"
)

type double struct {
	In  array.Reader[float64]
	Out array.Writer[float64]
}

func (j *double) ExecuteBatch(b, e int) {
	in, out := j.In.Slice()[b:e], j.Out.Slice()
	for i := range out {
		out[i] = 2 * in[i]
	}
}

func (j *double) Execute(i int) { j.Out.Set(i, 2*j.In.At(i)) }

func TestSmoke(t *testing.T) {
	const n = 100000
	in, out := array.New[float64](n), array.New[float64](n)
	for i := range in.Slice() {
		in.Set(i, float64(i))
	}
	for _, w := range []int{1, 2, 4} {
		for k := range 20 {
			if k == 10 {
				defer handout.Force(1)()
			}
			parallelfor.RunBatch(n, double{in.Reader(), out.Writer()}, parallelfor.Workers(w))
			parallelfor.Run(1000, double{in.Reader(), out.Writer()}, parallelfor.Workers(w))
			for i, v := range out.All() {
				if v != 2*float64(i) {
					t.Fatal(i, v)
				}
			}
			h := parallelfor.ScheduleBatch(n, double{in.Reader(), out.Writer()}, parallelfor.Workers(w))
			g := parallelfor.ScheduleBatch(n, double{out.Reader(), in.Writer()}, parallelfor.Workers(w), parallelfor.After(h))
			func() {
				defer func() { if k == 1 { fmt.Println(recover()) } else {recover()} }()
				parallelfor.RunBatch(n, double{in.Reader(), out.Writer()}, parallelfor.Workers(w))
			}()
			func() {
				defer func() { if k == 1 { fmt.Println(recover()) } else {recover()} }()
				out.At(1)
			}()
			g.Complete()
			h.Complete()
			for i := range in.Slice() {
				in.Set(i, float64(i))
			}
		}
	}
	a := testing.AllocsPerRun(100, func() { parallelfor.RunBatch(n, double{in.Reader(), out.Writer()}) })
	fmt.Println("allocs", a)
	func() {
		defer func() { fmt.Println(recover()) }()
	parallelfor.For(100, out.Writer(), func(w *array.Writer[float64], i int) { w.Set(i+1, 1) })
	}()
	require.True(t, true)
}

func BenchmarkRunEmpty(b *testing.B) {
	in, out := array.New[float64](1000), array.New[float64](1000)
	b.ReportAllocs()
	for b.Loop() {
		parallelfor.RunBatch(1000, double{in.Reader(), out.Writer()})
	}
}
func BenchmarkRunEmptySeq(b *testing.B) {
	in, out := array.New[float64](1000), array.New[float64](1000)
	b.ReportAllocs()
	for b.Loop() {
		parallelfor.RunBatch(1000, double{in.Reader(), out.Writer()}, parallelfor.Sequential())
	}
}
func BenchmarkRunEmptyOne(b *testing.B) {
	in, out := array.New[float64](1000), array.New[float64](1000)
	b.ReportAllocs()
	for b.Loop() {
		parallelfor.RunBatch(1000, double{in.Reader(), out.Writer()}, parallelfor.Batch(-1))
	}
}
