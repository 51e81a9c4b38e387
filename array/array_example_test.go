package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Scale is a job: what it uses are its fields, what it does is Execute.
type Scale struct {
	In     array.Reader[int]
	Out    array.Writer[int]
	Factor int
}

func (s *Scale) Execute(i int) { s.Out.Set(i, s.Factor*s.In.At(i)) }

// A loop that reads one array and writes another.
func ExampleArray() {
	in, out := array.Of([]int{1, 2, 3, 4}), array.New[int](4)
	parallelfor.For(4, Scale{In: in.Reader(), Out: out.Writer(), Factor: 10}, (*Scale).Execute)
	for i, v := range out.All() {
		fmt.Println(i, v)
	}
	// Output:
	// 0 10
	// 1 20
	// 2 30
	// 3 40
}

// A slice becomes an array without a copy.
func ExampleOf() {
	prices := []int{1, 2, 3}
	parallelfor.For(len(prices), array.Of(prices).Writer(), func(w *array.Writer[int], i int) {
		*w.Ptr(i) *= 2
	})
	fmt.Println(prices)
	// Output: [2 4 6]
}

// A Reader sees every element in every batch: here each index looks at its neighbours.
func ExampleReader() {
	type views struct {
		In  array.Reader[int]
		Out array.Writer[int]
	}
	in, out := array.Of([]int{1, 1, 4, 1, 1}), array.New[int](5)
	parallelfor.For(5, views{In: in.Reader(), Out: out.Writer()}, func(v *views, i int) {
		left, right := max(i-1, 0), min(i+1, v.In.Len()-1)
		v.Out.Set(i, v.In.At(left)+v.In.At(i)+v.In.At(right))
	})
	fmt.Println(out.Slice())
	// Output: [3 6 6 6 3]
}

// In a loop over batches, Slice is what the batch owns.
func ExampleWriter() {
	squares := array.New[int](6)
	parallelfor.ForBatch(6, squares.Writer(), func(w *array.Writer[int], begin, end int) {
		for k := range w.Slice() {
			w.Slice()[k] = (begin + k) * (begin + k)
		}
	})
	fmt.Println(squares.Slice())
	// Output: [0 1 4 9 16 25]
}

// A matrix whose rows are the loop's indices.
func ExampleByRows() {
	const rows, columns = 3, 4
	matrix := array.New[int](rows * columns)
	parallelfor.For(rows, array.ByRows(matrix.Writer(), columns), func(w *array.Writer[int], r int) {
		for c := range w.Row(r) {
			w.Row(r)[c] = r * c
		}
	})
	fmt.Println(matrix.Slice())
	// Output: [0 0 0 0 0 1 2 3 0 2 4 6]
}

// sortView sorts the elements of w. Those below the pivot and those above it have views of their
// own, so two goroutines could sort them at the same time.
func sortView(w array.Writer[int]) {
	s := w.Slice()
	if len(s) < 2 {
		return
	}
	last, k := len(s)-1, 0
	for i, v := range s[:last] {
		if v < s[last] {
			s[i], s[k] = s[k], v
			k++
		}
	}
	s[k], s[last] = s[last], s[k]
	below, from := array.SplitAt(&w, w.Begin()+k)
	_, above := array.SplitAt(&from, from.Begin()+1)
	sortView(below)
	sortView(above)
}

// Quicksort splits its view at the pivot.
func ExampleSplitAt() {
	a := array.Of([]int{3, 1, 4, 1, 5, 9, 2, 6})
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { sortView(*w) })
	fmt.Println(a.Slice())
	// Output: [1 1 2 3 4 5 6 9]
}

// A permutation writes every element once, but not its own: that no two indices meet is up to the
// program.
func ExampleUnrestricted() {
	type views struct {
		To    array.Reader[int]
		Names array.Writer[string]
	}
	to, names := array.Of([]int{2, 0, 1}), array.New[string](3)
	words := "abc"
	parallelfor.For(3, views{To: to.Reader(), Names: array.Unrestricted(names.Writer())}, func(v *views, i int) {
		v.Names.Set(v.To.At(i), words[i:i+1])
	})
	fmt.Println(names.Slice())
	// Output: [b c a]
}

// Rows of different lengths: index i owns what lies between its offset and the next.
func ExampleOffsetWriter() {
	offsets, items := array.Of([]int{0, 2, 2, 5}), array.New[string](5)
	view := array.ByOffsets(items.Writer(), offsets.Reader())
	parallelfor.For(3, view, func(w *array.OffsetWriter[string], i int) {
		for k := range w.Row(i) {
			w.Row(i)[k] = fmt.Sprint("row ", i, " item ", k)
		}
	})
	for _, item := range items.All() {
		fmt.Println(item)
	}
	// Output:
	// row 0 item 0
	// row 0 item 1
	// row 2 item 0
	// row 2 item 1
	// row 2 item 2
}
