package hashmap

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What views claim, for drivers that ask for it.
func TestClaimsOfViews(t *testing.T) {
	m, multi := New[int, int](), NewMulti[int, int]()
	r, w, p, g, s := m.Reader(), m.Writer(), m.ParallelWriter(), m.ParallelMerger(func(a, b int) int { return a + b }), m.Shared()
	mr, mw, mp, ms := multi.Reader(), multi.Writer(), multi.ParallelWriter(), multi.Shared()
	for i, c := range []safety.Claim{lawtest.ClaimOf(&r), lawtest.ClaimOf(&w), lawtest.ClaimOf(&p), lawtest.ClaimOf(&g), lawtest.ClaimOf(&s), lawtest.ClaimOf(&mr), lawtest.ClaimOf(&mw), lawtest.ClaimOf(&mp), lawtest.ClaimOf(&ms)} {
		want := []safety.Mode{safety.Read, safety.Write, safety.Append, safety.Append, safety.Shared, safety.Read, safety.Write, safety.Append, safety.Shared}[i]
		require.Equal(t, want, c.Mode)
		require.NotNil(t, c.Guard)
	}
}

// A body lends the keys on that it has.
func TestABodyLendsKeysOfAMultiMapOn(t *testing.T) {
	multi := NewMulti[int, int]()
	multi.AddAll(0, nil)
	for k := range 6 {
		multi.Add(k, k)
	}
	parallelfor.ForBatch(6, multi.Writer(), func(w *MultiWriter[int, int], begin, end int) {
		parallelfor.For(end-begin, *w, func(v *MultiWriter[int, int], i int) {
			k, vals := v.At(i)
			vals[0] += 10*k + i
		})
	}, parallelfor.Batch(3))
	require.Equal(t, []int{0, 12, 24, 33, 45, 57}, slices.Collect(func(yield func(int) bool) {
		multi.All()(func(_, v int) bool { return yield(v) })
	}))
	require.Equal(t, []int{7, 12}, multi.AppendValues([]int{7}, 1))
}
