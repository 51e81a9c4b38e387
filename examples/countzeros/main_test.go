package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/examples/internal/zerocount"
	"example.com/custody/parallelfor"
)

var countzeros = programtest.Program{Name: "countzeros", Run: run}

func TestAllWaysCountTheSameAtAnyGridAndWorkers(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		for _, every := range []int{1, 2, 3} {
			in := zerocount.Input(n, every)
			want := int64(0)
			for _, x := range in.All() {
				if x == 0 {
					want++
				}
			}
			for _, workers := range []int{1, 2, 5} {
				for _, batch := range []int{0, 1, 8, 1 << 20} {
					for _, v := range variants {
						got := v.count(in, parallelfor.Batch(batch), parallelfor.Workers(workers))
						require.Equal(t, want, got, "%s: n %d every %d workers %d batch %d", v.name, n, every, workers, batch)
					}
				}
			}
		}
	}
}

func TestRunPrintsARowForEachWay(t *testing.T) {
	out := countzeros.Ran(t, "-n", "2000", "-repeat", "2", "-every", "3")
	assert.Contains(t, out, "2000 elements, every 3. is 0, Batch(8)")
	for _, v := range variants {
		assert.Contains(t, out, v.what)
	}
	assert.Contains(t, out, "all ways counted the same")
}

func TestRunRefusesArgumentsThatMakeNoSense(t *testing.T) {
	for _, args := range [][]string{{"-n", "-1"}, {"-every", "0"}, {"-workers", "0"}, {"-batch", "-1"}, {"-repeat", "0"}} {
		countzeros.Says(t, program.Usage, "countzeros: -n and -batch must be at least 0, -every, -workers and -repeat at least 1\n", args...)
	}
	countzeros.Says(t, program.Usage, `countzeros: unexpected argument "extra"`, "extra")
	countzeros.Says(t, program.Usage, "-what", "-what")
}

func BenchmarkWays(b *testing.B) {
	in := zerocount.Input(1<<20, 2)
	for _, v := range variants {
		b.Run(v.name, func(b *testing.B) {
			b.SetBytes(4 << 20)
			for b.Loop() {
				v.count(in, parallelfor.Batch(8))
			}
		})
	}
}
