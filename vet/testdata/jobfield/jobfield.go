package jobfield

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
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

type element struct{ of *array.Array[int] }

func jobs(a *array.Array[int], c *counter.Counter) {
	parallelfor.Run(4, good{A: a.Writer()})
	parallelfor.Run(4, bad{A: a.Writer()})                                                   // want `job bad has field Inner.Hits, which is a container: carry a view of it`
	parallelfor.Schedule(4, worse{}).Complete()                                              // want `job worse has field All\[...\], which is a container`
	parallelfor.For(4, views{a.Reader(), c}, func(v *views, i int) {})                       // want `job views has field Hits, which is a container`
	parallelfor.Each([]element{{a}}, a.Reader(), func(*array.Reader[int], int, *element) {}) // an element is no job
}
