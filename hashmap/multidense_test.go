package hashmap

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/hash"
	"example.com/custody/parallelfor"
)

// A loop that fills an empty multimap leaves a row, by which jobs read and write; whatever changes
// more than values in their places takes it away, and what jobs see then is what there is.
func TestARowIsTakenAwayByEveryChange(t *testing.T) {
	for _, keys := range []int{300, 4500} { // grouped by spans, and by parts
		t.Run(strconv.Itoa(keys), func(t *testing.T) { rowIsTakenAway(t, keys) })
	}
}

func rowIsTakenAway(t *testing.T, keys int) {
	const n = 50_000
	type multimap = MultiMap[int, int]
	fill := func(m *multimap) {
		parallelfor.ForBatch(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], begin, end int) {
			for i := begin; i < end; i++ {
				w.Add(scattered(i, keys), i)
			}
		}, parallelfor.Workers(2))
	}
	absent := func(r *MultiReader[int, int], k int) {
		if vals := r.Values(k); vals != nil {
			t.Errorf("%d has %v", k, vals)
		}
	}
	shown := func(m *multimap) (all [][]int, byKey [][]int) {
		parallelfor.Do(m.Reader(), func(r *MultiReader[int, int]) {
			for i := range r.Len() {
				k, vals := r.At(i)
				all = append(all, append([]int{k}, vals...))
				byKey = append(byKey, append([]int{k}, r.Values(k)...))
			}
			for k := range 1000 {
				absent(r, keys+k)
			}
		})
		return all, byKey
	}
	outside := func(m *multimap) (all [][]int) {
		for k, vals := range m.Groups() {
			all = append(all, append([]int{k}, vals...))
		}
		return all
	}
	for name, c := range map[string]struct {
		stays  bool
		change func(m *multimap)
	}{
		"nothing":     {true, func(*multimap) {}},
		"looking":     {true, func(m *multimap) { m.Values(1); m.Count(2); m.Len(); m.LenKeys(); _ = keysOf(m.Groups()) }},
		"Add":         {false, func(m *multimap) { m.Add(3, -1) }},
		"another key": {false, func(m *multimap) { m.Add(-3, -1) }},
		"AddAll":      {false, func(m *multimap) { m.AddAll(4, []int{-1, -2}) }},
		"Delete":      {false, func(m *multimap) { m.Delete(5) }},
		"DeleteValue": {false, func(m *multimap) { m.DeleteValue(7, 1) }},
		"Replace":     {false, func(m *multimap) { m.Replace(8, []int{-1}) }},
		"Clear":       {false, func(m *multimap) { m.Clear() }},
		"Trim":        {false, func(m *multimap) { m.Trim() }},
		"a few more": {false, func(m *multimap) {
			parallelfor.Do(m.ParallelWriter(), func(w *MultiParallelWriter[int, int]) { w.Add(9, -1) })
		}},
		"many more": {false, fill},
		"sharing": {false, func(m *multimap) {
			parallelfor.For(100, m.Shared(), func(s *MultiShared[int, int], i int) { s.Add(i, -1) })
		}},
		"writing": {true, func(m *multimap) {
			parallelfor.For(keys, m.Writer(), func(w *MultiWriter[int, int], i int) {
				k, vals := w.At(i)
				vals[0] = -k
			}, parallelfor.Batch(64))
			parallelfor.Do(m.Writer(), func(w *MultiWriter[int, int]) {
				k, vals := w.At(keys - 1)
				vals[1] = -k
			})
		}},
		"writing what a body lends on": {true, func(m *multimap) {
			parallelfor.ForBatch(keys, m.Writer(), func(w *MultiWriter[int, int], begin, end int) {
				parallelfor.For(end-begin, *w, func(w *MultiWriter[int, int], i int) {
					k, vals := w.At(i)
					vals[0] = -k
				})
			}, parallelfor.Batch(1000))
		}},
	} {
		for _, given := range []bool{false, true} {
			m := NewMulti[int, int]()
			if given {
				m.in.keys.seed, m.in.keys.how = hash.Seed{}, hash.AsAny
				m.in.keys.hash = func(k ref) uint64 { // most parts get nothing
					return uint64(*(*int)(k)%2) << 63 >> (*(*int)(k) % 3)
				}
			}
			fill(m)
			require.Equal(t, given, m.in.row.Load().places == nil)
			require.NotNil(t, m.in.row.Load())
			before, _ := shown(m)
			require.Equal(t, keys, len(before))
			c.change(m)
			require.Equal(t, c.stays, m.in.row.Load() != nil, name)
			want := outside(m)
			all, byKey := shown(m)
			same := func(got [][]int) bool { return slices.EqualFunc(want, got, slices.Equal[[]int]) }
			require.True(t, same(all), name)
			require.True(t, same(byKey), name)
			if name == "writing what a body lends on" || name == "writing" {
				for i, one := range all {
					require.Equal(t, -one[0], one[1], "key %d", i)
				}
			}
		}
	}
}

// scattered returns keys as if drawn by lot, all that there are for large i.
func scattered(i, keys int) int { return int(scatter.Of(uint64(i)) >> 11 % uint64(keys)) }

var scatter = hash.NewWord(7)

// The row of a loop that has filled the multimap again, after a Clear, is its own.
func TestARowAfterClear(t *testing.T) {
	m := NewMulti[int, int]()
	for round := range 3 {
		const n = 100_000
		keys := 9000 + round
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(scattered(i, keys), i+round) }, parallelfor.Workers(2))
		require.NotNil(t, m.in.row.Load())
		parallelfor.For(keys, m.Reader(), func(r *MultiReader[int, int], i int) {
			k, vals := r.At(i)
			for _, v := range vals {
				if scattered(v-round, keys) != k {
					t.Errorf("round %d: key %d at %d has %v", round, k, i, vals)
				}
			}
			if !slices.Equal(vals, r.Values(k)) {
				t.Errorf("round %d: key %d at %d has %v, and by the key %v", round, k, i, vals, r.Values(k))
			}
		})
		m.Clear()
		require.Nil(t, m.in.row.Load())
	}
}

// Groups whose keys were deleted one by one, and which a loop that fills the multimap again does
// not need, have no part in the row.
func TestARowBesideGroupsThatAreFree(t *testing.T) {
	m := NewMulti[int, int]()
	fill := func(n, keys int) {
		parallelfor.ForBatch(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], begin, end int) {
			for i := begin; i < end; i++ {
				w.Add(scattered(i, keys), i)
			}
		}, parallelfor.Workers(2))
	}
	fill(100_000, 50_000)
	for k := range 50_000 {
		m.Delete(k)
	}
	require.Zero(t, m.Len())
	none := func() { // has the keys that are gone leave the order
		parallelfor.Do(m.Reader(), func(r *MultiReader[int, int]) { require.Zero(t, r.Len()) })
	}
	none()
	for _, n := range []int{100_000, 80_000} {
		keys := n / 10
		fill(n, keys)
		require.NotNil(t, m.in.row.Load())
		want := map[int][]int{}
		for i := range n {
			want[scattered(i, keys)] = append(want[scattered(i, keys)], i)
		}
		require.Equal(t, len(want), m.LenKeys())
		parallelfor.For(len(want), m.Reader(), func(r *MultiReader[int, int], i int) {
			if k, vals := r.At(i); !slices.Equal(vals, want[k]) || !slices.Equal(r.Values(k), want[k]) {
				t.Errorf("key %d at %d has %v, not %v", k, i, vals, want[k])
			}
		})
		for k := range keys {
			require.Equal(t, len(want[k]), m.Delete(k))
		}
		none()
	}
}
