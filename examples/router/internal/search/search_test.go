package search

import (
	"math/rand/v2"
	"testing"

	"example.com/custody/examples/router/internal/grid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// found searches over a grid with fresh nodes.
func found(g grid.Grid, start, goal grid.Cell, limit int32) (Result, []grid.Cell) {
	return Find(g.Shape, g.Costs, Query{start, goal, limit}, make([]Node, g.Cells()), nil)
}

// leads fails unless the path leads from start to goal and costs so much.
func leads(t *testing.T, g grid.Grid, start, goal grid.Cell, cost int32, path []grid.Cell) {
	t.Helper()
	require.NotEmpty(t, path)
	require.Equal(t, []grid.Cell{start, goal}, []grid.Cell{path[0], path[len(path)-1]})
	sum := int32(0)
	for i, c := range path[1:] {
		require.EqualValues(t, 1, g.Steps(path[i], c))
		require.NotZero(t, g.Costs[c])
		sum += int32(g.Costs[c])
	}
	require.Equal(t, cost, sum)
}

func TestNoPathIsCheaperThanDijkstras(t *testing.T) {
	for seed := range uint64(150) {
		c := grid.Config{Width: 1 + int(seed%37), Height: 1 + int(seed*7%29), Goals: 6, Walls: float64(seed%5) / 10, Odd: seed%2 == 0, Seed: seed}
		task := grid.New(c)
		if seed%3 == 0 { // where cheap cells are missing, a step costs more at least
			for i, cost := range task.Costs {
				if cost != grid.Wall {
					task.Costs[i] = max(cost, 6)
				}
			}
			task.Least = 6
		}
		want := Dijkstra(task.Grid, task.Start)
		for _, goal := range task.Goals {
			r, path := found(task.Grid, task.Start, goal, 0)
			if want[goal] < 0 {
				require.Equal(t, NoWay, r.Outcome, "%+v goal %d", c, goal)
				require.Zero(t, r.Cost)
				require.Empty(t, path)
				continue
			}
			require.Equal(t, Found, r.Outcome, "%+v goal %d", c, goal)
			require.Equal(t, want[goal], r.Cost, "%+v goal %d", c, goal)
			leads(t, task.Grid, task.Start, goal, r.Cost, path)
		}
	}
}

func TestDijkstraOnASmallGrid(t *testing.T) {
	g := grid.Of([][]uint8{
		{1, 9, 1},
		{1, 0, 1},
		{1, 1, 1},
	})
	costs := Dijkstra(g, g.Cell(0, 0))
	assert.EqualValues(t, 6, costs[g.Cell(2, 0)], "round the wall, not over the dear cell")
	assert.EqualValues(t, 9, costs[g.Cell(1, 0)])
	assert.EqualValues(t, -1, costs[g.Cell(1, 1)])
	for _, c := range Dijkstra(g, g.Cell(1, 1)) {
		assert.EqualValues(t, -1, c, "from a wall no way leads")
	}
}

func TestEndsOfSearches(t *testing.T) {
	one, row := grid.Of([][]uint8{{3}}), grid.Of([][]uint8{{5, 1, 2, 0, 4}})
	walled := grid.Of([][]uint8{{1, 1, 1}, {1, 0, 0}, {1, 0, 7}})
	for _, c := range []struct {
		name        string
		g           grid.Grid
		start, goal grid.Cell
		limit       int32
		want        Result
		cells       int
	}{
		{"the only cell", one, one.Cell(0, 0), one.Cell(0, 0), 0, Result{0, 0, Found}, 1},
		{"the goal is the start, and the limit is low", row, row.Cell(1, 0), row.Cell(1, 0), 1, Result{0, 0, Found}, 1},
		{"along a row", row, row.Cell(0, 0), row.Cell(2, 0), 0, Result{3, 2, Found}, 3},
		{"along a row, back", row, row.Cell(2, 0), row.Cell(0, 0), 0, Result{6, 2, Found}, 3},
		{"behind a wall", row, row.Cell(0, 0), row.Cell(4, 0), 0, Result{0, 3, NoWay}, 0},
		{"from behind a wall", row, row.Cell(4, 0), row.Cell(0, 0), 0, Result{0, 1, NoWay}, 0},
		{"walled in", walled, walled.Cell(0, 0), walled.Cell(2, 2), 0, Result{0, 5, NoWay}, 0},
		{"the goal is a wall", row, row.Cell(0, 0), row.Cell(3, 0), 0, Result{0, 0, NoWay}, 0},
		{"the start is a wall", row, row.Cell(3, 0), row.Cell(0, 0), 0, Result{0, 0, NoWay}, 0},
		{"both are the same wall", row, row.Cell(3, 0), row.Cell(3, 0), 0, Result{0, 0, NoWay}, 0},
		{"the limit is reached", row, row.Cell(0, 0), row.Cell(2, 0), 1, Result{0, 1, GaveUp}, 0},
		{"the limit is enough", row, row.Cell(0, 0), row.Cell(2, 0), 2, Result{3, 2, Found}, 3},
		{"the limit is reached when nothing is left", walled, walled.Cell(0, 0), walled.Cell(2, 2), 5, Result{0, 5, NoWay}, 0},
	} {
		r, path := found(c.g, c.start, c.goal, c.limit)
		assert.Equal(t, c.want, r, c.name)
		assert.Len(t, path, c.cells, c.name)
		if c.want.Outcome == Found {
			leads(t, c.g, c.start, c.goal, r.Cost, path)
		}
	}
}

func TestPathsAreAppended(t *testing.T) {
	g := grid.Of([][]uint8{{1, 1}})
	_, path := Find(g.Shape, g.Costs, Query{Start: g.Cell(0, 0), Goal: g.Cell(1, 0)}, make([]Node, g.Cells()), []grid.Cell{-7})
	assert.Equal(t, []grid.Cell{-7, g.Cell(0, 0), g.Cell(1, 0)}, path)
}

func TestOutcomesHaveNames(t *testing.T) {
	assert.Equal(t, "found, no way, gave up, not searched", Found.String()+", "+NoWay.String()+", "+GaveUp.String()+", "+Unasked.String())
}

// The frontier gives out what a list would that is searched through each time: of the lowest estimates the one that was
// opened last.
func TestFrontierIsAQueueByEstimate(t *testing.T) {
	type entry struct{ node, estimate, cost int32 }
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		nodes := make([]Node, 300)
		var q Frontier
		var model []entry
		least := r.Int32N(1000)
		for range 3000 {
			if r.IntN(5) < 3 {
				e := entry{r.Int32N(300), least + r.Int32N(Span), r.Int32N(50)}
				if n := nodes[e.node]; n.Came == Unknown || e.cost < n.Cost {
					for i := range model {
						if model[i].node == e.node {
							model = append(model[:i], model[i+1:]...)
							break
						}
					}
					model = append(model, e)
				}
				q.Offer(nodes, e.node, e.cost, e.estimate, Stepped)
			} else if len(model) > 0 {
				best := 0
				for i, e := range model {
					if e.estimate <= model[best].estimate {
						best = i
					}
				}
				want := model[best]
				require.Equal(t, want.estimate, q.Least())
				require.Equal(t, want.node, q.Pop(nodes))
				model = append(model[:best], model[best+1:]...)
				least = want.estimate // estimates do not fall
			}
			require.Equal(t, len(model) == 0, q.Empty())
		}
	}
}

func BenchmarkFind(b *testing.B) {
	task := grid.New(grid.Config{Width: 40, Height: 40, Goals: 1, Walls: 0.1, Seed: 1})
	nodes := make([]Node, task.Cells())
	var path []grid.Cell
	b.ReportAllocs()
	for b.Loop() {
		clear(nodes)
		_, path = Find(task.Shape, task.Costs, Query{Start: task.Start, Goal: task.Goals[0]}, nodes, path[:0])
	}
}
