package hashmap

import (
	"math"

	"example.com/custody/internal/amount"
)

// Grow makes room for n more keys, which can then be put in without moving the keys that are there.
// It is a violation if n is negative, or more than the number of keys that a map can have.
func (m *Map[K, V]) Grow(n int) {
	m.in.guard.CheckShared()
	if n < 0 || n > mostKeys {
		panic(amount.Refusal(&m.in.guard, "was to grow by", n, 0, mostKeys, "key"))
	}
	m.in.fit(n)
}

// mostKeys is how many keys a map can be made to have room for.
const mostKeys = min(1<<36, math.MaxInt/128)

// Trim gives up the memory of a large table with few keys, down to a table of some thousand places.
// Other goroutines may use the map meanwhile.
func (m *Map[K, V]) Trim() {
	m.in.guard.CheckShared()
	m.in.shrink()
}

// Clone returns a new map with the same keys and values, in the same order, and the same Hasher.
//
// It is weakly consistent, as All. Cost: a Store for each key. If the map has an order, and keys
// were put in or deleted since a position was asked for last, also a sort of the keys that ordinary
// operations have put in; see [Reader.At].
func (m *Map[K, V]) Clone() *Map[K, V] {
	m.in.guard.CheckLook()
	c := newMap[K, V](usual, newSeed(), m.in.custom)
	c.in.guard.Init(c, 0)
	c.in.copy(&m.in)
	return c
}

// copy puts all keys of another map in.
func (m *core) copy(from *core) {
	m.fit(from.len())
	if !from.arranged() {
		w := new(walk)
		w.table(from, from.settled())
		for k, v := w.next(); k != nil; k, v = w.next() {
			m.store(k, v)
		}
		return
	}
	m.arrange()
	ix, most, in := from.index(), uint32(currentSeq), new(room)
	for i := range ix.list {
		if k, v, ok := ix.entry(i, in); ok {
			seq := ix.t.seqAt(ix.at(i))
			most = max(most, seq)
			m.setSeq(seq)
			m.store(k, v)
		}
	}
	now := ix.t.of.seq.Load() // of the keys' own generation: the map may have another one by now
	if now < most {
		now = later(most, 1) // the keys were numbered anew meanwhile
	}
	m.setSeq(now)
}
