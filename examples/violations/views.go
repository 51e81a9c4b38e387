package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse views, and indices.

var indices = []misuse{
	{"a view is used outside jobs", unboundView, safety.Violation{Kind: safety.ErrStaleView, Container: `array.Array[int] "a"`, Made: somewhere}, always},
	{"a view is used that was never assigned", zeroView, safety.Violation{Kind: safety.ErrStaleView, Job: "clear"}, checked},
	{"a view is used after its batch", staleView, safety.Violation{Kind: safety.ErrStaleView, Container: `array.Array[int] "a"`, Made: somewhere}, checked},
	{"a job is scheduled with the view of another job's batch", staleSchedule, safety.Violation{Kind: safety.ErrStaleView,
		Container: `array.Array[int] "a"`, Job: "fill", Field: "Out", Made: somewhere}, checked},

	{"a loop writes beside its own indices", writeRange, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `array.Array[int] "a"`, Job: "shift", Field: "Out", Index: 2, Max: 2, Length: 101, Made: somewhere}, always},
	{"a loop uses another index's row", rowRange, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `array.Array[int] "a"`, Job: "smooth", Index: 5, Min: 0, Max: 5, Length: 20, Made: somewhere}, always},
	{"a loop changes another index's bin", binRange, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `counter.Histogram "h"`, Job: "accumulate", Index: 5, Min: 0, Max: 5, Length: 10, Made: somewhere}, always},

	{"a loop that scatters writes an element twice", writtenTwice, safety.Violation{Kind: safety.ErrTwice,
		Container: `array.Array[int] "out"`, Job: "scatter", Field: "Out", Index: 20, Max: 100, Length: 100, Made: somewhere}, checked},

	{"a job reads behind the end", index, safety.Violation{Kind: safety.ErrIndex,
		Container: `array.Array[int] "in"`, Job: "last", Field: "In", Index: 100, Max: 100, Length: 100, Made: somewhere}, always},
	{"a loop that scatters writes behind the end", scatteredOutside, safety.Violation{Kind: safety.ErrIndex,
		Container: `array.Array[int] "out"`, Job: "scatter", Field: "Out", Index: 100, Max: 100, Length: 100, Made: somewhere}, always},
	{"the owner reads before the beginning", negativeIndex, safety.Violation{Kind: safety.ErrIndex,
		Container: `array.Array[int] "a"`, Index: -1, Max: 100, Length: 100, Made: somewhere}, checked},
	{"a job uses a row behind the last", rowIndex, safety.Violation{Kind: safety.ErrIndex,
		Container: `array.Array[int] "a"`, Job: "shift", Index: 20, Min: 19, Max: 20, Length: 20, Made: somewhere}, always},
	{"a job counts into a bin that is not there", binIndex, safety.Violation{Kind: safety.ErrIndex,
		Container: `counter.Histogram "h"`, Job: "loop at " + somewhere, Index: 10, Max: 10, Length: 10, Made: somewhere}, always},
	{"the owner counts into a bin that is not there", ownerBin, safety.Violation{Kind: safety.ErrIndex,
		Container: `counter.Histogram "h"`, Index: 10, Max: 10, Length: 10, Made: somewhere}, always},
}

// A driver binds a view when its job starts. No job has bound this one.
func unboundView() {
	a := array.New[int](100, safety.Named("a"))
	w := a.Writer()
	w.Set(0, 1)
}

// A body uses the zero value of a view.
func zeroView() {
	parallelfor.Do(struct{}{}, func(*struct{}) {
		var w array.Writer[int]
		clear(w.Slice())
	}, parallelfor.Name("clear"))
}

// A view is kept after the batch that it was bound for.
func staleView() {
	a := array.New[int](100, safety.Named("a"))
	var kept array.Writer[int]
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { kept = *w })
	clear(kept.Slice())
}

// A view is kept after its batch, and another job is scheduled with it.
func staleSchedule() {
	a := array.New[int](100, safety.Named("a"))
	var kept array.Writer[int]
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { kept = *w })
	parallelfor.For(100, fill{Out: kept}, (*fill).Execute)
}

// The neighbour of the last index of a batch is in another batch.
func writeRange() {
	a := array.New[int](101, safety.Named("a"))
	parallelfor.ForBatch(100, shift{Out: a.Writer()}, (*shift).ExecuteBatch)
}

// Each index of a loop owns a row of 5 elements. A body takes the number of a column for the number
// of a row.
func rowRange() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.ForBatch(20, array.ByRows(a.Writer(), 5), func(w *array.Writer[int], begin, end int) {
		clear(w.Row(5))
	}, parallelfor.Name("smooth"), parallelfor.Batch(5))
}

// A loop over the bins of a histogram adds each to the next one.
func binRange() {
	h := counter.NewHistogram(10, safety.Named("h"))
	parallelfor.ForBatch(10, h.Writer(), func(w *counter.HistogramWriter, begin, end int) {
		for i := begin; i < end; i++ {
			w.Add(i+1, w.At(i))
		}
	}, parallelfor.Name("accumulate"), parallelfor.Batch(5))
}

// The last element has index Len()-1.
func index() {
	in, out := array.New[int](100, safety.Named("in")), array.New[int](100, safety.Named("out"))
	parallelfor.For(100, last{In: in.Reader(), Out: out.Writer()}, (*last).Execute)
}

// Two indices write element 20.
func writtenTwice() {
	to, out := array.New[int](100, safety.Named("to")), array.New[int](100, safety.Named("out"))
	for i := range to.Len() {
		to.Set(i, (i+1)%100)
	}
	to.Set(70, 20) // as to.At(19)
	parallelfor.For(100, scatter{To: to.Reader(), Out: array.Permuted(out.Writer())}, (*scatter).Execute)
}

// A loop puts each element into its place, and counts the places from 1.
func scatteredOutside() {
	to, out := array.New[int](100, safety.Named("to")), array.New[int](100, safety.Named("out"))
	for i := range to.Len() {
		to.Set(i, i+1)
	}
	parallelfor.For(100, scatter{To: to.Reader(), Out: array.Permuted(out.Writer())}, (*scatter).Execute)
}

// The owner reads the element before the first.
func negativeIndex() {
	a := array.New[int](100, safety.Named("a"))
	first := 0
	_ = a.At(first - 1)
}

// A loop over rows of 5 elements uses the next row, and the last row has none.
func rowIndex() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(20, array.ByRows(a.Writer(), 5), func(w *array.Writer[int], i int) {
		if i == 19 {
			clear(w.Row(i + 1))
		}
	}, parallelfor.Name("shift"), parallelfor.Batch(1))
}

// A job counts in ten bins, and some percentages are 100.
func binIndex() {
	h := counter.NewHistogram(10, safety.Named("h"))
	parallelfor.For(101, h.ParallelWriter(), func(w *counter.HistogramParallelWriter, percent int) {
		w.Add(percent/10, 1)
	})
}

// The owner counts in ten bins, and some percentages are 100.
func ownerBin() {
	h := counter.NewHistogram(10, safety.Named("h"))
	for percent := range 101 {
		h.Add(percent/10, 1)
	}
}
