package hashmap

import "math"

// This file empties a multimap, and gives back memory that values have left.

// Clear deletes all keys, at one moment.
//
// Cost: proportional to what is there. The memory is kept for what is added next, if an eighth of
// it was used; see [MultiMap.Trim].
func (m *MultiMap[K, V]) Clear() { m.in.shared().clear() }

func (m *multiCore) clear() {
	m.lock(true)
	defer m.unlock()
	m.wipe()
}

// wipe deletes all keys. It keeps the memory of the order if an eighth of it was used. The caller
// holds all locks or has the map.
func (m *multiCore) wipe() {
	values := 0
	for i := range m.parts {
		values += m.parts[i].count
		m.wipePart(&m.parts[i])
	}
	keys := m.order.keys[:0]
	if m.order.shared || len(m.order.keys) < cap(keys)/8 {
		keys = nil
	}
	m.renew(keys)
	if m.block.last.cap > 8*values {
		m.block = multiBlock{}
	} else if m.val.Holds {
		m.val.Clear(m.block.last.p, m.block.last.cap)
	}
	m.block.blank, m.blocked = true, 0
}

// Trim gives back memory that is kept for what is added next, or that values have left. It is a
// violation while a job that was not completed holds the map, except by a Shared view.
//
// Cost: a copy of the values.
func (m *MultiMap[K, V]) Trim() { m.in.shared().trim() }

func (m *multiCore) trim() {
	m.lock(true)
	defer m.unlock()
	m.lanes.Trim()
	if m.total().values == 0 {
		m.vacate()
		return
	}
	m.regather()
}

// vacate resets the map to the state of a new one. The caller holds all locks.
func (m *multiCore) vacate() {
	m.dropRow()
	m.parts, m.partShift = make([]multiPart, len(m.stripes)), m.shift
	m.block, m.blocked = multiBlock{}, 0
	m.renew(nil)
}

// compact calls regather if values have left most of the room in the blocks that parts share.
func (m *multiCore) compact() {
	if m.blocked > max(1<<14, 2*m.total().values) {
		m.regather()
	}
}

// regather copies the values of each part into one block. The caller has all locks or the map.
func (m *multiCore) regather() {
	m.dropRow()
	for i := range m.parts {
		m.regatherPart(&m.parts[i], math.MaxInt)
	}
	m.block, m.blocked = multiBlock{}, 0
}
