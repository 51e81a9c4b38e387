package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func ownerExcluded() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, a.Writer(), func(w *array.Writer[int], i int) {
		if i == 1 {
			sink = a.At(0)
		}
	}, each(2)...)
}

func ownerAllowed() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, a.Reader(), func(r *array.Reader[int], i int) {
		if i == 1 {
			sink = a.At(0)
		}
	}, each(2)...)
}

func ownerNotHeld() {
	a, b := array.New[int](4, safety.Named("a")), array.New[int](4)
	parallelfor.For(4, b.Writer(), func(w *array.Writer[int], i int) {
		if i == 1 {
			a.Set(0, 1)
		}
	}, each(2)...)
}

func plainVariable() {
	sum := 0
	parallelfor.For(4, none{}, func(_ *none, i int) { sum += i }, each(2)...)
	sink = sum
}

func plainSlice() {
	list := make([]int, 1)
	parallelfor.For(4, none{}, func(_ *none, i int) { list[0] = i }, each(2)...)
}

func plainMap() {
	m := map[string]int{}
	var first hint
	parallelfor.For(2, none{}, func(_ *none, i int) {
		if i == 1 {
			first.wait() // the runtime ends programs that write a map at the same time
		}
		m["last"] = i
		first.give()
	}, each(2)...)
}

func plainPointer() {
	p := new(struct{ last int })
	parallelfor.For(4, none{}, func(_ *none, i int) { p.last = i }, each(2)...)
}

func sliceOfAnother() {
	data := make([]int, 4)
	a := array.Of(data, safety.Named("a"))
	parallelfor.For(4, a.Writer(), func(w *array.Writer[int], i int) {
		if i == 1 {
			data[3] = 1
		}
	}, each(2)...)
}

type counting struct {
	Out   array.Writer[int]
	Count int
}

func (j *counting) Execute(i int) {
	j.Count++
	j.Out.Set(i, j.Count)
}

func plainField() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, counting{Out: a.Writer()}, (*counting).Execute, each(2)...)
}

type countingLast struct {
	Out   array.Writer[int]
	Count int
}

func (j *countingLast) Execute(i int) {
	if i == 3 {
		j.Count++
	}
	j.Out.Set(i, i)
}

func plainFieldLate() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, countingLast{Out: a.Writer()}, (*countingLast).Execute, each(2)...)
}

type countingByValue struct {
	Out   array.Writer[int]
	Count int
}

func (j countingByValue) Execute(i int) {
	j.Count++
	j.Out.Set(i, j.Count)
}

func plainFieldOfACopy() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, countingByValue{Out: a.Writer()}, (*countingByValue).Execute, each(2)...)
}

func recovered() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, a.Writer(), func(w *array.Writer[int], i int) {
		defer func() { _ = recover() }()
		w.Set(3-i, i)
	}, each(2)...)
}

type sharing struct {
	Out    array.Writer[int]
	Memory []int `custody:"unguarded"`
}

func (j *sharing) Execute(i int) { j.Memory[0] = i }

func unguardedField() {
	parallelfor.For(4, sharing{array.New[int](4).Writer(), make([]int, 1)}, (*sharing).Execute, each(2)...)
}
