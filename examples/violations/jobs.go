package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
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

type watch struct {
	In   array.Reader[int]
	Done chan bool `custody:"unguarded"`
}

func (j *watch) Execute() { <-j.Done }

type double struct {
	In  array.Reader[int]
	Out array.Writer[int]
}

func (j *double) Execute(i int) { j.Out.Set(i, 2*j.In.At(i)) }

type goal struct {
	Costs array.Writer[int]
}

type router struct {
	Goals []goal
}

func (j *router) Execute(i int) {
	for k := range j.Goals {
		j.Goals[k].Costs.Set(i, k)
	}
}

type masked struct {
	Out  array.Writer[int]
	Mask safety.Optional[array.Reader[bool]]
}

func (j *masked) Execute(i int) {
	if mask, ok := j.Mask.View(); ok && mask.At(i) {
		j.Out.Set(i, i)
	}
}

type scatter struct {
	To  array.Reader[int]
	Out array.PermutedWriter[int]
}

func (j *scatter) Execute(i int) { j.Out.Set(j.To.At(i), i) }

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

type spread struct {
	Out array.OffsetWriter[int]
}

func (j *spread) Execute(i int) { clear(j.Out.Row(i)) }

type totals struct {
	Sum, Count int
}

type average struct {
	In     array.Reader[int]
	Totals totals
}

func (j *average) Execute(i int) {
	j.Totals.Sum += j.In.At(i)
	j.Totals.Count++
}

type road struct {
	Costs array.Reader[int]
	Best  int
}

type search struct {
	Roads []road
}

func (j *search) Execute(i int) {
	for k := range j.Roads {
		j.Roads[k].Best = min(j.Roads[k].Best, j.Roads[k].Costs.At(i))
	}
}

type add struct {
	Sum counter.ParallelWriter
}

func (j *add) Execute() { j.Sum.Inc() }

type keep struct {
	Out []int
}

func (j *keep) Execute(i int) { j.Out[i] = i }

type options struct {
	Names map[int]string
}

type lookup struct {
	Options options
}

func (j *lookup) Execute(i int) { _ = j.Options.Names[i] }

type site struct {
	Heights array.Reader[int]
	Owner   *string
}

type survey struct {
	Sites []site
}

func (j *survey) Execute(i int) { _ = j.Sites[0].Heights.At(i) }

type carry struct {
	Out *array.Array[int]
}

func (j *carry) Execute(i int) { j.Out.Set(i, i) }

type borrow struct {
	Out *array.Writer[int]
}

func (j *borrow) Execute(i int) { j.Out.Set(i, i) }

type swallow struct {
	Out array.Array[int]
}

func (j *swallow) Execute(i int) { j.Out.Set(i, i) }

type wait struct {
	Other chan parallelfor.Handle `custody:"unguarded"`
}

func (j *wait) Execute() { (<-j.Other).Complete() }

type allButTheFirst struct {
	array.Reader[int]
}

func (v *allButTheFirst) Len() int { return -1 }

type idle struct{}

func (idle) PerIndex() bool { return false }

func (idle) Loop(*fill, *parallelfor.Batches) error { return nil }
