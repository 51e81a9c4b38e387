package hashmap

import "reflect"

// Stats is the state of a [Map]: how full it is, what its tables cost, and whether keys are being
// moved.
type Stats struct {
	// Len is how many keys there are, as Map.Len says.
	Len int
	// Room is how many keys the newest table may hold before all are moved to another one. Keys that were deleted count until then, or until they come back.
	Room int
	// Places is how many places all tables have together.
	Places int
	// Bytes is the memory of the tables, and of the ages of keys, in bytes. What keys and values have that lie beside the tables, each in an allocation, is not among them.
	Bytes int
	// Tables is 1, or more while keys are moved from one to the next. Of the oldest, Moved places are done then.
	Tables, Moved int
}

// Stats returns the state of the map. It reads one figure after the other, without a lock: each was
// right at a moment of the call, and they fit each other if no goroutine changes the map. Stats
// does not wait, and is a violation when Len is.
//
// Cost: it adds up a few counters.
func (m *Map[K, V]) Stats() Stats {
	m.guard.CheckLook()
	return m.in.stats()
}

func (m *tables) stats() Stats {
	t := m.root.Load()
	s := Stats{Len: t.of.len()}
	if t.next.Load() != nil {
		s.Moved = int(min(t.done.Load(), int64(t.places)))
	}
	for ; t != nil; t = t.next.Load() {
		s.Room = int(t.limit.Load())
		s.Places += t.places
		s.Bytes += m.block * (t.homes + m.extra)
		if t.order.Load() != nil {
			s.Bytes += 4 * t.places
		}
		s.Tables++
	}
	return s
}

// MultiStats is the state of a [MultiMap].
type MultiStats struct {
	// Len is how many values there are, and Keys how many keys.
	Len, Keys int
	// Parts is how many parts the keys lie in, by their hashes, and Places how many places the parts' indices have for them.
	Parts, Places int
	// Bytes is the memory of the indices, the keys and their order, in bytes. The values, and what keys and values point to, are not among them.
	Bytes int
}

// Stats returns what the multimap has, at one moment: it takes all locks, as Len does, and is a violation when Len is.
//
// Cost: a look at each part, of which there are up to 4096.
func (m *MultiMap[K, V]) Stats() MultiStats {
	m.guard.CheckLook()
	m.lock(false)
	defer m.unlock()
	s := MultiStats{Parts: len(m.parts), Bytes: 8 * (cap(m.order.refs) + cap(m.order.numbers))}
	s.Len, s.Keys = m.total()
	group := int(reflect.TypeFor[multiGroup[K, V]]().Size())
	for i := range m.parts {
		p := &m.parts[i]
		s.Places += len(p.index)
		s.Bytes += 8*cap(p.index) + group*cap(p.groups)
	}
	return s
}
