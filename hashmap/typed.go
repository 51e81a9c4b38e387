package hashmap

import "unsafe"

// Tables of all layouts begin with a [table], and the code that moves keys from one table to the
// next sees nothing else. So that code is compiled once, and not for each type of key and value.
// All tables of a map have one layout, so a map knows what follows the table.

// typed is the tables of a map with blocks of type B and side tables of keys K and values V.
type typed[B, K, V any] struct {
	tables
	keysEqual func(a, b K) bool
	copyKey   func(k K) K // what a side table keeps; nil: as it is
	copyValue func(v V) V
}

// typedTable is a table of a [typed].
type typedTable[B, K, V any] struct {
	head   table
	blocks []B
	side   []sideTable[K, V] // of the generation
}

// inlineTable is a table of an [inline].
type inlineTable = typedTable[place, uint64, uint64]

// boxTable is a table of a [boxes].
type boxTable[V any] = typedTable[bucket, ref, V]

// tableOf returns the table that begins with t, or nil for nil.
func tableOf[B, K, V any](t *table) *typedTable[B, K, V] {
	return (*typedTable[B, K, V])(unsafe.Pointer(t))
}

// make implements mover.
func (m *typed[B, K, V]) make(blocks int, other *table) *table {
	t := &typedTable[B, K, V]{blocks: make([]B, blocks)}
	if other != nil {
		t.side = tableOf[B, K, V](other).side
	} else {
		t.side = make([]sideTable[K, V], m.stripes)
		for i := range t.side {
			t.side[i].in, t.side[i].same, t.side[i].copyKey, t.side[i].copyValue = &m.tables, m.keysEqual, m.copyKey, m.copyValue
		}
	}
	return &t.head
}

// declarer tells the race detector that memory is read or written.
type declarer = func(p unsafe.Pointer, size int)

// declareAll implements mover.
func (m *typed[B, K, V]) declareAll(f declarer) {
	blocks := m.first().blocks
	f(unsafe.Pointer(&blocks[0]), len(blocks)*int(unsafe.Sizeof(blocks[0])))
}

// computed returns the keys whose values the numbered computations compute.
func (m *typed[B, K, V]) computed(numbers []uint32) (keys []K) {
	side := m.first().side
	for i := range side {
		keys = side[i].computed(keys, numbers)
	}
	return keys
}

// first returns the oldest table that has keys.
func (m *typed[B, K, V]) first() *typedTable[B, K, V] { return tableOf[B, K, V](m.root.Load()) }

// settled returns the only table, when no keys are being moved.
func (m *typed[B, K, V]) settled() *typedTable[B, K, V] { return tableOf[B, K, V](m.tables.settled()) }

// follow is tables.follow.
func (m *typed[B, K, V]) follow(t *typedTable[B, K, V]) *typedTable[B, K, V] {
	return tableOf[B, K, V](m.tables.follow(&t.head))
}

// after returns the next table, or nil.
func (t *typedTable[B, K, V]) after() *typedTable[B, K, V] {
	return tableOf[B, K, V](t.head.next.Load())
}

// sideTableOf returns the side table of the keys with a hash.
func (t *typedTable[B, K, V]) sideTableOf(hash uint64) *sideTable[K, V] {
	return &t.side[hash&uint64(len(t.side)-1)]
}
