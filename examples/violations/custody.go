package main

import (
	"runtime"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These break the rules of who may hold a container.

// Two jobs write one array, and neither runs after the other. It is refused when the second one is
// scheduled, whatever the first has done by then.
func conflict() {
	a := array.New[int](100, safety.Named("a"))
	inputs := make(chan int)
	first := parallelfor.ScheduleSingle(receive{a.Writer(), inputs}, parallelfor.Name("first"))
	defer first.Complete()
	defer close(inputs)
	parallelfor.Schedule(100, fill{a.Writer()}, parallelfor.Name("second")) // no parallelfor.After(first)
}

// Two jobs add to one counter, and neither runs after the other. A sum would come out right, but what
// is there when one of them fails would depend on how far the other was. That the first has finished makes no
// difference, but it was not completed.
func conflictOfWriters() {
	c := counter.New(safety.Named("c"))
	first := parallelfor.ScheduleSingle(add{c.ParallelWriter()}, parallelfor.Name("first"), parallelfor.Inline())
	defer first.Complete()
	parallelfor.ScheduleSingle(add{c.ParallelWriter()}, parallelfor.Name("second"))
}

// A job is to run after whatever holds its array. But what holds it is run in one call by another goroutine, and
// has no handle: there is nothing to run after.
func autoOrder() {
	a := array.New[int](100, safety.Named("a"))
	begun, inputs, done := make(chan bool), make(chan int), make(chan bool)
	go func() {
		defer close(done)
		parallelfor.Do(a.Writer(), func(*array.Writer[int]) {
			close(begun)
			<-inputs
		}, parallelfor.Name("first"))
	}()
	<-begun
	defer func() { close(inputs); <-done }()
	parallelfor.Schedule(100, fill{a.Writer()}, parallelfor.Name("second"), parallelfor.AutoOrder())
}

// The owner uses an array that a job holds. That the job has finished is no excuse: the verdict would
// depend on the time of day.
func inFlight() {
	a := array.New[int](100, safety.Named("a"))
	h := parallelfor.Schedule(100, fill{a.Writer()})
	defer h.Complete()
	for !h.Finished() {
		runtime.Gosched()
	}
	a.Set(0, 1) // no h.Complete() before
}

// A body uses the array that its job holds, not through its view but through the variable outside.
func captured() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, a.Writer(), func(_ *array.Writer[int], i int) {
		a.Set(99-i, i) // another cell's element
	}, parallelfor.Name("reverse"))
}

// A job holds one array twice, once to write it. What it reads would depend on who is how far.
func aliased() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Run(100, double{In: a.Reader(), Out: a.Writer()})
}

// The workers of a loop would all write one value: its view has no range that could keep them apart.
func noRange() {
	sum := array.NewValue(0, safety.Named("sum"))
	parallelfor.For(100, sum.Writer(), func(w *array.ValueWriter[int], i int) {
		w.Store(w.Load() + i)
	}, parallelfor.Name("add up"))
}

// A job has a field that its workers would share without anybody knowing.
func unguardedField() {
	parallelfor.Run(100, keep{Out: make([]int, 100)})
}
