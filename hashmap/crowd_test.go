package hashmap

import (
	"maps"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

// Keys whose hashes are equal, or near each other, do not lie much farther from home than other
// keys, because the next table has another seed.
func TestKeysThatMeet(t *testing.T) {
	lawtest.Watchdog(t)
	const n = 20_000
	for name, hash := range map[string]func(k string) uint64{
		"equal": zero,
		"near":  func(k string) uint64 { return uint64(digits(k)+1) << 32 },
	} {
		m := crowded[int](usual, hash)
		far := func(k string) int { // the distance from the first slot of the home
			tab := m.in.root.Load()
			h := m.in.hashIn(tab, to(k))
			s := m.in.findSlot(tab, h, to(k), 0)
			return (s.at - tab.homeOf(h)*tab.per + tab.places) % tab.places
		}
		m.Grow(n)
		stored, sum := 0, 0
		for i := range n {
			k := strconv.Itoa(i)
			m.Store(k, i)
			stored += far(k)
		}
		t.Logf("keys whose hashes are %s: %.1f slots from home when they are stored", name, float64(stored)/n)
		require.Less(t, stored, 100*n, name)
		for i := range n {
			k := strconv.Itoa(i)
			sum += far(k)
			v, ok := m.Compute(k, func(old int, _ bool) (int, Op) { return old + 1, Update })
			require.Equal(t, []any{i + 1, true}, []any{v, ok})
		}
		require.Less(t, sum, 2*n, name)
		require.Equal(t, n, m.Len())
		require.Len(t, maps.Collect(m.All()), n)
	}
}

// A map with a Hasher keeps its hashes.
func TestAHasherOfOnesOwnIsKept(t *testing.T) {
	m := initialised[string, int](tiny, bad{1})
	for i := range 200 {
		m.Store(strconv.Itoa(i), i)
	}
	require.Equal(t, 200, m.Len())
	require.Zero(t, m.in.root.Load().seed)
}

// The next table has room for keys whose values are still being computed, as it has for keys with
// values.
func TestKeysWhoseValuesAreComputedHaveRoom(t *testing.T) {
	lawtest.Watchdog(t)
	m := initialised[string, int](tiny, bad{3})
	var nest func(k int) int
	nest = func(k int) int {
		if k == 100 {
			return 0
		}
		v, _ := m.LoadOrCompute(strconv.Itoa(k), func() (int, bool) { return nest(k+1) + 1, false })
		return v
	}
	require.Equal(t, 100, nest(0))
	require.Equal(t, 100, m.Len())
}

// Keys of one hash that were moved in one walk are found when those before them are deleted.
func TestKeysOfOneHashThatMoveTogether(t *testing.T) {
	m := filled(newPrying())
	root := m.in.root.Load()
	m.in.extend(root, 4*root.homes, false)
	require.NotSame(t, root, m.in.root.Load())
	for k := 1; k <= 3; k++ {
		v, ok := m.Load(k)
		require.True(t, ok, k)
		require.Equal(t, k+4, v)
		m.Delete(k)
	}
}
