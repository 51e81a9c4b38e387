package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These schedule jobs that exclude each other.

var conflicts = []misuse{
	{"a job writes what another one writes", conflict, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "a"`, Job: "second", Field: "Out", OtherJob: "first", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job writes what another one reads", writesWhatIsRead, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "a"`, Job: "second", Field: "Out", OtherJob: "first", OtherField: "In", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job reads what another one writes", readsWhatIsWritten, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "a"`, Job: "second", Field: "In", OtherJob: "first", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"views in slices of structs collide", conflictOfElements, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "south"`, Job: "late", Field: "Goals[0].Costs", OtherJob: "early", OtherField: "Goals[1].Costs", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job adds to what another one adds to", conflictOfWriters, safety.Violation{Kind: safety.ErrConflict,
		Container: `counter.Counter "c"`, Job: "second", Field: "Sum", OtherJob: "first", OtherField: "Sum", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job reads what another one adds to", readsWhatIsAddedTo, safety.Violation{Kind: safety.ErrConflict,
		Container: `counter.Counter "c"`, Job: "second", OtherJob: "first", OtherField: "Sum", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job writes the buffer that another one still reads", bufferStillRead, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "d"`, Job: "next frame", Field: "Out", OtherJob: "picture", OtherField: "In", Made: somewhere, Scheduled: somewhere}, checked},
	{"jobs use two arrays of one slice", conflictOfAdopted, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "tail"`, Job: "second", Field: "Out", OtherJob: "first", OtherField: "In", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job is to run after one without a handle", autoOrder, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "a"`, Job: "second", Field: "Out", OtherJob: "first", Made: somewhere}, checked},
}

// The first job has finished, and holds the array until it is completed.
func conflict() {
	a := array.New[int](100, safety.Named("a"))
	first := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("first"), parallelfor.Inline())
	defer first.Complete()
	parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("second"))
}

// A job writes an array that another one reads. What the first one sees would depend on time.
func writesWhatIsRead() {
	a := array.New[int](100, safety.Named("a"))
	done := make(chan bool)
	first := parallelfor.ScheduleDo(watch{In: a.Reader(), Done: done}, (*watch).Execute, parallelfor.Name("first"))
	defer first.Complete()
	defer close(done)
	parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("second"))
}

// A job reads what another one writes, and does not run after it.
func readsWhatIsWritten() {
	a, b := array.New[int](100, safety.Named("a")), array.New[int](100, safety.Named("b"))
	inputs := make(chan int)
	first := parallelfor.ScheduleDo(receive{Out: a.Writer(), Inputs: inputs}, (*receive).Execute, parallelfor.Name("first"))
	defer first.Complete()
	defer close(inputs)
	parallelfor.Schedule(100, double{In: a.Reader(), Out: b.Writer()}, (*double).Execute, parallelfor.Name("second"))
}

// Two jobs have slices of structs of views, and one array is in both. The text names the element in
// each.
func conflictOfElements() {
	north, south := array.New[int](100, safety.Named("north")), array.New[int](100, safety.Named("south"))
	early := router{Goals: []goal{{Costs: north.Writer()}, {Costs: south.Writer()}}}
	late := router{Goals: []goal{{Costs: south.Writer()}}}
	first := parallelfor.Schedule(100, early, (*router).Execute, parallelfor.Name("early"), parallelfor.Inline())
	defer first.Complete()
	parallelfor.Schedule(100, late, (*router).Execute, parallelfor.Name("late"))
}

// Two jobs add to one counter, and neither runs after the other. If one of them failed, the sum
// would depend on how far the other one was. The first one has finished, and was not completed.
func conflictOfWriters() {
	c := counter.New(safety.Named("c"))
	first := parallelfor.ScheduleDo(add{Sum: c.ParallelWriter()}, (*add).Execute, parallelfor.Name("first"), parallelfor.Inline())
	defer first.Complete()
	parallelfor.ScheduleDo(add{Sum: c.ParallelWriter()}, (*add).Execute, parallelfor.Name("second"))
}

// A job reads a counter while another one adds to it. The second job is a func over one view, which
// has no field.
func readsWhatIsAddedTo() {
	c := counter.New(safety.Named("c"))
	first := parallelfor.ScheduleDo(add{Sum: c.ParallelWriter()}, (*add).Execute, parallelfor.Name("first"), parallelfor.Inline())
	defer first.Complete()
	parallelfor.Do(c.Reader(), func(r *counter.Reader) { _ = r.Value() }, parallelfor.Name("second"))
}

// A picture is drawn from the front of two buffers while the next frame is computed into the back.
// They change places, and the frame after that is to be computed into the buffer that the picture
// is still drawn from.
func bufferStillRead() {
	d := array.NewDouble[int](100, safety.Named("d"))
	done := make(chan bool)
	picture := parallelfor.ScheduleDo(watch{In: d.Front().Reader(), Done: done}, (*watch).Execute, parallelfor.Name("picture"))
	defer picture.Complete()
	defer close(done)
	parallelfor.For(100, fill{Out: d.Back().Writer()}, (*fill).Execute, parallelfor.Name("frame"))
	d.Swap()
	parallelfor.For(100, fill{Out: d.Back().Writer()}, (*fill).Execute, parallelfor.Name("next frame"))
}

// Two arrays have adopted overlapping parts of one slice, and two jobs use one each.
func conflictOfAdopted() {
	data := make([]int, 100)
	all, tail := array.Of(data, safety.Named("all")), array.Of(data[50:], safety.Named("tail"))
	done := make(chan bool)
	first := parallelfor.ScheduleDo(watch{In: all.Reader(), Done: done}, (*watch).Execute, parallelfor.Name("first"))
	defer first.Complete()
	defer close(done)
	parallelfor.Schedule(50, fill{Out: tail.Writer()}, (*fill).Execute, parallelfor.Name("second"))
}

// A job is to run after the jobs that hold its array. The array is held by a loop that another
// goroutine runs in a call, which has no handle to run after.
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
	parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("second"), parallelfor.AutoOrder())
}
