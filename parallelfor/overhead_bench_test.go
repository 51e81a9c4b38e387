package parallelfor_test

import (
	"testing"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

type emptyJob struct{ n int }

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
				parallelfor.RunBatch(n, emptyJob{})
			}
		})
		b.Run(name+"/2 claims", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parallelfor.RunBatch(n, emptyClaims2{x.Reader(), y.Writer()})
			}
		})
		b.Run(name+"/4 claims", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parallelfor.RunBatch(n, emptyClaims4{x.Reader(), z.Reader(), y.Writer(), w.Writer()})
			}
		})
	}
}
