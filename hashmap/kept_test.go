package hashmap

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/parallelfor"
)

// Making a view does not look at the stack, which allocates, while no Hasher is being asked. No
// call is counted any more after a computation, or after a Hasher that panicked.
func TestViewsOfMapsWithHashersAllocateNothing(t *testing.T) {
	if atom.Race || atom.Explored {
		t.Skip("these builds always look")
	}
	by := newPrying()
	m, multi := NewWith[int, int](by), NewMultiWith[int, int](by)
	m.Compute(1, func(int, bool) (int, Op) { return 1, Update })
	multi.Add(1, 1)
	*by.hash = func() { panic("no") }
	require.Panics(t, func() { m.Load(1) })
	*by.hash = nil
	require.False(t, asking.running())
	require.False(t, computations.running())
	require.Zero(t, testing.AllocsPerRun(10, func() { m.Shared(); m.Reader(); multi.Shared(); multi.Reader() }))
}

// Jobs of many items and jobs of few items by turns allocate nothing for the sorting of the items.
// The memory that a large job has needed goes after many small jobs.
func TestJobsThatTakeTurnsKeepTheirMemory(t *testing.T) {
	const many, few = 5000, 10
	of := splitterOf[int]()
	s := split{of: &of}
	var spans spanKeys
	keys := &NewMulti[int, int]().in.keys
	use := func(n int) (room []int) {
		s.n, s.spans = n, 1
		s.resize(n, true)
		for k := range n {
			spans.find(keys, keys.of(ref(&k)), ref(&k))
		}
		spans.clear()
		return []int{cap(s.numbers), s.room, cap(s.notes), cap(s.hashes), cap(s.logged), cap(s.starts), cap(spans.locals), cap(spans.counts), len(spans.places)}
	}
	large := use(many)
	for range 100 {
		require.Equal(t, large, use(few))
		require.Equal(t, large, use(many))
	}
	for range 10 {
		use(few)
	}
	for i, n := range use(few) {
		require.Less(t, n, many/10, i)
	}
}

// A view is found where another one embeds it.
func TestEmbeddedViews(t *testing.T) {
	type tagged struct {
		n                     int
		MultiWriter[int, int] `custody:"part"`
	}
	m := NewMulti[int, int]()
	m.Add(1, 5)
	parallelfor.For(1, tagged{n: 3, MultiWriter: m.Writer()}, func(w *tagged, i int) {
		_, vals := w.At(i)
		vals[0] += w.n
	})
	require.Equal(t, []int{8}, m.Values(1))
}

// A view that was kept beyond its job reads no memory of others, also where no build reports it.
func TestKeptViewsReadNothingElse(t *testing.T) {
	m := NewMulti[int, int]()
	for i := range 10_000 {
		m.Add(i, i)
	}
	var reader MultiReader[int, int]
	var writer MultiWriter[int, int]
	parallelfor.Do(m.Reader(), func(r *MultiReader[int, int]) { reader = *r })
	parallelfor.Do(m.Writer(), func(w *MultiWriter[int, int]) { writer = *w })
	for i := range 9_900 {
		m.Delete(i)
	}
	m.Clear()
	require.Panics(t, func() { reader.At(9_999) })
	require.Panics(t, func() { writer.At(9_999) })
}

// Values without a size are visited as others are.
func TestLoopsOverValuesWithoutASize(t *testing.T) {
	m := NewMulti[int, struct{}]()
	for i := range 100 {
		m.AddAll(i, make([]struct{}, i+1))
	}
	n := 0
	parallelfor.Do(m.Reader(), func(r *MultiReader[int, struct{}]) {
		for i := range r.Len() {
			_, vals := r.At(i)
			n += len(vals)
		}
	})
	require.Equal(t, 5050, n)
}

// A walk of DeleteFunc allocates as much for many keys as for a few.
func TestDeleteFuncAllocatesNothingForAKey(t *testing.T) {
	if atom.Race || atom.Explored {
		t.Skip("these builds allocate more")
	}
	words, boxed := New[int, int](), New[string, any]()
	for i := range 1000 {
		words.Store(i, i)
		boxed.Store(strconv.Itoa(i), i)
	}
	require.Less(t, testing.AllocsPerRun(5, func() {
		words.DeleteFunc(func(_, v int) bool { return v < 0 })
		boxed.DeleteFunc(func(_ string, v any) bool { return v == nil })
	}), 20.0)
}
