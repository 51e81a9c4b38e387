package parallelfor_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// orders calls f with every non-empty subset of 0..n-1 in every order, or with most of these at
// random if there are more.
func orders(n, most int, f func(order []int)) {
	var all [][]int
	var grow func(order []int)
	grow = func(order []int) {
		if len(order) > 0 {
			all = append(all, append([]int(nil), order...))
		}
		for i := range n {
			if !slices.Contains(order, i) {
				grow(append(order, i))
			}
		}
	}
	if n <= 5 {
		grow(nil)
	} else {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		for range most {
			all = append(all, r.Perm(n)[:1+r.IntN(n)])
		}
	}
	if len(all) > most {
		rand.New(rand.NewPCG(uint64(n), 2)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		all = all[:most]
	}
	for _, o := range all {
		f(o)
	}
}

// All bodies run at once, and some fail, in every order. The loop returns the error of the lowest.
// The context of a body above it ends with the error of a body below as its cause. The context of a
// body below all that fail does not end early.
func TestEveryOrderOfFailuresEndsTheContextsAboveAndReturnsTheLowest(t *testing.T) {
	watchdog(t)
	for n := 1; n <= 8; n++ {
		errs := make([]error, n)
		for i := range errs {
			errs[i] = fmt.Errorf("failure of %d", i)
		}
		orders(n, rounds(300), func(order []int) {
			lowest := n
			gone := make([]chan struct{}, n) // closed by the body that is about to fail
			for _, i := range order {
				lowest = min(lowest, i)
				gone[i] = make(chan struct{})
			}
			all := newBarrier(n)
			out := array.New[int](n)
			type views struct {
				Worker parallelfor.Worker
				Out    array.Writer[int]
			}
			err := parallelfor.ForErr(t.Context(), n, views{Out: out.Writer()}, func(v *views, i int) error {
				ctx := v.Worker.Context()
				require.True(t, all.wait())
				if gone[i] != nil {
					for at, k := range order {
						if k == i && at > 0 {
							<-gone[order[at-1]]
						}
					}
					close(gone[i])
					return errs[i]
				}
				if i > lowest {
					<-ctx.Done()
					cause := context.Cause(ctx)
					told := false
					for _, k := range order {
						told = told || k < i && cause == errs[k]
					}
					require.True(t, told, "batch %d was told %v", i, cause)
					require.Equal(t, context.Canceled, ctx.Err())
					return []error{cause, ctx.Err()}[i%2]
				}
				for _, k := range order {
					<-gone[k]
				}
				for range 20 {
					runtime.Gosched()
				}
				require.NoError(t, ctx.Err(), "batch %d lies below all that fail", i)
				v.Out.Set(i, 1)
				return nil
			}, parallelfor.Batch(1), parallelfor.Workers(n))
			require.Equal(t, errs[lowest], err, "%d bodies, of which %v fail", n, order)
			for i := range lowest {
				require.Equal(t, 1, out.At(i))
			}
		})
	}
}

// A body above the lowest failure may wait for its context alone, at any number of workers.
func TestBodiesThatWaitForTheirContextsEndAtAnyNumberOfWorkers(t *testing.T) {
	watchdog(t)
	boom := errors.New("boom")
	for workers := 1; workers <= 8; workers++ {
		for at := range 10 {
			for range rounds(16) {
				err := parallelfor.ForErr(t.Context(), 10, parallelfor.Worker{}, func(w *parallelfor.Worker, i int) error {
					switch {
					case i == at:
						return boom
					case i > at:
						<-w.Context().Done()
						return w.Context().Err()
					}
					return w.Context().Err()
				}, parallelfor.Batch(1), parallelfor.Workers(workers))
				require.Equal(t, boom, err, "%d of 10 at %d workers", at, workers)
			}
		}
	}
}

// contextKey is the key of a value in a context.
type contextKey struct{}

// twoBatches is a job for all kinds that can fail. Index 1 asks for its context and waits for its
// end; index 0 fails when index 1 has asked.
type twoBatches struct {
	Worker parallelfor.Worker
	Log    appender[int]
	Asked  chan struct{} `custody:"unguarded"`
	Saw    chan error    `custody:"unguarded"`
	Fail   func() error  `custody:"unguarded"`
}

func (j *twoBatches) body(i int) error {
	if i == 0 {
		<-j.Asked
		return j.Fail()
	}
	ctx := j.Worker.Context()
	if ctx.Value(contextKey{}) != 5 {
		return errors.New("the value of the loop's context is lost")
	}
	close(j.Asked)
	<-ctx.Done()
	j.Saw <- context.Cause(ctx)
	return ctx.Err()
}

func (j *twoBatches) Execute(i int) error { return j.body(i) }

type twoRanges struct{ Of twoBatches }

func (j *twoRanges) ExecuteBatch(begin, _ int) error { return j.Of.body(begin) }

// kindErr is a kind that is not the library's.
type kindErr struct{}

func (kindErr) PerIndex() bool { return true }
func (kindErr) Loop(j *twoBatches, r *parallelfor.Batches) error {
	for r.Next() {
		if err := j.body(r.Begin()); err != nil {
			return err
		}
	}
	return nil
}

func TestEveryLoopThatCanFailTellsItsBodies(t *testing.T) {
	watchdog(t)
	of := func(h parallelfor.Handle) error { h.Complete(); return h.Err() }
	for form, run := range map[string]func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error{
		"ForErr of a method": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			return parallelfor.ForErr(ctx, 2, j, (*twoBatches).Execute, o...)
		},
		"ForBatchErr of a method": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			return parallelfor.ForBatchErr(ctx, 2, twoRanges{j}, (*twoRanges).ExecuteBatch, o...)
		},
		"ScheduleErr": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			return of(parallelfor.ScheduleErr(ctx, 2, j, (*twoBatches).Execute, o...))
		},
		"ScheduleBatchErr": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			return of(parallelfor.ScheduleBatchErr(ctx, 2, twoRanges{j}, (*twoRanges).ExecuteBatch, o...))
		},
		"ForErr": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			return parallelfor.ForErr(ctx, 2, j, (*twoBatches).body, o...)
		},
		"ForBatchErr": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			return parallelfor.ForBatchErr(ctx, 2, j, func(j *twoBatches, i, _ int) error { return j.body(i) }, o...)
		},
		"ReduceErr": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			_, err := parallelfor.ReduceErr(ctx, 2, j, func(j *twoBatches, i, _ int) (int, error) { return 0, j.body(i) }, func(a, b int) int { return a + b }, o...)
			return err
		},

		"FindErr": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			_, err := parallelfor.FindErr(ctx, 2, j, func(j *twoBatches, i int) (bool, error) { return true, j.body(i) }, o...)
			return err
		},

		"FilterErr": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			_, err := parallelfor.FilterErr(ctx, 2, j, func(j *twoBatches, i int) (bool, error) { return true, j.body(i) }, o...)
			return err
		},
		"RunKind": func(ctx context.Context, j twoBatches, o ...parallelfor.Option) error {
			return parallelfor.RunKind(ctx, 2, j, kindErr{}, o...)
		},
	} {
		boom := errors.New("boom")
		log := newJournal[int]()
		job := func(fail func() error) twoBatches {
			return twoBatches{Log: log.Appender(), Asked: make(chan struct{}), Saw: make(chan error, 1), Fail: fail}
		}
		ctx := context.WithValue(t.Context(), contextKey{}, 5)
		o := []parallelfor.Option{parallelfor.Batch(1), parallelfor.Workers(2)}
		j := job(func() error { return boom })
		require.Equal(t, boom, run(ctx, j, o...), form)
		require.Equal(t, boom, <-j.Saw, form)

		j = job(func() error { panic("at 0") })
		p := panicked(t, func() { _ = run(ctx, j, o...) })
		require.Equal(t, error(p), <-j.Saw, form)

		j = job(func() error { parallelfor.For(-1, 0, func(*int, int) {}); return nil })
		v := violation(t, safety.ErrLength, func() { _ = run(ctx, j, o...) })
		require.Equal(t, error(v), <-j.Saw, form)

		j = job(func() error { runtime.Goexit(); return nil })
		require.True(t, endingOf(func() { _ = run(ctx, j, o...) }).goexit, form)
		require.Equal(t, context.Canceled, <-j.Saw, form)

		// The end of the loop's context ends those of its batches, with its cause.
		cause := errors.New("enough")
		with, cancel := context.WithCancelCause(ctx)
		j = job(nil)
		j.Fail = func() error {
			cancel(cause)
			return <-j.Saw
		}
		require.Equal(t, cause, run(with, j, o...), form)
	}
}

