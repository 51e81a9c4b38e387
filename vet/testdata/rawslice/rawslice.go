package rawslice

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

type job struct{ A array.Writer[int] }

func (j *job) Execute(i int) { j.A.Set(i, i) }

func kept(a, b *array.Array[int]) {
	s, t := a.Slice(), b.Slice()
	s[0] = 1
	h := parallelfor.Schedule(a.Len(), job{a.Writer()})
	s[1] = 1 // want `s has the elements of container a, which the job of Schedule holds: complete it first`
	t[1] = 1
	h.Complete()
	s[2] = 1
	g := parallelfor.Go(b.Reader(), func(*array.Reader[int]) {})
	s = b.Slice() // and this is refused at run time
	println(t[0]) // want `t has the elements of container b, which the job of Go holds`
	s = nil
	_ = s
	g.Complete()
	parallelfor.Run(a.Len(), job{a.Writer()})
	s = a.Slice()
	s[0]++
}

func adopted() {
	data := make([]int, 4)
	a := array.Of(data)
	data[0] = 1
	h := parallelfor.Schedule(4, job{a.Writer()})
	data[1] = 2 // want `data has the elements of container a`
	h.Complete()
	data[2] = 3
}
