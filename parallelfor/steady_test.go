package parallelfor_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// halving are jobs that return an error, or none, in the forms that there are.
type (
	halving  struct{ A array.Writer[int] }
	halves   struct{ A array.Writer[int] }
	halfOnce struct{ A array.Writer[int] }
)

func (j *halving) Execute(i int) error { return halve(&j.A, i, i+1) }

func (j *halves) ExecuteBatch(begin, end int) error { return halve(&j.A, begin, end) }

func (j *halfOnce) Execute() error { return halve(&j.A, 0, j.A.Len()) }

func halve(w *array.Writer[int], begin, end int) error {
	for i := begin; i < end; i++ {
		w.Set(i, w.At(i)/2)
	}
	return nil
}

// The forms with an error, of single jobs and of kinds of one's own allocate no more than the plain
// ones, with any context.
func TestRunsWithErrorsAllocateNothingInSteadyState(t *testing.T) {
	if atom.Race || safety.Strict {
		t.Skip("memory is not used again")
	}
	const n = 10_000
	a, long, turn := array.New[int](n), array.New[int](100*n), 0
	ended, cancel := context.WithCancel(t.Context())
	defer cancel()
	one := func(w *array.Writer[int], i int) error { return halve(w, i, i+1) }
	many := func(w *array.Writer[int], begin, end int) error { return halve(w, begin, end) }
	all := func(w *array.Writer[int]) error { return halve(w, 0, n) }
	completed := func(h parallelfor.Handle) error {
		h.Complete()
		return h.Err()
	}
	for name, run := range map[string]func(ctx context.Context) error{
		"ForErr of a method": func(ctx context.Context) error {
			return parallelfor.ForErr(ctx, n, halving{a.Writer()}, (*halving).Execute)
		},
		"ForBatchErr of a method": func(ctx context.Context) error {
			return parallelfor.ForBatchErr(ctx, n, halves{a.Writer()}, (*halves).ExecuteBatch)
		},
		"DoErr of a method": func(ctx context.Context) error {
			return parallelfor.DoErr(ctx, halfOnce{a.Writer()}, (*halfOnce).Execute)
		},
		"ForErr":      func(ctx context.Context) error { return parallelfor.ForErr(ctx, n, a.Writer(), one) },
		"ForBatchErr": func(ctx context.Context) error { return parallelfor.ForBatchErr(ctx, n, a.Writer(), many) },
		"Do": func(context.Context) error {
			parallelfor.Do(a.Writer(), func(w *array.Writer[int]) { w.Set(0, 1) })
			return nil
		},
		"DoErr": func(ctx context.Context) error { return parallelfor.DoErr(ctx, a.Writer(), all) },
		"RunKind": func(ctx context.Context) error {
			return parallelfor.RunKind(ctx, n, swap{a.Writer(), -1}, pairs[swap, *swap]{}, parallelfor.Batch(100))
		},
		"few workers": func(ctx context.Context) error {
			return parallelfor.ForErr(ctx, n, halving{a.Writer()}, (*halving).Execute, parallelfor.Workers(2), parallelfor.Batch(100))
		},
		"ScheduleErr": func(ctx context.Context) error {
			return completed(parallelfor.ScheduleErr(ctx, n, halving{a.Writer()}, (*halving).Execute))
		},
		"ScheduleBatchErr": func(ctx context.Context) error {
			return completed(parallelfor.ScheduleBatchErr(ctx, n, halves{a.Writer()}, (*halves).ExecuteBatch))
		},
		"ScheduleDoErr": func(ctx context.Context) error {
			return completed(parallelfor.ScheduleDoErr(ctx, halfOnce{a.Writer()}, (*halfOnce).Execute))
		},
		"ScheduleKind": func(ctx context.Context) error {
			return completed(parallelfor.ScheduleKind(ctx, n, swap{a.Writer(), -1}, pairs[swap, *swap]{}, parallelfor.Batch(100)))
		},
		"ScheduleKind of few and of many indices in turn": func(ctx context.Context) error {
			turn++
			n := 20 + turn%2*(long.Len()-20)
			return completed(parallelfor.ScheduleKind(ctx, n, swap{long.Writer(), -1}, pairs[swap, *swap]{}, parallelfor.Batch(100)))
		},
	} {
		for what, ctx := range map[string]context.Context{"no end": context.Background(), "an end": ended} {
			once := func() {
				if err := run(ctx); err != nil {
					t.Error(name, err)
				}
			}
			for range 20 {
				once()
			}
			most := 0
			if strings.HasPrefix(name, "Schedule") {
				most = 1 // the job, if that is not used again
			}
			require.LessOrEqual(t, allocations(200, once), most, "%s with a context that has %s", name, what)
		}
	}
}

// fresh is as many types of jobs as are wanted, with enough fields to be looked at.
type fresh[Tag any] struct {
	In   array.Reader[int]
	Deep struct{ Out [1]array.Writer[int] }
	Add  int
}

func (f *fresh[Tag]) Execute(i int) { f.Deep.Out[0].Set(i, f.In.At(i)+f.Add) }

// Goroutines may schedule jobs of a type for the first time beside each other.
func TestATypeIsScheduledFirstByManyGoroutines(t *testing.T) {
	scheduledFirst[int8](t)
	scheduledFirst[int16](t)
	scheduledFirst[int32](t)
	scheduledFirst[int64](t)
	scheduledFirst[uint8](t)
}

func scheduledFirst[Tag any](t *testing.T) {
	in := numbers(100)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			out := array.New[int](in.Len())
			job := fresh[Tag]{In: in.Reader(), Add: 1}
			job.Deep.Out[0] = out.Writer()
			parallelfor.For(in.Len(), job, (*fresh[Tag]).Execute, parallelfor.Sequential())
			if left := out.Slice(); left[50] != 51 {
				t.Error(left)
			}
		})
	}
	all.Wait()
}
