package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
)

type fill struct {
	Out array.Writer[int]
}

func (j *fill) Execute(i int) { j.Out.Set(i, i) }

type receive struct {
	Out    array.Writer[int]
	Inputs chan int `custody:"unguarded"`
}

func (j *receive) Execute() {
	for i := range j.Inputs {
		j.Out.Set(i, i)
	}
}

type double struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (j *double) Execute(i int) { j.Out.Set(i, 2*j.In.At(i)) }

type shift struct {
	Out array.Writer[int]
}

func (j *shift) ExecuteBatch(begin, end int) {
	for i := begin; i < end; i++ {
		j.Out.Set(i+1, i)
	}
}

type last struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (j *last) Execute(i int) { j.Out.Set(i, j.In.At(j.In.Len())) }

type add struct {
	Sum counter.ParallelWriter
}

func (j *add) Execute() { j.Sum.Inc() }

type keep struct {
	Out []int
}

func (j *keep) Execute(i int) { j.Out[i] = i }

type wait struct {
	Self chan parallelfor.Handle `custody:"unguarded"`
}

func (j *wait) Execute() { (<-j.Self).Complete() }
