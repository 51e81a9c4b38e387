package main

import (
	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

func goroutineSlice() { outlive(func(w *array.Writer[int]) { w.Slice()[0] = 1 }) }

func goroutineAccess() { outlive(func(w *array.Writer[int]) { w.Set(0, 1) }) }

// outlive starts a goroutine in a body, which uses its view while the next batch is executed.
func outlive(use func(w *array.Writer[int])) {
	var next, done hint
	parallelfor.For(2, array.New[int](2, safety.Named("a")).Writer(), func(w *array.Writer[int], i int) {
		if i == 0 {
			go func() {
				defer done.give()
				defer caught()
				next.wait()
				use(w)
			}()
			return
		}
		next.give()
		done.wait()
	}, each(1)...)
}

func goroutineOutlivesJob() {
	var over, done hint
	parallelfor.For(2, array.New[int](2, safety.Named("a")).Writer(), func(w *array.Writer[int], i int) {
		if i == 0 {
			go func() {
				defer done.give()
				defer caught()
				over.wait()
				w.Set(0, 1)
			}()
		}
	}, each(1)...)
	over.give()
	done.wait()
}

func goroutineBesideBatch() {
	parallelfor.For(2, array.New[int](2, safety.Named("a")).Writer(), func(w *array.Writer[int], i int) {
		var done hint
		go func() {
			defer done.give()
			defer caught()
			w.Set(i, 1)
		}()
		done.wait()
		w.Set(i, 2)
	}, each(2)...)
}

func laneOfTwo() {
	parallelfor.For(2, counter.New(safety.Named("n")).ParallelWriter(), func(w *counter.ParallelWriter, i int) {
		var done hint
		go func() {
			defer done.give()
			defer caught()
			w.Inc()
		}()
		done.wait()
		w.Inc()
	}, each(2)...)
}

func viewPassedOn() {
	parallelfor.For(1, array.NewList[int](safety.Named("a")).ParallelWriter(), func(w *array.ParallelWriter[int], i int) {
		var appended hint
		h := parallelfor.Schedule(1, *w, func(w *array.ParallelWriter[int], k int) {
			appended.wait()
			w.Append(k)
		}, parallelfor.Name("inner"))
		defer h.Complete()
		defer appended.give()
		w.Append(2)
	}, each(2)...)
}

func viewKeptSlice() {
	var kept array.Writer[int]
	parallelfor.For(1, array.New[int](1, safety.Named("a")).Writer(), func(w *array.Writer[int], i int) { kept = *w }, each(1)...)
	kept.Slice()[0] = 1
}

func viewKeptAccess() {
	var kept array.Writer[int]
	parallelfor.For(1, array.New[int](1, safety.Named("a")).Writer(), func(w *array.Writer[int], i int) { kept = *w }, each(1)...)
	kept.Set(0, 1)
}

func viewSent() {
	sent := make(chan array.Writer[int], 1)
	parallelfor.For(1, array.New[int](1, safety.Named("a")).Writer(), func(w *array.Writer[int], i int) { sent <- *w }, each(1)...)
	w := <-sent
	w.Set(0, 1)
}

func windowKept() {
	a := array.New[int](2, safety.Named("a"))
	var kept []int
	parallelfor.For(1, a.Writer(), func(w *array.Writer[int], i int) { kept = w.Slice() }, each(1)...)
	h := parallelfor.Schedule(2, reading{a.Reader()}, (*reading).Execute, each(2)...)
	for !h.Finished() {
		nap()
	}
	kept[0] = 1
	h.Complete()
}

type reading struct{ In array.Reader[int] }

func (j *reading) Execute(i int) { j.In.At(i) }

func unrestrictedOverlap() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) { w.Set(i/2, i) }, each(1)...)
}

func unrestrictedWindow() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) { w.Slice()[i/2] = i }, each(1)...)
}

func permutedTwice() {
	a := array.New[int](4, safety.Named("a"))
	parallelfor.For(4, array.Permuted(a.Writer()), func(w *array.PermutedWriter[int], i int) { w.Set(i/2, i) }, each(1)...)
}

func bufferWritten() {
	parallelfor.Do(array.NewList[int](safety.Named("list")).ParallelWriter(), func(w *array.ParallelWriter[int]) {
		buf := append(w.AvailableBuffer(), 1)
		w.AppendAll(buf)
		buf[0] = 2
	})
}
