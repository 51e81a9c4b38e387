package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// The fields of these jobs conflict with each other or with the loop, or are not for jobs.

var fields = []misuse{
	{"a job reads and writes one container", aliased, safety.Violation{Kind: safety.ErrAliased,
		Container: `array.Array[int] "a"`, Job: "double", Field: "In", OtherField: "Out", Made: somewhere}, checked},
	{"a job writes one container twice", aliasedWriters, safety.Violation{Kind: safety.ErrAliased,
		Container: `array.Array[int] "a"`, Job: "router", Field: "Goals[0].Costs", OtherField: "Goals[1].Costs", Made: somewhere}, checked},
	{"a view writes the container that it reads its offsets from", aliasedOffsets, safety.Violation{Kind: safety.ErrAliased,
		Container: `array.Array[int] "a"`, Job: "spread", Field: "Out", OtherField: "Out.offsets", Made: somewhere}, checked},

	{"many workers write one value", noRange, safety.Violation{Kind: safety.ErrNoRange,
		Container: `array.Value[int] "sum"`, Job: "add up", Made: somewhere}, checked},

	{"a body writes a plain field", plainField, safety.Violation{Kind: safety.ErrPlainField, Job: "average", Field: "Totals.Sum"}, checked},
	{"a body writes a plain field of an element", plainElement, safety.Violation{Kind: safety.ErrPlainField, Job: "search", Field: "Roads[1].Best"}, checked},

	{"a job has a slice", unguardedField, safety.Violation{Kind: safety.ErrField, Job: "keep", Field: "Out"}, always},
	{"a struct in a job has a map", unguardedNested, safety.Violation{Kind: safety.ErrField, Job: "lookup", Field: "Options.Names"}, always},
	{"an element of a slice in a job has a pointer", unguardedElement, safety.Violation{Kind: safety.ErrField, Job: "survey", Field: "Sites[].Owner"}, always},
	{"a job has a container instead of a view", containerField, safety.Violation{Kind: safety.ErrField, Job: "carry", Field: "Out"}, always},
	{"a job is a container instead of a view", containerAsView, safety.Violation{Kind: safety.ErrField, Job: "fill"}, always},
	{"a job has a pointer to a view", pointerToView, safety.Violation{Kind: safety.ErrField, Job: "borrow", Field: "Out"}, always},
	{"a job has a container by value", containerByValue, safety.Violation{Kind: safety.ErrField, Job: "swallow", Field: "Out"}, always},
}

// What the job reads would depend on how far each worker is.
func aliased() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, double{In: a.Reader(), Out: a.Writer()}, (*double).Execute)
}

// A job holds one array twice to write it, in two elements of a slice.
func aliasedWriters() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, router{Goals: []goal{{Costs: a.Writer()}, {Costs: a.Writer()}}}, (*router).Execute)
}

// A view that cuts an array by offsets also holds the offsets, to read them. Here it writes the
// offsets.
func aliasedOffsets() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(99, spread{Out: array.ByOffsets(a.Writer(), a.Reader())}, (*spread).Execute)
}

// All workers would write one value: its view has no range that keeps them apart.
func noRange() {
	sum := array.NewValue(0, safety.Named("sum"))
	parallelfor.For(100, sum.Writer(), func(w *array.ValueWriter[int], i int) {
		w.Store(w.Load() + i)
	}, parallelfor.Name("add up"))
}

// All workers would share the slice, and custody would not see it.
func unguardedField() {
	parallelfor.For(100, keep{Out: make([]int, 100)}, (*keep).Execute)
}

// The field may be deep in the job. It makes no difference that the map is nil, or never used.
func unguardedNested() {
	parallelfor.For(100, lookup{}, (*lookup).Execute)
}

// A slice of views belongs to its job, except what the elements point to.
func unguardedElement() {
	parallelfor.For(100, survey{}, (*survey).Execute)
}

// A job carries a container in place of a view.
func containerField() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, carry{Out: a}, (*carry).Execute)
}

// A loop is given a container in place of a view.
func containerAsView() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.For(100, a, func(a **array.Array[int], i int) {
		(*a).Set(i, i)
	}, parallelfor.Name("fill"))
}

// A job points to a view, to save the copy. Then all workers would use one, whose range is one
// worker's.
func pointerToView() {
	a := array.New[int](100, safety.Named("a"))
	w := a.Writer()
	parallelfor.For(100, borrow{Out: &w}, (*borrow).Execute)
}

// A job has a container of its own, which would be copied for each worker.
func containerByValue() {
	parallelfor.For(100, swallow{}, (*swallow).Execute)
}

// Each worker adds up in its own copy of the job, and the sums are lost with the copies.
func plainField() {
	a := array.Of([]int{1, 2, 3, 4}, safety.Named("a"))
	parallelfor.For(a.Len(), average{In: a.Reader()}, (*average).Execute)
}

// A body keeps results in the elements of a slice of its job. Each worker has a copy of the slice.
func plainElement() {
	north, south := array.Of([]int{5, 6, 7}, safety.Named("north")), array.Of([]int{4, 3, 2}, safety.Named("south"))
	parallelfor.For(3, search{Roads: []road{{Costs: north.Reader(), Best: 5}, {Costs: south.Reader(), Best: 5}}}, (*search).Execute)
}
