package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
	"example.com/custody/table"
)

// alone are the options of a loop that one worker executes in one batch.
func alone() []parallelfor.Option {
	return []parallelfor.Option{parallelfor.Batch(4), parallelfor.Workers(1), parallelfor.Name("loop")}
}

// lentOut has a body write into what its Reader returned.
func lentOut(r array.Reader[int]) {
	parallelfor.For(1, r, func(r *array.Reader[int], i int) { r.Slice()[i] = 1 }, alone()...)
}

func readerWritten() { lentOut(array.New[int](4, safety.Named("a")).Reader()) }

func listReaderWritten() { lentOut(array.ListOf(make([]int, 4)).Reader()) }

func doubleReaderWritten() { lentOut(array.NewDouble[int](4).Front().Reader()) }

func columnReaderWritten() {
	t, c := newTable()
	table.For(t.Rows(), c.Reader(), func(r *array.Reader[int], i int) { r.Slice()[i] = 1 }, parallelfor.Workers(1))
}

func streamReaderWritten() {
	s := array.StreamOf([][]int{{1, 2}, {3}})
	parallelfor.For(1, s.Reader(), func(r *array.StreamReader[int], i int) { r.At(i)[0] = 4 }, alone()...)
}

func queueReaderWritten() {
	q := queue.New[int]()
	q.Enqueue(1)
	parallelfor.For(1, q.Reader(), func(r *queue.Reader[int], i int) {
		for _, s := range r.Slices() {
			s[0] = 2
		}
	}, alone()...)
}

type node struct{ value int }

func pointerInElements() {
	n := new(node)
	a := array.Of([]*node{n, n}, safety.Named("a"))
	parallelfor.For(2, a.Writer(), func(w *array.Writer[*node], i int) { w.At(i).value++ }, each(2)...)
}

func sliceInElements() {
	s := make([]int, 1)
	a := array.Of([][]int{s, s}, safety.Named("a"))
	parallelfor.For(2, a.Reader(), func(r *array.Reader[[]int], i int) { r.At(i)[0]++ }, each(2)...)
}

func containerInElements() {
	inner := array.New[int](1, safety.Named("inner"))
	a := array.Of([]*array.Array[int]{inner, inner}, safety.Named("a"))
	parallelfor.For(2, a.Writer(), func(w *array.Writer[*array.Array[int]], i int) {
		w.At(i).Set(0, 1)
	}, each(2)...)
}

func containerElements() {
	a := array.New[array.Value[int]](1, safety.Named("a"))
	a.Slice()[0] = *array.NewValue(1, safety.Named("inner"))
	parallelfor.For(1, loading{a.Slice()[0].Reader()}, (*loading).Execute, each(1)...)
}

type loading struct{ In array.ValueReader[int] }

func (j *loading) Execute(int) { j.In.Load() }

func twoOfOne() {
	data := make([]int, 4)
	a := array.Of(data, safety.Named("a"))
	b := array.Of(data, safety.Named("b"))
	h := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute, each(2)...)
	defer h.Complete()
	parallelfor.For(4, filling{b.Writer()}, (*filling).Execute, each(2)...)
}

func twoOfOneOwner() {
	data := make([]int, 4)
	a := array.Of(data, safety.Named("a"))
	b := array.Of(data, safety.Named("b"))
	h := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute, each(2)...)
	for !h.Finished() {
		nap()
	}
	b.Set(0, 1)
	h.Complete()
}

func ownSliceAdopted() {
	a := array.New[int](4, safety.Named("a"))
	b := array.Of(a.Slice(), safety.Named("b"))
	h := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute, each(2)...)
	for !h.Finished() {
		nap()
	}
	parallelfor.For(4, filling{b.Writer()}, (*filling).Execute, each(2)...)
	h.Complete()
}

func readerAdopted() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.Do(a.Reader(), func(r *array.Reader[int]) {
		b := array.Of(r.Slice(), safety.Named("b"))
		parallelfor.For(4, filling{b.Writer()}, (*filling).Execute)
	}, parallelfor.Name("loop"))
}

func capturedAdopted() {
	data := make([]int, 4)
	parallelfor.For(2, none{}, func(*none, int) {
		b := array.Of(data, safety.Named("b"))
		parallelfor.For(4, filling{b.Writer()}, (*filling).Execute)
	}, each(1)...)
}

func rangeWidened() {
	a := array.New[int](2, safety.Named("a"))
	parallelfor.For(2, a.Writer(), func(w *array.Writer[int], i int) {
		safety.FieldOf(w, "").Binder.(safety.RangeView).SetRange(0, 2)
		w.Set(0, i)
	}, each(1)...)
}

type filling struct{ Out array.Writer[int] }

func (j *filling) Execute(i int) { j.Out.Set(i, i) }
