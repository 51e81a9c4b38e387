package handle

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

type job struct{ A array.Writer[int] }

func (j *job) Execute(i int) { j.A.Set(i, i) }

func handles(a *array.Array[int], opts ...parallelfor.Option) parallelfor.Handle {
	parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute, opts...)
	parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute, opts[0])
	parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute, parallelfor.Batch(1)) // want `the handle of the job is dropped`
	parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute)                       // want `the handle of the job is dropped, so nobody can complete it`
	_ = parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute)                   // want `the handle of the job is dropped`
	go parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute)                    // want `the handle of the job is dropped`
	defer parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute)                 // want `the handle of the job is dropped`
	parallelfor.ScheduleDo(a.Writer(), func(*array.Writer[int]) {})                // want `the handle of the job is dropped`
	parallelfor.Go(struct{}{}, func(*struct{}) {})                                 // holds nothing
	start(a)
	parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute).Complete()
	h := parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute)
	parallelfor.For(4, job{a.Writer()}, (*job).Execute)
	_ = h
	return parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute, parallelfor.After(h))
}

var last parallelfor.Handle

// start keeps the handle, so who calls it need not.
func start(a *array.Array[int]) parallelfor.Handle {
	last = parallelfor.Schedule(4, job{a.Writer()}, (*job).Execute)
	return last
}
