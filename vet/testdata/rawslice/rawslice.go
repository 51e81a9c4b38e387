package rawslice

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

type job struct{ A array.Writer[int] }

func (j *job) Execute(i int) { j.A.Set(i, i) }

func kept(a, b *array.Array[int]) {
	var s, t = a.Slice(), b.Slice()
	s[0] = 1
	h := parallelfor.Schedule(a.Len(), job{a.Writer()}, (*job).Execute)
	s[1] = 1      // want `s has the elements of container a, which the job of Schedule holds: complete it first`
	println(s[1]) // want `s has the elements of container a`
	for range s { // want `s has the elements of container a`
	}
	t[1], _ = 1, len(s)
	h.Complete()
	s[2] = 1
	g := parallelfor.Go(b.Reader(), func(*array.Reader[int]) {})
	println(t[0]) // both read
	t[0]++        // want `t has the elements of container b, which the job of Go holds`
	s = nil
	_ = s
	g.Complete()
	d := parallelfor.ScheduleDo(b.Writer(), func(*array.Writer[int]) {})
	t[0]++ // want `t has the elements of container b, which the job of ScheduleDo holds`
	d.Complete()
	parallelfor.For(a.Len(), job{a.Writer()}, (*job).Execute)
	s = a.Slice()
	s[0]++
}

func conditions(a *array.Array[int]) {
	s := a.Slice()
	h := parallelfor.Schedule(a.Len(), job{a.Writer()}, (*job).Execute)
	for i := 0; i < s[0]; i++ { // want `s has the elements of container a`
	}
	for i := 0; i < 4; i += s[1] { // want `s has the elements of container a`
	}
	switch 1 {
	case s[2]: // want `s has the elements of container a`
	}
	h.Complete()
	for i := s[0]; i < s[1]; i++ {
	}
}

func adopted() {
	data := make([]int, 4)
	a := array.Of[int](data)
	data[0] = 1
	h := parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute)
	data[1] = 2 // want `data has the elements of container a`
	h.Complete()
	data[2] = 3
}

type world struct {
	data []int
	n    int
}

func legal(front, back *array.Array[int], async bool, w *world) parallelfor.Handle {
	own := array.Of(w.data)
	s := front.Slice()
	if async {
		return parallelfor.Schedule(4, job{front.Writer()}, (*job).Execute)
	}
	s[0] = 1
	var h parallelfor.Handle
	switch {
	case async:
		h = parallelfor.Schedule(4, job{own.Writer()}, (*job).Execute)
	default:
		w.n, w.data[0] = 1, 2
	}
	h.Complete()
	h = parallelfor.Schedule(4, job{back.Writer()}, (*job).Execute)
	front, back = back, front
	s = back.Slice()
	s[0] = 1
	finish(h)
	t := front.Slice()
	t[0] = 1
	h = parallelfor.Schedule(4, job{front.Writer()}, (*job).Execute)
	parallelfor.For(4, job{front.Writer()}, (*job).Execute, parallelfor.After(h))
	t[0] = 2
	return h
}

func finish(h parallelfor.Handle) { h.Complete() }
