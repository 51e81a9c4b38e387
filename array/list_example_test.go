package array_test

import (
	"fmt"
	"slices"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// A parallel loop finds the words that are long; their order is that of the sequential loop.
func ExampleList() {
	words := array.Of([]string{"one", "three", "two", "seven", "ten", "eleven"})
	long := array.NewList[string]()

	type views struct {
		In  array.Reader[string]
		Out array.ParallelWriter[string]
	}
	parallelfor.For(words.Len(), views{In: words.Reader(), Out: long.ParallelWriter()}, func(v *views, i int) {
		if w := v.In.At(i); len(w) > 3 {
			v.Out.Append(w)
		}
	})
	fmt.Println(long.Slice())

	slices.Sort(long.Slice())
	i, found := slices.BinarySearch(long.Slice(), "seven")
	fmt.Println(long.Slice(), i, found)
	// Output:
	// [three seven eleven]
	// [eleven seven three] 1 true
}

// The second loop is scheduled before it is known how many elements the first one leaves.
func ExampleList_Reader() {
	squares, odd := array.NewList[int](), array.NewList[int]()
	first := parallelfor.Schedule(5, Squares{Out: squares.ParallelWriter()}, (*Squares).Execute)
	second := parallelfor.Schedule(-1, Odd{In: squares.Reader(), Out: odd.ParallelWriter()}, (*Odd).Execute,
		parallelfor.LengthOf(squares.Reader()), parallelfor.After(first))
	second.Complete()
	fmt.Println(odd.Slice())
	// Output: [1 9]
}

// Squares appends squares.
type Squares struct{ Out array.ParallelWriter[int] }

func (s *Squares) Execute(i int) { s.Out.Append(i * i) }

// Odd appends what is odd.
type Odd struct {
	In  array.Reader[int]
	Out array.ParallelWriter[int]
}

func (o *Odd) Execute(i int) {
	if v := o.In.At(i); v%2 == 1 {
		o.Out.Append(v)
	}
}

// What simulations do with the dead: the last one comes into the place.
func ExampleList_RemoveSwapBack() {
	l := array.ListOf([]string{"a", "b", "c", "d"})
	l.RemoveSwapBack(1)
	fmt.Println(l.Slice())
	// Output: [a d c]
}

// A ParallelWriter appends in the order of the sequential loop, at any number of workers.
func ExampleParallelWriter() {
	l := array.ListOf([]int{-1})
	parallelfor.For(4, l.ParallelWriter(), func(w *array.ParallelWriter[int], i int) {
		w.AppendAll([]int{i, 10 * i})
	}, parallelfor.Batch(1), parallelfor.Workers(4))
	fmt.Println(l.Slice())
	// Output: [-1 0 0 1 10 2 20 3 30]
}
