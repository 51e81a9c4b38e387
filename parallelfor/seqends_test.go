package parallelfor_test

import (
	"context"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/counter"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// yields is a source that yields 0 to n-1, then err, and then calls last.
func yields(n int, err error, last func()) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		defer last()
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

// A job that f leaves uncompleted is a failure of its item: no results of later items come.
func TestResultsBeforeALeftJobAreYielded(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	got := 0
	v := caughtViolation(t, func() {
		for r := range parallelfor.MapSeq(slices.Values(make([]int, 2000)), func() func(int) int {
			return func(int) int {
				parallelfor.ScheduleDo(none{}, func(*none) {})
				return 1
			}
		}()) {
			got += r
		}
	})
	require.ErrorIs(t, v, safety.ErrNotCompleted)
	require.Zero(t, got)
}

func TestLoopsOverSourcesDoNotRunAfterAFailure(t *testing.T) {
	watchdog(t)
	failed := parallelfor.ScheduleDoErr(context.Background(), none{}, func(*none) error { return errIndex })
	require.Empty(t, slices.Collect(parallelfor.MapSeq(slices.Values([]int{1, 2, 3}), func(i int) int { return i }, parallelfor.After(failed))))
	for _, n := range []int{0, 3} {
		var last error
		for _, last = range parallelfor.MapSeqErr(context.Background(), yields(n, nil, func() {}), func(i int) (int, error) { return i, nil }, parallelfor.After(failed)) {
		}
		require.ErrorIs(t, last, errIndex)
		require.ErrorIs(t, parallelfor.ForSeqErr(context.Background(), yields(n, nil, func() {}), none{}, func(*none, int, int) error { panic("it runs") }, parallelfor.After(failed)), errIndex)
	}
	failed.Complete()
}

// What a source does after it has yielded an error comes after what was read.
func TestASourceThatPanicsBehindItsErrorLosesNothing(t *testing.T) {
	watchdog(t)
	for what, last := range map[string]func(){"panic": func() { panic("cleanup") }, "goexit": runtime.Goexit} {
		var got []any
		list := array.NewList[int]()
		first := endingOf(func() {
			for i, err := range parallelfor.MapSeqErr(context.Background(), yields(3, errSource, last), func(i int) (int, error) { return i, nil }) {
				got = append(got, i, err)
			}
		})
		second := endingOf(func() {
			_ = parallelfor.ForSeqErr(context.Background(), yields(3, errSource, last), list.ParallelWriter(), func(w *array.ParallelWriter[int], i, _ int) error { w.Append(i); return nil })
		})
		require.Equal(t, []any{0, nil, 1, nil, 2, nil, 0, errSource}, got, what)
		require.Equal(t, []int{0, 1, 2}, list.Slice(), what)
		require.Equal(t, first.String(), second.String())
		require.Equal(t, what == "goexit", first.goexit)
	}
}

// What a source has yielded before it ends the goroutine is executed, as by the sequential loop.
func TestASourceThatEndsTheGoroutineLosesNothing(t *testing.T) {
	watchdog(t)
	list := array.NewList[int]()
	e := endingOf(func() {
		_ = parallelfor.ForSeqErr(context.Background(), yields(3, nil, runtime.Goexit), list.ParallelWriter(), func(w *array.ParallelWriter[int], i, _ int) error { w.Append(i); return nil })
	})
	require.True(t, e.goexit)
	require.Equal(t, []int{0, 1, 2}, list.Slice())
}

// A sum of floats has the same bits however many workers there are and however long chunks are.
func TestALongForSeqIsCutAlike(t *testing.T) {
	watchdog(t)
	const n = 20000
	var want float64
	for _, opts := range [][]parallelfor.Option{{parallelfor.Sequential()}, {parallelfor.Workers(1)}, {parallelfor.Workers(3)}, nil, {parallelfor.Workers(8)}} {
		list, sum := array.NewList[int](), counter.NewSum[float64]()
		type job struct {
			List array.ParallelWriter[int]
			Sum  counter.SumParallelWriter[float64]
		}
		parallelfor.ForSeq(slices.Values(make([]int, n)), job{List: list.ParallelWriter(), Sum: sum.ParallelWriter()}, func(j *job, i, _ int) {
			j.List.Append(i)
			j.Sum.Add(1 / float64(i+1))
		}, opts...)
		require.Equal(t, n, list.Len())
		for i, v := range list.Slice() {
			require.Equal(t, i, v)
		}
		if want == 0 {
			want = sum.Value()
		}
		require.Equal(t, want, sum.Value())
	}
}

// A context that ends while the source waits ends the loop with its cause.
func TestALoopOverASourceEndsWithItsContext(t *testing.T) {
	watchdog(t)
	for _, flushes := range []int{0, 1000} {
		ctx, cancel := context.WithCancelCause(context.Background())
		flushed := 0
		source := func(yield func(int, error) bool) {
			if !yield(1, nil) || !yield(0, parallelfor.Flush) {
				return
			}
			for cancel(errIndex); flushed < flushes && yield(0, parallelfor.Flush); flushed++ {
			}
		}
		var last error
		for _, last = range parallelfor.MapSeqErr(ctx, source, func(i int) (int, error) { return i, nil }) {
		}
		require.ErrorIs(t, last, errIndex)
		require.Zero(t, flushed)
	}
}

// No other job comes between the jobs of a ForSeq, and none runs after one of them.
func TestNothingComesBetweenTheItemsOfAForSeq(t *testing.T) {
	checkedOnly(t)
	watchdog(t)
	list := array.NewList[int](safety.Named("list"))
	add := func(w *array.ParallelWriter[int], i, _ int) { w.Append(i) }
	refused := 0
	parallelfor.ForSeq(func(yield func(int) bool) {
		for i := range 300 {
			if i%100 == 50 {
				v := caughtViolation(t, func() {
					parallelfor.ScheduleDo(list.ParallelWriter(), func(w *array.ParallelWriter[int]) { w.Append(-1) }, parallelfor.AutoOrder()).Complete()
				})
				require.ErrorIs(t, v, safety.ErrConflict)
				refused++
			}
			for _, l := range safety.Leaks() {
				require.NotContains(t, l.String(), "seqends_test.go")
			}
			if !yield(i) {
				return
			}
		}
	}, list.ParallelWriter(), add)
	require.Equal(t, 3, refused)
	require.Equal(t, 300, list.Len())
	v := caughtViolation(t, func() {
		parallelfor.ForSeq(slices.Values([]int{1}), list.ParallelWriter(), add, parallelfor.AutoOrder())
	})
	require.ErrorIs(t, v, safety.ErrArgument)
}

// Options are refused whatever the source yields, and at the line of the loop.
func TestOptionsOfLoopsOverEmptySources(t *testing.T) {
	watchdog(t)
	same := func(i int) int { return i }
	for what, o := range map[string]parallelfor.Option{
		"Workers(0)": parallelfor.Workers(0), "Batch(-2)": parallelfor.Batch(-2), "On(nil)": parallelfor.On(nil), "JoinErrors": parallelfor.JoinErrors(),
	} {
		v := caughtViolation(t, func() { _ = slices.Collect(parallelfor.MapSeq(slices.Values([]int(nil)), same, o)) })
		require.ErrorIs(t, v, safety.ErrArgument, what)
		require.Contains(t, v.At, "seqends_test.go", what)
	}
	v := caughtViolation(t, func() {
		for range parallelfor.MapSeqErr(context.Background(), yields(1, nil, func() {}), func(int) (int, error) { return 0, parallelfor.Flush }) {
		}
	})
	require.ErrorIs(t, v, safety.ErrArgument)
	require.Contains(t, fmt.Sprint(v), "Flush")
}
