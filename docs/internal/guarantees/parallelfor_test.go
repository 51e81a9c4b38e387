//go:build !race && !custody_explore

package guarantees_test

import (
	"context"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

// single is a job of one cell.
type single struct{ X array.Writer[int] }

func (s *single) Execute() { s.X.Slice() }

// singleTry is one that can fail.
type singleTry struct{ X array.Writer[int] }

func (s *singleTry) Execute() error { return nil }

// walking is a kind of loops over cells.
type walking struct{ visit func(r *parallelfor.Batches) }

// PerIndex implements parallelfor.Kind.
func (walking) PerIndex() bool { return false }

// Loop implements parallelfor.Kind.
func (k walking) Loop(_ *single, r *parallelfor.Batches) error {
	for r.Next() {
		if k.visit != nil {
			k.visit(r)
		}
	}
	return nil
}

// working is a job that asks its worker.
type working struct {
	Worker parallelfor.Worker
	X      array.Writer[int]
}

// Execute asks for memory.
func (w *working) Execute() { parallelfor.Scratch[int](w.Worker, many) }

// countLoops counts the rows of package parallelfor.
func countLoops(c *counted) {
	ctx, a := context.Background(), array.New[int](many)
	x := a.Writer()
	job, try, one, oneTry := doubling{x}, trying{x}, single{x}, singleTry{x}
	c.loop("parallelfor", "For", func() {
		parallelfor.For(many, job, (*doubling).Execute)
		parallelfor.For(many, x, func(*array.Writer[int], int) {})
	})
	c.loop("parallelfor", "ForBatch", func() {
		parallelfor.ForBatch(many, job, (*doubling).ExecuteBatch)
		parallelfor.ForBatch(many, x, func(*array.Writer[int], int, int) {})
	})
	c.loop("parallelfor", "Do", func() {
		parallelfor.Do(one, (*single).Execute)
		parallelfor.Do(x, func(*array.Writer[int]) {})
	})
	c.loop("parallelfor", "ForErr", func() {
		used(parallelfor.ForErr(ctx, many, try, (*trying).Execute))
		used(parallelfor.ForErr(ctx, many, x, func(*array.Writer[int], int) error { return nil }))
	})
	c.loop("parallelfor", "ForBatchErr", func() {
		used(parallelfor.ForBatchErr(ctx, many, try, (*trying).ExecuteBatch))
		used(parallelfor.ForBatchErr(ctx, many, x, func(*array.Writer[int], int, int) error { return nil }))
	})
	c.loop("parallelfor", "DoErr", func() {
		used(parallelfor.DoErr(ctx, oneTry, (*singleTry).Execute))
		used(parallelfor.DoErr(ctx, x, func(*array.Writer[int]) error { return nil }))
	})
	c.loop("parallelfor", "Indices", func() { parallelfor.Indices(many, func(int) {}) })
	c.loop("parallelfor", "Ranges", func() { parallelfor.Ranges(many, func(int, int) {}) })
	c.loop("parallelfor", "IndicesErr", func() { used(parallelfor.IndicesErr(ctx, many, func(int) error { return nil })) })
	c.loop("parallelfor", "RangesErr", func() { used(parallelfor.RangesErr(ctx, many, func(int, int) error { return nil })) })
	c.loop("parallelfor", "Recurse", func() { used(parallelfor.Recurse(fibonacci, 10)) })
	c.loop("parallelfor.Forks", "Join", func() { used(parallelfor.Recurse(fibonacci, 10)) })
	c.loop("parallelfor", "RunKind", func() { used(parallelfor.RunKind(ctx, many, one, walking{})) })
	c.loop("parallelfor", "Schedule", func() { parallelfor.Schedule(many, job, (*doubling).Execute).Complete() })
	c.loop("parallelfor", "ScheduleBatch", func() { parallelfor.ScheduleBatch(many, job, (*doubling).ExecuteBatch).Complete() })
	c.loop("parallelfor", "ScheduleDo", func() { parallelfor.ScheduleDo(one, (*single).Execute).Complete() })
	c.loop("parallelfor", "ScheduleErr", func() { parallelfor.ScheduleErr(ctx, many, try, (*trying).Execute).Complete() })
	c.loop("parallelfor", "ScheduleBatchErr", func() { parallelfor.ScheduleBatchErr(ctx, many, try, (*trying).ExecuteBatch).Complete() })
	c.loop("parallelfor", "ScheduleDoErr", func() { parallelfor.ScheduleDoErr(ctx, oneTry, (*singleTry).Execute).Complete() })
	c.loop("parallelfor", "ScheduleKind", func() { parallelfor.ScheduleKind(ctx, many, one, walking{}).Complete() })
	c.loop("parallelfor.Handle", "Complete", each(func() parallelfor.Handle {
		var before [8]parallelfor.Handle
		for i := range before {
			first := parallelfor.Schedule(1, doubling{array.New[int](1).Writer()}, (*doubling).Execute)
			before[i] = parallelfor.Schedule(1, doubling{array.New[int](1).Writer()}, (*doubling).Execute, parallelfor.After(first))
		}
		return parallelfor.Schedule(many, doubling{array.New[int](many).Writer()}, (*doubling).Execute, parallelfor.After(before[:]...), parallelfor.Inline())
	}, func(h parallelfor.Handle) { h.Complete() }))
	c.loop("parallelfor.Batches", "Next", func() { used(parallelfor.RunKind(ctx, many, one, walking{}, parallelfor.Batch(1))) })
	c.loop("parallelfor", "Scratch", func() { parallelfor.Do(working{X: x}, (*working).Execute) })
	countOptions(c)
	countWorkers(c, one)
}

func fibonacci(f *parallelfor.Forks[int, int], n int) int {
	if n < 2 {
		return n
	}
	a, b := f.Join(n-1, n-2)
	return a + b
}

// countOptions counts what jobs are given, and returned.
func countOptions(c *counted) {
	x := array.New[int](many).Writer()
	of, pool := c.of("parallelfor"), parallelfor.NewPool(1)
	of("Batch", func() { used(parallelfor.Batch(2)) })
	of("Workers", func() { used(parallelfor.Workers(2)) })
	of("Sequential", func() { used(parallelfor.Sequential()) })
	of("Name", func() { used(parallelfor.Name("counted")) })
	of("On", func() { used(parallelfor.On(pool)) })
	of("AutoOrder", func() { used(parallelfor.AutoOrder()) })
	of("Inline", func() { used(parallelfor.Inline()) })
	of("Progress", func() { used(parallelfor.Progress(func(done, total int) {})) })
	of("JoinErrors", func() { used(parallelfor.JoinErrors()) })
	of("ScheduledAt", func() { used(parallelfor.ScheduledAt(0)) })
	of("Labels", func() { parallelfor.Labels(false) })

	of = c.of("parallelfor.Pool")
	of("Close", each(func() *parallelfor.Pool {
		p := parallelfor.NewPool(1)
		parallelfor.For(many, doubling{x}, (*doubling).Execute, parallelfor.On(p))
		return p
	}, func(p *parallelfor.Pool) { p.Close() }))
	h := parallelfor.Schedule(many, doubling{x}, (*doubling).Execute)
	of = c.of("parallelfor.Handle")
	of("Err, Finished, Ticket", func() { used(h.Err()); used(h.Finished()); used(h.Ticket()) })
	h.Complete()
	p := &parallelfor.Panic{Value: 1}
	c.of("parallelfor.Panic")("Unwrap", func() { used(p.Unwrap()) })
}

// countWorkers counts what bodies and kinds may ask.
func countWorkers(c *counted, one single) {
	parallelfor.Do(working{X: one.X}, func(w *working) {
		c.of("parallelfor.Worker")("Index, Workers", func() { used(w.Worker.Index()); used(w.Worker.Workers()) })
	})
	of := c.of("parallelfor.Batches")
	_ = parallelfor.RunKind(context.Background(), many, one, walking{func(r *parallelfor.Batches) {
		if r.Batch() == 0 {
			of("Begin, End, Batch, Worker", func() { used(r.Begin()); used(r.End()); used(r.Batch()); used(r.Worker()) })
			of("SkipWhile", func() { r.SkipWhile(func(cell int) bool { return cell < 3 }) })
			of("Stop", func() { r.Stop() })
		}
	}}, parallelfor.Batch(1), parallelfor.Workers(1))
}
