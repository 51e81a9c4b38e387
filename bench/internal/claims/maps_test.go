package claims

import (
	"hash/maphash"
	"maps"
	"strconv"
	"sync"
	"testing"

	"github.com/puzpuzpuz/xsync/v4"
	"github.com/stretchr/testify/require"

	"example.com/custody/counter"
	"example.com/custody/hashmap"
	"example.com/custody/queue"
)

// trio holds the same pairs in a sync.Map, a map of xsync and a map of custody.
type trio struct {
	std  *sync.Map
	peer *xsync.Map[string, int]
	here *hashmap.Map[string, int]
}

// three returns maps of "a" to 1 and "b" to 2.
func three() trio {
	m := trio{new(sync.Map), xsync.NewMap[string, int](), hashmap.New[string, int]()}
	for i, k := range []string{"a", "b"} {
		m.std.Store(k, i+1)
		m.peer.Store(k, i+1)
		m.here.Store(k, i+1)
	}
	return m
}

// same requires that each of the three maps holds exactly want.
func (m trio) same(t *testing.T, want map[string]int) {
	t.Helper()
	std := map[string]int{}
	m.std.Range(func(k, v any) bool { std[k.(string)] = v.(int); return true })
	require.Equal(t, want, std)
	require.Equal(t, want, xsync.ToPlainMap(m.peer))
	require.Equal(t, want, maps.Collect(m.here.All()))
}

// number returns the value that sync.Map returned as an int, and 0 for nil.
func number(v any) int { n, _ := v.(int); return n }

// both requires that two libraries return the same result for a key with a value and for one
// without.
func both(t *testing.T, peer, here func(k string) (int, bool)) {
	t.Helper()
	for _, k := range []string{"a", "none"} {
		v, ok := peer(k)
		w, there := here(k)
		require.Equal(t, v, w, k)
		require.Equal(t, ok, there, k)
	}
}

