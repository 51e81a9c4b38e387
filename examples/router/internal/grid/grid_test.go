package grid

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCellsHaveFourNeighboursAndAWallAround(t *testing.T) {
	g := Of([][]uint8{{1, 2, 3}, {4, 5, 6}})
	require.Equal(t, Shape{Width: 3, Height: 2, Least: 1}, g.Shape)
	require.Len(t, g.Costs, 20)
	seen := map[Cell]bool{}
	for y := range g.Height {
		for x := range g.Width {
			c := g.Cell(x, y)
			require.EqualValues(t, 1+x+3*y, g.Costs[c])
			atX, atY := g.At(c)
			require.Equal(t, []int32{x, y}, []int32{atX, atY})
			require.False(t, seen[c])
			seen[c] = true
			for d, move := range g.Moves() {
				nextX, nextY := g.At(c + move)
				require.Equal(t, []int32{x + DX[d], y + DY[d]}, []int32{nextX, nextY})
				outside := nextX < 0 || nextX == g.Width || nextY < 0 || nextY == g.Height
				require.Equal(t, outside, g.Costs[c+move] == Wall)
			}
		}
	}
	assert.EqualValues(t, 3, g.Steps(g.Cell(0, 0), g.Cell(2, 1)))
	assert.EqualValues(t, 3, g.Steps(g.Cell(0, 1), g.Cell(2, 0)))
}

func TestTheLeastCostIsThatOfTheCheapestCell(t *testing.T) {
	assert.EqualValues(t, 4, Of([][]uint8{{7, 0}, {4, 9}}).Least)
	assert.EqualValues(t, 1, Of([][]uint8{{0}}).Least, "of a grid of walls")
	assert.EqualValues(t, 1, Of(nil).Least)
}

func TestTasksAreDrawnFromTheSeed(t *testing.T) {
	c := Config{Width: 30, Height: 20, Goals: 12, Walls: 0.2, Odd: true, Seed: 5}
	a := New(c)
	assert.Equal(t, a, New(c))
	c.Seed++
	assert.NotEqual(t, a, New(c))
	walls, costs := 0, map[uint8]int{}
	for y := range a.Height {
		for x := range a.Width {
			if cost := a.Costs[a.Cell(x, y)]; cost == Wall {
				walls++
			} else {
				costs[cost]++
			}
		}
	}
	assert.InDelta(t, 120, walls, 40)
	assert.Len(t, costs, Highest)
	assert.True(t, slices.IsSortedFunc(a.Goals, func(p, q Cell) int { return int(a.Steps(a.Start, q) - a.Steps(a.Start, p)) }), "far goals come first")
}

func TestOddGoals(t *testing.T) {
	for _, c := range []Config{{40, 40, 10, 0.1, true, 1}, {6, 6, 3, 0, true, 2}, {7, 90, 50, 1, true, 3}} {
		task := New(c)
		enclosed := task.Cell(task.Width-3, task.Height-3)
		assert.Contains(t, task.Goals, task.Start, "%+v", c)
		assert.Contains(t, task.Goals, enclosed, "%+v", c)
		for _, move := range task.Moves() {
			assert.Zero(t, task.Costs[enclosed+move], "%+v", c)
		}
		assert.NotZero(t, task.Costs[enclosed], "%+v", c)
		c.Odd = false
		task = New(c)
		for _, goal := range task.Goals {
			assert.NotZero(t, task.Costs[goal], "%+v", c)
		}
	}
	assert.Len(t, New(Config{Width: 1, Height: 1, Goals: 5, Odd: true}).Goals, 5)
}

func TestWhatMakesNoSenseIsRefused(t *testing.T) {
	for _, c := range []struct {
		config Config
		says   string
	}{
		{Config{Width: 0, Height: 1, Goals: 1}, "0 x 1 cells: at least 1 x 1 is needed"},
		{Config{Width: 1, Height: -1, Goals: 1}, "1 x -1 cells: at least 1 x 1 is needed"},
		{Config{Width: 4001, Height: 1, Goals: 1}, "it may have 4000 x 4000"},
		{Config{Width: 1, Height: 1}, "0 goals: at least 1 is needed"},
		{Config{Width: 1, Height: 1, Goals: 1, Walls: 1.5}, "a share of walls of 1.5"},
		{Config{Width: 1, Height: 1, Goals: 1, Walls: math.NaN()}, "a share of walls of NaN"},
	} {
		assert.ErrorContains(t, c.config.Check(), c.says)
	}
	assert.NoError(t, Config{Width: 4000, Height: 1, Goals: 1, Walls: 1}.Check())
}
