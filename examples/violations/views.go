package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse views, and indices.

// A view is used where no job has bound it.
func unboundView() {
	a := array.New[int](100, safety.Named("a"))
	w := a.Writer()
	w.Set(0, 1)
}

// A view is kept after the cell that it was bound for.
func staleView() {
	a := array.New[int](100, safety.Named("a"))
	var kept array.Writer[int]
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { kept = *w })
	clear(kept.Slice())
}

// A loop writes the neighbour of its last index, which is another cell's. It is found at every border
// of cells, on one worker too.
func writeRange() {
	a := array.New[int](101, safety.Named("a"))
	parallelfor.RunBatch(100, shift{a.Writer()})
}

// A job reads behind the end.
func index() {
	in, out := array.New[int](100, safety.Named("in")), array.New[int](100, safety.Named("out"))
	parallelfor.Run(100, last{In: in.Reader(), Out: out.Writer()})
}

// A loop has more indices than the array has elements. It is refused before its first cell.
func length() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Run(101, fill{a.Writer()})
}

// A loop takes its length from another array when it starts, and then it has more indices than the array that it
// writes. Until then nobody could know: it fails, and Complete says so.
func lengthOf() {
	in, out := array.New[int](101, safety.Named("in")), array.New[int](100, safety.Named("out"))
	h := parallelfor.Schedule(-1, fill{out.Writer()}, parallelfor.LengthOf(in.Reader()))
	h.Complete()
}

// A loop takes its length from a view, and is given one besides.
func twoLengths() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Run(100, fill{a.Writer()}, parallelfor.LengthOf(a.Reader()))
}

// An option has a value that means nothing.
func argument() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Run(100, fill{a.Writer()}, parallelfor.Batch(-2))
}
