package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Split is a step of a growth: each cell that is old enough becomes two.
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

// While a step appends the next generation, everybody sees this one.
func ExampleDoubleList() {
	cells := array.NewDoubleList[int]()
	cells.AppendAll([]int{1, 2})
	step := Split{Now: cells.Reader(), Next: cells.ParallelWriter()}
	for range 3 {
		h := parallelfor.Schedule(cells.Len(), step, (*Split).Execute)
		fmt.Println(cells.Len(), cells.At(0))
		h.Complete() // shows the next generation
	}
	fmt.Println(cells.Slice())
	// Output:
	// 2 1
	// 3 2
	// 5 3
	// [4 0 1 5 0 1 2]
}
