package sim

import (
	"math"
	"slices"
	"testing"

	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stepped is a simulation after some steps.
func stepped[S interface{ Step() }](s S, steps int) S {
	for range steps {
		s.Step()
	}
	return s
}

func TestParallelEqualsSequentialAtAnyWorkersAndBatch(t *testing.T) {
	const steps = 3
	for _, c := range []Config{
		{N: 1, Crowd: 1, Seed: 1},
		{N: 2, Crowd: 2, Seed: 2},
		{N: 200, Crowd: 200, Seed: 3}, // one cell
		{N: 700, Crowd: 0.01, Seed: 4},
		{N: 2000, Crowd: 3, Seed: 5},
	} {
		require.NoError(t, c.Check())
		want := stepped(NewSequential(c), steps)
		for workers := 1; workers <= 8; workers++ {
			for _, batch := range []int{0, 50, 1000} {
				got := stepped(NewParallel(c, parallelfor.Workers(workers), parallelfor.Batch(batch)), steps)
				require.NoError(t, Same(want, got), "%+v workers %d batch %d", c, workers, batch)
			}
		}
		require.NoError(t, Same(want, stepped(NewParallel(c, parallelfor.Sequential()), steps)), "%+v", c)
	}
}

func TestNeighboursAreThoseOfAllPairs(t *testing.T) {
	for _, c := range []Config{{N: 400, Crowd: 2, Seed: 1}, {N: 300, Crowd: 40, Seed: 2}, {N: 200, Crowd: 0.1, Seed: 3}} {
		s := NewParallel(c, parallelfor.Workers(3))
		for range 3 {
			at := slices.Clone(s.positions.Slice())
			s.Step()
			pairs := 0
			for i, p := range at {
				near := 0
				for k, q := range at {
					x, y, z := float64(p[0]-q[0]), float64(p[1]-q[1]), float64(p[2]-q[2])
					if k != i && x*x+y*y+z*z < 1 {
						near++
					}
				}
				require.EqualValues(t, near, s.effects.At(i).Neighbours, "%+v particle %d", c, i)
				pairs += near
			}
			require.EqualValues(t, pairs/2, s.Facts[len(s.Facts)-1].Pairs)
		}
	}
}

func TestFactsOfGroupsAreThoseOfACount(t *testing.T) {
	c := Config{N: 1000, Crowd: 3, Seed: 9}
	s := NewParallel(c)
	counts := map[Cell]int{}
	largest := 0
	for _, p := range s.positions.Slice() {
		counts[cellOf(p)]++
		largest = max(largest, counts[cellOf(p)])
	}
	s.Step()
	assert.Equal(t, []int{len(counts), largest}, []int{s.Facts[0].Occupied, s.Facts[0].Largest})
	assert.Zero(t, s.cells.Len(), "the groups are cleared at the end of a step")
}

func TestParticlesStayInTheBoxAndFinite(t *testing.T) {
	c := Config{N: 600, Crowd: 600, Seed: 7} // all of them push each other
	s := stepped(NewSequential(c), 20)
	for i, p := range s.positions {
		for k := range p {
			require.True(t, p[k] >= 0 && p[k] < 1, "particle %d at %v", i, p)
			require.False(t, math.IsNaN(float64(s.velocities[i][k])) || math.IsInf(float64(s.velocities[i][k]), 0))
		}
	}
}

func TestCellsAroundOneAreItsNeighbours(t *testing.T) {
	seen := map[Cell]bool{}
	for _, d := range around {
		seen[cellOf(Vec{4.5, 0.5, 9.5})+d] = true
	}
	assert.Len(t, seen, 27)
	for x := float32(3.5); x < 6; x++ {
		for z := float32(8.5); z < 11; z++ {
			assert.True(t, seen[cellOf(Vec{x, 0.5, z})])
			assert.True(t, seen[cellOf(Vec{x, 1.5, z})])
		}
	}
	// The corners of the widest box are no neighbours of each other.
	far := cellOf(Vec{widest - 0.5, 0, 0})
	for _, d := range around {
		assert.NotEqual(t, cellOf(Vec{0, 1, 0}), far+d)
	}
}

func TestWhatMakesNoSenseIsRefused(t *testing.T) {
	tooMany := int64(1) // by so many, which no 32-bit compiler sees
	for _, c := range []struct {
		config Config
		says   string
	}{
		{Config{N: 0, Crowd: 2}, "0 particles: at least 1 is needed"},
		{Config{N: -3, Crowd: 2}, "-3 particles: at least 1 is needed"},
		{Config{N: int(int64(math.MaxInt32) + tooMany), Crowd: 2}, "2147483648 particles: there may be 2147483647"},
		{Config{N: 1, Crowd: 0}, "0 particles in a cell: it must be a number above 0"},
		{Config{N: 1, Crowd: -1}, "-1 particles in a cell: it must be a number above 0"},
		{Config{N: 1, Crowd: math.NaN()}, "NaN particles in a cell: it must be a number above 0"},
		{Config{N: 1, Crowd: math.Inf(1)}, "+Inf particles in a cell: it must be a number above 0"},
		{Config{N: 1, Crowd: 1e-300}, "the box would have 1e+100 cells along each edge, and may have 2097150"},
	} {
		assert.ErrorContains(t, c.config.Check(), c.says)
	}
	assert.NoError(t, Config{N: 1, Crowd: 1.2e-19}.Check())
}

func TestSameSaysWhatDiffers(t *testing.T) {
	c := Config{N: 300, Crowd: 3, Seed: 1}
	want := stepped(NewSequential(c), 2)
	assert.ErrorContains(t, Same(want, stepped(NewSequential(c), 1)), "there were 2 steps and 1")
	assert.ErrorContains(t, Same(want, stepped(NewSequential(Config{N: 300, Crowd: 3, Seed: 2}), 2)), "step 1: ")
	got := stepped(NewParallel(c), 2)
	got.velocities.Slice()[17][2] = 5
	assert.ErrorContains(t, Same(want, got), "particle 17: ")
}

// A group that is in another order, or another place, is another one, and so is the same state of another particle.
func TestChecksumsSeeOrder(t *testing.T) {
	assert.NotEqual(t, groupSum(0, 5, []int32{1, 2}), groupSum(0, 5, []int32{2, 1}))
	assert.NotEqual(t, groupSum(0, 5, []int32{1})+groupSum(1, 6, []int32{2}), groupSum(0, 6, []int32{2})+groupSum(1, 5, []int32{1}))
	p, q, e := Vec{1, 2, 3}, Vec{1, 2, 4}, Effect{}
	assert.NotEqual(t, particleSum(0, p, p, e)+particleSum(1, q, q, e), particleSum(0, q, q, e)+particleSum(1, p, p, e))
}

func BenchmarkStep(b *testing.B) {
	c := Config{N: 50_000, Crowd: 2, Seed: 1}
	b.Run("sequential", func(b *testing.B) {
		s := stepped(NewSequential(c), 1)
		b.ReportAllocs()
		for b.Loop() {
			s.Step()
		}
	})
	b.Run("parallel", func(b *testing.B) {
		s := stepped(NewParallel(c), 2)
		b.ReportAllocs()
		for b.Loop() {
			s.Step()
		}
	})
}
