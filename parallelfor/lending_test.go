package parallelfor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/array"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A body of a loop over indices may pass its Writer to a nested loop where a batch is one index,
// with every option that decides how the loop is cut.
func TestALoopOverIndicesLendsItsWriterWhereABatchIsOneIndex(t *testing.T) {
	checkedOnly(t)
	const n, k = 100, 4
	inner := func(w *array.Writer[int], i int) { w.Set(i, w.At(i)+1) }
	for name, c := range map[string]struct {
		n       int
		options []parallelfor.Option
		indices int // of a batch
	}{
		"Batch(1)":            {n, []parallelfor.Option{parallelfor.Batch(1)}, 1},
		"Batch(1), in order":  {n, []parallelfor.Option{parallelfor.Batch(1), parallelfor.Sequential()}, 1},
		"few, automatic":      {8, nil, 1},
		"one":                 {1, []parallelfor.Option{parallelfor.Batch(-1)}, 1},
		"one, of many":        {1, []parallelfor.Option{parallelfor.Batch(10)}, 1},
		"Batch(-1)":           {n, []parallelfor.Option{parallelfor.Batch(-1)}, n},
		"Batch(7)":            {n, []parallelfor.Option{parallelfor.Batch(7)}, 7},
		"Batch(7), LengthOf":  {-1, []parallelfor.Option{parallelfor.Batch(7), parallelfor.LengthOf(numbers(n).Reader())}, 7},
		"Batch(7), in order":  {n, []parallelfor.Option{parallelfor.Batch(7), parallelfor.Sequential()}, 7},
		"Batch(7), scheduled": {n, []parallelfor.Option{parallelfor.Batch(7), parallelfor.Inline()}, 7},
	} {
		a := array.New[int](n*k, safety.Named("a"))
		rows := array.ByRows(a.Writer(), k)
		run := func() {
			parallelfor.For(c.n, rows, func(w *array.Writer[int], i int) {
				parallelfor.For(k, array.ByRows(*w, 1), inner, parallelfor.Name("inner"))
			}, append(c.options, parallelfor.Name("outer"))...)
		}
		if c.indices == 1 {
			run()
			require.Equal(t, 1, a.At(c.n*k-1), name)
			continue
		}
		v := violation(t, safety.ErrNotLent, run)
		require.Equal(t, "inner", v.Job, name)
		require.Equal(t, "outer", v.OtherJob, name)
		require.Equal(t, c.indices, v.N, name)
		require.Contains(t, v.Error(), "ForBatch", name)
		require.Zero(t, a.At(0), name)

		// A body of a loop over batches may pass on all of its Writer. A body of any loop may pass
		// on a view without a range.
		parallelfor.ForBatch(c.n, rows, func(w *array.Writer[int], begin, end int) {
			parallelfor.For((end-begin)*k, array.ByRows(*w, 1), inner)
		}, c.options...)
		require.Equal(t, 1, a.At(n*k-1), name)
		parallelfor.For(c.n, array.Unrestricted(a.Writer()), func(w *array.Writer[int], i int) {
			if i == 0 {
				parallelfor.For(k, *w, inner)
			}
		}, c.options...)
		parallelfor.For(c.n, a.Reader(), func(r *array.Reader[int], i int) {
			parallelfor.For(k, *r, func(r *array.Reader[int], k int) { _ = r.At(i) })
		}, c.options...)
	}
	// If the Writer passed on is too short, the advice names what helps.
	a := array.New[int](n)
	tooLong := func(w *array.Writer[int]) { parallelfor.For(k, *w, inner) }
	v := violation(t, safety.ErrLength, func() {
		parallelfor.For(n, a.Writer(), func(w *array.Writer[int], i int) { tooLong(w) }, parallelfor.Batch(1))
	})
	require.Contains(t, v.Error(), "ForBatch")
	require.NotContains(t, v.Error(), "larger Batch")
	v = violation(t, safety.ErrLength, func() {
		parallelfor.ForBatch(n, a.Writer(), func(w *array.Writer[int], _, _ int) { tooLong(w) }, parallelfor.Batch(2))
	})
	require.Contains(t, v.Error(), "larger Batch")
}