var mapClaims = map[string]func(t *testing.T){
	"`sync.Map`, `NewMap`": func(t *testing.T) {
		m := trio{new(sync.Map), xsync.NewMap[string, int](), hashmap.New[string, int]()}
		m.same(t, map[string]int{})
	},
	"`WithPresize`": func(t *testing.T) {
		peer, here := xsync.NewMap[int, int](xsync.WithPresize(1000)), hashmap.New[int, int]()
		here.Grow(1000)
		room := here.Stats().Room
		for i := range 1000 {
			peer.Store(i, i)
			here.Store(i, i)
		}
		require.Equal(t, peer.Size(), here.Len())
		require.Equal(t, room, here.Stats().Room, "the map must not grow again")
	},
	"-": func(t *testing.T) { // NewWith has no counterpart
		m := hashmap.NewWith[int, int](identity{})
		m.Store(1, 10)
		v, ok := m.Load(1)
		require.True(t, ok)
		require.Equal(t, 10, v)
	},
	"`Load`": func(t *testing.T) {
		m := three()
		both(t, m.peer.Load, m.here.Load)
		both(t, func(k string) (int, bool) { v, ok := m.std.Load(k); return number(v), ok }, m.here.Load)
	},
	"`Store`": func(t *testing.T) {
		m := three()
		m.std.Store("a", 5)
		m.peer.Store("a", 5)
		m.here.Store("a", 5)
		m.same(t, map[string]int{"a": 5, "b": 2})
	},
	"`LoadOrStore`": func(t *testing.T) {
		m := three()
		here := func(k string) (int, bool) { return m.here.LoadOrStore(k, 9) }
		both(t, func(k string) (int, bool) { return m.peer.LoadOrStore(k, 9) }, here)
		m.here.Delete("none")
		both(t, func(k string) (int, bool) { v, ok := m.std.LoadOrStore(k, 9); return number(v), ok }, here)
		m.same(t, map[string]int{"a": 1, "b": 2, "none": 9})
	},
	"`LoadAndDelete`": func(t *testing.T) {
		m := three()
		both(t, m.peer.LoadAndDelete, m.here.LoadAndDelete)
		m.here.Store("a", 1)
		both(t, func(k string) (int, bool) { v, ok := m.std.LoadAndDelete(k); return number(v), ok }, m.here.LoadAndDelete)
		m.same(t, map[string]int{"b": 2})
	},
	"`Delete`": func(t *testing.T) {
		m := three()
		for _, k := range []string{"a", "none"} {
			m.std.Delete(k)
			m.peer.Delete(k)
			m.here.Delete(k)
		}
		m.same(t, map[string]int{"b": 2})
		for i := range 10_000 {
			m.peer.Store(strconv.Itoa(i), i)
			m.here.Store(strconv.Itoa(i), i)
		}
		before, places := m.peer.Stats().TotalBuckets, m.here.Stats().Places
		for i := range 10_000 {
			m.peer.Delete(strconv.Itoa(i))
			m.here.Delete(strconv.Itoa(i))
		}
		require.Less(t, m.peer.Stats().TotalBuckets, before)
		require.Equal(t, places, m.here.Stats().Places)
		m.here.Trim()
		require.Less(t, m.here.Stats().Places, places)
	},
	"`Swap`": func(t *testing.T) {
		m := three()
		both(t, func(k string) (int, bool) { v, ok := m.std.Swap(k, 7); return number(v), ok },
			func(k string) (int, bool) { return m.here.Swap(k, 7) })
	},
	"`LoadAndStore`": func(t *testing.T) {
		m := three()
		v, loaded := m.peer.LoadAndStore("a", 7)
		w, swapped := m.here.Swap("a", 7)
		require.Equal(t, v, w)
		require.Equal(t, loaded, swapped)
		v, loaded = m.peer.LoadAndStore("none", 7)
		w, swapped = m.here.Swap("none", 7)
		require.Equal(t, []any{7, false, 0, false}, []any{v, loaded, w, swapped})
	},
	"`CompareAndSwap`": func(t *testing.T) {
		m := three()
		for _, old := range []int{5, 1} {
			require.Equal(t, m.std.CompareAndSwap("a", old, 3), m.here.CompareAndSwap("a", old, 3))
		}
		require.Equal(t, m.std.CompareAndSwap("none", 0, 3), m.here.CompareAndSwap("none", 0, 3))
		v, _ := m.here.Load("a")
		require.Equal(t, 3, v)
	},
	"`CompareAndDelete`": func(t *testing.T) {
		m := three()
		for _, old := range []int{5, 1, 1} {
			require.Equal(t, m.std.CompareAndDelete("a", old), m.here.CompareAndDelete("a", old))
		}
		_, ok := m.here.Load("a")
		require.False(t, ok)
	},
	"`Range`, `RangeRelaxed`, `All`, `AllRelaxed`": func(t *testing.T) {
		m := three()
		m.same(t, map[string]int{"a": 1, "b": 2})
		relaxed := map[string]int{}
		m.peer.RangeRelaxed(func(k string, v int) bool { relaxed[k] = v; return true })
		require.Equal(t, relaxed, maps.Collect(m.here.All()))
		require.Equal(t, maps.Collect(m.peer.All()), maps.Collect(m.here.All()))
		require.Equal(t, maps.Collect(m.peer.AllRelaxed()), maps.Collect(m.here.All()))
	},
	"`Clear`": func(t *testing.T) {
		m := three()
		m.std.Clear()
		m.peer.Clear()
		m.here.Clear()
		m.same(t, map[string]int{})
	},
	"`Size`": func(t *testing.T) {
		m := three()
		require.Equal(t, m.peer.Size(), m.here.Len())
	},
	"`Compute`, `UpdateOp`, `DeleteOp`, `CancelOp`": func(t *testing.T) {
		m := three()
		for _, c := range []struct {
			peer xsync.ComputeOp
			here hashmap.Op
		}{{xsync.UpdateOp, hashmap.Update}, {xsync.CancelOp, hashmap.Keep}} {
			both(t, func(k string) (int, bool) {
				return m.peer.Compute(k, func(old int, _ bool) (int, xsync.ComputeOp) { return old + 10, c.peer })
			}, func(k string) (int, bool) {
				return m.here.Compute(k, func(old int, _ bool) (int, hashmap.Op) { return old + 10, c.here })
			})
			m.peer.Delete("none")
			m.here.Delete("none")
		}
		v, ok := m.peer.Compute("a", func(old int, _ bool) (int, xsync.ComputeOp) { return 0, xsync.DeleteOp })
		w, there := m.here.Compute("a", func(old int, _ bool) (int, hashmap.Op) { return 0, hashmap.Delete })
		require.Equal(t, []any{11, false, 0, false}, []any{v, ok, w, there})
		require.Equal(t, []int{int(xsync.CancelOp), int(hashmap.Keep)}, []int{0, 0}, "the zero value leaves the key as it is")
		require.Equal(t, xsync.ToPlainMap(m.peer), maps.Collect(m.here.All()))
	},
	"`LoadOrCompute`": func(t *testing.T) {
		m := three()
		for _, cancel := range []bool{true, false} {
			both(t, func(k string) (int, bool) { return m.peer.LoadOrCompute(k, func() (int, bool) { return 9, cancel }) },
				func(k string) (int, bool) { return m.here.LoadOrCompute(k, func() (int, bool) { return 9, cancel }) })
			require.Equal(t, xsync.ToPlainMap(m.peer), maps.Collect(m.here.All()))
		}
	},
	"`DeleteMatching`": func(t *testing.T) {
		m := three()
		odd := func(_ string, v int) bool { return v%2 != 0 }
		require.Equal(t, m.peer.DeleteMatching(func(k string, v int) (bool, bool) { return odd(k, v), false }), m.here.DeleteFunc(odd))
		require.Equal(t, xsync.ToPlainMap(m.peer), maps.Collect(m.here.All()))
		m, asked := three(), 0
		m.peer.DeleteMatching(func(string, int) (bool, bool) { asked++; return false, true })
		m.here.DeleteFunc(func(string, int) bool { asked += 10; return false })
		require.Equal(t, 21, asked)
	},
	"`Stats`": func(t *testing.T) {
		m := three()
		require.Equal(t, m.peer.Stats().Size, m.here.Stats().Len)
	},
	"`ToPlainMap`": func(t *testing.T) {
		m := three()
		require.Equal(t, xsync.ToPlainMap(m.peer), maps.Collect(m.here.All()))
		require.Equal(t, xsync.ToPlainMap(m.peer), maps.Collect(m.here.Clone().All()))
	},
	"`Counter`": func(t *testing.T) {
		peer, here := xsync.NewCounter(), counter.New()
		for _, c := range []interface {
			Add(int64)
			Inc()
			Value() int64
		}{peer, here} {
			c.Add(5)
			c.Inc()
			c.Inc()
			c.Add(-1)
			require.EqualValues(t, 6, c.Value())
		}
		peer.Reset()
		here.Set(0)
		require.Zero(t, peer.Value())
		require.Zero(t, here.Value())
	},
	"`MPMCQueue`": func(t *testing.T) {
		peer, here := xsync.NewMPMCQueue[int](5), queue.NewRing[int](5)
		require.Equal(t, 5, here.Cap())
		for i := range 5 {
			require.True(t, peer.TryEnqueue(i))
			require.True(t, here.TryEnqueue(i))
		}
		require.True(t, peer.TryEnqueue(5), "xsync rounds the capacity up")
		require.False(t, here.TryEnqueue(5))
		for range 5 {
			v, ok := peer.TryDequeue()
			w, there := here.TryDequeue()
			require.Equal(t, v, w)
			require.Equal(t, ok, there)
		}
		_, there := here.TryDequeue()
		require.False(t, there)
	},
	"`SPSCQueue`": func(t *testing.T) {
		peer, here := xsync.NewSPSCQueue[int](3), queue.NewSPSC[int](3)
		in, out := here.Producer(), here.Consumer()
		for i := range 4 {
			require.Equal(t, peer.TryEnqueue(i), in.TryEnqueue(i), i)
		}
		for i := range 4 {
			v, ok := peer.TryDequeue()
			w, there := out.TryDequeue()
			require.Equal(t, v, w, i)
			require.Equal(t, ok, there, i)
		}
	},
	"`UMPSCQueue`": func(t *testing.T) {
		peer, here := xsync.NewUMPSCQueue[int](), queue.New[int]()
		for i := range 5000 {
			peer.Enqueue(i)
			require.True(t, here.Enqueue(i))
		}
		here.Close()
		for range 5000 {
			v, err := here.Dequeue(t.Context())
			require.NoError(t, err)
			require.Equal(t, peer.Dequeue(), v)
		}
		_, err := here.Dequeue(t.Context())
		require.ErrorIs(t, err, queue.ErrClosed)
	},
}

// identity is a Hasher that hashes and compares keys as a Map without one does.
type identity struct{}

func (identity) Hash(h *maphash.Hash, k int) { maphash.WriteComparable(h, k) }
func (identity) Equal(a, b int) bool         { return a == b }
