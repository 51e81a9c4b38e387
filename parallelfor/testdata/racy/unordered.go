package main

import (
	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// unordered are programs in which an owner and a job, or two jobs, that nothing orders share plain
// memory.
var unordered = map[string]program{
	"jobs, neither after the other": func(o parallelfor.Option) {
		x := 0
		h := work(func() { x = 1 }, o)
		await(h)
		g := work(func() { x = 2 }, o)
		h.Complete()
		g.Complete()
		sink = x
	},
	"jobs, neither after the other, both after a third": func(o parallelfor.Option) {
		x := 0
		first := work(func() {}, o)
		h := work(func() { x = 1 }, o, parallelfor.After(first))
		await(h)
		g := work(func() { x = 2 }, o, parallelfor.After(first))
		parallelfor.Combine(h, g).Complete()
		sink = x
	},
	"jobs that read one array": func(o parallelfor.Option) {
		x, a := 0, array.New[int](1)
		h := parallelfor.Schedule(1, shareReader{a.Reader(), func() { x = 1 }}, (*shareReader).Execute, o)
		await(h)
		g := parallelfor.Schedule(1, shareReader{a.Reader(), func() { x = 2 }}, (*shareReader).Execute, o)
		h.Complete()
		g.Complete()
		sink = x
	},
	"jobs in AutoOrder that do not conflict": func(o parallelfor.Option) {
		x := 0
		a, b := array.New[int](1), array.New[int](1)
		h := parallelfor.Schedule(1, shareWriter{a.Writer(), func() { x = 1 }}, (*shareWriter).Execute, o, parallelfor.AutoOrder())
		await(h)
		g := parallelfor.Schedule(1, shareWriter{b.Writer(), func() { x = 2 }}, (*shareWriter).Execute, o, parallelfor.AutoOrder())
		h.Complete()
		g.Complete()
		sink = x
	},
	"job of Go beside its owner": func(o parallelfor.Option) {
		x := 0
		h := parallelfor.Go(none{}, func(*none) { x = 1 }, o)
		await(h)
		x = 2
		h.Complete()
		sink = x
	},
	"owner, writes what a job read": func(o parallelfor.Option) {
		x, y := 0, 0
		h := work(func() { y = x }, o)
		await(h)
		x = 1
		h.Complete()
		sink = y
	},
	"owner, reads what a job wrote": func(o parallelfor.Option) {
		x := 0
		h := work(func() { x = 1 }, o)
		await(h)
		sink = x
		h.Complete()
	},
	"owner, after having completed another job": func(o parallelfor.Option) {
		x := 0
		h := work(func() { x = 1 }, o)
		g := work(func() {}, o)
		await(h)
		g.Complete()
		sink = x
		h.Complete()
	},
	"owner, by a slice of the array that a job reads": func(o parallelfor.Option) {
		a := array.New[int](4)
		s := a.Slice()
		h := parallelfor.Schedule(4, reading{a.Reader()}, (*reading).Execute, o)
		await(h)
		s[2] = 1
		h.Complete()
	},
	"owner, by a slice of the array that a job writes": func(o parallelfor.Option) {
		a := array.New[int](4)
		s := a.Slice()
		h := parallelfor.Schedule(4, writing{a.Writer()}, (*writing).Execute, o)
		await(h)
		sink = s[2]
		h.Complete()
	},
	"owner, whose goroutine did not complete the job": func(o parallelfor.Option) {
		a := array.New[int](4)
		var completed hint[bool]
		h := parallelfor.Schedule(4, setting{a.Writer()}, (*setting).Execute, o)
		go func() { h.Complete(); completed.give(true) }()
		completed.wait()
		sink = a.At(2)
	},
	"parts, one of them by a slice of the whole": func(o parallelfor.Option) {
		a := array.New[int](4)
		s := a.Slice()
		p := a.Split(2)
		h := parallelfor.Schedule(2, writing{p.Part(1).Writer()}, (*writing).Execute, o)
		await(h)
		sink = s[3]
		h.Complete()
		p.Join()
	},
	"Double, its front by a kept slice": func(o parallelfor.Option) {
		d := array.NewDouble[int](4)
		s := d.Front().Slice()
		d.Swap()
		h := parallelfor.Schedule(4, setting{d.Back().Writer()}, (*setting).Execute, o) // writes what was the front when s was taken
		await(h)
		sink = s[0]
		h.Complete()
	},
}

// shareReader is a job that has a view that reads, and does something else.
type shareReader struct {
	In array.Reader[int]
	f  func() `custody:"unguarded"`
}

// Execute is the body.
func (j *shareReader) Execute(int) { j.f() }

// shareWriter is the same of one that writes.
type shareWriter struct {
	Out array.Writer[int]
	f   func() `custody:"unguarded"`
}

// Execute is the body.
func (j *shareWriter) Execute(int) { j.f() }

// setting is a job that writes an array.
type setting struct{ Out array.Writer[int] }

// Execute is the body.
func (j *setting) Execute(i int) { j.Out.Set(i, i) }
