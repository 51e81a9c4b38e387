package main

import (
	"errors"
	"fmt"

	"example.com/custody/examples/customcontainer/internal/tally"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// misuse is a broken rule of the counter: a function, and what it must be reported as, except for
// the places.
type misuse struct {
	title  string
	commit func(c *tally.Counter)
	want   safety.Violation
	strict bool // only strict builds report it
}

const zerosText = `tally.Counter "zeros"`

// misuses are all, by rule.
var misuses = []misuse{
	{"a counter that no New has made", func(*tally.Counter) { new(tally.Counter).Inc() }, safety.Violation{Kind: safety.ErrUnassigned}, false},
	{"a view of no counter", func(*tally.Counter) { parallelfor.For(1, counting{}, (*counting).Execute) },
		safety.Violation{Kind: safety.ErrUnassigned, Job: "counting", Field: "Zeros"}, false},
	{"used after Dispose", func(c *tally.Counter) { c.Dispose(); c.Value() }, safety.Violation{Kind: safety.ErrDisposed, Container: zerosText}, false},
	{"a job with a disposed counter", func(c *tally.Counter) {
		view := c.ParallelWriter()
		c.Dispose()
		parallelfor.For(1, counting{Zeros: view}, (*counting).Execute)
	}, safety.Violation{Kind: safety.ErrDisposed, Container: zerosText, Job: "counting", Field: "Zeros"}, false},
	{"read while a job adds", func(c *tally.Counter) {
		h := parallelfor.Schedule(10, counting{Zeros: c.ParallelWriter()}, (*counting).Execute, parallelfor.Inline())
		defer h.Complete()
		c.Value()
	}, safety.Violation{Kind: safety.ErrInFlight, Container: zerosText, OtherJob: "counting", OtherField: "Zeros"}, false},
	{"read while a job adds atomically", func(c *tally.Counter) {
		h := parallelfor.Schedule(10, sharing{Zeros: c.Atomic()}, (*sharing).Execute, parallelfor.Inline())
		defer h.Complete()
		c.Value()
	}, safety.Violation{Kind: safety.ErrInFlight, Container: zerosText, OtherJob: "sharing", OtherField: "Zeros"}, false},
	{"changed while a job reads", func(c *tally.Counter) {
		h := parallelfor.ScheduleDo(reading{Zeros: c.Reader()}, (*reading).Execute, parallelfor.Inline())
		defer h.Complete()
		c.Inc()
	}, safety.Violation{Kind: safety.ErrInFlight, Container: zerosText, OtherJob: "reading", OtherField: "Zeros"}, false},
	{"disposed while a job has it", func(c *tally.Counter) {
		h := parallelfor.ScheduleDo(having{Zeros: c.Writer()}, (*having).Execute, parallelfor.Inline())
		defer h.Complete()
		c.Dispose()
	}, safety.Violation{Kind: safety.ErrInFlight, Container: zerosText, OtherJob: "having", OtherField: "Zeros"}, false},
	{"a Writer in a parallel loop", func(c *tally.Counter) {
		parallelfor.For(10, owning{Zeros: c.Writer()}, (*owning).Execute)
	}, safety.Violation{Kind: safety.ErrNoRange, Container: zerosText, Job: "owning", Field: "Zeros"}, false},
	{"two loops that add and have no order", func(c *tally.Counter) {
		h := parallelfor.Schedule(10, counting{Zeros: c.ParallelWriter()}, (*counting).Execute, parallelfor.Inline())
		defer h.Complete()
		parallelfor.For(10, counting{Zeros: c.ParallelWriter()}, (*counting).Execute)
	}, safety.Violation{Kind: safety.ErrConflict, Container: zerosText, Job: "counting", Field: "Zeros", OtherJob: "counting", OtherField: "Zeros"}, false},
	{"a job that reads beside one that adds atomically", func(c *tally.Counter) {
		h := parallelfor.Schedule(10, sharing{Zeros: c.Atomic()}, (*sharing).Execute, parallelfor.Inline())
		defer h.Complete()
		parallelfor.Do(reading{Zeros: c.Reader()}, (*reading).Execute)
	}, safety.Violation{Kind: safety.ErrConflict, Container: zerosText, Job: "reading", Field: "Zeros", OtherJob: "sharing", OtherField: "Zeros"}, false},
	{"one job with two views that do not go together", func(c *tally.Counter) {
		type both struct {
			Zeros tally.ParallelWriter
			Ones  tally.Atomic
		}
		parallelfor.For(10, both{Zeros: c.ParallelWriter(), Ones: c.Atomic()}, func(*both, int) {})
	}, safety.Violation{Kind: safety.ErrAliased, Container: zerosText, Job: "both", Field: "Zeros", OtherField: "Ones"}, false},
	{"a view outside of a job", func(c *tally.Counter) {
		w := c.ParallelWriter()
		w.Inc()
	}, safety.Violation{Kind: safety.ErrStaleView, Container: zerosText}, false},
	{"a Writer kept after its job", func(c *tally.Counter) {
		kept := new(tally.Writer)
		parallelfor.Do(keeping{Zeros: c.Writer(), To: kept}, (*keeping).Execute)
		kept.Inc()
	}, safety.Violation{Kind: safety.ErrStaleView, Container: zerosText}, false},
	{"a counter that a body was not given", func(c *tally.Counter) {
		run := func() { parallelfor.For(1, counting{Zeros: c.ParallelWriter()}, (*counting).Execute) }
		parallelfor.For(1, tally.New().ParallelWriter(), func(*tally.ParallelWriter, int) { run() }, parallelfor.Name("around"))
	}, safety.Violation{Kind: safety.ErrNotLent, Container: zerosText, Job: "counting", Field: "Zeros", OtherJob: "around"}, false},
	{"a job with a copy of a counter", func(c *tally.Counter) {
		parallelfor.For(1, counting{Zeros: copied(c).ParallelWriter()}, (*counting).Execute)
	},
		safety.Violation{Kind: safety.ErrCopied, Container: zerosText, Job: "counting", Field: "Zeros"}, false},
	{"a copy of a counter", func(c *tally.Counter) { copied(c).Inc() }, safety.Violation{Kind: safety.ErrCopied, Container: zerosText}, false},
	{"a ParallelWriter kept after its batch", func(c *tally.Counter) {
		kept := new(tally.ParallelWriter)
		parallelfor.For(1, leaking{Zeros: c.ParallelWriter(), To: kept}, (*leaking).Execute)
		kept.Inc()
	}, safety.Violation{Kind: safety.ErrStaleView, Container: zerosText}, true},
}

type counting struct{ Zeros tally.ParallelWriter }

func (j *counting) Execute(int) { j.Zeros.Inc() }

type sharing struct{ Zeros tally.Atomic }

func (j *sharing) Execute(int) { j.Zeros.Inc() }

type reading struct{ Zeros tally.Reader }

func (j *reading) Execute() { j.Zeros.Value() }

type owning struct{ Zeros tally.Writer }

func (j *owning) Execute(int) { j.Zeros.Inc() }

type having struct{ Zeros tally.Writer }

func (j *having) Execute() { j.Zeros.Inc() }

type keeping struct {
	Zeros tally.Writer
	To    *tally.Writer `custody:"unguarded"`
}

func (j *keeping) Execute() { *j.To = j.Zeros }

type leaking struct {
	Zeros tally.ParallelWriter
	To    *tally.ParallelWriter `custody:"unguarded"`
}

func (j *leaking) Execute(int) { *j.To = j.Zeros }

// copied returns a copy of what must not be copied. It is generic, so that no tool sees the copy.
func copied[T any](p *T) *T {
	c := *p
	return &c
}

// catch commits the misuse and returns what was reported.
func (m misuse) catch() (v *safety.Violation, err error) {
	defer func() {
		value := recover()
		e, _ := value.(error)
		if !errors.As(e, &v) {
			err = fmt.Errorf("%s: no violation was reported: %v", m.title, value)
		}
	}()
	m.commit(tally.New(safety.Named("zeros")))
	return nil, nil
}
