package hashmap

import "example.com/custody/internal/atom"

// This file is how the keys of a map go from one table to the next.

// extend sees to it that a table has a next one, of at least so many blocks, and with less not of many more than it has to have;
// and that its keys are moved there.
func (m *tables) extend(t *table, blocks int, less bool) {
	if from := t.from.Load(); from != nil { // (I6)
		m.settle(from)
	}
	m.provide(t, blocks, less)
	for m.help(t) {
	}
}

// provide makes the next table, if there is none.
func (m *tables) provide(t *table, blocks int, less bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t.next.Load() == nil {
		t.next.Store(m.successor(t, blocks, less))
	}
}

// settle waits until all keys of a table have come into the next one, and helps.
func (m *tables) settle(t *table) {
	for n := t.next.Load(); n.from.Load() == t; {
		if !m.help(t) {
			atom.Yield()
		}
	}
}

// settled returns the root when no keys are being moved.
func (m *tables) settled() *table {
	t := m.root.Load()
	for t.next.Load() != nil {
		m.settle(t)
		t = m.root.Load()
	}
	return t
}

// successor returns what to move the keys of a table to. It has room for all that may come, beside those that are put in meanwhile:
// those that the table may hold or, with less, holds, by (I5).
func (m *tables) successor(t *table, blocks int, less bool) *table {
	limit := t.limit.Load()
	charge := limit
	if less {
		// From here on nobody has room reserved; those who had, and are about to put a key in, are counted, or spare ones.
		charge = min(charge, t.used.Add(limit+1)-limit-1+int64(m.spare))
		blocks = max(blocks, m.blocksWithin(uint(charge)))
	} else {
		blocks = max(blocks, t.homes, m.blocksFor(int(t.came.Load()))) // of those that came some may have no values yet
	}
	n := m.newTable(max(blocks, m.blocksFor(t.of.len())), t)
	if t.order.Load() != nil {
		n.order.Store(newOrder(n.places))
	}
	n.charge, n.seed = charge, t.seed
	if t.crowded.Load() {
		n.seed = m.reseed()
	}
	n.used.Store(charge)
	n.from.Store(t)
	return n
}

// follow returns the next table, for who changes something and has found that this is not where. Such a one helps to move.
func (m *tables) follow(t *table) *table {
	n := t.next.Load()
	if n == nil { // the run is the whole table
		m.extend(t, 0, false)
		n = t.next.Load()
	}
	m.help(t)
	return n
}

// help moves a chunk to the next table, and says whether there was one that nobody moves.
func (m *tables) help(t *table) bool {
	all := int64(t.places)
	if t.taken.Load() >= all {
		return false
	}
	end := t.taken.Add(int64(m.chunk))
	begin := end - int64(m.chunk)
	end = min(end, all)
	if begin >= all {
		return false
	}
	n := t.next.Load()
	came := int64(0)
	for i := begin; i < end; i++ {
		if to, c := m.mover.move(t, int(i), n); c {
			t.carry(int(i), n, to)
			came++
		}
	}
	n.came.Add(came)
	if t.done.Add(end-begin) == all {
		n.used.Add(n.came.Load() - n.charge)
		m.root.CompareAndSwap(t, n)
		n.from.Store(nil) // then, so that the root is not left behind
	}
	return true
}

// fit makes room for so many more keys.
func (m *tables) fit(more int) {
	for t := m.settled(); t.limit.Load()-t.used.Load() < int64(more); t = m.settled() {
		m.extend(t, m.blocksFor(t.of.len()+more), false)
	}
}

// shrink gives up places that are not needed for the keys that there are. Deleted keys that still have a place go first: until
// they are moved they may get values again.
func (m *tables) shrink() {
	t := m.settled()
	if t.used.Load() > 2*int64(t.of.len()+m.spare) {
		m.extend(t, 0, false)
		t = m.settled()
	}
	used := uint(t.used.Load()) + uint(m.spare)
	if t.homes > max(m.blocksFor(t.of.len()), m.blocksWithin(used)) {
		m.extend(t, 0, true)
	}
}
