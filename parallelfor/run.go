package parallelfor

import (
	"context"
	"strconv"

	"example.com/custody/safety"
)

// build makes a job and has it admitted. site is where it was scheduled.
func build[J any](ctx context.Context, n int, value *J, k Kind[J], single, here bool, opts []Option, site safety.Site) *work[J] {
	p := planOf[J]()
	w := p.takeWork()
	w.kept = keeps && here
	if v := w.prepareJob(ctx, n, value, opts, single, site); v != nil {
		p.giveWork(w)
		panic(v)
	}
	w.kind = k
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
	if n < 0 {
		v := safety.NewViolation(safety.ErrLength, "job "+w.name+" was scheduled with "+strconv.Itoa(n)+" indices", "A loop has 0 indices or more.")
		v.Job, v.N = w.name, n
		return v
	}
	w.single = single
	w.kept = w.kept && len(w.after) == 0
	w.grid = newGrid(n, w.settings.batch)
	if w.cells > maxCells {
		return argument("Batch("+strconv.Itoa(w.settings.batch)+") cuts "+strconv.Itoa(n)+" indices into more than "+strconv.Itoa(maxCells)+" cells",
			"Use a larger batch.", w.settings.batch)
	}
	w.settings.workers = max(min(w.settings.workers, w.cells), 1)
	w.ctx, w.done = ctx, ctx.Done()
	if v := w.pool.enlist(); v != nil {
		return v
	}
	admitted := false
	defer func() {
		if !admitted { // refused, or a view panicked
			waits.leave(&w.job)
			w.pool.finished()
		}
	}()
	if v := waits.enter(&w.job); v != nil {
		return v
	}
	w.fill(value)
	v := w.admit(site, &w.image)
	admitted = v == nil
	return v
}

// runJob builds a job, runs it, and returns its error.
func runJob[J any](ctx context.Context, n int, value *J, k Kind[J], single bool, opts []Option) error {
	w := build(ctx, n, value, k, single, true, opts, 0)
	w.runHere()
	f := w.outcome()
	if f == nil {
		w.plan.giveWork(w)
		return nil
	}
	f.raise(false)
	return f.err
}

// scheduleJob builds a job and starts it.
func scheduleJob[J any](ctx context.Context, n int, value *J, k Kind[J], single bool, opts []Option) Handle {
	w := build(ctx, n, value, k, single, false, opts, safety.Caller(2))
	w.launch()
	return Handle{&w.job}
}
