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
	parallelfor.For(4, job{A: a.Writer()}, (*job).Execute)
	parallelfor.For(4, byValue{A: a.Reader()}, (*byValue).Execute)
	parallelfor.ScheduleDo(single{A: a.Writer()}, (*single).Execute).Complete()
	parallelfor.For(4, views{A: a.Writer()}, raise)
	parallelfor.Reduce(4, views{A: a.Writer()}, (*views).count, func(a, b int) int { return a + b })
	c := &counting{A: a.Writer()}
	parallelfor.Indices(4, c.step)
	handOn(handed{A: a.Writer()}, (*handed).Execute)
}

type single struct {
	A     array.Writer[int]
	Count int
}

func (j *single) Execute() { j.Count++ } // one call

func raise(v *views, i int) {
	v.Best += i // want `the job writes v.Best, a plain field`
}

func (v *views) count(begin, end int) int {
	v.Best++ // want `job views writes v.Best, a plain field`
	return v.Best
}

type counting struct {
	A     array.Writer[int]
	Count int
}

func (c *counting) step(i int) { c.Count++ } // no job's: every call has the same

type handed struct {
	A     array.Writer[int]
	Count int
}

func (j *handed) Execute(i int) {
	j.Count++ // want `job handed writes j.Count, a plain field`
}

func handOn[J any](job J, body func(j *J, i int)) { parallelfor.For(4, job, body) }

// Exported is a job of a loop in another package.
type Exported struct {
	A     array.Writer[int]
	Count int
}

func (j *Exported) Execute(i int) {
	j.Count++ // want `job Exported writes j.Count, a plain field`
}

// Called is no job: its method is called.
type Called struct {
	A     array.Writer[int]
	Count int
}

func (c *Called) Execute(i int) { c.Count++ }

type unused struct {
	A     array.Writer[int]
	Count int
}

func (u *unused) Execute(i int) { u.Count++ } // no loop's

func call(c *Called) { c.Execute(1) }

type named[T any] struct {
	A     array.Writer[T]
	Count int
}

func (n *named[T]) each(begin, end int) {
	n.Count++ // want `job named\[T\] writes n.Count, a plain field`
}

func generic(a *array.Array[string]) {
	parallelfor.ForBatch(4, named[string]{A: a.Writer()}, (*named[string]).each)
	parallelfor.ForBatch(4, named[string]{A: a.Writer()}, (*named[string]).each) // told once
	parallelfor.For(4, named[string]{A: a.Writer()}, one[string])
	parallelfor.For(4, pair[string, int]{A: a.Writer()}, two[string, int])
}

func one[T any](n *named[T], i int) {
	n.Count++ // want `the job writes n.Count, a plain field`
}

type pair[T, U any] struct {
	A     array.Writer[T]
	Count int
}

func two[T, U any](p *pair[T, U], i int) {
	p.Count++ // want `the job writes p.Count, a plain field`
}
