package kept

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

var stored array.Writer[int]

type job struct {
	A    array.Writer[int]
	More []array.Reader[int]
	N    int
}

func use(*array.Writer[int]) {}

func (j *job) Execute(i int) {
	stored = j.A // want `job job keeps a view in stored, where it is stale once the batch ends`
	local := j.A
	local.Set(i, i)
	go func() { // want `job job lets another goroutine use its views: they are stale once the batch ends`
		j.A.Set(i, i)
	}()
	go func() { println(i, j.N) }()
	go println(j.A.At(i)) // evaluated here
	go use(&j.A)          // want `job job lets another goroutine use its views`
}

func keep(a *array.Array[int], send chan *array.Writer[int]) {
	var views []array.Writer[int]
	var one *array.Writer[int]
	var length int
	parallelfor.For(4, a.Writer(), func(w *array.Writer[int], i int) {
		one = w                   // want `the job keeps a view in one`
		views = append(views, *w) // want `the job keeps a view in views`
		views[i] = *w             // want `the job keeps a view in views\[i\]`
		length = w.Len()
		send <- w // want `the job sends a view away`
		inner := array.New[int](1)
		mine := inner.Writer()
		parallelfor.Do(mine, func(*array.Writer[int]) {})
	})
	_, _ = one, length
	parallelfor.For(4, job{A: a.Writer()}, (*job).Execute)
	parallelfor.ScheduleDo(a.Writer(), func(w *array.Writer[int]) {
		one = w // want `the job keeps a view in one`
	}).Complete()
	k := &keeper{}
	parallelfor.For(4, a.Writer(), k.step)
	parallelfor.For(4, job{A: a.Writer()}, func(j *job, i int) {
		m := j.More
		stored = (*j).A // want `the job keeps a view in stored`
		_ = m
	})
}

type keeper struct{ last *array.Writer[int] }

func (k *keeper) step(w *array.Writer[int], i int) {
	k.last = w // want `the job keeps a view in k.last`
	w.Set(i, i)
}
