package hashmap

// This file is how a multimap is emptied, and how it gives back memory that values have left.

// Clear deletes all keys, at one moment.
//
// Cost: that of what is there. The memory is kept for what is added next, if an eighth of it was used; see [MultiMap.Trim].
func (m *MultiMap[K, V]) Clear() {
	m.guard.CheckShared()
	m.lock(true)
	defer m.unlock()
	m.wipe()
}

// wipe deletes all keys. All locks are held, or nobody else has the map.
func (m *MultiMap[K, V]) wipe() {
	values := 0
	for i := range m.parts {
		values += m.parts[i].count
		m.parts[i].wipe()
	}
	if m.order.wipe(); cap(m.block.last) > 8*values {
		m.block = multiBlock[V]{}
	} else if m.holds {
		clear(m.block.last[:cap(m.block.last)])
	}
	m.block.blank, m.blocked = true, 0
	for i := range m.stripes {
		m.stripes[i].gone = 0
	}
}

// Trim gives memory back that is kept for what is added next, or that values have left. While a job that holds the map was not completed it is a
// violation, unless that holds it by a Shared view.
//
// Cost: that of a copy of the values, where some have left theirs.
func (m *MultiMap[K, V]) Trim() {
	m.guard.CheckShared()
	m.lock(true)
	defer m.unlock()
	m.lanes.Trim()
	if m.values() == 0 {
		m.vacate()
		return
	}
	left := m.blocked - m.values()
	for i := range m.parts {
		left += m.parts[i].left
	}
	if left > 0 {
		m.regather()
	}
	m.block = multiBlock[V]{}
}

// vacate makes the map what it was when it was new. All locks are held.
func (m *MultiMap[K, V]) vacate() {
	m.stir()
	m.parts, m.partShift = make([]multiPart[K, V], len(m.stripes)), m.shift
	m.order, m.block, m.blocked = multiOrder{turn: m.order.turn + 1}, multiBlock[V]{}, 0
	for i := range m.stripes {
		m.stripes[i].gone = 0
	}
}

// compact puts the values together if most of what the blocks of all parts have room for was left.
func (m *MultiMap[K, V]) compact() {
	if m.blocked > max(1<<14, 2*m.values()) {
		m.regather()
	}
}

// regather puts the values of each part into one block. All locks are held, or nobody else has the map.
func (m *MultiMap[K, V]) regather() {
	m.stir()
	for i := range m.parts {
		m.parts[i].regather()
	}
	m.block, m.blocked = multiBlock[V]{}, 0
}
