package hashmap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/tagged"
)

// ofOneHash returns a map of boxed values that is about to move the keys a and b, whose hashes are
// equal, and their places. a has the number 7, b has 5, and keys that are put in now get 9.
func ofOneHash() (m *valueBoxes, t *boxTable, a, b int) {
	by := hashing[string]{hash: func(string) uint64 { return 1 << 40 }, equal: func(a, b string) bool { return a == b }}
	m = newValueBoxes(0, sizes{least: 8, chunk: 1, stripes: 1, spare: 4, crowd: 64, each: 1}, kindOf[string, string](by, false))
	m.store(to("a"), to("v"))
	m.store(to("b"), to("v"))
	t = m.boxes.first()
	h := m.boxes.hashOf(t, to("a"))
	a, b = m.boxes.find(t, h, to("a")).at, m.boxes.find(t, h, to("b")).at
	m.boxes.arrange()
	t.head.order.Load().seqs[a].Store(7)
	t.head.order.Load().seqs[b].Store(5)
	m.boxes.setSeq(9)
	m.boxes.provide(&t.head, 0, false)
	return m, t, a, b
}

// to returns a reference to v.
func to[T any](v T) ref { return ref(&v) }

// A store of a deleted key gives its number to no other key, if the deletion ends meanwhile and a
// key with the same hash is moved into the slot.
func TestAStoreOfADeletedKeyLeavesTheNumberOfAnotherKey(t *testing.T) {
	m, from, a, b := ofOneHash()
	n := from.after()
	there, _ := m.boxes.move(&from.head, a, &n.head)
	s := m.boxes.find(n, m.boxes.hashOf(n, to("a")), to("a"))
	deleted := tagged.To(s.r.Ptr(), deletedBox)
	require.True(t, s.box.CompareAndSwap(s.r, deleted)) // half of kill
	c := m.seek(m.at(n, m.boxes.hashOf(n, to("a")), to("a"), currentSeq), true)
	m.boxes.empty(n, s.box, deleted) // the other half
	at, _ := m.boxes.move(&from.head, b, &n.head)
	require.Equal(t, there, at)
	require.False(t, c.set(to("w")))
	require.EqualValues(t, 5, n.head.seqAt(at))
}

// A key that has been moved has its number at once: whichever goroutine uses the place afterwards,
// the mover does not write there any more.
func TestAMovedKeyHasItsNumberAtOnce(t *testing.T) {
	m, from, a, b := ofOneHash()
	n := from.after()
	for i, number := range map[int]uint32{a: 7, b: 5} {
		at, came := m.boxes.move(&from.head, i, &n.head)
		require.True(t, came)
		require.Equal(t, number, n.head.seqAt(at))
	}
}
