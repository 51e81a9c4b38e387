package parallelfor_test

import (
	"fmt"
	"testing"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

type emptyJob struct{ _ int }

func (*emptyJob) ExecuteBatch(begin, end int) {}

type emptyClaims2 struct {
	A array.Reader[float64]
	B array.Writer[float64]
}

func (*emptyClaims2) ExecuteBatch(begin, end int) {}

type emptyClaims4 struct {
	A, C array.Reader[float64]
	B, D array.Writer[float64]
}

func (*emptyClaims4) ExecuteBatch(begin, end int) {}

// What a loop costs beside its body.
func BenchmarkOverhead(b *testing.B) {
	x, y, z, w := array.New[float64](10000), array.New[float64](10000), array.New[float64](10000), array.New[float64](10000)
	for _, n := range []int{1, 1000, 10000} {
		name := map[int]string{1: "1", 1000: "1k", 10000: "10k"}[n]
		b.Run(name+"/no views", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parallelfor.ForBatch(n, emptyJob{}, (*emptyJob).ExecuteBatch)
			}
		})
		b.Run(name+"/2 claims", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parallelfor.ForBatch(n, emptyClaims2{x.Reader(), y.Writer()}, (*emptyClaims2).ExecuteBatch)
			}
		})
		b.Run(name+"/4 claims", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parallelfor.ForBatch(n, emptyClaims4{x.Reader(), z.Reader(), y.Writer(), w.Writer()}, (*emptyClaims4).ExecuteBatch)
			}
		})
	}
}

type slowClaims2 struct {
	A array.Reader[float64]
	B array.Writer[float64]
}

func (j *slowClaims2) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		x := j.A.At(i)
		for range 18 {
			x = x*0.999 + 0.001
		}
		j.B.Set(i, x)
	}
}

// What a batch costs: each has one index of about 30 ns.
func BenchmarkBatches(b *testing.B) {
	x, y := array.New[float64](10000), array.New[float64](10000)
	for _, workers := range []int{1, 2} {
		for _, batch := range []int{0, 1} {
			b.Run(fmt.Sprint(workers, " workers/batch ", batch), func(b *testing.B) {
				for b.Loop() {
					parallelfor.ForBatch(10000, slowClaims2{x.Reader(), y.Writer()}, (*slowClaims2).ExecuteBatch, parallelfor.Batch(batch), parallelfor.Workers(workers))
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10000*float64(workers), "ns/index")
			})
		}
	}
}
