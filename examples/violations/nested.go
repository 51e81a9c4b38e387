package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse jobs that bodies schedule, handles and pools.

var nested = []misuse{
	{"a body schedules two jobs that exclude each other", conflictOfNested, safety.Violation{Kind: safety.ErrConflict,
		Container: `array.Array[int] "a"`, Job: "second", Field: "Out", OtherJob: "first", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"a body uses a view that it has passed on", lentOn, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, Job: "outer", OtherJob: "fill", OtherField: "Out", Made: somewhere, Scheduled: somewhere}, checked},
	{"a nested body uses the view of the body around", lentUsedInside, safety.Violation{Kind: safety.ErrInFlight,
		Container: `array.Array[int] "a"`, Job: "outer", Field: "", OtherJob: "inner", Made: somewhere}, checked},
	{"a nested job holds what the body does not", notLent, safety.Violation{Kind: safety.ErrNotLent,
		Container: `array.Array[int] "b"`, Job: "fill", Field: "Out", OtherJob: "outer", Made: somewhere}, checked},
	{"a nested job holds what another batch has made", notLentByBatch, safety.Violation{Kind: safety.ErrNotLent,
		Container: `array.Array[int] "a"`, Job: "fill", Field: "Out", OtherJob: "outer", Made: somewhere}, checked},
	{"a loop over indices passes on what its batch owns", notLentByIndex, safety.Violation{Kind: safety.ErrNotLent,
		Container: `array.Array[int] "rows"`, Job: "blur", OtherJob: "each row", N: 8, Made: somewhere}, checked},
	{"a body adopts memory of its own job", adoptsOwn, safety.Violation{Kind: safety.ErrNotLent,
		Container: `array.Array[int] "part"`, Job: "fill", Field: "Out", OtherJob: "outer", Made: somewhere}, checked},
	{"a body leaves a nested job behind", notCompleted, safety.Violation{Kind: safety.ErrNotCompleted,
		Job: "outer", OtherJob: "fill", Scheduled: somewhere}, checked},
}

var handles = []misuse{
	{"a body waits for its own job", waitCycle, safety.Violation{Kind: safety.ErrWaitCycle, Job: "wait", OtherJob: "wait"}, checked},
	{"a body waits for a job that runs after its own", waitForLater, safety.Violation{Kind: safety.ErrWaitCycle, Job: "wait", OtherJob: "later"}, checked},
	{"a body schedules a job to run after one that waits for the body", orderCycle, safety.Violation{Kind: safety.ErrWaitCycle,
		Job: "outer", OtherJob: "later"}, checked},
	{"a Progress function waits for its own job", progressCycle, safety.Violation{Kind: safety.ErrWaitCycle, Job: "watched", OtherJob: "watched"}, checked},
	{"a body closes a pool", closeInside, safety.Violation{Kind: safety.ErrWaitCycle, Job: "tidy up"}, checked},
	{"a job is scheduled on a closed pool", closed, safety.Violation{Kind: safety.ErrClosed, Job: "fill"}, always},
	{"a job is scheduled on a pool that was never made", unmadePool, safety.Violation{Kind: safety.ErrClosed, Job: "fill"}, always},
	{"a counter.Local is used after Close", closedLocal, safety.Violation{Kind: safety.ErrClosed, Container: `counter.Counter "c"`, Made: somewhere}, always},
}

// A body passes its view on to two jobs at once. They conflict as any two jobs do.
func conflictOfNested() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		first := parallelfor.Schedule(100, fill{Out: *w}, (*fill).Execute, parallelfor.Name("first"), parallelfor.Inline())
		defer first.Complete()
		parallelfor.For(100, fill{Out: *w}, (*fill).Execute, parallelfor.Name("second"))
	}, parallelfor.Name("outer"))
}

// A body uses a view that it has passed on to a job that is not completed.
func lentOn() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		h := parallelfor.Schedule(100, fill{Out: *w}, (*fill).Execute)
		defer h.Complete()
		clear(w.Slice())
	}, parallelfor.Name("outer"))
}

// The body of a nested loop uses the view that was passed on, and not its own copy.
func lentUsedInside() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		parallelfor.For(100, *w, func(_ *array.Writer[int], i int) {
			w.Slice()[99-i] = i
		}, parallelfor.Name("inner"))
	}, parallelfor.Name("outer"))
}

// The outer job does not hold b, so another job may.
func notLent() {
	a, b := array.New[int](100, safety.Named("a")), array.New[int](100, safety.Named("b"))
	parallelfor.Do(a.Writer(), func(*array.Writer[int]) {
		parallelfor.For(100, fill{Out: b.Writer()}, (*fill).Execute)
	}, parallelfor.Name("outer"))
}

