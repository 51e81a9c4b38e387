package hashmap

import (
	"math"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/safety"
)

// LoadInto looks up many keys: vals[i] becomes the value of keys[i], or the zero value, and ok[i]
// reports whether it has one. LoadInto returns the number of keys that have one. vals and ok that
// are shorter than keys are a violation.
//
// Each key is looked up at a moment of its own. Cost: as many Loads, or less in a large map.
func (m *Map[K, V]) LoadInto(keys []K, vals []V, ok []bool) int {
	m.in.guard.CheckLook()
	return loadInto(&m.in, keys, vals, ok)
}

// atOnce is the number of keys that are loaded from memory at the same time.
const atOnce = 32

func loadInto[K comparable, V any](m *core, keys []K, vals []V, ok []bool) (n int) {
	m.mustHold(len(keys), min(len(vals), len(ok)))
	for i, k := range keys {
		if i%atOnce == 0 {
			m.touch(ref(&keys[i]), min(atOnce, len(keys)-i))
		}
		if vals[i], ok[i] = load[K, V](m, k); ok[i] {
			n++
		}
	}
	return n
}

// mustHold panics with a violation if slices for values are shorter than that of n keys.
func (m *core) mustHold(n, room int) {
	if room < n {
		v := m.guard.Violation(safety.ErrLength, "LoadInto of "+m.guard.Container()+" was given "+strconv.Itoa(n)+
			" keys and room or values for "+strconv.Itoa(room), "Give it slices of the same length.")
		v.N, v.Length = room, n
		panic(v)
	}
}

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
