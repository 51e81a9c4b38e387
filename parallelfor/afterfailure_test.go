package parallelfor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// Loops that return no error do not run after a failed one either, and say nothing of an error;
// those that return one have it, and a panic is the panic of all.
func TestLoopsDoNotRunAfterAFailure(t *testing.T) {
	failed := parallelfor.ScheduleErr(context.Background(), 1, failingJob{}, (*failingJob).Execute)
	failed.Complete()
	after := parallelfor.After(failed)
	never := func() { t.Error("runs after a loop that has failed") }
	parallelfor.For(3, none{}, func(*none, int) { never() }, after)
	parallelfor.ForBatch(3, none{}, func(_ *none, begin, end int) { never() }, after)
	parallelfor.Do(none{}, func(*none) { never() }, after)
	parallelfor.Indices(3, func(int) { never() }, after)
	parallelfor.Ranges(3, func(begin, end int) { never() }, after)
	parallelfor.SortSlice([]int{2, 1}, func(x, y int) int { never(); return x - y }, after)
	parallelfor.SortSliceByKey([]int{2, 1}, func(x int) int { never(); return x }, after)
	require.Nil(t, parallelfor.MapSlice([]int{1}, func(int) int { never(); return 1 }, after))
	parallelfor.Go(none{}, func(*none) { never() }, after).Complete()
	ctx := context.Background()
	require.ErrorIs(t, parallelfor.ForErr(ctx, 3, none{}, func(*none, int) error { never(); return nil }, after), errIndex)
	require.ErrorIs(t, parallelfor.ForBatchErr(ctx, 3, none{}, func(*none, int, int) error { never(); return nil }, after), errIndex)
	require.ErrorIs(t, parallelfor.DoErr(ctx, none{}, func(*none) error { never(); return nil }, after), errIndex)
	require.ErrorIs(t, parallelfor.IndicesErr(ctx, 3, func(int) error { never(); return nil }, after), errIndex)
	require.ErrorIs(t, parallelfor.RangesErr(ctx, 3, func(begin, end int) error { never(); return nil }, after), errIndex)
	for _, opts := range [][]parallelfor.Option{{after}, {after, parallelfor.JoinErrors()}} {
		list, err := parallelfor.MapSliceErr(ctx, []int{1}, func(int) (int, error) { never(); return 1, nil }, opts...)
		require.Nil(t, list)
		require.ErrorIs(t, err, errIndex)
	}

	boom := errors.New("boom")
	panics := parallelfor.Go(none{}, func(*none) { panic(boom) })
	for range 2 { // whether or not the failure was seen before
		p := recovered(func() { parallelfor.For(3, none{}, func(*none, int) { never() }, parallelfor.After(panics)) })
		err, ok := p.(error)
		require.True(t, ok && errors.Is(err, boom), "%v", p)
		require.NotNil(t, recovered(panics.Complete))
	}
}
