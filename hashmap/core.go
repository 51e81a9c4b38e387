package hashmap

import (
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// core is the part of a map that does not depend on its types. It is compiled once. So what is
// compiled for each type of map calls its methods, and those of the layouts, and no generic code.
type core struct {
	guard      safety.Guard
	inline     *inline // one of these three is the layout
	wordBoxes  *wordBoxes
	valueBoxes *valueBoxes
	in         *tables // its tables
	key, val   reflect.Type
	listing    atom.HiddenMutex // held while an index is made
}

// untyped returns the part of a map without types, and nil for nil.
func (m *Map[K, V]) untyped() *core { return (*core)(ref(m)) }

// typed returns the map of which m is the part without types.
func typed[K comparable, V any](m *core) *Map[K, V] { return (*Map[K, V])(ref(m)) }

func lieInline(m *core, s sizes, seed seed) {
	m.inline = newInline(seed.word(), 0, s)
	m.in = &m.inline.tables
}

func lieInWordBoxes(m *core, s sizes, seed seed, of kind) {
	m.wordBoxes = newWordBoxes(seed.word(), 0, s, of)
	m.in = &m.wordBoxes.boxes.tables
}

func lieInValueBoxes(m *core, s sizes, of kind) {
	m.valueBoxes = newValueBoxes(0, s, of)
	m.in = &m.valueBoxes.boxes.tables
}

// hashIn returns the hash of a key in a table. The map is not inline.
func (m *core) hashIn(t *table, k ref) uint64 { return unfolded(m.in.hashBy(&t.seed, k)) }

// touch loads the places of some words from memory, at the same time.
func (m *core) touch(words []uint64) {
	t, hash := m.inline.first(), m.inline.hash
	for _, k := range words {
		t.blocks[hash.Of(k)>>t.head.shift].key.Load()
	}
}

// apply does to a key what a function returns for its value, and puts the key in with a sequence
// number. The hash is that of hashIn for the table from. The map is not inline.
func (m *core) apply(from *table, hash uint64, k ref, seq uint32, byWord change[uint64], byRef change[ref]) {
	if m.wordBoxes != nil {
		m.wordBoxes.apply(from, hash, k, seq, byWord)
	} else {
		m.valueBoxes.apply(from, hash, k, seq, byRef)
	}
}
