package claims

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/alitto/pond/v2"
	"github.com/panjf2000/ants/v2"
	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/pool"
	"github.com/sourcegraph/conc/stream"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
)

var errOdd = errors.New("an odd number")

// fails is a body that fails at every odd index.
func fails(i int) error {
	if i%2 != 0 {
		return fmt.Errorf("%d: %w", i, errOdd)
	}
	return nil
}

// forErr runs fails as a loop of custody.
func forErr(opts ...parallelfor.Option) error {
	return parallelfor.ForErr(context.Background(), n, struct{}{}, func(_ *struct{}, i int) error { return fails(i) }, opts...)
}

// oneOf requires that the error of the other library is that of any failed index, and that the
// error of custody is that of the lowest.
func oneOf(t *testing.T, peer error) {
	t.Helper()
	require.ErrorIs(t, peer, errOdd)
	require.EqualError(t, forErr(), "1: an odd number")
}

// appended returns the squares that a loop appended.
func appended() []int {
	list := array.NewList[int]()
	parallelfor.For(n, list.ParallelWriter(), func(w *array.ParallelWriter[int], i int) { w.Append(i * i) })
	return list.Slice()
}

var poolClaims = map[string]func(t *testing.T){
	"`iter.ForEach`, `iter.ForEachIdx` | a `TaskGroup` with a task for each element | `PoolWithFunc.Invoke` with each element": func(t *testing.T) {
		byConc, byPond, byAnts, here := make([]int, n), make([]int, n), make([]int, n), make([]int, n)
		iter.ForEachIdx(byConc, func(i int, e *int) { *e = i * i })
		group := pond.NewPool(4).NewGroup()
		var wg sync.WaitGroup
		workers, err := ants.NewPoolWithFuncGeneric(4, func(i int) { byAnts[i] = i * i; wg.Done() })
		require.NoError(t, err)
		defer workers.Release()
		for i := range n {
			group.Submit(func() { byPond[i] = i * i })
			wg.Add(1)
			require.NoError(t, workers.Invoke(i))
		}
		require.NoError(t, group.Wait())
		wg.Wait()
		parallelfor.Indices(len(here), func(i int) { here[i] = i * i })
		for _, s := range [][]int{byConc, byPond, byAnts} {
			require.Equal(t, s, here)
		}
	},
	"`iter.Map` | `ResultPool`, with `ResultTaskGroup.Wait` | -": func(t *testing.T) {
		in := squares()
		byConc := iter.Map(in, func(e *int) int { return *e + 1 })
		group := pond.NewResultPool[int](4).NewGroup()
		for _, e := range in {
			group.Submit(func() int { return e + 1 })
		}
		byPond, err := group.Wait()
		require.NoError(t, err)
		here := parallelfor.MapSlice(in, func(e int) int { return e + 1 })
		require.Equal(t, byConc, here)
		require.Equal(t, byPond, here)
	},
	"`iter.MapErr` | - | -": func(t *testing.T) {
		_, err := iter.MapErr(squares(), func(e *int) (int, error) { return 0, fails(*e) })
		oneOf(t, err)
		require.Contains(t, err.Error(), "9: an odd number", "conc has all of them")
		try := func(e int) (int, error) { return 0, fails(e) }
		_, first := parallelfor.MapSliceErr(t.Context(), squares(), try)
		require.EqualError(t, first, "1: an odd number")
		_, all := parallelfor.MapSliceErr(t.Context(), squares(), try, parallelfor.JoinErrors())
		require.ErrorContains(t, all, "1: an odd number\n9: an odd number\n")
	},
	"`pool.ErrorPool`, `WithFirstError` | `TaskGroup.SubmitErr`, `TaskGroup.Wait` | -": func(t *testing.T) {
		byConc, byPond := pool.New().WithErrors().WithFirstError(), pond.NewPool(4).NewGroup()
		for i := range n {
			byConc.Go(func() error { return fails(i) })
			byPond.SubmitErr(func() error { return fails(i) })
		}
		oneOf(t, byConc.Wait())
		oneOf(t, byPond.Wait())
	},
	"`pool.ContextPool`, `WithCancelOnError` | `NewGroupContext` | -": func(t *testing.T) {
		byConc := pool.New().WithContext(t.Context()).WithCancelOnError().WithFirstError()
		byPond := pond.NewPool(4).NewGroupContext(t.Context())
		for i := range 10 {
			byConc.Go(func(ctx context.Context) error { return fails(i) })
			byPond.SubmitErr(func() error { return fails(i) })
		}
		oneOf(t, byConc.Wait())
		oneOf(t, byPond.Wait())
		var begun atomic.Int64
		_ = parallelfor.ForErr(t.Context(), n, struct{}{}, func(_ *struct{}, i int) error { begun.Add(1); return fails(i) },
			parallelfor.Batch(1), parallelfor.Sequential())
		require.EqualValues(t, 2, begun.Load(), "no index above the one that failed")
	},
	"`pool.ResultPool` | `NewResultPool` | -": func(t *testing.T) {
		byConc, byPond := pool.NewWithResults[int](), pond.NewResultPool[int](4).NewGroup()
		for i := range n {
			byConc.Go(func() int { return i * i })
			byPond.Submit(func() int { return i * i })
		}
		unordered := byConc.Wait()
		ordered, err := byPond.Wait()
		require.NoError(t, err)
		require.Equal(t, slices.Sorted(slices.Values(unordered)), appended())
		require.Equal(t, ordered, appended())
	},
	"`stream.Stream` | - | -": func(t *testing.T) {
		var inOrder []int
		s := stream.New()
		for i := range n {
			s.Go(func() stream.Callback { v := i * i; return func() { inOrder = append(inOrder, v) } })
		}
		s.Wait()
		require.Equal(t, inOrder, appended())
	},
	"`WaitGroup.Go`, `WaitGroup.Wait` | `Pool.Submit`, `Task.Wait` | `Pool.Submit`": func(t *testing.T) {
		var v atomic.Int64
		var byConc conc.WaitGroup
		byConc.Go(func() { v.Add(1) })
		byConc.Wait()
		require.NoError(t, pond.NewPool(1).Submit(func() { v.Add(1) }).Wait())
		done := make(chan struct{})
		require.NoError(t, ants.Submit(func() { v.Add(1); close(done) }))
		<-done
		here := array.New[int64](1)
		h := parallelfor.Go(here.Writer(), func(w *array.Writer[int64]) { w.Set(0, v.Load()) })
		h.Complete()
		require.EqualValues(t, 3, here.At(0))
	},
	"a panic, from `WaitGroup.Wait` | `ErrPanic`, from `Task.Wait` | `WithPanicHandler`": func(t *testing.T) {
		require.Panics(t, func() {
			var g conc.WaitGroup
			g.Go(func() { panic("conc") })
			g.Wait()
		})
		require.ErrorIs(t, pond.NewPool(1).Submit(func() { panic("pond") }).Wait(), pond.ErrPanic)
		caught := make(chan any, 1)
		workers, err := ants.NewPool(1, ants.WithPanicHandler(func(v any) { caught <- v }))
		require.NoError(t, err)
		defer workers.Release()
		require.NoError(t, workers.Submit(func() { panic("ants") }))
		require.Equal(t, "ants", <-caught)
		func() {
			defer func() {
				p, ok := recover().(*parallelfor.Panic)
				require.True(t, ok)
				require.Equal(t, 1, p.Value)
			}()
			each(func(i int) {
				if i%2 != 0 {
					panic(i)
				}
			})
		}()
	},
	"`WithMaxGoroutines` | `NewPool(n)`, `NewSubpool` | `NewPool(n)`": func(t *testing.T) {
		var inside, most atomic.Int64
		body := func() {
			at := inside.Add(1)
			for m := most.Load(); at > m && !most.CompareAndSwap(m, at); m = most.Load() {
			}
			inside.Add(-1)
		}
		g := pool.New().WithMaxGoroutines(2)
		for range n {
			g.Go(body)
		}
		g.Wait()
		require.LessOrEqual(t, most.Load(), int64(2))
		most.Store(0)
		each := func(opts ...parallelfor.Option) {
			parallelfor.For(n, struct{}{}, func(*struct{}, int) { body() }, append(opts, parallelfor.Batch(1))...)
			require.LessOrEqual(t, most.Load(), int64(2))
		}
		each(parallelfor.Workers(2))
		own := parallelfor.NewPool(2)
		defer own.Close()
		each(parallelfor.On(own))
	},
	"- | `StopAndWait` | `Release`, `ReleaseTimeout`": func(t *testing.T) {
		byPond, own := pond.NewPool(2), parallelfor.NewPool(2)
		var v atomic.Int64
		byPond.Submit(func() { v.Add(1) })
		byPond.StopAndWait()
		h := parallelfor.Schedule(1, one{&v}, (*one).Execute, parallelfor.On(own))
		own.Close()
		require.EqualValues(t, 2, v.Load())
		h.Complete()
		require.ErrorIs(t, byPond.Submit(func() {}).Wait(), pond.ErrPoolStopped)
		require.Panics(t, func() { parallelfor.Do(struct{}{}, func(*struct{}) {}, parallelfor.On(own)) })
	},
	"- | `RunningWorkers` and its kin | `Running`, `Free` and their kin": func(t *testing.T) {
		byPond, own := pond.NewPool(2), parallelfor.NewPool(2)
		defer own.Close()
		byPond.Submit(func() {}).Wait()
		parallelfor.Do(struct{}{}, func(*struct{}) {}, parallelfor.On(own))
		require.Zero(t, byPond.RunningWorkers())
		require.Contains(t, own.String(), "0 jobs")
	},
}

