package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These are reported by strict builds only: by others sometimes, or never.

var onlyStrict = []misuse{
	{"a loop writes beside its index, inside its cell", neighbour, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `array.Array[int] "a"`, Job: "swap pairs", Index: 1, Max: 1, Length: 100, Made: somewhere}, strict},
	{"an element is used after its cell", staleElement, safety.Violation{Kind: safety.ErrStaleView, Container: `array.Array[int] "a"`, Made: somewhere}, strict},
}

// A loop writes elements two by two. As long as a cell never ends between the two nobody is hurt; with another
// batch they are two cells', and two workers'.
func neighbour() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, a.Writer(), func(w *array.Writer[int], i int) {
		w.Set(i^1, i)
	}, parallelfor.Name("swap pairs"), parallelfor.Batch(10))
}

// An element is set through a view that was kept. Other builds look at the index alone, and at the view when it
// hands out a Slice.
func staleElement() {
	a := array.New[int](100, safety.Named("a"))
	var kept array.Writer[int]
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { kept = *w })
	kept.Set(0, 1)
}
