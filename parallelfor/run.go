package parallelfor

import (
	"context"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// prepare makes the job that has its value and its kind, of which key is, ready to be run, and panics if it cannot be. Its caller is build.
func (w *work) prepare(ctx context.Context, n int, opts []Option, key uintptr) {
	var site safety.Site
	if w.mode < called {
		site = siteOf(opts)
	}
	if v := w.prepareJob(ctx, n, opts, site); v != nil {
		w.plan.giveWork(w)
		panic(v)
	}
	if w.watched() {
		w.watch = newWatch(w.job)
	}
	w.cost = w.plan.costOf(key)
}

func (w *work) prepareJob(ctx context.Context, n int, opts []Option, site safety.Site) *safety.Violation {
	if v := w.configure(opts); v != nil {
		return v
	}
	if w.plan.layout.refuse != nil {
		return w.plan.layout.refusal(w.name)
	}
	if ctx == nil {
		return argument(w.name, "was scheduled with a nil context", "Pass context.Background().", 0)
	}
	workers := w.settings.workers
	if w.length.view != nil {
		if v := w.lengthless(n, w.single); v != nil {
			return v
		}
		n = 0 // for the time being: see measure
	}
	if n < 0 {
		return negative(w.name, n, "was scheduled with "+strconv.Itoa(n)+" indices", "A loop has 0 indices or more; -1 goes with LengthOf.")
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
	w.ctx, w.done = ctx, ctx.Done()
	if v := w.pool.enlist(w.name); v != nil {
		return v
	}
	admitted := false
	defer func() {
		if !admitted { // refused, or a view panicked
			waits.leave(w.job)
			w.pool.finished()
		}
	}()
	under := safety.CurrentLease()
	if w.mode != scheduled || w.inline {
		w.caller = currentCallback()
	}
	w.bubbled = w.mode < kept && atom.InBubble()
	if v := w.separateFrom(0); v != nil {
		return v
	}
	if v := waits.enter(w.job, under, 0); v != nil {
		return v
	}
	w.look()
	v := w.admit(site, under, &w.image)
	admitted = v == nil
	return v
}

// run runs the job, and returns its error.
func (w *work) run() error {
	if w.mode < called {
		return w.job.runOwn()
	}
	w.runHere()
	f := w.outcome()
	if f == nil {
		w.plan.giveWork(w)
		return nil
	}
	f.placed().raise(false)
	return f.err
}

// siteOf returns where a job was scheduled: the place that its options name, or else the call of
// the function that called build. It is small enough to be inlined into prepare, because a look at
// the stack costs more with each frame.
func siteOf(opts []Option) safety.Site {
	for i := range opts {
		if opts[i].what == optScheduledAt {
			return safety.Site(opts[i].n)
		}
	}
	return safety.Caller(4)
}

// runOwn runs a job that a handle may stand for, and returns its error.
func (j *job) runOwn() error {
	j.runHere()
	f := j.outcome()
	if f == nil {
		return nil
	}
	f.raise(false)
	return f.err
}

// handOut starts the job that was scheduled and returns its handle.
func (j *job) handOut() Handle {
	if j.inline {
		j.executeNow()
	} else {
		j.launch()
	}
	return Handle{j}
}
