package hashmap

import (
	"hash/maphash"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// keysOf returns the keys that a range yields.
func keysOf[K, V any](all iter.Seq2[K, V]) (keys []K) {
	for k := range all {
		keys = append(keys, k)
	}
	return keys
}

func valuesOf[K comparable, V any](m *Map[K, V]) iter.Seq[V] {
	return func(yield func(V) bool) { m.All()(func(_ K, v V) bool { return yield(v) }) }
}

// A NaN is a key of its own every time: nothing finds it but what ranges over all.
func TestNaNs(t *testing.T) {
	nan := math.NaN()
	bigs, smalls := initialised[any, any](tiny, nil), initialised[float64, int](tiny, nil)
	smalls.in.salt = 0 // so that 1 lies aside
	for i := range 5 {
		bigs.Store(nan, "x")
		smalls.Store(nan, i)
	}
	actual, loaded := bigs.LoadOrStore(nan, "y")
	require.Equal(t, "y", actual)
	require.False(t, loaded)
	_, ok := bigs.Compute(nan, func(_ any, there bool) (any, Op) { return "z", Update })
	require.True(t, ok)
	_, ok = bigs.Compute(nan, func(_ any, there bool) (any, Op) {
		require.False(t, there)
		return "z", Delete
	})
	require.False(t, ok)
	_, ok = bigs.Load(nan)
	require.False(t, ok)
	require.False(t, smalls.CompareAndDelete(nan, 1))
	bigs.Delete(nan)
	require.Equal(t, 7, bigs.Len())
	require.Equal(t, 5, smalls.Len())
	require.ElementsMatch(t, []any{"x", "x", "x", "x", "x", "y", "z"}, slices.Collect(valuesOf(bigs)))
	require.ElementsMatch(t, []int{0, 1, 2, 3, 4}, slices.Collect(valuesOf(smalls)))
	bigs.Grow(100)
	bigs.DeleteFunc(func(k, v any) bool { return v != "y" })
	smalls.DeleteFunc(func(k float64, v int) bool { return v%2 == 1 })
	require.Equal(t, []any{"y"}, slices.Collect(valuesOf(bigs)))
	require.ElementsMatch(t, []int{0, 2, 4}, slices.Collect(valuesOf(smalls)))
	require.Equal(t, 1, bigs.Len())
	require.Equal(t, 3, smalls.Len())
	smalls.DeleteFunc(func(float64, int) bool { return true })
	require.Empty(t, keysOf(smalls.All()))
	require.Zero(t, smalls.Len())
}

// -0 and +0 are one key, of which the first is kept.
func TestZeros(t *testing.T) {
	m := New[any, any]()
	m.Store(math.Copysign(0, -1), "a")
	m.Store(0.0, "b")
	require.Equal(t, 1, m.Len())
	v, _ := m.Load(0.0)
	require.Equal(t, "b", v)
	m.Swap(0.0, "c")
	m.Compute(0.0, func(any, bool) (any, Op) { return "d", Update })
	for k := range m.All() {
		require.True(t, math.Signbit(k.(float64)))
	}
	n := New[float64, int]()
	n.Store(math.Copysign(0, -1), 1)
	n.Store(0, 2)
	for k := range n.All() {
		require.True(t, math.Signbit(k))
	}
}

// A key that cannot be compared is a panic and changes nothing, and so is a value where values are
// compared.
func TestWhatCannotBeCompared(t *testing.T) {
	m := New[any, any]()
	m.Store(1, []int{1})
	for _, f := range []func(){
		func() { m.Store([]int{}, 1) },
		func() { m.Load(func() {}) },
		func() { m.Compute([]int{}, func(any, bool) (any, Op) { return 1, Update }) },
		func() { m.CompareAndSwap(1, []int{1}, 2) },
		func() { m.CompareAndDelete(2, map[int]int{}) },
	} {
		require.Panics(t, f)
	}
	require.Equal(t, map[any]any{1: []int{1}}, maps.Collect(m.All()))
	m.Store(1, 2)
	require.True(t, m.CompareAndSwap(1, 2, 3))
}

// Keys whose hashes mean something else where hashes are kept are keys as others are.
func TestHashesThatMeanSomething(t *testing.T) {
	for _, s := range []sizes{usual, tiny} {
		words, smalls := initialised[int, int](s, nil), initialised[int, int](s, same{})
		keys := []int{int(words.in.word.Key(none)), int(words.in.word.Key(closed)), int(words.in.word.Key(1)), 5}
		for _, h := range []uint64{none, closed} {
			smalls.in.hash = func(ref) uint64 { return h }
			smalls.Store(int(h>>1), 3)
			_, ok := smalls.Load(int(h >> 1))
			require.True(t, ok)
		}
		for i, k := range keys {
			_, ok := words.Load(k)
			require.False(t, ok)
			words.Store(k, i)
		}
		for i := range 100 {
			words.Store(i, -1)
		}
		want := map[int]int{}
		for i := range 100 {
			want[i] = -1
		}
		for i, k := range keys {
			words.Store(k, i)
			want[k] = i
		}
		require.Equal(t, want, maps.Collect(words.All()))
		words.Delete(keys[0])
		words.Trim()
		_, ok := words.Load(keys[0])
		require.False(t, ok)
		_, ok = words.Load(keys[1])
		require.True(t, ok)
		require.Equal(t, len(want)-1, words.Len())
	}
}

// caseless is a Hasher that does not tell upper from lower case.
type caseless struct{}

func (caseless) Hash(h *maphash.Hash, k string) { h.WriteString(strings.ToLower(k)) }
func (caseless) Equal(a, b string) bool         { return strings.EqualFold(a, b) }

func TestAHasherOfOnesOwn(t *testing.T) {
	m := NewWith[string, int](caseless{}, safety.Named("folded"))
	m.Store("Key", 1)
	v, ok := m.Load("kEY")
	require.True(t, ok)
	require.Equal(t, 1, v)
	require.Equal(t, 6, m.count("KEY", "key", "Key", "other", "OTHER", "oTHER"))
	require.Equal(t, 2, m.Len())
	bad := lawtest.Violation(t, func() error { NewWith[int, int](nil); return nil })
	require.ErrorIs(t, bad, safety.ErrArgument)
}

// count stores under all keys and returns how many of them are there then.
func (m *Map[K, V]) count(ks ...K) (n int) {
	for _, k := range ks {
		var v V
		m.Store(k, v)
	}
	for _, k := range ks {
		if _, ok := m.Load(k); ok {
			n++
		}
	}
	return n
}

// Keys that follow a pattern do not meet more often than others: no run is long.
func TestStridedKeys(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("the patterns are those of longer numbers")
	}
	if atom.Race {
		t.Skip("one goroutine, and a long time in the detector: it tells nothing of hashes")
	}
	for name, key := range map[string]func(i int) uint64{
		"dense":  func(i int) uint64 { return uint64(i) },
		"shifts": func(i int) uint64 { return uint64(i) << 20 },
		"high":   func(i int) uint64 { return uint64(i) << 44 },
		"cells":  func(i int) uint64 { return uint64(i%100) | uint64(i/100%100)<<21 | uint64(i/10000)<<42 },
		"floats": func(i int) uint64 { return math.Float64bits(float64(i)) },
		"sparse": func(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 },
		"halves": func(i int) uint64 { return uint64(i)<<36 | uint64(i)<<4 },
		"pairs":  func(i int) uint64 { return uint64(i)<<32 | uint64(i) },
		"mirror": func(i int) uint64 { return uint64(i)<<32 | uint64(uint32(-i)) },
	} {
		m := newMap[int, int](usual, fixed, nil)
		const n = 110_000 // more by a tenth than a table with half as many homes may have
		for i := range n {
			m.in.storeWord(key(i), uint64(i))
		}
		tab, sum := m.in.root.Load(), 0
		for i := range n {
			w := m.in.word.Of(key(i))
			is, _ := tab.findInline(w)
			at, _ := tab.spot(w)
			for at != is {
				at = (at + 1) % tab.homes
				sum++
			}
		}
		require.Less(t, float64(sum)/n, 0.6, name) // 0.36 is what to expect
		require.InEpsilon(t, n, tab.used.Load(), 0.1, name)
		require.Equal(t, 1<<18, tab.homes, name)
	}
}

// Keys whose hashes would say that a slot has none are as others.
func TestKeysWithHashesThatMeanSomethingElse(t *testing.T) {
	m := New[int, [3]int]()
	by := m.in.root.Load().seed.Word
	for i, h := range []uint32{none, shut, 1, shut ^ 1} { // each of these is taken for the other of a pair
		k := int(by.Key(unfolded(h)))
		m.Store(k, twin(i))
		m.Store(k, twin(i+10))
		v, ok := m.Load(k)
		require.Equal(t, []any{twin(i + 10), true}, []any{v, ok})
		require.Equal(t, i+1, m.Len())
	}
	for i := range 100 {
		m.Store(i, twin(i))
	}
	for i, h := range []uint32{none, shut, 1, shut ^ 1} {
		v, ok := m.LoadAndDelete(int(by.Key(unfolded(h))))
		require.Equal(t, []any{twin(i + 10), true}, []any{v, ok})
	}
	require.Equal(t, 100, m.Len())
}
