// Command free has one function for each accessor, so that a test can look at the machine code of
// it.
package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
)

//go:noinline
func writerAt(w *array.Writer[int64], i int) int64 { return w.At(i) }

//go:noinline
func writerSet(w *array.Writer[int64], i int, v int64) { w.Set(i, v) }

//go:noinline
func writerPtr(w *array.Writer[int64], i int) *int64 { return w.Ptr(i) }

//go:noinline
func readerAt(r *array.Reader[int64], i int) int64 { return r.At(i) }

//go:noinline
func ownerAt(a *array.Array[int64], i int) int64 { return a.At(i) }

//go:noinline
func ownerSet(a *array.Array[int64], i int, v int64) { a.Set(i, v) }

//go:noinline
func ownerLen(a *array.Array[int64]) int { return a.Len() }

//go:noinline
func ownerSlice(a *array.Array[int64]) []int64 { return a.Slice() }

//go:noinline
func laneInc(w *counter.ParallelWriter) { w.Inc() }

func main() {
	a := array.New[int64](1)
	w, r, c := a.Writer(), a.Reader(), counter.New().ParallelWriter()
	if ownerLen(a) == 1 {
		ownerSet(a, 0, ownerAt(a, 0)+ownerSlice(a)[0])
		return
	}
	writerSet(&w, 0, writerAt(&w, 0)+*writerPtr(&w, 0)+readerAt(&r, 0))
	laneInc(&c)
}
