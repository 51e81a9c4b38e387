package sim

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
)

func TestColumnsAreThePlainLoopsAtAnyGridAndWorkers(t *testing.T) {
	for _, n := range []int{0, 1, 999} {
		plain := NewPlain(n)
		var all []*Columns
		for _, workers := range []int{1, 2, 8} {
			for _, batch := range []int{-1, 0, 1, 17, 300} {
				all = append(all, NewColumns(n, 32, parallelfor.Workers(workers), parallelfor.Batch(batch)))
			}
		}
		all = append(all, NewColumns(n, 1), NewColumns(n, 1000, parallelfor.Sequential()))
		stop := fuzz.HandOut(uint64(n))
		for range 5 {
			plain.Step()
			for k, s := range all {
				s.Step()
				require.NoError(t, Same(plain, s), "simulation %d of %d things", k, n)
			}
		}
		stop()
	}
}

func TestOnlyChunksThatMovedAreLocatedAgain(t *testing.T) {
	s := NewColumns(1000, 10)
	for range 4 {
		s.Step()
	}
	_, all := s.Of(Systems - 1)
	_, moved := s.Of(3)
	require.Equal(t, []int{100, 65}, []int{all, moved})
	require.Equal(t, []int{all, moved, moved, moved}, s.Seen)
	for k, cost := range Costs() {
		require.Positive(t, min(cost.First, cost.Later), Names[k])
	}
}

func TestThingsStayInTheBox(t *testing.T) {
	s := NewPlain(2000)
	turned := 0
	for range 200 {
		before := append([]Velocity(nil), s.groups[0].velocities...)
		s.Step()
		for i, v := range s.groups[0].velocities {
			if math.Signbit(float64(v.X)) != math.Signbit(float64(before[i].X)) {
				turned++
			}
		}
	}
	require.Positive(t, turned)
	for k := range s.groups {
		for _, p := range s.groups[k].positions {
			require.True(t, p.X >= 0 && p.X < edge && p.Y >= 0 && p.Y < edge, "%v", p)
		}
	}
}

func TestSameFindsEveryDifference(t *testing.T) {
	for name, differ := range map[string]func(a *Plain){
		"position 0 is":  func(a *Plain) { a.groups[0].positions[0].X = float32(math.NaN()) },
		"velocity 7 is":  func(a *Plain) { a.groups[0].velocities[7].Y = 1e9 },
		"heading 64 is":  func(a *Plain) { a.groups[1].headings[29].Rate = 0 },
		"place 99 is":    func(a *Plain) { a.groups[3].places[19].Rim = !a.groups[3].places[19].Rim },
		"there are 100 ": func(a *Plain) { a.groups[3].positions = append(a.groups[3].positions, Position{}) },
		"more than 99 ":  func(a *Plain) { a.groups[3].places = a.groups[3].places[:19] },
	} {
		a, b := NewPlain(100), NewColumns(100, 7)
		require.NoError(t, Same(a, b))
		sum := a.Sum()
		differ(a)
		require.ErrorContains(t, Same(a, b), name)
		require.NotEqual(t, sum, a.Sum(), name)
	}
}
