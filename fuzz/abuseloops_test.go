package fuzz_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"example.com/custody/parallelfor"
)

// abuseLoop is a loop that carries one view of a container.
type abuseLoop struct {
	name     string
	ranged   bool // a loop longer than the container is refused
	vague    bool // what a failed loop leaves differs from run to run
	nosy     bool // its bodies use the container itself, if it has what they put in
	once     bool // each element may be written once, so a nested loop that writes is a violation
	shared   bool // what the loop leaves differs from run to run
	run      func(ctx context.Context, n int, t *trouble, opts []parallelfor.Option) error
	schedule func(ctx context.Context, n int, t *trouble, opts []parallelfor.Option) parallelfor.Handle
	outside  func() // uses the view outside a job
}

// trouble is what the body of one index does besides using its view.
type trouble struct {
	at   int              // the index
	what int              // noTrouble, panics, ...
	also func()           // an operation of the owner on some container
	keep func(use func()) // stores a function that uses the view
}

const (
	noTrouble = iota
	panics
	fails
	exits
	nests
	leaves
	scheduledTroubles // the troubles below are only for loops that the caller waits for
	operates
	keeps
	troubles
)

// abusing is a job with one view.
type abusing[V any] struct {
	View    V
	Trouble *trouble          `custody:"unguarded"`
	Use     func(v *V, i int) `custody:"unguarded"`
}

func (j *abusing[V]) Execute(i int) error {
	j.Use(&j.View, i)
	t := j.Trouble
	if i != t.at {
		return nil
	}
	switch t.what {
	case panics:
		panic("trouble")
	case fails:
		return errTrouble
	case exits:
		runtime.Goexit()
	case nests:
		parallelfor.For(3, j.View, j.Use, parallelfor.Batch(1))
	case leaves:
		parallelfor.Schedule(2, leaving[V]{j.View, j.Use}, (*leaving[V]).Execute)
	case operates:
		t.also()
	case keeps:
		view, use := &j.View, j.Use
		t.keep(func() { use(view, i) })
	}
	return nil
}

// leaving is a job that a body schedules and does not complete.
type leaving[V any] struct {
	View V
	Use  func(v *V, i int) `custody:"unguarded"`
}

func (j *leaving[V]) Execute(i int) { j.Use(&j.View, i) }

// over returns the loop over a view.
func over[V any](name string, view func() V, use func(v *V, i int)) *abuseLoop {
	return &abuseLoop{
		name: name,
		run: func(ctx context.Context, n int, t *trouble, opts []parallelfor.Option) error {
			return parallelfor.ForErr(ctx, n, abusing[V]{view(), t, use}, (*abusing[V]).Execute, opts...)
		},
		schedule: func(ctx context.Context, n int, t *trouble, opts []parallelfor.Option) parallelfor.Handle {
			return parallelfor.ScheduleErr(ctx, n, abusing[V]{view(), t, use}, (*abusing[V]).Execute, opts...)
		},
		outside: func() { v := view(); use(&v, 0) },
	}
}

// limited marks a loop that is refused if it is longer than the container. When such a loop fails,
// what it wrote above the failure differs from run to run.
func (l *abuseLoop) limited() *abuseLoop { l.ranged, l.vague = true, true; return l }

// eachOnce marks a loop in which each element may be written once.
func (l *abuseLoop) eachOnce() *abuseLoop { l.once = true; return l }

// inAnyOrder marks a loop whose result depends on the order in which its bodies run.
func (l *abuseLoop) inAnyOrder() *abuseLoop { l.shared = true; return l }

// comingBack marks a loop whose bodies use the container itself, if it has what they put in.
func (l *abuseLoop) comingBack() *abuseLoop { l.nosy = true; return l }

// loop runs or schedules a loop over a container, in which the body of one index makes trouble.
func (a *abuser) loop(v *victim, scheduled bool) {
	if len(v.loops) == 0 {
		return
	}
	l := v.loops[a.Below(len(v.loops))]
	n := a.Below(24) - 2
	if l.ranged && a.Below(8) == 0 {
		n = a.size()
	}
	t := &trouble{at: a.Below(16), what: a.Below(2 * troubles)}
	also := a.victims[a.Below(len(a.victims))]
	if a.Bit() {
		also = v
	}
	if t.what >= troubles || scheduled && t.what > scheduledTroubles || t.what == operates && also.lost {
		t.what = noTrouble
	}
	op := also.ops[a.Below(len(also.ops))]
	x, y := a.size(), a.size()
	t.also = func() { op.do(x, y) }
	var kept func() // used only if the loop succeeds: a body above a failure may not have run
	t.keep = func(f func()) { kept = f }
	if l.once && (t.what == nests || t.what == leaves) {
		t.what = noTrouble
	}
	ctx := context.Background()
	if a.Below(16) == 0 {
		ctx = endedContext
	}
	opts := []parallelfor.Option{a.mode, parallelfor.Batch(a.Below(6) - 1 - a.Below(32)/31)}
	switch k := a.Below(8); {
	case k < 3 && len(a.jobs) > 0:
		opts = append(opts, parallelfor.After(a.jobs[a.Below(len(a.jobs))].handle))
	case k == 7:
		opts = append(opts, parallelfor.AutoOrder())
	}
	if l.ranged && v.unsized || l.nosy && v.vague {
		return
	}
	if l.shared || t.what == leaves || l.vague && (scheduled || t.what != noTrouble) {
		v.vague = true
	}
	if l.shared && (scheduled || t.what != noTrouble) { // a body above a failure may have run, or not
		v.unsized = true
	}
	if t.what == operates && !scheduled {
		for i := range a.jobs { // whether a body's operation meets a running job would depend on time
			a.complete(i)
		}
	}
	name := fmt.Sprintf("loop %s.%s of %d, at %d trouble %d", v.name, l.name, n, t.at, t.what)
	if t.what == operates {
		name += fmt.Sprintf(", %s.%s(%d, %d)", also.name, op.name, x, y)
	}
	if !scheduled {
		o := a.outcomeOf(name, func() error { return l.run(ctx, n, t, opts) })
		a.note(name, o, "done")
		if o != (outcome{}) {
			v.vague = v.vague || l.vague
			if t.what == operates { // as above
				also.vague, also.unsized = true, true
				also.lost = also.lost || strings.Contains(op.name, "Dispose")
			}
		} else if kept != nil {
			a.kept = kept
		}
		return
	}
	var h parallelfor.Handle
	o := a.outcomeOf(name, func() error { h = l.schedule(ctx, n, t, opts); return nil })
	a.note("scheduled "+name, o, "scheduled")
	if o.violation == nil {
		a.jobs = append(a.jobs, abused{handle: h, of: v, nosy: l.nosy})
	}
}
