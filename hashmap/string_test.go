package hashmap

import (
	"fmt"
	"hash/maphash"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// What a map says is true, and is said whatever jobs run.
func TestMapsSayWhatTheyAre(t *testing.T) {
	const reads, appends, shares = "job job reads it and has not finished", "job job appends to it and has not finished", "job job shares it and has not finished"
	named := safety.Named("words")
	words, bigs, multi := New[int, int](named), New[string, string](named), NewMulti[string, int](named)
	words.Store(1, 2)
	bigs.Store("a", "b")
	bigs.Store("c", "d")
	multi.AddAll("a", []int{1, 2, 3})
	for _, c := range []lawtest.Says{
		{
			Of: words, Dispose: words.Dispose, Free: `hashmap.Map[int,int] "words": 1 key`, Ended: `hashmap.Map[int,int] "words": disposed`,
			Held: map[string]safety.View{
				`hashmap.Map[int,int] "words": 1 key; ` + reads:  new(words.Reader()),
				`hashmap.Map[int,int] "words": 1 key; ` + shares: new(words.Shared()),
				`hashmap.Map[int,int] "words": ` + appends:       new(words.ParallelWriter()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*Map[int, int])(nil), "hashmap.Map[int,int]: never made": new(Map[int, int])},
		},
		{
			Of: bigs, Dispose: bigs.Dispose, Free: `hashmap.Map[string,string] "words": 2 keys`, Ended: `hashmap.Map[string,string] "words": disposed`,
			Held: map[string]safety.View{`hashmap.Map[string,string] "words": ` + appends: new(bigs.ParallelWriter())},
		},
		{
			Of: multi, Dispose: multi.Dispose, Free: `hashmap.MultiMap[string,int] "words": 3 values of 1 key`, Ended: `hashmap.MultiMap[string,int] "words": disposed`,
			Held: map[string]safety.View{
				`hashmap.MultiMap[string,int] "words": 3 values of 1 key; ` + reads: new(multi.Reader()),
				`hashmap.MultiMap[string,int] "words": ` + appends:                  new(multi.ParallelWriter()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*MultiMap[int, int])(nil), "hashmap.MultiMap[int,int]: never made": new(MultiMap[int, int])},
		},
	} {
		c.Check(t)
	}
}

// telling is a Hasher that prints its map, under whatever locks the map has then.
type telling struct{ of *MultiMap[int, int] }

func (h *telling) Hash(to *maphash.Hash, k int) { maphash.WriteComparable(to, k%2) }

func (h *telling) Equal(a, b int) bool {
	if h.of != nil {
		_ = h.of.String()
	}
	return a == b
}

func TestAHasherMayPrintItsMultiMap(t *testing.T) {
	h := new(telling)
	m := NewMultiWith[int, int](h)
	h.of = m
	for i := range 10 {
		m.Add(i%3, i)
	}
	require.Equal(t, "hashmap.MultiMap[int,int]: 10 values of 3 keys", m.String())
}

func TestStatsOfMaps(t *testing.T) {
	words, bigs := New[int, int](), New[string, string]()
	for n := range 5000 {
		words.Store(n, n)
		bigs.Store(fmt.Sprint(n), "")
	}
	for _, s := range []Stats{words.Stats(), bigs.Stats()} {
		require.Equal(t, 5000, s.Len)
		require.GreaterOrEqual(t, s.Tables, 1)
		require.GreaterOrEqual(t, s.Room, s.Len)
		require.Greater(t, s.Places, s.Room)
		require.GreaterOrEqual(t, s.Bytes, 8*s.Places)
		require.LessOrEqual(t, s.Bytes, 32*s.Places)
	}
	words.Clear()
	s := words.Stats()
	require.Zero(t, s.Len)
	require.Equal(t, 1, s.Tables)
	require.Zero(t, s.Moved)
	require.Less(t, s.Places, 100)

	moving := New[int, int]()
	table := moving.in.root.Load()
	table.done.Store(5)
	table.next.Store(New[int, int]().in.root.Load())
	s = moving.Stats()
	require.Equal(t, 2, s.Tables)
	require.Equal(t, 5, s.Moved)

	ordered := New[int, int]()
	parallelfor.For(100, ordered.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(i, i) })
	for range ordered.All() { // which are in the order of the loop
		break
	}
	plain := New[int, int]()
	for i := range 100 {
		plain.Store(i, i)
	}
	o, p := ordered.Stats(), plain.Stats()
	require.Equal(t, 100, o.Len)
	require.Greater(t, o.Bytes*p.Places, p.Bytes*o.Places, "an order takes memory")

	multi := NewMulti[int, int]()
	require.Zero(t, multi.Stats().Keys)
	for n := range 5000 {
		multi.Add(n%100, n)
	}
	m := multi.Stats()
	require.Equal(t, []int{5000, 100}, []int{m.Len, m.Keys})
	require.GreaterOrEqual(t, m.Places, 100)
	require.Positive(t, m.Tables)
	require.LessOrEqual(t, m.Keys, m.Room)
	require.GreaterOrEqual(t, m.Bytes, 8*m.Places)
}

// Figures of a map are refused where its length is, and belong to the map that there is at the
// time.
func TestStatsBesideChanges(t *testing.T) {
	m := New[int, int]()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range lawtest.Rounds(40_000) {
			m.Store(i, i)
			if i%1000 == 0 {
				m.Clear()
			}
		}
	}()
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		if s := m.Stats(); s.Moved > s.Places || s.Tables < 1 || s.Len < 0 {
			t.Fatalf("%+v", s)
		}
	}
	require.NoError(t, lawtest.Held(new(m.ParallelWriter()), 1, func() {
		if safety.Enabled {
			require.ErrorIs(t, lawtest.Violation(t, func() error { m.Stats(); return nil }), safety.ErrInFlight)
		}
	}))
}
