package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Spread is a step of a simulation: each cell becomes the sum of its neighbours.
type Spread struct {
	Now  array.Reader[int]
	Next array.Writer[int]
}

func (s *Spread) Execute(i int) {
	n := s.Now.Len()
	s.Next.Set(i, s.Now.At((i+n-1)%n)+s.Now.At((i+1)%n))
}

// The frame is read, by the step and by whoever draws it, while the next is computed. The same job value
// serves every step.
func ExampleDouble() {
	cells := array.NewDouble[int](5)
	cells.Set(2, 1)
	frame := make([]int, cells.Len())
	step := Spread{Now: cells.Reader(), Next: cells.Writer()}
	for range 3 {
		h := parallelfor.Schedule(5, step, (*Spread).Execute)
		cells.CopyTo(frame)
		fmt.Println(frame)
		h.Complete() // shows the next frame
	}
	// Output:
	// [0 0 1 0 0]
	// [0 1 0 1 0]
	// [1 0 2 0 1]
}
