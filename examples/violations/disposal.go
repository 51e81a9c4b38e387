package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse containers that end with the jobs that hold them.

var disposedAfter = []misuse{
	{"a container is left to a job while another one holds it", leftToOne, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "a"`, Job: "first", OtherJob: "second", OtherField: "In", Made: somewhere, Scheduled: somewhere}, checked},
	{"the owner uses what was left to a job", usedAfterDisposeAfter, safety.Violation{Kind: safety.ErrDisposed,
		Container: `array.Array[int] "a"`, OtherJob: "fill", Made: somewhere, Scheduled: somewhere}, checked},
	{"a job is scheduled with what was left to another one", scheduledAfterDisposeAfter, safety.Violation{Kind: safety.ErrDisposed,
		Container: `array.Array[int] "a"`, Job: "second", Field: "Out", OtherJob: "first", Made: somewhere, Scheduled: somewhere}, checked},
}

// An array is to end with the first of two jobs that read it. The second may still read it then.
func leftToOne() {
	a := array.New[int](100, safety.Named("a"))
	done := make(chan bool)
	first := parallelfor.ScheduleDo(watch{In: a.Reader(), Done: done}, (*watch).Execute, parallelfor.Name("first"))
	second := parallelfor.ScheduleDo(watch{In: a.Reader(), Done: done}, (*watch).Execute, parallelfor.Name("second"))
	defer second.Complete()
	defer first.Complete()
	defer close(done)
	a.DisposeAfter(first) // not parallelfor.Combine(first, second)
}

// An array was left to a job by DisposeAfter, so Complete does not give it back.
func usedAfterDisposeAfter() {
	a := array.New[int](100, safety.Named("a"))
	h := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute)
	a.DisposeAfter(h)
	h.Complete()
	_ = a.At(0)
}

// An array was left to a job, and another job is to write it after that. DisposeAfter is for the
// last job that uses the array.
func scheduledAfterDisposeAfter() {
	a := array.New[int](100, safety.Named("a"))
	first := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("first"))
	defer first.Complete()
	a.DisposeAfter(first)
	parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("second"), parallelfor.After(first))
}
