package parallelfor_test

import (
	"fmt"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// Jobs that are scheduled one after the other leave what they leave when each is completed before
// the next. Here the two sums run beside each other, and the doubling waits for both.
func ExampleAutoOrder() {
	a, first, second := array.Of([]int{1, 2, 3}), counter.New(), counter.New()
	type summing struct {
		In  array.Reader[int]
		Sum counter.ParallelWriter
	}
	sum := func(into *counter.Counter) parallelfor.Handle {
		return scheduleFor(3, summing{In: a.Reader(), Sum: into.ParallelWriter()}, func(s *summing, i int) {
			s.Sum.Add(int64(s.In.At(i)))
		}, parallelfor.AutoOrder())
	}
	sum(first)
	sum(second)
	last := scheduleFor(3, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, 2*w.At(i)) }, parallelfor.AutoOrder())
	last.Complete() // and so everything that it runs after
	fmt.Println(a.Slice(), first.Value(), second.Value())
	// Output: [2 4 6] 6 6
}

// The second loop is as long as the list that the first one fills.
func ExampleLengthOf() {
	type squaring struct {
		In  pages[int]
		Sum counter.ParallelWriter
	}
	even, sum := newJournal[int](), counter.New()
	find := scheduleFor(10, even.Appender(), func(a *appender[int], i int) {
		if i%2 == 0 {
			a.Append(i)
		}
	})
	square := scheduleFor(-1, squaring{In: even.Reader(), Sum: sum.ParallelWriter()}, func(s *squaring, i int) {
		s.Sum.Add(int64(s.In.At(i) * s.In.At(i)))
	}, parallelfor.LengthOf(even.Reader()), parallelfor.After(find))
	square.Complete()
	fmt.Println(even.Items(), sum.Value())
	// Output: [0 2 4 6 8] 120
}

// An inline job has run when it is scheduled, and its containers come back as ever.
func ExampleInline() {
	squares := array.New[int](4)
	h := parallelfor.Schedule(4, Squares{Out: squares.Writer()}, (*Squares).Execute, parallelfor.Inline())
	fmt.Println(h.Finished())
	h.Complete()
	fmt.Println(squares.Slice())
	// Output:
	// true
	// [0 1 4 9]
}
