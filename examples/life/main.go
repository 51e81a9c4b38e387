// Life runs Conway's game of life on a torus. Each generation reads the front buffer and writes the
// back one (array.Double); a counter.Counter has the living cells.
package main

import (
	"fmt"
	"strings"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

const size = 16 // cells along each edge

// step computes a generation; index i is a row.
type step struct {
	Old   array.Reader[bool] // any cell
	New   array.Writer[bool] // size cells for each index
	Alive counter.ParallelWriter
}

func (s *step) Execute(y int) {
	row := s.New.Row(y)
	for x := range row {
		around := 0
		for dy := size - 1; dy <= size+1; dy++ {
			for dx := size - 1; dx <= size+1; dx++ {
				if (dx != size || dy != size) && s.Old.At((y+dy)%size*size+(x+dx)%size) {
					around++
				}
			}
		}
		row[x] = around == 3 || around == 2 && s.Old.At(y*size+x)
		s.Alive.IncIf(row[x])
	}
}

func main() {
	world := array.NewDouble[bool](size*size, safety.Named("world"))
	alive := counter.New(safety.Named("alive"))
	for _, at := range []int{1, size + 2, 2 * size, 2*size + 1, 2*size + 2} { // a glider
		world.Front().Set(at, true)
	}
	for range 20 {
		alive.Set(0)
		parallelfor.For(size, step{
			Old:   world.Front().Reader(),
			New:   array.ByRows(world.Back().Writer(), size),
			Alive: alive.ParallelWriter(),
		}, (*step).Execute)
		world.Swap()
	}
	fmt.Println(alive.Value(), "cells live after 20 generations")
	cells := world.Front().Slice()
	for y := 4; y < 9; y++ {
		var line strings.Builder
		for _, cell := range cells[y*size+4 : y*size+9] {
			line.WriteByte(map[bool]byte{true: '#', false: '.'}[cell])
		}
		fmt.Println(line.String())
	}
}
