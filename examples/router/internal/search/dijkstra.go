package search

import (
	"container/heap"

	"example.com/custody/examples/router/internal/grid"
)

// Dijkstra returns for each cell what the cheapest way to it costs from the start, or -1 where none leads. It has nothing in common with
// [Find] but the grid. E. W. Dijkstra, A Note on Two Problems in Connexion with Graphs, 1959.
func Dijkstra(g grid.Grid, start grid.Cell) []int32 {
	costs := make([]int32, len(g.Costs))
	for i := range costs {
		costs[i] = -1
	}
	if g.Costs[start] == grid.Wall {
		return costs
	}
	open := visits{{start, 0}}
	for len(open) > 0 {
		v := heap.Pop(&open).(visit)
		if costs[v.cell] >= 0 {
			continue
		}
		costs[v.cell] = v.cost
		for _, move := range g.Moves() {
			if c := v.cell + move; g.Costs[c] != grid.Wall && costs[c] < 0 {
				heap.Push(&open, visit{c, v.cost + int32(g.Costs[c])})
			}
		}
	}
	return costs
}

// visit is a cell, and the cost of a way to it.
type visit struct {
	cell grid.Cell
	cost int32
}

type visits []visit

func (v visits) Len() int           { return len(v) }
func (v visits) Less(i, k int) bool { return v[i].cost < v[k].cost }
func (v visits) Swap(i, k int)      { v[i], v[k] = v[k], v[i] }
func (v *visits) Push(x any)        { *v = append(*v, x.(visit)) }

func (v *visits) Pop() any {
	last := (*v)[len(*v)-1]
	*v = (*v)[:len(*v)-1]
	return last
}
