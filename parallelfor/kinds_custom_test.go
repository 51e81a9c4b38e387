package parallelfor_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// pairs is a kind whose body gets two neighbouring indices at a time.
type pairs[J any, P interface {
	*J
	ExecutePair(i, j int) error
}] struct{}

func (pairs[J, P]) PerIndex() bool { return false }

func (pairs[J, P]) Loop(job *J, r *parallelfor.Batches) error {
	for r.Next() {
		for i := r.Begin(); i < r.End(); i += 2 {
			if err := P(job).ExecutePair(i, i+1); err != nil {
				return err
			}
		}
	}
	return nil
}

type swap struct {
	A    array.Writer[int]
	fail int
}

var errSwap = errors.New("no swap")

func (s *swap) ExecutePair(i, j int) error {
	if i == s.fail {
		return errSwap
	}
	x, y := s.A.At(i), s.A.At(j)
	s.A.Set(i, y)
	s.A.Set(j, x)
	return nil
}

func TestCustomKind(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		a := array.New[int](40)
		for i := range 40 {
			a.Set(i, i)
		}
		require.NoError(t, parallelfor.RunKind(context.Background(), 40, swap{a.Writer(), -1}, pairs[swap, *swap]{}, parallelfor.Batch(4), parallelfor.Workers(workers)))
		for i, v := range a.All() {
			require.Equal(t, i^1, v)
		}
		h := parallelfor.ScheduleKind(context.Background(), 40, swap{a.Writer(), 20}, pairs[swap, *swap]{}, parallelfor.Batch(4), parallelfor.Workers(workers))
		h.Complete()
		require.ErrorIs(t, h.Err(), errSwap)
		for i, v := range a.Slice()[:20] {
			require.Equal(t, i, v, "batches below the failure ran")
		}
	}
}

// wrapped is a job beside a view of a kind's own.
type wrapped struct {
	Beside array.Reader[int]
	Job    wrapped1          `custody:"inline"`
	View   array.Writer[int] `custody:"inline"`
}

type wrapped1 struct{ In, Out array.Writer[int] }

// wrapping is the kind of such jobs.
type wrapping struct{}

func (wrapping) PerIndex() bool { return true }

func (wrapping) Loop(w *wrapped, r *parallelfor.Batches) error {
	for r.Next() {
		for i := r.Begin(); i < r.End(); i++ {
			w.Job.Out.Set(i, w.Job.In.At(i)+w.Beside.At(i))
		}
	}
	return nil
}

// A kind may say where its jobs were scheduled, and have its users' fields named as they are.
func TestWhatAKindSaysOfItsUsers(t *testing.T) {
	lawtest.CheckedOnly(t)
	beside, in, out, view := array.New[int](10), array.New[int](10), array.New[int](10), array.New[int](10)
	whole := wrapped{beside.Reader(), wrapped1{in.Writer(), out.Writer()}, view.Writer()}
	site := safety.Caller(0)
	for _, option := range []parallelfor.Option{{}, parallelfor.AutoOrder()} {
		h := parallelfor.ScheduleKind(context.Background(), 10, whole, wrapping{}, option, parallelfor.ScheduledAt(site))
		for field, a := range map[string]*array.Array[int]{"Beside": beside, "In": in, "Out": out, "": view} {
			v := lawtest.Violation(t, func() error { a.Set(0, 1); return nil })
			require.Equal(t, []string{field, site.String()}, []string{v.OtherField, v.Scheduled})
		}
		h.Complete()
	}
	g := parallelfor.Record()
	parallelfor.ScheduleKind(context.Background(), 10, whole, wrapping{}, parallelfor.ScheduledAt(site)).Complete()
	g.Stop()
	require.Contains(t, dotOf(t, g), site.String())
}

// lazy is a kind whose loop does something wrong.
type lazy struct{ how string }

func (lazy) PerIndex() bool { return false }

func (k lazy) Loop(job *lone, r *parallelfor.Batches) error {
	switch k.how {
	case "never asks":
		return nil
	case "panics before":
		panic("before")
	case "returns after each batch":
		if r.Next() {
			job.ran[r.Batch()]++
		}
	case "stops":
		for r.Next() {
			job.ran[r.Batch()]++
			if r.Batch() == 3 {
				r.Stop()
			}
		}
	}
	return nil
}

