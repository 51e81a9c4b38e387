package rounds

import (
	"testing"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/route"
	"example.com/custody/examples/router/internal/search"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// finder is what both forms have.
type finder interface {
	Find(q search.Query, path []grid.Cell) (search.Result, []grid.Cell)
	Rounds() int
}

// all searches to all goals of a task, and returns how many rounds each search had, too.
func all(f finder, t grid.Task, limit int32) (routes []route.Route, rounds []int) {
	for _, goal := range t.Goals {
		r, path := f.Find(search.Query{Start: t.Start, Goal: goal, Limit: limit}, nil)
		routes = append(routes, route.Route{Result: r, Path: path})
		rounds = append(rounds, f.Rounds())
	}
	return routes, rounds
}

// equal searches in parallel, and fails unless that finds what the sequential rounds do. It returns what that is.
func equal(t *testing.T, task grid.Task, limit int32, seed uint64) []route.Route {
	t.Helper()
	want, rounds := all(NewSequential(task.Grid), task, limit)
	for _, workers := range []int{1, 2, 8} {
		stop := fuzz.HandOut(seed)
		got, gotRounds := all(NewParallel(task.Grid, parallelfor.Workers(workers)), task, limit)
		stop()
		require.NoError(t, route.Same(want, got), "workers %d", workers)
		require.Equal(t, rounds, gotRounds)
	}
	got, _ := all(NewParallel(task.Grid, parallelfor.Sequential()), task, limit)
	require.NoError(t, route.Same(want, got), "sequential")
	return want
}

func TestRoundsFindTheSameAtAnyNumberOfWorkersAndNothingIsCheaper(t *testing.T) {
	for seed := range uint64(10) {
		c := grid.Config{Width: 9 + int(seed*11%53), Height: 9 + int(seed*5%41), Goals: 5, Walls: 0.1 * float64(seed%4), Odd: seed%3 > 0, Seed: seed}
		task := grid.New(c)
		require.NoError(t, route.Check(task, equal(t, task, 0, seed)), "%+v", c)
	}
}

func TestNoWayOfManyTasksIsCheaperThanDijkstras(t *testing.T) {
	for seed := range uint64(100) {
		c := grid.Config{Width: 1 + int(seed%67), Height: 1 + int(seed*7%59), Goals: 4, Walls: 0.1 * float64(seed%5), Odd: seed%2 > 0, Seed: seed}
		task := grid.New(c)
		routes, _ := all(NewSequential(task.Grid), task, 0)
		require.NoError(t, route.Check(task, routes), "%+v", c)
	}
}

// A grid that is large enough for more owners.
func TestLargeGrids(t *testing.T) {
	c := grid.Config{Width: 270, Height: 250, Goals: 1, Walls: 0.1, Seed: 1}
	task := grid.New(c)
	require.NotEqual(t, NewParallel(task.Grid).Owners(), NewParallel(grid.Of([][]uint8{{1}})).Owners())
	require.NoError(t, route.Check(task, equal(t, task, 0, 1)))
}

// What steps cost at least is not always 1, and that they cost much more sometimes does not harm.
func TestDearGrids(t *testing.T) {
	for _, least := range []uint8{2, 9, 10} {
		task := grid.New(grid.Config{Width: 50, Height: 40, Goals: 4, Walls: 0.2, Odd: true, Seed: uint64(least)})
		for i, cost := range task.Costs {
			if cost != grid.Wall {
				task.Costs[i] = max(cost, least)
			}
		}
		task.Least = int32(least)
		require.NoError(t, route.Check(task, equal(t, task, 0, 1)))
	}
}

func TestEndsOfSearches(t *testing.T) {
	one, row := grid.Of([][]uint8{{3}}), grid.Of([][]uint8{{5, 1, 2, 0, 4}})
	for _, c := range []struct {
		name        string
		g           grid.Grid
		start, goal grid.Cell
		want        search.Result
	}{
		{"the only cell", one, one.Cell(0, 0), one.Cell(0, 0), search.Result{Cost: 0, Expanded: 1, Outcome: search.Found}},
		{"along a row", row, row.Cell(0, 0), row.Cell(2, 0), search.Result{Cost: 3, Expanded: 3, Outcome: search.Found}},
		{"behind a wall", row, row.Cell(0, 0), row.Cell(4, 0), search.Result{Expanded: 3, Outcome: search.NoWay}},
		{"the goal is a wall", row, row.Cell(0, 0), row.Cell(3, 0), search.Result{Outcome: search.NoWay}},
		{"the start is a wall", row, row.Cell(3, 0), row.Cell(0, 0), search.Result{Outcome: search.NoWay}},
		{"both are the same wall", row, row.Cell(3, 0), row.Cell(3, 0), search.Result{Outcome: search.NoWay}},
	} {
		task := grid.Task{Grid: c.g, Start: c.start, Goals: []grid.Cell{c.goal, c.goal}}
		routes := equal(t, task, 0, 7)
		require.NoError(t, route.Check(task, routes), c.name)
		assert.Equal(t, c.want, routes[0].Result, c.name)
		assert.Equal(t, routes[0], routes[1], "%s: a search leaves nothing to the next", c.name)
	}
}

// A search that gives up does so after the same round at any number of workers.
func TestLimits(t *testing.T) {
	task := grid.New(grid.Config{Width: 40, Height: 40, Goals: 1, Seed: 1})
	whole := equal(t, task, 0, 1)[0]
	require.Equal(t, search.Found, whole.Outcome)
	gaveUp := equal(t, task, 100, 2)[0]
	assert.Equal(t, search.GaveUp, gaveUp.Outcome)
	assert.GreaterOrEqual(t, gaveUp.Expanded, int32(100))
	assert.Less(t, gaveUp.Expanded, whole.Expanded)
	assert.Empty(t, gaveUp.Path)
	assert.Equal(t, gaveUp, equal(t, task, gaveUp.Expanded, 2)[0], "the limit is reached at the end of a round")
	assert.Less(t, gaveUp.Expanded, equal(t, task, gaveUp.Expanded+1, 2)[0].Expanded)
	assert.Equal(t, whole, equal(t, task, whole.Expanded+1, 3)[0], "the limit is enough")
}

func TestEveryCellHasOnePlace(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 50}, {50, 1}, {40, 40}, {41, 17}, {300, 299}} {
		g := grid.New(grid.Config{Width: size[0], Height: size[1], Goals: 1, Walls: 0.2, Seed: 4}).Grid
		l := newLayout(g)
		seen := make([]bool, len(l.costs))
		owned := make([]int, l.owners)
		for y := range g.Height {
			for x := range g.Width {
				p := l.place(g.Cell(x, y))
				require.False(t, seen[p])
				seen[p] = true
				atX, atY := l.at(p)
				require.Equal(t, []int32{x, y}, []int32{atX, atY})
				require.Equal(t, g.Costs[g.Cell(x, y)], l.costs[p])
				k := l.owner(p)
				require.True(t, l.begins[k] <= int(p) && int(p) < l.begins[k+1])
				owned[k]++
			}
		}
		for p, is := range seen {
			require.True(t, is || l.costs[p] == grid.Wall, "what is in no grid is wall")
		}
		require.Equal(t, len(l.costs), l.begins[l.owners])
		if size[0] == 300 {
			for k, n := range owned {
				assert.InDelta(t, 300*299/l.owners, n, 300*299/float64(l.owners), "owner %d", k)
			}
		}
	}
}

func BenchmarkFind(b *testing.B) {
	task := grid.New(grid.Config{Width: 300, Height: 300, Goals: 1, Walls: 0.1, Seed: 1})
	for name, f := range map[string]finder{"sequential": NewSequential(task.Grid), "parallel": NewParallel(task.Grid)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			var path []grid.Cell
			for b.Loop() {
				_, path = f.Find(search.Query{Start: task.Start, Goal: task.Goals[0]}, path[:0])
			}
		})
	}
}
