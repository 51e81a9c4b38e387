package hashmap

import (
	"math"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/word"
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
			seq := ix.seqOf(i).Load()
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

// Stats is the state of a [Map] or a [MultiMap].
type Stats struct {
	// Len is the number of keys of a Map, or of values of a MultiMap: what the method Len returns.
	Len int
	// Keys is the number of keys.
	Keys int
	// Room is the number of keys that the newest tables may hold before they are replaced. Keys of
	// a Map that were deleted count until then, or until they come back.
	Room int
	// Places is the number of places of all tables together.
	Places int
	// Bytes is the memory of the tables, the order of the keys and, in a MultiMap, the keys, in
	// bytes. It leaves out the memory of keys and values that lie outside the tables.
	Bytes int
	// Tables is the number of tables. A Map has one, or more while keys are moved from one to the
	// next. A MultiMap has one for each part of its hashes, up to 4096.
	Tables int
	// Moved is the number of places of a Map's oldest table whose keys have been moved.
	Moved int
}

// Stats returns the state of the map. It reads one figure after the other, without a lock: each was
// right at a moment of the call, and they fit each other if no goroutine changes the map. Stats
// does not wait, and is a violation when Len is.
//
// Cost: it adds up a few counters.
func (m *Map[K, V]) Stats() Stats {
	m.in.guard.CheckLook()
	return m.in.tables.stats()
}

func (m *tables) stats() Stats {
	t := m.root.Load()
	n := t.of.len()
	s := Stats{Len: n, Keys: n}
	if t.next.Load() != nil {
		s.Moved = int(min(t.done.Load(), int64(t.places)))
	}
	for ; t != nil; t = t.next.Load() {
		s.Room = int(t.limit.Load())
		s.Places += t.places
		s.Bytes += word.Bytes(t.inline) + word.Bytes(t.buckets)
		if o := t.order.Load(); o != nil {
			s.Bytes += word.Bytes(o.seqs)
		}
		s.Tables++
	}
	return s
}
