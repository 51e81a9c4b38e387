package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Spread is a step of a simulation: each batch becomes the sum of its neighbours.
type Spread struct {
	Now  array.Reader[int]
	Next array.Writer[int]
}

func (s *Spread) Execute(i int) {
	n := s.Now.Len()
	s.Next.Set(i, s.Now.At((i+n-1)%n)+s.Now.At((i+1)%n))
}

// The step and the drawing read the front while the next frame is computed.
func ExampleDouble() {
	batches := array.NewDouble[int](5)
	batches.Front().Set(2, 1)
	frame := make([]int, 5)
	for range 3 {
		h := parallelfor.Schedule(5, Spread{Now: batches.Front().Reader(), Next: batches.Back().Writer()}, (*Spread).Execute)
		batches.Front().CopyTo(frame)
		fmt.Println(frame)
		h.Complete()
		batches.Swap() // shows the next frame
	}
	// Output:
	// [0 0 1 0 0]
	// [0 1 0 1 0]
	// [1 0 2 0 1]
}

// Split is a step of a growth: each batch that is old enough becomes two.
type Split struct {
	Now  array.Reader[int]
	Next array.ParallelWriter[int]
}

func (s *Split) Execute(i int) {
	age := s.Now.At(i)
	s.Next.Append(age + 1)
	if age > 1 {
		s.Next.Append(0)
	}
}

// While a step appends the next generation, all readers see this one.
func ExampleDoubleList() {
	batches := array.NewDoubleList[int]()
	batches.Front().AppendAll([]int{1, 2})
	for range 3 {
		batches.Back().Clear()
		h := parallelfor.Schedule(batches.Front().Len(), Split{Now: batches.Front().Reader(), Next: batches.Back().ParallelWriter()}, (*Split).Execute)
		fmt.Println(batches.Front().Len(), batches.Front().At(0))
		h.Complete()
		batches.Swap() // shows the next generation
	}
	fmt.Println(batches.Front().Slice())
	// Output:
	// 2 1
	// 3 2
	// 5 3
	// [4 0 1 5 0 1 2]
}
