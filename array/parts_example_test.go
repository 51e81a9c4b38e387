package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// paint writes a colour.
type paint struct {
	Colour int
	Out    array.Writer[int]
}

func (j *paint) Execute(i int) { j.Out.Set(i, j.Colour) }

// Two jobs write the two halves of one array, and neither runs after the other.
func ExampleArray_SplitAt() {
	a := array.New[int](10)
	parts := a.SplitAt(6)
	left := parallelfor.Schedule(6, paint{Colour: 1, Out: parts.Part(0).Writer()}, (*paint).Execute)
	right := parallelfor.Schedule(4, paint{Colour: 2, Out: parts.Part(1).Writer()}, (*paint).Execute)
	left.Complete()
	right.Complete()
	parts.Join()
	fmt.Println(a.Slice())
	// Output: [1 1 1 1 1 1 2 2 2 2]
}

func ExampleParts() {
	a := array.New[int](10)
	parts := a.Split(3)
	for i, part := range parts.All() {
		begin, end := parts.Range(i)
		part.Set(0, i+1)
		fmt.Println(part.Len(), begin, end)
	}
	parts.Join()
	fmt.Println(a.Slice())
	// Output:
	// 4 0 4
	// 3 4 7
	// 3 7 10
	// [1 0 0 0 2 0 0 3 0 0]
}

// A loop that scatters, by a permutation.
func ExamplePermutedWriter() {
	to := array.Of([]int{3, 0, 2, 1})
	out := array.New[string](4)
	type views struct {
		To  array.Reader[int]
		Out array.PermutedWriter[string]
	}
	parallelfor.For(4, views{To: to.Reader(), Out: array.Permuted(out.Writer())}, func(v *views, i int) {
		v.Out.Set(v.To.At(i), string(rune('a'+i)))
	})
	fmt.Println(out.Slice())
	// Output: [b d c a]
}
