package parallelfor

import (
	"context"

	"example.com/custody/safety"
)

// build makes a job and has it admitted. site is where it was scheduled.
func build[J any](ctx context.Context, n int, value *J, k Kind[J], single, here bool, opts []Option, site safety.Site) *work[J] {
	p := planOf[J]()
	w := p.takeWork(here)
	if v := w.prepareJob(ctx, n, value, opts, single, site); v != nil {
		p.giveWork(w)
		panic(v)
	}
	w.kind, w.cost = k, p.costOf(k)
	if w.watched() {
		w.watch = newWatch(w.job)
	}
	return w
}

func (w *work[J]) prepareJob(ctx context.Context, n int, value *J, opts []Option, single bool, site safety.Site) *safety.Violation {
	if v := w.configure(opts); v != nil {
		return v
	}
	if w.name == "" {
		w.name = w.plan.name
	}
	if w.plan.layout.refuse != nil {
		return w.plan.layout.refusal(w.name)
	}
	if ctx == nil {
		return argument("job "+w.name+" was scheduled with a nil context", "Pass context.Background().", 0)
	}
	w.single = single
	workers := w.settings.workers
	if w.length.view != nil {
		if v := w.lengthless(n, single); v != nil {
			return v
		}
		n = 0 // for the time being: see measure
	}
	if n < 0 {
		return negative(w.name, n)
	}
	w.kept = w.kept && len(w.after) == 0
	if v := w.cut(n); v != nil {
		return v
	}
	if w.length.view != nil {
		w.settings.workers = workers
	}
	w.ctx, w.done = ctx, ctx.Done()
	if v := w.pool.enlist(); v != nil {
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
	w.fill(value)
	v := w.admit(site, under, &w.image)
	admitted = v == nil
	return v
}

// runJob builds a job, runs it, and returns its error.
func runJob[J any](ctx context.Context, n int, value *J, k Kind[J], single bool, opts []Option) error {
	if ordered(opts) {
		return runOrdered(ctx, n, value, k, single, opts)
	}
	w := build(ctx, n, value, k, single, true, opts, 0)
	w.runHere()
	f := w.outcome()
	if f == nil {
		w.length.view = nil
		w.plan.giveWork(w)
		return nil
	}
	f.raise(false)
	return f.err
}

// runOrdered is runJob for a job that others may come to run after.
func runOrdered[J any](ctx context.Context, n int, value *J, k Kind[J], single bool, opts []Option) error {
	w := build(ctx, n, value, k, single, false, opts, safety.Caller(3))
	j := w.job
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
	w := build(ctx, n, value, k, single, false, opts, safety.Caller(2))
	j := w.job
	if j.inline {
		j.executeNow()
	} else {
		j.launch()
	}
	return Handle{j}
}
