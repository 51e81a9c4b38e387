package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These are reported by strict builds only: by others sometimes, or never.

var onlyStrict = []misuse{
	{"a loop writes beside its index, inside its batch", neighbour, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `array.Array[int] "a"`, Job: "swap pairs", Index: 1, Max: 1, Length: 100, Made: somewhere}, strict},
	{"an element is used after its batch", staleElement, safety.Violation{Kind: safety.ErrStaleView, Container: `array.Array[int] "a"`, Made: somewhere}, strict},
	{"a body uses a container without a view", noView, safety.Violation{Kind: safety.ErrOwnerInJob, Container: `array.Array[int] "weights"`, Job: "weigh", Made: somewhere}, strict},
	{"two batches share an element through an Unrestricted view", overlap, safety.Violation{Kind: safety.ErrOverlap,
		Container: `array.Array[int] "a"`, Job: "smooth", Index: 49, Max: 100, Length: 100, Made: somewhere}, alone},
}

// A loop writes elements in pairs. With another batch length a pair belongs to two batches, and two
// workers.
func neighbour() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, a.Writer(), func(w *array.Writer[int], i int) {
		w.Set(i^1, i)
	}, parallelfor.Name("swap pairs"), parallelfor.Batch(10))
}

// An element is set through a view that was kept. Other builds check only the index, and the view
// when it returns a Slice.
func staleElement() {
	a := array.New[int](100, safety.Named("a"))
	var kept array.Writer[int]
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { kept = *w })
	kept.Set(0, 1)
}

// The ledger does not know of the use, so a job that writes weights would be admitted beside it.
func noView() {
	a, weights := array.New[int](100, safety.Named("a")), array.New[int](100, safety.Named("weights"))
	parallelfor.For(100, a.Writer(), func(w *array.Writer[int], i int) {
		w.Set(i, weights.At(i))
	}, parallelfor.Name("weigh"))
}

// Element 50 depends on which of the two batches is further.
func overlap() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) {
		*w.Ptr(i) += w.At(max(i-1, 0))
	}, parallelfor.Name("smooth"), parallelfor.Batch(50))
}
