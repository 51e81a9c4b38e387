package jobfield

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/table"
)

type good struct {
	A    array.Writer[int]
	More []array.Reader[int]
	Note *counter.Counter `custody:"unguarded"`
}

func (j *good) Execute(i int) {}

type bad struct {
	A     array.Writer[int]
	Inner struct{ Hits *counter.Counter }
}

func (j *bad) Execute(i int) {}

type worse struct{ All []*array.Array[int] }

func (j *worse) Execute(i int) {}

type views struct {
	In   array.Reader[int]
	Hits *counter.Counter
}

type element struct {
	of *array.Array[int]
	n  int
}

func jobs(a *array.Array[int], c *counter.Counter) {
	parallelfor.For(4, good{A: a.Writer()}, (*good).Execute)
	parallelfor.For(4, bad{A: a.Writer()}, (*bad).Execute)                                                       // want `job bad has field Inner.Hits, which is a container: carry a view of it`
	parallelfor.Schedule(4, worse{}, (*worse).Execute).Complete()                                                // want `job worse has field All\[...\], which is a container`
	parallelfor.For(4, views{a.Reader(), c}, func(v *views, i int) {})                                           // want `job views has field Hits, which is a container`
	parallelfor.ScheduleDo(views{a.Reader(), c}, func(v *views) {}).Complete()                                   // want `job views has field Hits, which is a container`
	parallelfor.MapSlice([]element{{of: a}}, func(e element) int { return e.n })                                 // an element is no job
	parallelfor.Reduce(4, a.Reader(), func(*array.Reader[int], int, int) element { return element{of: a} }, nil) // nor is a result
}

func tables(balls *table.Table[int], x *table.Column[int], c *counter.Counter) {
	table.For(balls.Rows(), views{x.Reader(), c}, func(v *views, i int) {}) // want `job views has field Hits, which is a container`
}
