package hashmap

import "unsafe"

// Tables of all kinds of maps begin with a [table], and are known by it to all who need not know more: so what has keys go from one to the next
// is there once, and not once for each type of key and value. A map has tables of one kind, so who knows the map knows what begins with the table.

// typed is tables with blocks of type B, and records of keys K and values V.
type typed[B, K, V any] struct{ tables }

// typedTable is a table of a [typed].
type typedTable[B, K, V any] struct {
	head   table
	blocks []B
	aside  []records[K, V] // of the tenure
}

// wordTable is a table of a [words].
type wordTable = typedTable[place, uint64, uint64]

// boxTable is a table of a [boxes].
type boxTable[K, E, V any] = typedTable[bucket[K, E], K, V]

// tableOf returns the table that begins with t, or nil for nil.
func tableOf[B, K, V any](t *table) *typedTable[B, K, V] {
	return (*typedTable[B, K, V])(unsafe.Pointer(t))
}

// make implements mover.
func (m *typed[B, K, V]) make(blocks int, other *table) *table {
	t := &typedTable[B, K, V]{blocks: make([]B, blocks)}
	if other != nil {
		t.aside = tableOf[B, K, V](other).aside
	} else {
		t.aside = make([]records[K, V], m.stripes)
		for i := range t.aside {
			t.aside[i].in = &m.tables
		}
	}
	return &t.head
}

// first returns the oldest table that keys lie in.
func (m *typed[B, K, V]) first() *typedTable[B, K, V] { return tableOf[B, K, V](m.root.Load()) }

// settled returns it when no keys are being moved.
func (m *typed[B, K, V]) settled() *typedTable[B, K, V] { return tableOf[B, K, V](m.tables.settled()) }

// follow is that of tables.
func (m *typed[B, K, V]) follow(t *typedTable[B, K, V]) *typedTable[B, K, V] {
	return tableOf[B, K, V](m.tables.follow(&t.head))
}

// after returns the next table, or nil.
func (t *typedTable[B, K, V]) after() *typedTable[B, K, V] {
	return tableOf[B, K, V](t.head.next.Load())
}

// recordsOf returns those among which the keys with a hash are.
func (t *typedTable[B, K, V]) recordsOf(hash uint64) *records[K, V] {
	return &t.aside[hash&uint64(len(t.aside)-1)]
}
