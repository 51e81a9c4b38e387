package search

import (
	"slices"

	"example.com/custody/examples/router/internal/grid"
)

// Outcome is how a search has ended. That there is no way is a result, not an error.
type Outcome uint8

// Outcomes.
const (
	Found   Outcome = iota // there is a way, and none is cheaper
	NoWay                  // there is none: walls are around one of the ends, or an end is a wall
	GaveUp                 // the limit was reached first
	Unasked                // nobody has searched yet
)

var outcomeNames = [...]string{"found", "no way", "gave up", "not searched"}

func (o Outcome) String() string { return outcomeNames[o] }

// Result is what is known when a search has ended.
type Result struct {
	Cost     int32 // of all cells that the way enters, which the start is not; 0 without a way
	Expanded int32 // cells whose neighbours were looked at; one that is looked at again counts again
	Outcome  Outcome
}

// Query is one search: from where to where, and at how many expanded cells it gives up; 0 is never.
type Query struct {
	Start, Goal grid.Cell
	Limit       int32
}

// Find searches the cheapest way, and appends its cells to path, from the start to the goal. Nodes are one for each of the shape's
// Cells, all zero; it leaves in them what it has found out.
func Find(shape grid.Shape, costs []uint8, q Query, nodes []Node, path []grid.Cell) (Result, []grid.Cell) {
	if costs[q.Start] == grid.Wall || costs[q.Goal] == grid.Wall {
		return Result{Outcome: NoWay}, path
	}
	moves := shape.Moves()
	toX, toY := shape.At(q.Goal)
	open := Frontier{}
	open.Offer(nodes, int32(q.Start), 0, shape.Least*shape.Steps(q.Start, q.Goal), Started)
	expanded := int32(0)
	for ; !open.Empty(); expanded++ {
		at := grid.Cell(open.Pop(nodes))
		switch {
		case at == q.Goal:
			return Result{nodes[at].Cost, expanded, Found}, Trace(shape, nodes, at, path)
		case q.Limit > 0 && expanded == q.Limit:
			return Result{0, expanded, GaveUp}, path
		}
		cost := nodes[at].Cost
		x, y := shape.At(at)
		for d, move := range moves {
			step := int32(costs[at+move])
			if step == grid.Wall {
				continue
			}
			rest := shape.Least * (grid.Away(x+grid.DX[d], toX) + grid.Away(y+grid.DY[d], toY))
			open.Offer(nodes, int32(at+move), cost+step, cost+step+rest, Came(d)+Stepped)
		}
	}
	return Result{0, expanded, NoWay}, path
}

// Trace appends the way that has led to a cell.
func Trace(shape grid.Shape, nodes []Node, at grid.Cell, path []grid.Cell) []grid.Cell {
	moves, begun := shape.Moves(), len(path)
	for path = append(path, at); nodes[at].Came != Started; path = append(path, at) {
		at -= moves[nodes[at].Came-Stepped]
	}
	slices.Reverse(path[begun:])
	return path
}
