package hashmap

import (
	"hash/maphash"
	"testing"

	"github.com/stretchr/testify/require"
)

// hashesOf returns the hashes of some keys, and the salts, in a map of each kind.
func hashesOf(seed func() seed) [][]uint64 {
	const n = 8
	words := newMap[int, int](usual, seed(), nil)
	texts := newMap[string, int](usual, seed(), nil)
	boxes := newMap[[3]any, [3]int](usual, seed(), nil)
	custom := newMap[int, int](usual, seed(), customOf[int](writing{}))
	multi := newMulti[int, int](usualMulti(), seed(), nil)
	multiTexts := newMulti[string, int](usualMulti(), seed(), nil)
	multiCustom := newMulti[int, int](usualMulti(), seed(), customOf[int](writing{}))
	all := make([][]uint64, 7)
	for i := range n {
		s := string(rune('a' + i))
		all[0] = append(all[0], words.in.word.Of(uint64(i)), words.in.salt)
		all[1] = append(all[1], hashOf(texts, s), texts.in.salt)
		all[2] = append(all[2], hashOf(boxes, [3]any{i, s, 1.5}))
		all[3] = append(all[3], hashOf(custom, i), custom.in.salt)
		all[4] = append(all[4], multi.in.keys.of(ref(&i)))
		all[5] = append(all[5], multiTexts.in.keys.of(ref(&s)))
		all[6] = append(all[6], multiCustom.in.keys.of(ref(&i)))
	}
	return all
}

// hashOf returns the hash of a key. The map is not inline.
func hashOf[K comparable, V any](m *Map[K, V], k K) uint64 {
	return m.in.by(&m.in.root.Load().seed, to(k))
}

// writing is a Hasher that adds the key to h.
type writing struct{ same }

func (writing) Hash(h *maphash.Hash, k int) { maphash.WriteComparable(h, k) }

// Each map has a random seed of its own, so the hashes of one map do not tell those of another, in
// this process or in the next.
func TestEachMapHashesInAWayOfItsOwn(t *testing.T) {
	seen := map[uint64]string{}
	for range 4 {
		for kind, hashes := range hashesOf(newSeed) {
			for i, h := range hashes {
				if i%2 == 1 && kind < 4 && kind != 2 {
					continue // the salt, which all keys share
				}
				require.NotContains(t, seen, h, "kind %d: hashes of 32 bits or more, of which two alike are an accident", kind)
				seen[h] = "seen"
			}
		}
	}
	a, b, text := newSeed(), newSeed(), "a"
	require.NotEqual(t, a.word(), b.word())
	require.NotEqual(t, New[int, int]().in.salt, New[int, int]().in.salt)
	require.NotEqual(t, New[string, int]().in.salt, New[string, int]().in.salt)
	require.NotEqual(t, hashOf(New[string, [3]int](), "a"), hashOf(New[string, [3]int](), "a"))
	require.NotEqual(t, NewMulti[string, int]().in.keys.of(ref(&text)), NewMulti[string, int]().in.keys.of(ref(&text)))
	require.NotEqual(t, hashOf(New[string, [3]int](), "a"), hashOf(New[string, [3]int]().Clone(), "a"))
}

// Maps with the same seed, which tests can set, have the same hashes.
func TestASeedThatIsGivenCounts(t *testing.T) {
	one := newSeed()
	given := func() seed { return one }
	first := hashesOf(given)
	require.Equal(t, first, hashesOf(given))
	other := hashesOf(newSeed)
	for kind := range first {
		require.NotEqual(t, first[kind], other[kind], "kind %d", kind)
	}
}
