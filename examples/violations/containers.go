package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These use containers that are not there.

// A job is scheduled with a view that was never taken from a container.
func unassignedView() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Run(100, double{Out: a.Writer()}) // In is missing
}

// A container is used that New did not make.
func zeroContainer() {
	var a array.Array[int]
	a.Set(0, 1)
}

// A container is used after its end.
func disposed() {
	a := array.New[int](100, safety.Named("a"))
	a.Dispose()
	a.Set(0, 1)
}

// A job gets a view of a copied container. The copy has the same elements, and knows nothing of the jobs
// that hold the original. go vet finds plain copies; this one is made by clone, a generic function that
// returns what a pointer points to.
func copied() {
	a := array.New[int](100, safety.Named("a"))
	b := clone(a)
	parallelfor.Run(100, fill{b.Writer()})
}

func clone[T any](p *T) T { return *p }
