package hashmap

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// All ways to range over a multimap in a job, to their ends and not.
func TestRangesOverAMultiMapInAJob(t *testing.T) {
	m := cities()
	var keys, firsts []any
	values, groups := 0, 0
	parallelfor.Do(m.Reader(), func(r *MultiReader[any, any]) {
		for k, vals := range r.Groups() {
			keys, groups = append(keys, k), groups+len(vals)
		}
		for k := range r.Groups() {
			firsts = append(firsts, k)
			break
		}
		for range r.All() {
			values++
		}
		for k := range r.All() {
			firsts = append(firsts, k)
			break
		}
	})
	require.Equal(t, []any{"de", "fr", "it"}, keys)
	require.Equal(t, []any{"de", "de"}, firsts)
	require.Equal(t, []int{6, 6}, []int{values, groups})
	parallelfor.Do(m.Writer(), func(w *MultiWriter[any, any]) {
		for k, vals := range w.Groups() {
			vals[0] = k
			break
		}
	})
	require.Equal(t, []any{"de", "Bonn"}, m.Values("de"))
	parallelfor.Do(m.ParallelWriter(), func(w *MultiParallelWriter[any, any]) { w.AddAll("fr", []any{"Nice", "Lyon"}) })
	require.Equal(t, []any{"Paris", "Nice", "Lyon"}, m.Values("fr"))
}

// A multimap with a few keys gets many more in one loop, and other parts with them: all are there,
// in order.
func TestAMultiMapGetsOtherParts(t *testing.T) {
	const n = 150_000
	m := NewMulti[float64, int]()
	for k := range 10 {
		m.Add(float64(k), -k)
	}
	m.Add(math.NaN(), 7)
	require.Len(t, keysOf(m.Groups()), 11)
	m.Delete(3) // which has its place among the others meanwhile
	parallelfor.ForBatch(n, m.ParallelWriter(), func(w *MultiParallelWriter[float64, int], begin, end int) {
		for i := begin; i < end; i++ {
			w.Add(float64(i), i)
		}
	}, parallelfor.Workers(2))
	require.Equal(t, n+1, m.LenKeys())
	require.Equal(t, n+10, m.Len())
	require.Equal(t, []int{-5, 5}, m.Values(5))
	require.Equal(t, []int{3}, m.Values(3))
	at := 0
	for k := range m.Groups() {
		switch {
		case at < 3 && k != float64(at), at >= 3 && at < 9 && k != float64(at+1), at == 9 && k == k, at == 10 && k != 3, at > 10 && k != float64(at-1):
			t.Fatalf("key %d is %v", at, k)
		}
		at++
	}
	parallelfor.ForBatch(2000, m.ParallelWriter(), func(w *MultiParallelWriter[float64, int], begin, end int) {
		for i := begin; i < end; i++ {
			w.Add(float64(i*50), -i)
		}
	})
	require.Equal(t, []int{50, -1}, m.Values(50))
}

// How the first values of a loop are does not say how the others are.
func TestALoopThatAddsToFewKeysAndThenToMany(t *testing.T) {
	const few, n = oneSpan + 5, 3 * oneSpan
	m := NewMulti[int, int]()
	parallelfor.ForBatch(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], begin, end int) {
		for i := begin; i < end; i++ {
			w.Add(max(i-few, i%3), i)
		}
	}, parallelfor.Workers(2))
	require.Equal(t, n-few, m.LenKeys())
	require.Equal(t, n, m.Len())
	require.Equal(t, []int{n - 1}, m.Values(n-1-few))
	k := 0
	for got := range m.Groups() {
		if got != k {
			t.Fatalf("key %d is %d", k, got)
		}
		k++
	}
}

// A loop adds little to many keys: that little is put behind what they have, in order.
func TestAddingLittleToManyKeys(t *testing.T) {
	if safety.Strict || atom.Race || atom.Explored {
		t.Skip("slow there, and the same")
	}
	const n, some = 700_000, oneSpan + 1000
	m := NewMulti[int, int]()
	parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(i, i) })
	parallelfor.For(some, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) {
		w.Add(n+100-20*i%(n+200), -i)
	})
	want := map[int][]int{}
	for i := range some {
		k := n + 100 - 20*i%(n+200)
		if want[k] == nil && k >= 0 && k < n {
			want[k] = []int{k}
		}
		want[k] = append(want[k], -i)
	}
	for k, vals := range want {
		require.Equal(t, vals, m.Values(k))
	}
	require.Equal(t, n+some, m.Len())
}

// Memory that next to nothing of was used is not kept when all is deleted.
func TestClearGivesBackWhatLittleWasUsedOf(t *testing.T) {
	m := NewMulti[int, int]()
	fill := func() {
		parallelfor.For(100_000, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(i%1000, i) })
	}
	fill()
	m.Clear()
	require.NotZero(t, m.in.block.last.cap)
	fill()
	for k := range 999 {
		m.Delete(k)
	}
	m.Clear()
	require.Zero(t, m.in.block.last.cap)
}
