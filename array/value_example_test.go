package array_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// Longest is a job that leaves one result.
type Longest struct {
	Words  array.Reader[string]
	Result array.ValueWriter[string]
}

func (l *Longest) Execute() {
	for _, w := range l.Words.Slice() {
		if len(w) > len(l.Result.Load()) {
			l.Result.Store(w)
		}
	}
}

// A job leaves a value that the next one, which runs after it, uses.
func ExampleValue() {
	words, longest := array.Of([]string{"a", "abc", "ab"}), array.NewValue("")
	h := parallelfor.ScheduleDo(Longest{Words: words.Reader(), Result: longest.Writer()}, (*Longest).Execute)
	h.Complete()
	fmt.Println(longest.Load())
	// Output: abc
}

// Every batch of a loop may read a value, which the job before it has set.
func ExampleValueReader() {
	type views struct {
		Factor array.ValueReader[int]
		Out    array.Writer[int]
	}
	factor, out := array.NewValue(0), array.New[int](4)
	factor.Store(5)
	parallelfor.For(4, views{Factor: factor.Reader(), Out: out.Writer()}, func(v *views, i int) {
		v.Out.Set(i, i*v.Factor.Load())
	})
	fmt.Println(out.Slice())
	// Output: [0 5 10 15]
}

// A loop may write a value when it is one batch, and so one worker's.
func ExampleValueWriter() {
	total := array.NewValue(0)
	parallelfor.For(5, total.Writer(), func(w *array.ValueWriter[int], i int) {
		*w.Ptr() += i
	}, parallelfor.Batch(-1))
	fmt.Println(total.Load())
	// Output: 10
}
