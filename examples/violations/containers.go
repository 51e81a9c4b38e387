package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These use containers that are not there.

var absent = []misuse{
	{"a field of a job was left out", unassignedView, safety.Violation{Kind: safety.ErrUnassigned, Job: "double", Field: "In"}, checked},
	{"an element of a slice of views was left out", unassignedElement, safety.Violation{Kind: safety.ErrUnassigned, Job: "router", Field: "Goals[1].Costs"}, checked},
	{"a job carries an optional view that was never assigned", unassignedOptional, safety.Violation{Kind: safety.ErrUnassigned, Job: "masked", Field: "Mask"}, checked},
	{"a loop takes its length from a view that was never assigned", unassignedLength, safety.Violation{Kind: safety.ErrUnassigned, Job: "fill", Field: "LengthOf"}, checked},
	{"a job holds a container that was never made", zeroScheduled, safety.Violation{Kind: safety.ErrUnassigned, Job: "fill", Field: "Out"}, checked},
	{"a container is used that was never made", zeroContainer, safety.Violation{Kind: safety.ErrUnassigned}, checked},
	{"a counter.Local is used that was never made", zeroLocal, safety.Violation{Kind: safety.ErrUnassigned}, always},

	{"a container is used after Dispose", disposed, safety.Violation{Kind: safety.ErrDisposed, Container: `array.Array[int] "a"`, Made: somewhere}, checked},
	{"a container is disposed of twice", disposedTwice, safety.Violation{Kind: safety.ErrDisposed, Container: `array.Array[int] "a"`, Made: somewhere}, checked},
	{"a job is scheduled with a container after Dispose", disposedView, safety.Violation{Kind: safety.ErrDisposed,
		Container: `array.Array[int] "a"`, Job: "fill", Field: "Out", Made: somewhere}, checked},
	{"a counter is used through a Local after Dispose", disposedLocal, safety.Violation{Kind: safety.ErrDisposed, Container: `counter.Counter "c"`, Made: somewhere}, checked},

	{"a job holds a copy of a container", copied, safety.Violation{Kind: safety.ErrCopied,
		Container: `array.Array[int] "a"`, Job: "fill", Field: "Out", Made: somewhere}, checked},
	{"a copy of a container is used", copiedUse, safety.Violation{Kind: safety.ErrCopied, Container: `array.Array[int] "a"`, Made: somewhere}, checked},
	{"a copy of a container is disposed of", copiedDispose, safety.Violation{Kind: safety.ErrCopied, Container: `array.Array[int] "a"`, Made: somewhere}, checked},
}

// The job has no array to read.
func unassignedView() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, double{Out: a.Writer()}, (*double).Execute) // In is missing
}

// A job has a slice of structs of views, one of which is its zero value.
func unassignedElement() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, router{Goals: []goal{{Costs: a.Writer()}, {}}}, (*router).Execute)
}

// The mask of a job is optional, and was never taken from a container. A job without a mask has the
// zero Optional.
func unassignedOptional() {
	a := array.New[int](100, safety.Named("a"))
	var mask array.Reader[bool]
	parallelfor.For(100, masked{Out: a.Writer(), Mask: safety.Some(mask)}, (*masked).Execute)
}

// A loop is to be as long as a view that was never taken from a container.
func unassignedLength() {
	a := array.New[int](100, safety.Named("a"))
	var missing array.Reader[int]
	parallelfor.For(-1, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.LengthOf(missing))
}

// A job has a view of a container that New did not make.
func zeroScheduled() {
	var a array.Array[int]
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute)
}

// A container is used that New did not make.
func zeroContainer() {
	var a array.Array[int]
	a.Set(0, 1)
}

// The zero value of a Local is used.
func zeroLocal() {
	var l counter.Local
	l.Inc()
}

// Dispose ends the use of the array.
func disposed() {
	a := array.New[int](100, safety.Named("a"))
	a.Dispose()
	a.Set(0, 1)
}

// Two functions dispose of one container.
func disposedTwice() {
	a := array.New[int](100, safety.Named("a"))
	defer a.Dispose()
	a.Dispose()
}

// A view outlives its container, and is scheduled then.
func disposedView() {
	a := array.New[int](100, safety.Named("a"))
	w := a.Writer()
	a.Dispose()
	parallelfor.For(100, fill{Out: w}, (*fill).Execute)
}

// A goroutine counts through its Local after the counter was disposed of.
func disposedLocal() {
	c := counter.New(safety.Named("c"))
	l := c.Local()
	defer l.Close()
	c.Dispose()
	l.Inc()
}

// The guard of the copy knows nothing of jobs that hold the original. go vet finds plain copies,
// but not this one.
func copied() {
	a := array.New[int](100, safety.Named("a"))
	b := clone(a)
	parallelfor.For(100, fill{Out: b.Writer()}, (*fill).Execute)
}

// Two copies of a container have the same elements and each a guard of its own. Every operation
// that checks custody finds a copy.
func copiedUse() {
	a := array.New[int](100, safety.Named("a"))
	b := clone(a)
	b.Set(0, 1)
}

// A copy of a container is disposed of in place of the container.
func copiedDispose() {
	a := array.New[int](100, safety.Named("a"))
	b := clone(a)
	b.Dispose()
}

func clone[T any](p *T) T { return *p }
