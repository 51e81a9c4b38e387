package parallelfor_test

import (
	"context"
	"runtime/debug"
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
	a := array.New[int](n)
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
			want := 0
			if strings.HasPrefix(name, "Schedule") {
				want = 1 // the job
			}
			require.Equal(t, want, allocations(200, once), "%s with a context that has %s", name, what)
		}
	}
}

// prepared is as many types of jobs as are wanted, with enough fields to be looked at.
type prepared[Tag any] struct {
	In   array.Reader[int]
	Deep struct{ Out [1]array.Writer[int] }
	Add  int
}

func (p *prepared[Tag]) Execute(i int) { p.Deep.Out[0].Set(i, p.In.At(i)+p.Add) }

// refusedJob is as many types that no job can have.
type refusedJob[Tag any] struct{ P *int }

func (*refusedJob[Tag]) Execute(int) {}

// firstRun runs a job of a type that was not run before, and says what it has left, and how often
// it has allocated.
func firstRun[Tag any](in *array.Array[int]) (left []int, allocated int) {
	out := array.New[int](in.Len())
	job := prepared[Tag]{In: in.Reader(), Add: 1}
	job.Deep.Out[0] = out.Writer()
	allocated = allocations(1, func() { parallelfor.For(in.Len(), job, (*prepared[Tag]).Execute, parallelfor.Sequential()) })
	return out.Slice(), allocated
}

// refusal is what the first schedule of a type is refused with that no job can have.
func refusal[Tag any](t *testing.T) string {
	v := violation(t, safety.ErrField, func() { parallelfor.For(1, refusedJob[Tag]{}, (*refusedJob[Tag]).Execute, parallelfor.Name("refused")) })
	return v.Error()
}

// preparedBefore says that the test of Prepare has run, whose types are known then.
var preparedBefore bool

// What Prepare does the first schedule has not to do; otherwise it is what it would have been, also
// where it is refused.
func TestPrepareMakesTheFirstScheduleNoDifferent(t *testing.T) {
	in := numbers(100)
	firstRun[struct{}](in) // the first of all
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	once := allocations(1, parallelfor.Prepare[prepared[int8]])
	again := allocations(100, parallelfor.Prepare[prepared[int8]])
	with, after := firstRun[int8](in)
	without, before := firstRun[int16](in)
	require.Equal(t, without, with)
	require.Equal(t, 100, with[99])
	if !atom.Race && !preparedBefore { // with the race detector each schedule looks at the type anew
		preparedBefore = true
		require.Positive(t, once)
		require.Zero(t, again, "it is known")
		require.LessOrEqual(t, after+once/2, before, "what Prepare did was left out")
	}
	parallelfor.Prepare[refusedJob[int8]]() // says nothing yet: nothing is scheduled
	if safety.Enabled {
		require.Equal(t, refusal[int16](t), refusal[int8](t))
	}
}

// Any goroutine may prepare a type at any time, beside others and beside its jobs.
func TestTypesArePreparedBesideTheirJobs(t *testing.T) {
	in := numbers(100)
	var all sync.WaitGroup
	for range 3 {
		all.Go(parallelfor.Prepare[prepared[uint8]])
		all.Go(func() {
			if left, _ := firstRun[uint8](in); left[50] != 51 {
				t.Error(left)
			}
		})
	}
	all.Wait()
}