// one is a job that counts with an atomic counter.
type one struct {
	V *atomic.Int64 `custody:"unguarded"`
}

func (o *one) Execute(int) { o.V.Add(1) }

func init() {
	goroutineClaims["`errgroup.Group.Go` in a loop over data"] = func(t *testing.T) {
		var g errgroup.Group
		for i := range n {
			g.Go(func() error { return fails(i) })
		}
		oneOf(t, g.Wait())
	}
	goroutineClaims["`errgroup.WithContext`"] = func(t *testing.T) {
		g, ctx := errgroup.WithContext(t.Context())
		g.Go(func() error { return errOdd })
		g.Go(func() error { <-ctx.Done(); return context.Cause(ctx) })
		oneOf(t, g.Wait())
		require.ErrorIs(t, context.Cause(ctx), errOdd)
	}
	goroutineClaims["`errgroup.Group.SetLimit`"] = poolClaims["`WithMaxGoroutines` | `NewPool(n)`, `NewSubpool` | `NewPool(n)`"]
	goroutineClaims["`errgroup.Group.Wait`"] = func(t *testing.T) {
		var g errgroup.Group
		g.Go(func() error { return fails(1) })
		oneOf(t, g.Wait())
		h := parallelfor.GoErr(t.Context(), struct{}{}, func(*struct{}) error { return fails(1) })
		h.Complete()
		require.ErrorIs(t, h.Err(), errOdd)
	}
	goroutineClaims["errgroup of unlike tasks"] = func(t *testing.T) {
		var g errgroup.Group
		g.Go(func() error { return nil })
		g.Go(func() error { return fails(3) })
		require.ErrorIs(t, g.Wait(), errOdd)
		a := parallelfor.GoErr(t.Context(), struct{}{}, func(*struct{}) error { return nil })
		b := parallelfor.GoErr(t.Context(), struct{}{}, func(*struct{}) error { return fails(3) })
		both := parallelfor.Combine(a, b)
		both.Complete()
		require.ErrorIs(t, both.Err(), errOdd)
	}
	goroutineClaims["`recover` in each goroutine"] = poolClaims["a panic, from `WaitGroup.Wait` | `ErrPanic`, from `Task.Wait` | `WithPanicHandler`"]
}
