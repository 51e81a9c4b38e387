package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// These misuse jobs that bodies schedule, handles and pools.

// A body schedules a job with a container that its own job does not hold: nobody has asked whether
// another job does.
func notLent() {
	a, b := array.New[int](100, safety.Named("a")), array.New[int](100, safety.Named("b"))
	parallelfor.Do(a.Writer(), func(*array.Writer[int]) {
		parallelfor.Run(100, fill{b.Writer()})
	}, parallelfor.Name("outer"))
}

// A body uses a view that it has lent on to a job that is not completed.
func lentOn() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		h := parallelfor.Schedule(100, fill{*w})
		defer h.Complete()
		clear(w.Slice())
	}, parallelfor.Name("outer"))
}

// A body ends, and leaves behind a job that still holds what was lent to it.
func notCompleted() {
	a := array.New[int](100, safety.Named("a"))
	parallelfor.Do(a.Writer(), func(w *array.Writer[int]) {
		parallelfor.Schedule(100, fill{*w})
	}, parallelfor.Name("outer"))
}

// A body waits for its own job.
func waitCycle() {
	self := make(chan parallelfor.Handle, 1)
	h := parallelfor.ScheduleSingle(wait{self})
	self <- h
	h.Complete()
}

// A body makes an array, and gives it to somebody who schedules a job with it to run after the body's own. Then the
// body schedules another one with it, to run after whatever holds it.
func orderCycle() {
	given, taken := make(chan *array.Array[int]), make(chan bool)
	h := parallelfor.Go(struct{}{}, func(*struct{}) {
		a := array.New[int](100, safety.Named("a"))
		given <- a
		<-taken
		parallelfor.Run(100, fill{a.Writer()}, parallelfor.Name("inner"), parallelfor.AutoOrder())
	}, parallelfor.Name("outer"))
	a := <-given
	later := parallelfor.Schedule(100, fill{a.Writer()}, parallelfor.Name("later"), parallelfor.After(h))
	close(taken)
	later.Complete()
}

// A job is scheduled on a pool that was closed.
func closed() {
	a := array.New[int](100, safety.Named("a"))
	p := parallelfor.NewPool(1)
	p.Close()
	parallelfor.Run(100, fill{a.Writer()}, parallelfor.On(p))
}
