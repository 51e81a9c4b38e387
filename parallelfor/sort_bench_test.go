package parallelfor_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// BenchmarkSort sorts the same numbers on several workers and with package slices, in turns, and
// reports the ratio of their times.
func BenchmarkSort(b *testing.B) {
	sorts := []struct {
		name  string
		ours  func(a *array.Array[int])
		peers func(s []int)
	}{
		{"", func(a *array.Array[int]) {
			parallelfor.Sort(a.Writer(), (*array.Writer[int]).Slice, cmp.Compare[int])
		}, func(s []int) { slices.SortFunc(s, cmp.Compare[int]) }},
	}
	for _, k := range sorts {
		for _, n := range []int{1000, 10_000, 1_000_000} {
			b.Run(fmt.Sprintf("%s/%d", k.name, n), func(b *testing.B) {
				from := make([]int, n)
				for i := range from {
					from[i] = rand.Int()
				}
				a, s := array.New[int](n), make([]int, n)
				var ours, peers time.Duration
				for b.Loop() {
					a.CopyFrom(from)
					copy(s, from)
					t := time.Now()
					k.ours(a)
					ours += time.Since(t)
					t = time.Now()
					k.peers(s)
					peers += time.Since(t)
				}
				b.ReportMetric(ours.Seconds()/peers.Seconds(), "of-slices")
			})
		}
	}
}
