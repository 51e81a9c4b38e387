package parallelfor

import (
	"context"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// build makes a job of the value and the kind, and has it admitted. site is where a job with a
// handle was scheduled. For other jobs, admit takes the caller of build's caller for the program.
func build[J any](ctx context.Context, n int, value *J, k kind[J], of about, opts []Option, how mode, site safety.Site) *admitted {
	p := planOf((*J)(nil))
	if p == nil {
		p = makePlan((*J)(nil), operateOn[J])
	}
	a, at := p.newJob(of, how, opts)
	*(*typed[J])(at) = typed[J]{*value, k}
	a.admit(ctx, n, opts, typeWord(k), site)
	return a
}

// admit makes the job ready to be run, or panics with a violation. kind is the word of the type of
// the job's kind.
func (a *admitted) admit(ctx context.Context, n int, opts []Option, kind uintptr, site safety.Site) {
	w := workOf(a)
	if w.mode == awaited {
		site = siteOf(opts, uintptr(safety.Caller(3)))
	}
	w.cost = w.plan.costOf(kind ^ w.code*31)
	if v := w.judge(ctx, n, opts, site); v != nil {
		w.refused()
		w.plan.giveWork(w)
		panic(v)
	}
	if w.observer != nil {
		w.observer.begin()
	}
}

// siteOf returns where a job was scheduled: the place that its options name, or else the given one.
func siteOf(opts []Option, place uintptr) safety.Site {
	for i := range opts {
		if opts[i].what == optScheduledAt {
			return safety.Site(opts[i].n)
		}
	}
	return safety.Site(place)
}

// judge checks the job's options and claims, and takes its containers, or none with a violation.
func (w *work) judge(ctx context.Context, n int, opts []Option, site safety.Site) *safety.Violation {
	if v := w.configure(n, opts); v != nil {
		return v
	}
	if w.plan.fields.refuse != nil {
		return w.plan.fields.refusal(w.name)
	}
	if ctx == nil {
		return misuse(safety.ErrArgument, w.name, "was scheduled with a nil context", "Pass context.Background().", 0)
	}
	workers := w.settings.workers
	if w.length.view != nil {
		if v := w.lengthless(n, w.unit == jobUnit || w.plan.recurses); v != nil {
			return v
		}
		n = 0 // until measure knows it
	}
	if n < 0 {
		return misuse(safety.ErrLength, w.name, "was scheduled with "+strconv.Itoa(n)+" indices", "A loop has 0 indices or more; -1 goes with LengthOf.", n)
	}
	if w.plan.recurses {
		n = w.recursive()
	}
	if len(w.after) > 0 {
		w.mode = min(w.mode, called)
	}
	if v := w.cut(n); v != nil {
		return v
	}
	if w.length.view != nil {
		w.settings.workers = workers
	}
	if v := w.pool.enlist(w.name); v != nil {
		return v
	}
	admitted := false
	defer func() {
		if !admitted { // refused, or the context or a view panicked
			waits.leave(w.exec)
			w.pool.finished()
			if w.observer != nil {
				w.observer.end()
			}
			w.refused()
		}
	}()
	w.ctx, w.done = ctx, ctx.Done()
	if w.observed() {
		w.observer = newObserver(w.exec)
	}
	under := safety.CurrentScope()
	if w.mode != scheduled || w.inline {
		w.around = currentCallback()
	}
	w.bubbled = w.mode < kept && atom.InBubble()
	if len(w.after) > 0 {
		if v := waits.enter(w.exec, under, 0); v != nil {
			return v
		}
	}
	w.bindings.look(w.plan.fields, w.value)
	v := w.claim(site, under)
	admitted = v == nil
	w.delays = admitted && w.mayPutOff()
	if under != nil {
		w.stay()
	}
	return v
}

// claim has the ledger judge the job's claims, and takes the containers, or none with a violation.
func (j *exec) claim(site safety.Site, under *safety.Scope) *safety.Violation {
	n, loop := j.n, j.unit != jobUnit
	if !loop {
		n = 0
	}
	t := &j.ticket
	for {
		t.Reset(j.name, site)
		t.Private, t.Called, t.Ordered = j.mode >= kept, j.mode >= called || j.part, j.autoOrder
		j.divide()
		views := j.work.bindings.views
		for i := range views {
			t.ClaimOf(&views[i])
		}
		if j.length.view != nil {
			j.length.claim = t.ClaimLength(j.length.view)
		}
		for _, a := range j.after {
			t.After(&a.ticket)
		}
		if v := t.Open(under, n, loop && j.settings.batch != -1); v != nil {
			return v
		}
		if len(t.Found()) == 0 {
			return nil
		}
		if v := j.order(under); v != nil {
			return v
		}
	}
}

// divide sets the ticket's Indices: those of a batch, if the body executes them one at a time.
func (j *exec) divide() {
	if j.unit == indexUnit {
		j.ticket.Indices = min(j.grid.size, j.n)
	}
}