// A batch may use the containers that it makes. Here a batch makes an array, and sends it to the
// next batch.
func notLentByBatch() {
	made := make(chan *array.Array[int], 1)
	parallelfor.For(2, struct{}{}, func(_ *struct{}, i int) {
		if i == 0 {
			made <- array.New[int](100, safety.Named("a"))
			return
		}
		parallelfor.For(100, fill{Out: (<-made).Writer()}, (*fill).Execute)
	}, parallelfor.Name("outer"), parallelfor.Batch(1), parallelfor.Sequential())
}

// The body of a loop by index owns the row of its index, and its view has the rows of the batch.
// Which rows these are depends on where the loop is cut.
func notLentByIndex() {
	rows := array.New[int](1000*16, safety.Named("rows"))
	parallelfor.For(1000, array.ByRows(rows.Writer(), 16), func(w *array.Writer[int], i int) {
		parallelfor.For(16, array.ByRows(*w, 1), func(w *array.Writer[int], k int) { w.Set(k, k) }, parallelfor.Name("blur"))
	}, parallelfor.Name("each row"), parallelfor.Batch(8))
}

// A body makes an array of the memory that its job reads, and schedules a job that writes the
// array. The body would pass on more than it holds.
func adoptsOwn() {
	whole := array.Of(make([]int, 100), safety.Named("whole"))
	parallelfor.Do(whole.Reader(), func(r *array.Reader[int]) {
		part := array.Of(r.Slice()[50:], safety.Named("part"))
		parallelfor.For(50, fill{Out: part.Writer()}, (*fill).Execute)
	}, parallelfor.Name("outer"))
}

// The nested job would still hold the view of a batch that has ended.
func notCompleted() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		parallelfor.Schedule(100, fill{Out: *w}, (*fill).Execute)
	}, parallelfor.Name("outer"))
}

// The job ends when its body has returned, and the body waits for that.
func waitCycle() {
	self := make(chan parallelfor.Handle, 1)
	h := parallelfor.ScheduleDo(wait{Other: self}, (*wait).Execute)
	self <- h
	h.Complete()
}

// A body waits for a job that has to wait for the body's.
func waitForLater() {
	other := make(chan parallelfor.Handle, 1)
	h := parallelfor.ScheduleDo(wait{Other: other}, (*wait).Execute)
	other <- parallelfor.Go(struct{}{}, func(*struct{}) {}, parallelfor.Name("later"), parallelfor.After(h))
	h.Complete()
}

// A body makes an array. Another goroutine schedules a job on the array, to run after the body's
// job. Then the body schedules a job with AutoOrder on the array, to run after that one.
func orderCycle() {
	given, taken := make(chan *array.Array[int]), make(chan bool)
	h := parallelfor.Go(struct{}{}, func(*struct{}) {
		a := array.New[int](100, safety.Named("a"))
		given <- a
		<-taken
		parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("inner"), parallelfor.AutoOrder())
	}, parallelfor.Name("outer"))
	a := <-given
	later := parallelfor.Schedule(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.Name("later"), parallelfor.After(h))
	close(taken)
	later.Complete()
}

// A Progress function waits for the job that calls it.
func progressCycle() {
	self := make(chan parallelfor.Handle, 1)
	h := parallelfor.Go(struct{}{}, func(*struct{}) {}, parallelfor.Name("watched"), parallelfor.Progress(func(done, total int) { (<-self).Complete() }))
	self <- h
	h.Complete()
}

// A body closes a pool, which waits for all jobs of the pool. Two bodies that did so would wait for
// each other.
func closeInside() {
	p := parallelfor.NewPool(1)
	defer p.Close()
	parallelfor.Do(struct{}{}, func(*struct{}) { p.Close() }, parallelfor.Name("tidy up"))
}

// A closed pool has no workers.
func closed() {
	a := array.New[int](100, safety.Named("a"))
	p := parallelfor.NewPool(1)
	p.Close()
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.On(p))
}

// A job is scheduled on a pool that is its zero value.
func unmadePool() {
	a := array.New[int](100, safety.Named("a"))
	var p parallelfor.Pool
	parallelfor.For(100, fill{Out: a.Writer()}, (*fill).Execute, parallelfor.On(&p))
}

// A goroutine counts through a Local that it has closed.
func closedLocal() {
	c := counter.New(safety.Named("c"))
	l := c.Local()
	l.Close()
	l.Inc()
}
