package linear_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
	"example.com/custody/internal/speclaw"
)

// checks measures a check of histories, one after the other.
func checks[S comparable, I, O any](b *testing.B, s *linear.Spec[S, I, O], all [][]linear.Op[I, O]) {
	c := linear.NewChecker(s)
	for _, h := range all {
		if err := c.Check(h); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		_ = c.Check(all[i])
		if i++; i == len(all) {
			i = 0
		}
	}
}

func BenchmarkShortQueue(b *testing.B) {
	for _, ops := range []int{6, 8, 9, 16, 64} {
		b.Run(fmt.Sprint(ops), func(b *testing.B) {
			checks(b, spec.ShortQueue(spec.Capacity(2)), queueHistories(rand.New(rand.NewPCG(1, 1)), 256, ops))
		})
	}
}

func BenchmarkQueue(b *testing.B) {
	for _, ops := range []int{6, 8, 9, 16, 64} {
		b.Run(fmt.Sprint(ops), func(b *testing.B) {
			checks(b, spec.Queue(spec.Capacity(2)), queueHistories(rand.New(rand.NewPCG(1, 1)), 256, ops))
		})
	}
}

func benchmarkKind[S comparable, I, O any](b *testing.B, kind speclaw.Kind[S, I, O]) {
	r := rand.New(rand.NewPCG(1, 1))
	var all [][]linear.Op[I, O]
	for range 256 {
		all = append(all, kind.History(r, speclaw.Shape{Tasks: 3, Ops: 8, Spread: 20}))
	}
	checks(b, kind.Spec, all)
}

func BenchmarkCounter(b *testing.B) { benchmarkKind(b, speclaw.Counter("counter", spec.Counter())) }

func BenchmarkCells(b *testing.B) {
	benchmarkKind(b, speclaw.Counter("cells", spec.Counter(spec.Cells())))
}

func BenchmarkMap(b *testing.B) { benchmarkKind(b, speclaw.Map()) }
