package hashmap

import "example.com/custody/internal/word"

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
		if t.order.Load() != nil {
			s.Bytes += 4 * t.places
		}
		s.Tables++
	}
	return s
}
