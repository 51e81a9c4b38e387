package grid

import "math"

// Cell is the number of a cell. Around the grid there is a wall of one cell on each side, whose cells have numbers too: so
// every cell of the grid has four neighbours, and nobody has to ask where the grid ends.
type Cell int32

// Costs of cells: what it costs to enter one.
const (
	Wall    = 0 // of a cell that nobody enters
	Highest = 10
)

// Shape is how large a grid is, and how little a step costs. It is a small value, a parameter of jobs.
type Shape struct {
	Width, Height int32
	// Least is what the cheapest cell costs, 1 or more. What a way costs is at least that for each step.
	Least int32
}

// Stride is how far a cell and the one below it are apart in number.
func (s Shape) Stride() Cell { return Cell(s.Width) + 2 }

// Cells returns how many numbers there are, those of the wall around the grid included.
func (s Shape) Cells() int { return int(s.Width+2) * int(s.Height+2) }

// Cell returns the cell at column x and row y, which begin at 0.
func (s Shape) Cell(x, y int32) Cell { return Cell(y+1)*s.Stride() + Cell(x+1) }

// At returns the column and the row of a cell.
func (s Shape) At(c Cell) (x, y int32) {
	return int32(c%s.Stride()) - 1, int32(c/s.Stride()) - 1
}

// Steps returns how many steps lie between two cells when there are no walls.
func (s Shape) Steps(a, b Cell) int32 {
	ax, ay := s.At(a)
	bx, by := s.At(b)
	return Away(ax, bx) + Away(ay, by)
}

// Away returns how far apart two columns are, or two rows.
func Away(a, b int32) int32 { return max(a-b, b-a) }

// Directions are the steps from a cell to its neighbours.
const Directions = 4

// Steps to the right, down, to the left and up.
var (
	DX = [Directions]int32{1, 0, -1, 0}
	DY = [Directions]int32{0, 1, 0, -1}
)

// Moves returns what is to be added to a cell for its neighbours.
func (s Shape) Moves() [Directions]Cell {
	return [Directions]Cell{1, s.Stride(), -1, -s.Stride()}
}

// Grid is the cells and what it costs to enter each.
type Grid struct {
	Shape
	Costs []uint8 // by Cell
}

// Of returns a grid of rows of costs, all of the same length.
func Of(rows [][]uint8) Grid {
	g := Grid{Shape: Shape{Height: int32(len(rows))}}
	if len(rows) > 0 {
		g.Width = int32(len(rows[0]))
	}
	g.Costs = make([]uint8, g.Cells())
	for y, row := range rows {
		copy(g.Costs[g.Cell(0, int32(y)):], row)
	}
	g.measure()
	return g
}

// measure finds out what the cheapest cell costs.
func (g *Grid) measure() {
	g.Least = math.MaxInt32
	for _, c := range g.Costs {
		if c != Wall {
			g.Least = min(g.Least, int32(c))
		}
	}
	if g.Least == math.MaxInt32 {
		g.Least = 1
	}
}
