package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// A list that was long once has its memory still, and keeps what the loop has appended to. Trim
// gives both back.
func ExampleList_Stats() {
	evens := array.NewList[int64]()
	parallelfor.For(100_000, evens.ParallelWriter(), func(w *array.ParallelWriter[int64], i int) {
		if i%2 == 0 {
			w.Append(int64(i))
		}
	}, parallelfor.Batch(1000))
	evens.Resize(10)
	s := evens.Stats()
	fmt.Println(s.Len, "elements, room for the others:", s.Cap >= 50_000, "and for the next loop:", s.Kept >= 8*50_000)
	evens.Trim()
	s = evens.Stats()
	fmt.Println(s.Len, s.Cap, s.Bytes, s.Kept)
	// Output:
	// 10 elements, room for the others: true and for the next loop: true
	// 10 10 80 0
}

// The rows of a stream and its items have memory of their own, which can be made in advance.
func ExampleStream_Stats() {
	finds := array.StreamOf([][]int32{{1, 2, 3}, {4}})
	finds.Trim()
	s := finds.Stats()
	fmt.Println(s.Rows, "rows, room for", s.RowCap, "and", s.Len, "items, room for", s.Cap)
	finds.Grow(100, 1000)
	s = finds.Stats()
	fmt.Println(s.RowCap-s.Rows >= 100, s.Cap-s.Len >= 1000)
	// Output:
	// 2 rows, room for 2 and 4 items, room for 4
	// true true
}
