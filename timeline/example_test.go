package timeline_test

import (
	"os"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/timeline"
)

// The second job runs after the first.
func ExampleDOT() {
	a := array.New[int](3)
	g := parallelfor.Record()
	first := parallelfor.Schedule(3, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) }, parallelfor.Name("count"))
	second := parallelfor.ScheduleDo(a.Reader(), func(r *array.Reader[int]) { _ = r.At(2) }, parallelfor.Name("look"), parallelfor.After(first))
	second.Complete()
	g.Stop()
	if err := timeline.DOT(os.Stdout, g.Jobs()); err != nil {
		panic(err)
	}
	// Output:
	// digraph jobs {
	// 	rankdir=LR;
	// 	node [shape=box];
	// 	j0 [label="count\nexample_test.go:15\n3 indices, 3 batches"];
	// 	j1 [label="look\nexample_test.go:16\n1 index, 1 batch"];
	// 	j0 -> j1;
	// }
}
