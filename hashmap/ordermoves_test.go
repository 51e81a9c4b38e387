package hashmap

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/hash"
)

// ofOneHash returns a map of boxed values that is about to move the keys a and b, whose hashes are
// equal, and their places. a has the number 7, b has 5, and keys that are put in now get 9.
func ofOneHash() (m *Map[string, string], t *table, a, b int) {
	m = newMap[string, string](sizes{least: 8, chunk: 1, stripes: 1, spare: 4, crowd: 64, each: 1}, newSeed(), nil)
	m.in.seed, m.in.hash = hash.Seed{}, func(ref) uint64 { return 1 << 40 }
	m.in.start(0, m.in.sizes)
	m.in.store(to("a"), to("v"))
	m.in.store(to("b"), to("v"))
	t = m.in.root.Load()
	h := m.in.hashIn(t, to("a"))
	a, b = m.in.findSlot(t, h, to("a"), 0).at, m.in.findSlot(t, h, to("b"), 0).at
	m.in.arrange()
	m.in.seqOf(t.slotAt(a).box.Load().Ptr()).Store(7)
	m.in.seqOf(t.slotAt(b).box.Load().Ptr()).Store(5)
	m.in.setSeq(9)
	m.in.provide(t, 0, false)
	return m, t, a, b
}

// to returns a reference to v.
func to[T any](v T) ref { return ref(&v) }

// A key that is deleted and put in again while keys are moved has its new number, also if its box
// was moved before: it has another one in the next table.
func TestAKeyThatComesBackWhileKeysAreMovedHasANewNumber(t *testing.T) {
	for _, early := range []bool{false, true} {
		m, from, a, b := ofOneHash()
		n := from.next.Load()
		if early {
			require.True(t, m.in.move(from, a, n, new(trail)))
		}
		require.NotNil(t, m.in.remove(nil, to("a"), new(room)))
		c := cursor{t: from, hash: uint64(m.in.hashIn(from, to("a"))), k: to("a")}
		m.in.storeFrom(&c, to("w"))
		require.Same(t, n, c.t)
		require.EqualValues(t, 9, m.in.seqOf(c.box).Load())
		require.True(t, m.in.move(from, b, n, new(trail)))
		if !early {
			require.False(t, m.in.move(from, a, n, new(trail)))
		}
		require.Equal(t, "w", at[string](m.in.look(to("a"), new(room))))
		require.Equal(t, "v", at[string](m.in.look(to("b"), new(room))))
		require.Equal(t, 2, m.in.len())
	}
}

// A key that has been moved has its number when mover returns.
func TestAMovedKeyHasItsNumber(t *testing.T) {
	m, from, a, b := ofOneHash()
	n := from.next.Load()
	for i, number := range map[int]uint32{a: 7, b: 5} {
		require.True(t, m.in.move(from, i, n, new(trail)))
		s := m.in.findSlot(n, m.in.hashIn(n, to("a")), from.slotAt(i).box.Load().Ptr().key(), 0)
		require.Equal(t, number, m.in.seqOf(s.r.Ptr()).Load())
	}
}

// A key whose value is computed while its box is moved, and while the order of keys is listed, is
// in the order afterwards.
func TestAKeyThatIsComputedWhileKeysAreMovedIsListed(t *testing.T) {
	m := initialised[string, int](usual, nil)
	m.in.arrange()
	m.Store("a", 1)
	m.Store("b", 2)
	m.Compute("c", func(int, bool) (int, Op) {
		m.Grow(5000)
		for range m.All() {
		}
		m.Delete("b")
		return 3, Update
	})
	require.Equal(t, map[string]int{"a": 1, "c": 3}, maps.Collect(m.All()))
}
