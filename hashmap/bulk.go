package hashmap

import (
	"math"
	"strconv"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// LoadInto looks up many keys: vals[i] becomes the value of keys[i], or the zero value, and ok[i]
// reports whether it has one. LoadInto returns the number of keys that have one. vals and ok that
// are shorter than keys are a violation.
//
// Each key is looked up at a moment of its own. Cost: as many Loads, or less in a large map.
func (m *Map[K, V]) LoadInto(keys []K, vals []V, ok []bool) int {
	m.guard.CheckLook()
	return m.loadInto(keys, vals, ok)
}

func (m *Map[K, V]) loadInto(keys []K, vals []V, ok []bool) (n int) {
	if len(vals) < len(keys) || len(ok) < len(keys) {
		room := min(len(vals), len(ok))
		v := m.guard.Violation(safety.ErrLength, "LoadInto of "+m.guard.Container()+" was given "+strconv.Itoa(len(keys))+
			" keys and room or values for "+strconv.Itoa(room), "Give it slices of the same length.")
		v.N, v.Length = room, len(keys)
		panic(v)
	}
	for begin := 0; begin < len(keys); begin += atOnce {
		some := keys[begin:min(begin+atOnce, len(keys))]
		if m.inline != nil {
			var words [atOnce]uint64
			for i, k := range some {
				words[i] = word.Of(k)
			}
			m.touch(words[:len(some)])
		}
		for i, k := range some {
			if vals[begin+i], ok[begin+i] = m.load(k); ok[begin+i] {
				n++
			}
		}
	}
	return n
}

// Grow makes room for n more keys, which can then be put in without moving the keys that are there.
// It is a violation if n is negative, or more than the number of keys that a map can have.
func (m *Map[K, V]) Grow(n int) {
	m.guard.CheckShared()
	if n < 0 || n > mostKeys {
		panic(amount.Refusal(&m.guard, "was to grow by", n, 0, mostKeys, "key"))
	}
	m.in.fit(n)
}

// mostKeys is how many keys a map can be made to have room for.
const mostKeys = min(1<<36, math.MaxInt/128)

// Trim gives up the memory of a large table with few keys, down to a table of some thousand places.
// Other goroutines may use the map meanwhile.
func (m *Map[K, V]) Trim() {
	m.guard.CheckShared()
	m.in.shrink()
}

// Clone returns a new map with the same keys and values, in the same order, and the same Hasher.
//
// It is weakly consistent, as All. Cost: a Store for each key. If the map has an order, and keys
// were put in or deleted since a position was asked for last, also a sort of the keys that ordinary
// operations have put in; see [Reader.At].
func (m *Map[K, V]) Clone() *Map[K, V] {
	m.guard.CheckLook()
	c := newMap[K, V](usual, newSeed(), m.hasher)
	c.guard.Init(c, 0)
	c.in.fit(m.in.len())
	if !m.in.arranged() {
		m.all(func(k K, v V) bool {
			c.store(k, v)
			return true
		})
		return c
	}
	c.in.arrange()
	ix, most := m.index(), uint32(currentSeq)
	var in room
	for i := range ix.list {
		at := ix.at(i)
		if k, v, ok := ix.of.entry(at, &in); ok {
			seq := ix.t.seqAt(at)
			most = max(most, seq)
			c.in.setSeq(seq)
			c.store(*(*K)(k), *(*V)(v))
		}
	}
	now := ix.t.of.seq.Load() // of the keys' own generation: the map may have another one by now
	if now < most {
		now = later(most, 1) // the keys were numbered anew meanwhile
	}
	c.in.setSeq(now)
	return c
}
