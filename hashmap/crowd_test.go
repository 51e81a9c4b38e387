package hashmap

import (
	"maps"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Keys whose hashes are equal, or near each other, do not take much longer than others: the next table has another seed.
func TestKeysThatMeet(t *testing.T) {
	const n = 20_000
	fill := func(m *Map[string, int]) time.Duration {
		start := time.Now()
		m.Grow(n)
		for i := range n {
			m.Store(strconv.Itoa(i), i)
		}
		return time.Since(start)
	}
	good := time.Duration(1 << 62)
	for range 3 {
		good = min(good, fill(initialised[string, int](usual, nil)))
	}
	for name, hash := range map[string]func(k string) uint64{
		"equal": zero,
		"near":  func(k string) uint64 { return uint64(digits(k)+1) << 32 },
	} {
		m := crowded[int](usual, hash)
		took := fill(m)
		for range 2 {
			took = min(took, fill(crowded[int](usual, hash)))
		}
		t.Logf("keys whose hashes are %s: %.1f of what others take", name, float64(took)/float64(good))
		require.Less(t, took, 50*good, name)
		tab, sum := m.smalls.boxes.first(), 0
		for i := range n {
			k := strconv.Itoa(i)
			h := m.smalls.boxes.hashOf(tab, k)
			s := m.smalls.boxes.find(tab, h, k)
			sum += (s.at - homeOf(tab, h)*tab.head.per + tab.head.places) % tab.head.places
			v, ok := m.Compute(k, func(old int, _ bool) (int, Op) { return old + 1, Update })
			require.Equal(t, []any{i + 1, true}, []any{v, ok})
		}
		require.Less(t, sum, 2*n, name) // from the first slot of the home
		require.Equal(t, n, m.Len())
		require.Len(t, maps.Collect(m.All()), n)
	}
}

// Whoever hashes in his own way keeps his hashes.
func TestAHasherOfOnesOwnIsKept(t *testing.T) {
	m := initialised[string, int](tiny, bad{1})
	for i := range 200 {
		m.Store(strconv.Itoa(i), i)
	}
	require.Equal(t, 200, m.Len())
	require.Zero(t, m.smalls.boxes.first().head.seed)
}
