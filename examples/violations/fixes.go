package main

import (
	"slices"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/examples/stack"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These repair the first misuse of each kind. A page shows what they have and the misuse has not.

// Order the jobs.
func ordered() {
	a := array.New[int](100, safety.Named("a"))
	first := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("first"), parallelfor.Inline())
	second := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.After(first))
	second.Complete() // and first
}

// Complete the job before the use.
func completedBefore() {
	a := array.New[int](100, safety.Named("a"))
	h := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Inline())
	h.Complete()
	_ = a.At(0)
}

// Give the job a view.
func withView() {
	a, weights := array.New[int](100, safety.Named("a")), array.New[int](100, safety.Named("weights"))
	parallelfor.For(100, double{In: weights.Reader(), Out: a.Writer()}, (*double).Execute)
}

// Write another container.
func twoContainers() {
	a := array.New[int](100, safety.Named("a"))
	b := array.New[int](100, safety.Named("b"))
	parallelfor.For(100, double{In: a.Reader(), Out: b.Writer()}, (*double).Execute)
}

// Take a container that joins partial results.
func partialSums() {
	sum := counter.NewSum[int](safety.Named("sum"))
	parallelfor.For(100, sum.ParallelWriter(), func(w *counter.SumParallelWriter[int], i int) {
		w.Add(i)
	}, parallelfor.Name("add up"))
}

type summing struct {
	In  array.Reader[int]
	Sum counter.SumParallelWriter[int]
}

func (j *summing) Execute(i int) { j.Sum.Add(j.In.At(i)) }

// Keep results in a container.
func sumInContainer() {
	a := array.Of([]int{1, 2, 3, 4}, safety.Named("a"))
	sum := counter.NewSum[int]()
	parallelfor.For(a.Len(), summing{In: a.Reader(), Sum: sum.ParallelWriter()}, (*summing).Execute)
}

// Carry a view.
func viewInField() {
	a := array.New[int](100)
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute)
}

// Assign each view, or declare it as a safety.Optional.
func assigned() {
	a := array.New[int](100, safety.Named("a"))
	b := array.New[int](100, safety.Named("b"))
	parallelfor.For(100, double{In: b.Reader(), Out: a.Writer()}, (*double).Execute)
}

// Dispose after the last use, or leave the memory to the garbage collector.
func disposedLast() {
	a := array.New[int](100, safety.Named("a"))
	defer a.Dispose()
	a.Set(0, 1)
}

// Use the part, or call Join first.
func partUsed() {
	a := array.New[int](100, safety.Named("a"))
	halves := a.Split(2)
	defer halves.Join()
	halves.Part(0).Set(0, 1)
}

// Pass on the pointer that New returned.
func pointerKept() {
	a := array.New[int](100, safety.Named("a"))
	b := a
	parallelfor.For(100, fill{Out: b.Writer()}, (*fill).Execute)
}

// Copy the items first.
func copiedFirst() {
	s := stack.New[int](10, safety.Named("undo"))
	s.Push(1)
	for _, v := range slices.Collect(s.All()) {
		s.Push(v + 1)
	}
}

// Outside jobs call the container's own method.
func ownMethod() {
	a := array.New[int](100, safety.Named("a"))
	a.Set(0, 1)
}

// Loop over the elements that are written.
func ownIndex() {
	a := array.New[int](101, safety.Named("a"))
	parallelfor.For(101, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, max(i-1, 0)) })
}

// Make the indices a permutation.
func permuted() {
	to, out := array.New[int](100, safety.Named("to")), array.New[int](100, safety.Named("out"))
	for i := range to.Len() {
		to.Set(i, (i+1)%100) // to each place once
	}
	parallelfor.For(100, scatter{To: to.Reader(), Out: array.Permuted(out.Writer())}, (*scatter).Execute)
}

type smoothed struct {
	Old array.Reader[int]
	New array.Writer[int]
}

func (j *smoothed) Execute(i int) { j.New.Set(i, j.Old.At(i)+j.Old.At(max(i-1, 0))) }

// Read from another array.
func twoBuffers() {
	a := array.New[int](100, safety.Named("a"))
	b := array.New[int](100, safety.Named("b"))
	parallelfor.For(100, smoothed{Old: a.Reader(), New: b.Writer()}, (*smoothed).Execute)
}

type lastOf struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (j *lastOf) Execute(i int) { j.Out.Set(i, j.In.At(j.In.Len()-1)) }

// Keep the index below the length.
func lastIndex() {
	in, out := array.New[int](100, safety.Named("in")), array.New[int](100, safety.Named("out"))
	parallelfor.For(100, lastOf{In: in.Reader(), Out: out.Writer()}, (*lastOf).Execute)
}

// Take the length of the container.
func ownLength() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(a.Len(), fill{Out: a.Writer()}, (*fill).Execute)
}

// Give a value that has a meaning: -1 makes the loop one batch.
func oneBatch() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Batch(-1))
}

// Give the outer job the view, and pass it on.
func passedOn() {
	b := array.New[int](100, safety.Named("b"))
	parallelfor.Do(b.Writer(), func(w *array.Writer[int]) {
		parallelfor.For(100, fill{Out: *w}, (*fill).Execute)
	}, parallelfor.Name("outer"))
}

// Call Complete in the body, or a function that returns when the loop is done.
func completedInside() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		parallelfor.For(100, fill{Out: *w}, (*fill).Execute)
	}, parallelfor.Name("outer"))
}

// Order the jobs, and wait outside of them.
func orderedOutside() {
	first := parallelfor.Go(struct{}{}, func(*struct{}) {})
	second := parallelfor.Go(struct{}{}, func(*struct{}) {}, parallelfor.After(first))
	second.Complete()
}

// Close the pool after its last job.
func closedLast() {
	a := array.New[int](100, safety.Named("a"))
	p := parallelfor.NewPool(1)
	defer p.Close()
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.On(p))
}
