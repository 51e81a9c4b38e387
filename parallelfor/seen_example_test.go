package parallelfor_test

import (
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/timeline"
)

// What a program schedules, as a picture for Graphviz; and which worker ran it when, for Perfetto.
func ExampleRecord() {
	a, b := array.New[int](100), array.New[int](100)
	g := parallelfor.Record()
	first := parallelfor.Schedule(100, Squares{Out: a.Writer()}, (*Squares).Execute)
	second := parallelfor.Schedule(100, Next{In: a.Reader(), Out: b.Writer()}, (*Next).Execute, parallelfor.After(first))
	second.Complete()
	g.Stop()

	var dot strings.Builder // a file, to draw with dot -Tsvg
	if err := timeline.DOT(&dot, g.Jobs()); err != nil {
		fmt.Println(err)
	}
	for line := range strings.SplitSeq(dot.String(), "\n") {
		if strings.Contains(line, "->") || strings.Contains(line, "Squares") {
			fmt.Println(strings.TrimSpace(line))
		}
	}
	if err := timeline.Trace(io.Discard, g.Jobs()); err != nil { // a file, to open with ui.perfetto.dev
		fmt.Println(err)
	}
	// Output:
	// j0 [label="Squares\nseen_example_test.go:18\n100 indices, 50 batches"];
	// j0 -> j1;
}

// The last call has done == total.
func ExampleProgress() {
	parallelfor.For(20, struct{}{}, func(_ *struct{}, i int) {
		time.Sleep(time.Millisecond)
	}, parallelfor.Progress(func(done, total int) {
		if done == total {
			fmt.Printf("%d of %d\n", done, total)
		}
	}))
	// Output: 20 of 20
}

// A CPU profile taken meanwhile says which job each sample belongs to: go tool pprof -tagfocus
// job=Squares.
func ExampleLabels() {
	parallelfor.Labels(true)
	defer parallelfor.Labels(false)
	out := array.New[int](4)
	parallelfor.For(4, Squares{Out: out.Writer()}, (*Squares).Execute)
	fmt.Println(out.Slice())
	// Output: [0 1 4 9]
}
