package hashmap

import "unsafe"

// Tables of all kinds of maps begin with a [table], and are known by it to all who need not know more: so what has keys go from one to the next
// is there once, and not once for each type of key and value. A map has tables of one kind, so who knows the map knows what begins with the table.

// wordTable is a table of a [words].
type wordTable struct {
	head   table
	blocks []place
	aside  []records[uint64, uint64] // of the tenure
}

// boxTable is a table of a [boxes].
type boxTable[K, E, V any] struct {
	head   table
	blocks []bucket[K, E]
	aside  []records[K, V] // of the tenure
}

// wordTableOf returns the table that begins with t, or nil for nil.
func wordTableOf(t *table) *wordTable { return (*wordTable)(unsafe.Pointer(t)) }

// boxTableOf is likewise.
func boxTableOf[K, E, V any](t *table) *boxTable[K, E, V] {
	return (*boxTable[K, E, V])(unsafe.Pointer(t))
}

// make implements mover.
func (m *words) make(blocks int, other *table) *table {
	t := &wordTable{blocks: make([]place, blocks)}
	if other != nil {
		t.aside = wordTableOf(other).aside
	} else {
		t.aside = make([]records[uint64, uint64], m.tables.stripes)
	}
	return &t.head
}

// make implements mover.
func (m *boxes[K, E, V]) make(blocks int, other *table) *table {
	t := &boxTable[K, E, V]{blocks: make([]bucket[K, E], blocks)}
	if other != nil {
		t.aside = boxTableOf[K, E, V](other).aside
	} else {
		t.aside = make([]records[K, V], m.tables.stripes)
		for i := range t.aside {
			t.aside[i].in = &m.tables
		}
	}
	return &t.head
}

// first returns the oldest table that keys lie in.
func (m *words) first() *wordTable                  { return wordTableOf(m.tables.root.Load()) }
func (m *boxes[K, E, V]) first() *boxTable[K, E, V] { return boxTableOf[K, E, V](m.tables.root.Load()) }

// settled returns it when no keys are being moved.
func (m *words) settled() *wordTable                  { return wordTableOf(m.tables.settled()) }
func (m *boxes[K, E, V]) settled() *boxTable[K, E, V] { return boxTableOf[K, E, V](m.tables.settled()) }

// follow is that of tables.
func (m *words) follow(t *wordTable) *wordTable { return wordTableOf(m.tables.follow(&t.head)) }
func (m *boxes[K, E, V]) follow(t *boxTable[K, E, V]) *boxTable[K, E, V] {
	return boxTableOf[K, E, V](m.tables.follow(&t.head))
}

// after returns the next table, or nil.
func (t *wordTable) after() *wordTable { return wordTableOf(t.head.next.Load()) }
func (t *boxTable[K, E, V]) after() *boxTable[K, E, V] {
	return boxTableOf[K, E, V](t.head.next.Load())
}

// recordsOf returns those among which the keys with a hash are.
func (t *wordTable) recordsOf(hash uint64) *records[uint64, uint64] {
	return &t.aside[hash&uint64(len(t.aside)-1)]
}

func (t *boxTable[K, E, V]) recordsOf(hash uint64) *records[K, V] {
	return &t.aside[hash&uint64(len(t.aside)-1)]
}
