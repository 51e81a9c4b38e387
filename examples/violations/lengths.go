package main

import (
	"math"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These have lengths that do not fit.

var lengths = []misuse{
	{"a loop has more indices than a view serves", length, safety.Violation{Kind: safety.ErrLength,
		Container: `array.Array[int] "a"`, Job: "fill", Field: "Out", N: 101, Length: 100, Made: somewhere}, checked},
	{"a loop has more indices than there are rows", lengthOfRows, safety.Violation{Kind: safety.ErrLength,
		Container: `array.Array[int] "a"`, Job: "thirds", N: 34, Length: 33, Made: somewhere}, checked},
	{"a loop has more indices than there are bins", lengthOfBins, safety.Violation{Kind: safety.ErrLength,
		Container: `counter.Histogram "h"`, Job: "reset", N: 11, Length: 10, Made: somewhere}, checked},
	{"a loop turns out to be too long", lengthOf, safety.Violation{Kind: safety.ErrLength,
		Container: `array.Array[int] "out"`, Job: "fill", Field: "Out", N: 101, Length: 100, Made: somewhere}, checked},
	{"a nested loop has more indices than its batch", lengthOfBatch, safety.Violation{Kind: safety.ErrLength,
		Container: `array.Array[int] "a"`, Job: "fill", Field: "Out", N: 100, Length: 10, Made: somewhere}, checked},
	{"a loop has a negative number of indices", negativeLoop, safety.Violation{Kind: safety.ErrLength, Job: "fill", N: -1}, always},
	{"a view says that it has a negative length", negativeLengthOf, safety.Violation{Kind: safety.ErrLength, Job: "fill", N: -1}, always},
	{"an array is to have a negative length", negativeArray, safety.Violation{Kind: safety.ErrLength, Container: `array.Array[int]`, N: -1, Made: somewhere}, always},
	{"a list is to grow beyond what memory can hold", hugeList, safety.Violation{Kind: safety.ErrLength, Container: `array.List[int] "l"`, N: math.MaxInt, Length: 5, Made: somewhere}, always},
	{"a slice is copied into an array of another length", copyFrom, safety.Violation{Kind: safety.ErrLength,
		Container: `array.Array[int] "a"`, N: 99, Length: 100, Made: somewhere}, always},
	{"an array is copied into a slice of another length", copyTo, safety.Violation{Kind: safety.ErrLength,
		Container: `array.Array[int] "a"`, N: 101, Length: 100, Made: somewhere}, always},
	{"a func gives fewer elements than a loop has indices", fewElements, safety.Violation{Kind: safety.ErrLength, Job: "prefix sums", Max: 100, N: 50}, always},
}

// The loop is refused before its first batch.
func length() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(101, fill{Out: a.Writer()}, (*fill).Execute)
}

// An array of 100 elements has 33 rows of 3 elements.
func lengthOfRows() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(34, array.ByRows(a.Writer(), 3), func(w *array.Writer[int], i int) {
		clear(w.Row(i))
	}, parallelfor.Name("thirds"))
}

// A loop over the bins of a histogram is one too long.
func lengthOfBins() {
	h := counter.NewHistogram(10, safety.Named("h"))
	parallelfor.For(11, h.Writer(), func(w *counter.HistogramWriter, i int) { w.Set(i, 0) }, parallelfor.Name("reset"))
}

// A loop takes its length from another array when it starts, and then it has more indices than the
// array that it writes. Before that the length is not known: the job fails, and Complete panics.
func lengthOf() {
	in, out := array.New[int](101, safety.Named("in")), array.New[int](100, safety.Named("out"))
	h := parallelfor.Schedule(-1, fill{Out: out.Writer()}, (*fill).Execute, parallelfor.LengthOf(in.Reader()))
	h.Complete()
}

// A body passes on its view, which has the elements of the batch. The nested loop is over all
// elements.
func lengthOfBatch() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.ForBatch(100, a.Writer(), func(w *array.Writer[int], begin, end int) {
		parallelfor.For(100, fill{Out: *w}, (*fill).Execute)
	}, parallelfor.Name("outer"), parallelfor.Batch(10))
}

// The number of indices is computed, and is negative.
func negativeLoop() {
	a := array.New[int](100, safety.Named("a"))
	used := 101
	parallelfor.For(a.Len()-used, fill{Out: a.Writer()}, (*fill).Execute)
}

// The Len of a view returns -1.
func negativeLengthOf() {
	a := array.New[int](100, safety.Named("a"))
	h := parallelfor.Schedule(-1, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.LengthOf(allButTheFirst{Reader: a.Reader()}))
	h.Complete()
}

// The length of an array is negative.
func negativeArray() {
	want, have := 99, 100
	array.New[int](want - have)
}

// A list is to grow by more than memory can hold. The runtime's own panic would not name the list.
func hugeList() {
	newList().Grow(math.MaxInt)
}

// A slice is copied into an array that is longer.
func copyFrom() {
	a := array.New[int](100, safety.Named("a"))
	a.CopyFrom(make([]int, 99))
}

// An array is copied into a slice that is longer.
func copyTo() {
	a := array.New[int](100, safety.Named("a"))
	a.CopyTo(make([]int, 101))
}

// The function that gives a Scan its elements returns neither those of the batch nor all.
func fewElements() {
	a := array.New[int](100, safety.Named("a"))
	half := func(w *array.Writer[int]) []int { return w.Slice()[:50] }
	sum := func(a, b int) int { return a + b }
	parallelfor.Scan(100, a.Writer(), (*array.Writer[int]).At, half, sum, parallelfor.Name("prefix sums"), parallelfor.Batch(-1))
}
