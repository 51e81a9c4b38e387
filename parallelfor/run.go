package parallelfor

import (
	"context"
	"strconv"

	"example.com/custody/safety"
)

// build makes a job and has it admitted. site is where it was scheduled.
func build[J any](ctx context.Context, n int, value *J, k Kind[J], single, here bool, opts []Option, site safety.Site) *work {
	fine, key := k.PerIndex(), costKey(k)
	w := planOf[J]().takeWork(here)
	hold(w, value, k)
	w.fine, w.single = fine, single
	w.prepare(ctx, n, opts, site)
	w.cost = w.plan.costOf(key)
	return w
}

// prepare makes the job that has its value ready to be run, and panics if it cannot be.
func (w *work) prepare(ctx context.Context, n int, opts []Option, site safety.Site) {
	if v := w.prepareJob(ctx, n, opts, site); v != nil {
		w.plan.giveWork(w)
		panic(v)
	}
	if w.watched() {
		w.watch = newWatch(w.job)
		if !w.here {
			w.ticket.Life().Keep() // who looks at jobs looks longer than they last
		}
	}
}

func (w *work) prepareJob(ctx context.Context, n int, opts []Option, site safety.Site) *safety.Violation {
	if v := w.configure(opts, w.plan.name); v != nil {
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
	w.kept = w.kept && len(w.after) == 0
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
	if v := waits.enter(w.job, under, 0); v != nil {
		return v
	}
	w.look()
	v := w.admit(site, under, &w.image)
	admitted = v == nil
	return v
}

// runJob builds a job, runs it, and returns its error.
func runJob[J any](ctx context.Context, n int, value *J, k Kind[J], single bool, opts []Option) error {
	if ordered(opts) {
		return runOrdered(ctx, n, value, k, single, opts)
	}
	return build(ctx, n, value, k, single, true, opts, 0).run()
}

// run runs the job, and returns its error.
func (w *work) run() error {
	w.runHere()
	f := w.outcome()
	if f == nil {
		w.plan.giveWork(w)
		return nil
	}
	f.raise(false)
	return f.err
}

// runOrdered is runJob for a job that others may come to run after.
func runOrdered[J any](ctx context.Context, n int, value *J, k Kind[J], single bool, opts []Option) error {
	return build(ctx, n, value, k, single, false, opts, siteOf(opts, 3)).job.runOwn()
}

// siteOf returns where a job was scheduled: where the options say, or that function was called which is so many frames above the caller.
func siteOf(opts []Option, frames int) safety.Site {
	for i := range opts {
		if opts[i].what == optScheduledAt {
			return safety.Site(opts[i].n)
		}
	}
	return safety.Caller(frames + 1)
}

// runOwn runs a job that a handle may stand for, and returns its error.
func (j *job) runOwn() error {
	life := j.ticket.Life()
	life.Enter()
	defer life.Leave()
	j.runHere()
	f := j.outcome()
	if f == nil {
		return nil
	}
	f.raise(false)
	return f.err
}

// scheduleJob builds a job and starts it.
func scheduleJob[J any](ctx context.Context, n int, value *J, k Kind[J], single bool, opts []Option) Handle {
	return build(ctx, n, value, k, single, false, opts, siteOf(opts, 2)).job.handOut()
}

// handOut starts the job that was scheduled and returns its handle.
func (j *job) handOut() Handle {
	life := j.ticket.Life() // which may have ended when the job is started
	if j.inline {
		j.executeNow()
	} else {
		j.launch()
	}
	return Handle{life}
}
