package fuzz_test

import (
	"context"
	"testing"

	"example.com/custody/counter"
	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// The suites, run over what the library has. A counter's Value is a sum of batches, so Counter is
// not linearizable and Sum, which is one word, is.

func newCounter() fuzz.CounterOf {
	c := counter.New()
	return fuzz.CounterOf{
		Add: c.Add, Value: c.Value, Set: c.Set, Swap: c.Swap, Dispose: c.Dispose,
		Local: func() fuzz.LocalOf {
			l := c.Local()
			return fuzz.LocalOf{Add: l.Add, Close: l.Close}
		},
	}
}

func newSum() fuzz.CounterOf {
	s := counter.NewSum[int64]()
	return fuzz.CounterOf{Add: s.Add, Value: s.Value, Set: s.Set, Swap: s.Swap, Dispose: s.Dispose}
}

func TestCounter(t *testing.T) {
	fuzz.Counter(t, newCounter, fuzz.Misuses(
		fuzz.Misuse{Name: "Local of a disposed counter", Want: safety.ErrDisposed, Do: func() {
			c := counter.New()
			c.Dispose()
			c.Local()
		}},
		fuzz.Misuse{Name: "Add after Close", Want: safety.ErrClosed, Do: func() {
			l := counter.New().Local()
			l.Close()
			l.Add(1)
		}},
		fuzz.Misuse{Name: "Close twice is allowed", Do: func() {
			l := counter.New().Local()
			l.Close()
			l.Close()
		}},
	))
}

func TestSum(t *testing.T) { fuzz.Counter(t, newSum, fuzz.Linearizable) }

// FuzzCounterMethods fuzzes the methods of Counter and Local; FuzzCounter has the jobs too.
func FuzzCounterMethods(f *testing.F) { fuzz.Counter(f, newCounter) }

// workerView lets a body know its worker.
type workerView struct{ Worker parallelfor.Worker }

func options(batch, workers int) []parallelfor.Option {
	return []parallelfor.Option{parallelfor.Batch(batch), parallelfor.Workers(workers)}
}

// driver is the driver by its three ways to run a loop.
func driver() fuzz.LoopOf {
	return fuzz.LoopOf{
		For: func(n, batch, workers int, body func(worker, begin, end int)) {
			parallelfor.ForBatch(n, workerView{}, func(v *workerView, begin, end int) {
				body(v.Worker.Index(), begin, end)
			}, options(batch, workers)...)
		},
		ForErr: func(n, batch, workers int, body func(worker, begin, end int) error) error {
			return parallelfor.ForBatchErr(context.Background(), n, workerView{}, func(v *workerView, begin, end int) error {
				return body(v.Worker.Index(), begin, end)
			}, options(batch, workers)...)
		},
		Schedule: func(n, batch, workers int, body func(worker, begin, end int)) func() {
			return parallelfor.ScheduleBatch(n, bodyJob{Body: body}, (*bodyJob).ExecuteBatch, options(batch, workers)...).Complete
		},
	}
}

// bodyJob is a job that calls a function.
type bodyJob struct {
	Worker parallelfor.Worker
	Body   func(worker, begin, end int) `custody:"unguarded"` // touches nothing of a container
}

func (j *bodyJob) ExecuteBatch(begin, end int) { j.Body(j.Worker.Index(), begin, end) }

func TestParallelFor(t *testing.T) {
	fuzz.ParallelFor(t, driver(), fuzz.LowestFails, fuzz.Misuses(
		fuzz.Misuse{Name: "n below 0", Want: safety.ErrLength, Do: func() { driver().For(-1, 1, 1, func(_, _, _ int) {}) }},
		fuzz.Misuse{Name: "batch below -1", Want: safety.ErrArgument, Do: func() { driver().For(1, -2, 1, func(_, _, _ int) {}) }},
		fuzz.Misuse{Name: "no worker", Want: safety.ErrArgument, Do: func() { driver().For(1, 1, 0, func(_, _, _ int) {}) }},
	))
}
