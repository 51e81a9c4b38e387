package plainfield

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

type inner struct{ N int }

type job struct {
	A     array.Writer[int]
	Count int
	Table [4]int
	In    inner
	Ptr   *inner `custody:"unguarded"`
}

func (j *job) Execute(i int) {
	j.Count++         // want `job job writes j.Count, a plain field: it is the worker's copy, and lost`
	j.Table[i%4] += 1 // want `job job writes j.Table\[i % 4\], a plain field`
	j.Table[0] = i
	j.In.N = i + j.In.N // want `job job writes j.In.N, a plain field`
	j.Ptr.N = i         // not the copy's
	local := *j
	local.Count = 1
	j.A.Set(i, j.Count)
}

type byValue struct {
	A     array.Reader[int]
	Count int
}

func (j byValue) Execute(i int) { // each call has a copy of its own
	j.Count++ // want `job byValue writes j.Count, a plain field: it is the worker's copy, and lost`
	_ = j.A.At(j.Count)
}

type noJob struct{ n int }

func (j *noJob) Execute(i int) { j.n = i }

type views struct {
	A    array.Writer[int]
	Best int
}

func loop(a *array.Array[int]) {
	parallelfor.For(4, views{A: a.Writer()}, func(v *views, i int) {
		v.Best = max(v.Best, i) // want `the job writes v.Best, a plain field`
	})
	parallelfor.Do(views{A: a.Writer()}, func(v *views) { v.Best++ }) // one call
	parallelfor.For(4, a.Writer(), func(w *array.Writer[int], i int) { w.Set(i, i) })
}
