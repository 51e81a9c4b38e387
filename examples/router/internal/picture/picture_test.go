package picture

import (
	"bytes"
	"image/png"
	"testing"

	"example.com/custody/examples/router/internal/grid"
	"example.com/custody/examples/router/internal/route"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCellsWaysAndGoalsAreDrawn(t *testing.T) {
	task := grid.Task{Grid: grid.Of([][]uint8{{1, 10, 5}, {0, 1, 0}})}
	task.Start = task.Cell(0, 0)
	task.Goals = []grid.Cell{task.Cell(2, 0), task.Cell(1, 1)}
	s := route.NewSequential(task, 1) // gives up the first goal
	s.Run()
	p := Draw(task, s.Routes())
	size := p.Rect.Dx() / 3
	require.Equal(t, []int{3 * size, 2 * size}, []int{p.Rect.Dx(), p.Rect.Dy()})
	at := func(x, y int) uint8 { return p.ColorIndexAt(x*size+size/2, y*size+size/2) }
	assert.Equal(t, []uint8{10, 0, 0}, []uint8{at(1, 0), at(0, 1), at(2, 1)}, "costs and walls")
	assert.EqualValues(t, 1, p.ColorIndexAt(2*size+size/2, size/2), "a goal without a way is crossed out")
	assert.Equal(t, colour(0), p.ColorIndexAt(2*size+size/2, size/4))

	s = route.NewSequential(task, 0)
	s.Run()
	p = Draw(task, s.Routes())
	assert.Equal(t, []uint8{colour(0), colour(1)}, []uint8{at(2, 0), p.ColorIndexAt(size+size/2, size+size/2)}, "goals")
	assert.Equal(t, colour(0), p.ColorIndexAt(size+size/2, 1), "the first way runs along the upper edges")
	assert.Equal(t, colour(1), p.ColorIndexAt(size+size/2, size-1), "the last one along the lower ones")
	assert.Equal(t, []uint8{grid.Wall, 1}, []uint8{at(0, 0), p.ColorIndexAt(size/8, size/2)}, "a small box is the start")
}

func TestPicturesAreSmall(t *testing.T) {
	for _, c := range []grid.Config{
		{Width: 40, Height: 40, Goals: 10, Walls: 0.1, Odd: true, Seed: 1},
		{Width: 1000, Height: 3, Goals: 25, Walls: 0.1, Odd: true, Seed: 1},
		{Width: 1, Height: 1, Goals: 1, Seed: 1},
	} {
		task := grid.New(c)
		s := route.NewSequential(task, 0)
		s.Run()
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, Draw(task, s.Routes())))
		assert.Less(t, b.Len(), 100_000)
		image, err := png.Decode(&b)
		require.NoError(t, err)
		assert.Equal(t, c.Width*image.Bounds().Dy(), c.Height*image.Bounds().Dx(), "cells are squares")
	}
}
