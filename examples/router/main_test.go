package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/examples/internal/program"
	"example.com/custody/examples/internal/program/programtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func TestRouter(t *testing.T) {
	p := programtest.Program{Name: "router", Run: run}
	p.Simulates(t, []string{"-n", "40", "-steps", "2"}, ": no way, ", []string{"-workers", "1"}, []string{"-workers", "7"})
	p.Says(t, program.Failed, "there may be 4000", "-n", "5000")
}

// cheapest returns what the cheapest ways to all cells cost, by Bellman and Ford; 0 is no way.
func cheapest(g grid, start cell) []int32 {
	costs := make([]int32, len(g.costs))
	for changed := true; changed; {
		changed = false
		for at := range cell(len(g.costs)) {
			if costs[at] == 0 && at != start {
				continue
			}
			for _, to := range [4]cell{at + 1, at + g.stride, at - 1, at - g.stride} {
				if to < 0 || int(to) >= len(costs) || g.costs[to] == 0 || to == start {
					continue
				}
				if cost := costs[at] + int32(g.costs[to]); costs[to] == 0 || cost < costs[to] {
					costs[to], changed = cost, true
				}
			}
		}
	}
	return costs
}

func TestNoWayIsCheaperAndWaysGoStepByStep(t *testing.T) {
	for seed := range uint64(20) {
		g, start, _ := begin(program.Options{N: 12, Seed: seed})
		costs := cheapest(g, start)
		for goal, cost := range costs {
			if g.costs[goal] == 0 {
				continue
			}
			r, path := g.find(start, cell(goal), make([]node, len(g.costs)), nil)
			require.Equal(t, cost > 0 || cell(goal) == start, r.found)
			require.Equal(t, cost, r.cost)
			sum := int32(0)
			for i, c := range path[min(1, len(path)):] {
				require.EqualValues(t, 1, g.steps(path[i], c))
				sum += int32(g.costs[c])
			}
			require.Equal(t, cost, sum)
			require.Equal(t, r.found, len(path) > 0)
		}
	}
}

// With a Writer of the costs, each search may write what the others read: the second schedule
// panics, on every run, also with one worker.
func TestSearchesThatMayWriteTheCostsAreRefused(t *testing.T) {
	if !safety.Enabled {
		t.Skip("this build checks nothing")
	}
	type careless struct{ Costs array.Writer[uint8] }
	costs := array.New[uint8](9, safety.Named("costs"))
	schedule := func() parallelfor.Handle {
		return parallelfor.ScheduleDo(careless{Costs: costs.Writer()}, func(*careless) {}, parallelfor.Inline())
	}
	first := schedule()
	defer first.Complete()
	defer func() {
		v, _ := recover().(*safety.Violation)
		require.NotNil(t, v)
		require.ErrorIs(t, v, safety.ErrConflict)
		require.Equal(t, []string{"Costs", "Costs"}, []string{v.Field, v.OtherField})
	}()
	schedule()
}
