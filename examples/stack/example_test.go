package stack_test

import (
	"fmt"

	"example.com/custody/examples/stack"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A loop that looks for places and pushes them; a second one goes over what was found, in place.
func Example() {
	found := stack.New[int](4, safety.Named("found"))
	parallelfor.For(100, found.ParallelWriter(), func(w *stack.ParallelWriter[int], i int) {
		if i%20 == 3 {
			w.Push(i)
		}
	})
	parallelfor.For(found.Len(), found.Writer(), func(w *stack.Writer[int], i int) { w.Set(i, -w.At(i)) })
	for v := range found.All() {
		fmt.Println(v)
	}
	fmt.Println("no room for", found.Rejected())
	// Output:
	// -63
	// -43
	// -23
	// -3
	// no room for 1
}
