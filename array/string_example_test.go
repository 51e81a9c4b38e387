package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A container may be printed at any time: before a job, while it runs, from a body, and when it has
// ended.
func ExampleArray_String() {
	heights := array.New[int](1000, safety.Named("heights"))
	fmt.Println(heights)
	parallelfor.ForBatch(1000, heights.Writer(), func(w *array.Writer[int], begin, end int) {
		_ = fmt.Sprint(heights) // says that the job writes it
	})
	heights.Dispose()
	fmt.Println(heights)
	// Output:
	// array.Array[int] "heights": 1000 elements
	// array.Array[int] "heights": disposed
}
