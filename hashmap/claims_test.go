package hashmap_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/hashmap"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What views claim, for drivers that ask for it.
func TestClaimsOfViews(t *testing.T) {
	m, multi := hashmap.New[int, int](), hashmap.NewMulti[int, int]()
	r, w, p, g, s := m.Reader(), m.Writer(), m.ParallelWriter(), m.ParallelMerger(func(a, b int) int { return a + b }), m.Shared()
	mr, mw, mp, ms := multi.Reader(), multi.Writer(), multi.ParallelWriter(), multi.Shared()
	for i, c := range []safety.Claim{r.Claim(), w.Claim(), p.Claim(), g.Claim(), s.Claim(), mr.Claim(), mw.Claim(), mp.Claim(), ms.Claim()} {
		want := []safety.Mode{safety.Read, safety.Write, safety.Append, safety.Append, safety.Shared, safety.Read, safety.Write, safety.Append, safety.Shared}[i]
		require.Equal(t, want, c.Mode)
		require.NotNil(t, c.Guard)
	}
}

// A body lends the keys on that it has.
func TestABodyLendsKeysOfAMultiMapOn(t *testing.T) {
	multi := hashmap.NewMulti[int, int]()
	multi.AddAll(0, nil)
	for k := range 6 {
		multi.Add(k, k)
	}
	parallelfor.ForBatch(6, multi.Writer(), func(w *hashmap.MultiWriter[int, int], begin, end int) {
		parallelfor.For(end-begin, *w, func(v *hashmap.MultiWriter[int, int], i int) {
			k, vals := v.At(i)
			vals[0] += 10*k + i
		})
	}, parallelfor.Batch(3))
	require.Equal(t, []int{0, 12, 24, 33, 45, 57}, slices.Collect(func(yield func(int) bool) {
		multi.All()(func(_, v int) bool { return yield(v) })
	}))
	require.Equal(t, []int{7, 12}, multi.AppendValues([]int{7}, 1))
}

// ascending says that a map gives keys that ordinary operations have put in in ascending order to a job.
func ascending[K comparable](t *testing.T, keys ...K) {
	m := hashmap.New[K, int]()
	for _, k := range slices.Backward(keys) {
		m.Store(k, 0)
	}
	var got []K
	parallelfor.Do(m.Reader(), func(r *hashmap.Reader[K, int]) { got = slices.Collect(r.Keys()) })
	require.Equal(t, keys, got)
}

func TestKeysOfOrdinaryOperationsAscend(t *testing.T) {
	ascending[int32](t, -7, 2, 9)
	ascending[int64](t, -7, 2, 9)
	ascending[uint32](t, 2, 9, 1<<31)
}
