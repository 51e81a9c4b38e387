package counter_test

import (
	"fmt"

	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

// Every worker adds to a lane of its own; the loop's sum is in the counter when the loop is done.
func ExampleParallelWriter() {
	c := counter.New()
	c.Set(42)
	parallelfor.For(1000, c.ParallelWriter(), func(w *counter.ParallelWriter, i int) {
		if i%2 == 0 {
			w.Inc()
		}
	})
	fmt.Println(c.Value())
	// Output: 542
}

// A single job uses the counter as its own.
func ExampleWriter() {
	c := counter.New()
	parallelfor.Do(c.Writer(), func(w *counter.Writer) {
		w.Set(40)
		w.Inc()
		w.Inc()
		fmt.Println(w.Value())
	})
	// Output: 42
}

// Any number of jobs may read a counter that nobody changes.
func ExampleReader() {
	c, below := counter.New(), counter.New()
	c.Set(10)
	type views struct {
		Limit counter.Reader
		Below counter.ParallelWriter
	}
	parallelfor.For(100, views{c.Reader(), below.ParallelWriter()}, func(v *views, i int) {
		if int64(i) < v.Limit.Value() {
			v.Below.Inc()
		}
	})
	fmt.Println(below.Value())
	// Output: 10
}
