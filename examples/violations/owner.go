package main

import (
	"runtime"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These use containers that jobs hold by the containers' own methods.

var inUse = []misuse{
	{"the owner reads what a job writes", readInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, OtherJob: "fill", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner changes what a job writes", inFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, OtherJob: "fill", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner changes what a job reads", changeInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, OtherJob: "watch", OtherField: "In", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner schedules a job while it ranges over the container", rangeInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, OtherJob: "fill", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner reads what a job adds to", valueInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `counter.Counter "c"`, OtherJob: "add", OtherField: "Sum", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner adds to what a job reads", addInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `counter.Counter "c"`, OtherJob: "report", OtherField: "", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner disposes of what a job holds", disposeInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, OtherJob: "watch", OtherField: "In", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner uses what another goroutine's loop holds", usedBesideRun, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, OtherJob: "busy", Made: somewhere}, checked},
	{"a body uses the container of its job, not the view", captured, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, Job: "reverse", OtherJob: "reverse", Made: somewhere}, checked},
	{"a body disposes of a container of its job", disposeInside, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, Job: "fill and forget", OtherJob: "fill and forget", Made: somewhere}, checked},
}

// The job has finished, and holds the array until it is completed.
func readInFlight() {
	a := array.New[int](100, safety.Named("a"))
	h := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Inline())
	defer h.Complete()
	_ = a.At(0)
}

// The owner changes an array that a job writes. The job has finished, and was not completed.
func inFlight() {
	a := array.New[int](100, safety.Named("a"))
	h := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute)
	defer h.Complete()
	for !h.Finished() {
		runtime.Gosched()
	}
	a.Set(0, 1)
}

// The owner changes an array that a job reads. To read it beside the job is allowed.
func changeInFlight() {
	a := array.New[int](100, safety.Named("a"))
	done := make(chan bool)
	h := parallelfor.ScheduleDo(watch{In: a.Reader(), Done: done}, (*watch).Execute)
	defer h.Complete()
	defer close(done)
	_ = a.At(0)
	a.Set(0, 1)
}

// The owner ranges over an array, and schedules a job in the middle that writes it. The next step
// of the range panics.
func rangeInFlight() {
	a := array.New[int](100, safety.Named("a"))
	for range a.All() {
		h := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Inline())
		defer h.Complete()
	}
}

// The owner reads a counter that a job adds to. To add to it beside the job is allowed.
func valueInFlight() {
	c := counter.New(safety.Named("c"))
	h := parallelfor.ScheduleDo(add{Sum: c.ParallelWriter()}, (*add).Execute, parallelfor.Inline())
	defer h.Complete()
	c.Inc()
	_ = c.Value()
}

// The owner adds to a counter that a job reads.
func addInFlight() {
	c := counter.New(safety.Named("c"))
	h := parallelfor.Go(c.Reader(), func(r *counter.Reader) { _ = r.Value() }, parallelfor.Name("report"), parallelfor.Inline())
	defer h.Complete()
	c.Inc()
}

// The owner disposes of an array that a job reads.
func disposeInFlight() {
	a := array.New[int](100, safety.Named("a"))
	done := make(chan bool)
	h := parallelfor.ScheduleDo(watch{In: a.Reader(), Done: done}, (*watch).Execute)
	defer h.Complete()
	defer close(done)
	a.Dispose()
}

// A goroutine runs a job in one call, and another one uses the job's array meanwhile.
func usedBesideRun() {
	a := array.New[int](100, safety.Named("a"))
	begun, end, done := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		parallelfor.Do(a.Writer(), func(*array.Writer[int]) {
			close(begun)
			<-end
		}, parallelfor.Name("busy"))
	}()
	<-begun
	defer func() { close(end); <-done }()
	_ = a.At(0)
}

// A body uses the array that its job holds, not through its view but through the variable outside.
func captured() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, a.Writer(), func(_ *array.Writer[int], i int) {
		a.Set(99-i, i) // another batch's element
	}, parallelfor.Name("reverse"))
}

// A body disposes of the array that its job holds. The caller would get back an array that has
// ended.
func disposeInside() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		clear(w.Slice())
		a.Dispose()
	}, parallelfor.Name("fill and forget"))
}