func TestALoopThatIsStoppedEndsTheContextsAbove(t *testing.T) {
	watchdog(t)
	asked := make(chan struct{})
	at := parallelfor.Find(2, parallelfor.Worker{}, func(w *parallelfor.Worker, i int) bool {
		if i == 0 {
			<-asked
			return true
		}
		ctx := w.Context()
		close(asked)
		<-ctx.Done()
		require.Equal(t, context.Canceled, context.Cause(ctx))
		return true
	}, parallelfor.Batch(1), parallelfor.Workers(2))
	require.Zero(t, at)
}

func TestTheContextOfABatchEndsWithIt(t *testing.T) {
	if parallelfor.Raced {
		t.Skip("batches use a variable one after the other, which no detector is told of")
	}
	var before context.Context
	parallelfor.For(6, parallelfor.Worker{}, func(w *parallelfor.Worker, i int) {
		ctx := w.Context()
		require.NoError(t, ctx.Err())
		require.Equal(t, ctx, w.Context())
		if i%2 == 1 {
			require.Equal(t, before, ctx, "it is the batch's")
		} else if before != nil {
			require.Equal(t, context.Canceled, before.Err())
		}
		before = ctx
	}, parallelfor.Sequential(), parallelfor.Batch(2))
	require.Equal(t, context.Canceled, before.Err())

	var kept parallelfor.Worker
	parallelfor.Do(parallelfor.Worker{}, func(w *parallelfor.Worker) { kept = *w })
	require.Error(t, kept.Context().Err())
	require.Equal(t, context.Background(), parallelfor.Worker{}.Context())
}

func TestTheContextOfABatchHasTheDeadlineOfTheLoops(t *testing.T) {
	watchdog(t)
	at := time.Now().Add(time.Millisecond)
	ctx, cancel := context.WithDeadline(context.Background(), at)
	defer cancel()
	for _, run := range []func(body func(w *parallelfor.Worker) error) error{
		func(body func(w *parallelfor.Worker) error) error {
			return parallelfor.DoErr(ctx, parallelfor.Worker{}, body)
		},
		func(body func(w *parallelfor.Worker) error) error {
			h := parallelfor.GoErr(ctx, parallelfor.Worker{}, body)
			h.Complete()
			return h.Err()
		},
	} {
		err := run(func(w *parallelfor.Worker) error {
			d, ok := w.Context().Deadline()
			require.True(t, ok)
			require.True(t, at.Equal(d))
			<-w.Context().Done()
			return w.Context().Err()
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
}
