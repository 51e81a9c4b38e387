package grid

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Config says what is drawn.
type Config struct {
	Width, Height, Goals int
	// Walls is the share of the cells that are walls.
	Walls float64
	// Odd makes the last of three goals or more the start itself, and puts walls around another one.
	Odd  bool
	Seed uint64
}

// Largest is how wide and how high a grid may be.
const Largest = 4000

// Check refuses what makes no sense.
func (c Config) Check() error {
	switch {
	case c.Width < 1 || c.Height < 1:
		return fmt.Errorf("a grid of %d x %d cells: at least 1 x 1 is needed", c.Width, c.Height)
	case c.Width > Largest || c.Height > Largest:
		return fmt.Errorf("a grid of %d x %d cells: it may have %d x %d", c.Width, c.Height, Largest, Largest)
	case c.Goals < 1:
		return fmt.Errorf("%d goals: at least 1 is needed", c.Goals)
	case math.IsNaN(c.Walls) || c.Walls < 0 || c.Walls > 1:
		return fmt.Errorf("a share of walls of %v: it is a number from 0 to 1", c.Walls)
	}
	return nil
}

// Task is what is to be searched: the cheapest ways from one cell to some others.
type Task struct {
	Grid
	Start Cell
	Goals []Cell
}

// roomy is how wide and high a grid is at least that has an enclosed goal.
const roomy = 6

// New draws a task. The start is the first cell. The goals are numbered from far to near, so that the long searches come first
// and the short ones fill what time these leave. The config must pass its Check.
func New(c Config) Task {
	r := rand.New(rand.NewPCG(c.Seed, 1))
	t := Task{Grid: Grid{Shape: Shape{Width: int32(c.Width), Height: int32(c.Height)}}}
	t.Costs = make([]uint8, t.Cells())
	for y := range t.Height {
		for x := range t.Width {
			if cost := uint8(1 + r.IntN(Highest)); r.Float64() >= c.Walls {
				t.Costs[t.Cell(x, y)] = cost
			}
		}
	}
	t.Start = t.Cell(0, 0)
	t.open(t.Start)
	odd := c.Odd && c.Goals >= 3
	for len(t.Goals) < c.Goals {
		goal := t.Cell(r.Int32N(t.Width), r.Int32N(t.Height))
		switch {
		case odd && len(t.Goals) == 0:
			goal = t.Start
		case odd && len(t.Goals) == 1 && min(c.Width, c.Height) >= roomy:
			goal = t.Cell(t.Width-3, t.Height-3)
		}
		t.open(goal)
		t.Goals = append(t.Goals, goal)
	}
	if odd && min(c.Width, c.Height) >= roomy {
		for _, move := range t.Moves() {
			t.Costs[t.Cell(t.Width-3, t.Height-3)+move] = Wall
		}
	}
	slices.SortStableFunc(t.Goals, func(a, b Cell) int { return cmp.Compare(t.Steps(t.Start, b), t.Steps(t.Start, a)) })
	t.measure()
	return t
}

// open sees to it that a cell is no wall.
func (t *Task) open(c Cell) { t.Costs[c] = max(t.Costs[c], 1) }