type lone struct {
	ran []int `custody:"unguarded"`
}

func TestLoopsOfKinds(t *testing.T) {
	for _, workers := range []int{1, 3} {
		run := func(how string) []int {
			j := lone{make([]int, 12)}
			require.NoError(t, parallelfor.RunKind(context.Background(), 12, j, lazy{how}, parallelfor.Batch(1), parallelfor.Workers(workers)))
			return j.ran
		}
		for _, n := range run("returns after each batch") {
			require.Equal(t, 1, n)
		}
		ran := run("stops")
		for c, n := range ran {
			if c <= 3 {
				require.Equal(t, 1, n, "batch %d", c)
			} else if workers == 1 {
				require.Zero(t, n, "batch %d", c)
			}
		}
		v := violation(t, safety.ErrArgument, func() { run("never asks") })
		require.Contains(t, v.Error(), "returned before it had asked for a batch")
		func() {
			defer func() {
				p, ok := recover().(*parallelfor.Panic)
				require.True(t, ok)
				require.Equal(t, "before", p.Value)
			}()
			run("panics before")
		}()
	}
	violation(t, safety.ErrArgument, func() {
		_ = parallelfor.RunKind[lone](context.Background(), 1, lone{}, nil)
	})
	violation(t, safety.ErrArgument, func() {
		_ = parallelfor.ScheduleKind[lone](context.Background(), 1, lone{}, nil)
	})
}

// byWorker is a kind that notes which worker executes each index, in a place of its own.
type byWorker struct{ of []int }

func (*byWorker) PerIndex() bool { return false }

func (k *byWorker) Loop(_ *none, r *parallelfor.Batches) error {
	for r.Next() {
		for i := r.Begin(); i < r.End(); i++ {
			k.of[i] = 1 + r.Worker()
		}
	}
	return nil
}

func TestAKindKnowsItsWorkers(t *testing.T) {
	const n, workers = 500, 3
	k := &byWorker{make([]int, n)}
	require.NoError(t, parallelfor.RunKind(t.Context(), n, none{}, k, parallelfor.Workers(workers)))
	for i, w := range k.of {
		require.True(t, 1 <= w && w <= workers, "index %d: worker %d", i, w-1)
	}
}

// copyingKind is a kind whose loop uses a copy of its Batches.
type copyingKind struct{ use func(r *parallelfor.Batches) }

func (copyingKind) PerIndex() bool { return false }

func (k copyingKind) Loop(_ *struct{}, r *parallelfor.Batches) error {
	for r.Next() {
		c := *r
		k.use(&c)
	}
	return nil
}

func TestACopyOfBatchesIsAViolation(t *testing.T) {
	for name, use := range map[string]func(r *parallelfor.Batches){
		"Next":      func(r *parallelfor.Batches) { r.Next() },
		"Stop":      func(r *parallelfor.Batches) { r.Stop() },
		"SkipWhile": func(r *parallelfor.Batches) { r.SkipWhile(func(int) bool { return false }) },
		"zero":      func(*parallelfor.Batches) { new(parallelfor.Batches).Next() },
	} {
		v := violation(t, safety.ErrCopied, func() {
			_ = parallelfor.RunKind(context.Background(), 9, struct{}{}, copyingKind{use}, parallelfor.Batch(2))
		})
		require.Contains(t, v.Error(), "Use the pointer that Loop was given.", name)
		require.Contains(t, v.At, "kinds_custom_test.go:", name)
	}
}

func TestHandlesOfDifferentJobsDiffer(t *testing.T) {
	a, b := parallelfor.ScheduleDo(struct{}{}, func(*struct{}) {}), parallelfor.ScheduleDo(struct{}{}, func(*struct{}) {})
	require.False(t, a == b)
	require.False(t, reflect.DeepEqual(a, b))
	require.True(t, reflect.DeepEqual(a, parallelfor.Handle(a)))
	a.Complete()
	b.Complete()
}
