package custodytest_test

import (
	"testing"

	"example.com/custody/array"
	"example.com/custody/custodytest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What a test gets.
var t *testing.T

// A loop of one's own, which is passed the options.
func squares(n int, opts ...parallelfor.Option) []int {
	list := array.NewList[int]()
	parallelfor.For(n, list.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(i * i) }, opts...)
	return list.Slice()
}

func ExampleEquivalent() {
	custodytest.Equivalent(t, func(opts ...parallelfor.Option) []int { return squares(1000, opts...) })
}

func ExampleViolation() {
	list := array.NewList[int]()
	v := custodytest.Violation(t, safety.ErrIndex, func() { list.At(7) })
	if v.Index != 7 {
		t.Error(v)
	}
}

func ExampleNoLeaks() {
	custodytest.NoLeaks(t) // the first line of a test
	out := array.New[int](1)
	defer out.Dispose()
	h := parallelfor.Schedule(1, set{out.Writer()})
	h.Complete()
}
