package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
)

// growth is how a map grows, and shrinks. A table gets a next one, and the goroutines that put keys
// in move all keys there, in chunks. Then the next table is the root. A goroutine that puts a
// new key in helps, and waits until all have been moved. All other operations go on meanwhile.
//
// Invariants:
//
//	(growth.I1) A table gets a next one only when all keys of the table before have come into it.
//	     The goroutine that moves the last chunk makes the next table the root, and then sets the
//	     next table's from to nil.
//	(growth.I2) A goroutine puts a key into a table only if it has seen that there is no next one,
//	     and then that from is nil. It may have looked long before. So a mover closes each place
//	     without a key: the key is there before that, and is moved, or the goroutine finds the next
//	     table. Thus a key comes into a table that is not the root only by being moved, and a search
//	     that has begun in the root misses none.
//	(growth.I3) Until the cell of an inline key is gone, it says the key's value. The key's place
//	     in the next table belongs to the mover, which makes it say the same before it makes the
//	     old cell gone.
//	(growth.I4) A boxed key moves with its box: the mover puts the box into the next table, and then
//	     tags the old slot. A slot is emptied, or filled, only by a goroutine that has seen no next
//	     table; with a next one it is made dead instead of empty. Such a goroutine may have looked
//	     long before, so a mover looks again until it has tagged the slot.
//	(growth.I5) A goroutine reserves room before it puts a key in. If it has reserved a counted
//	     place and finds no room, it sets full and makes the next table. With a place that is not
//	     counted it reserves room only while full is not set. The next table has as many places, or
//	     room for all keys that were reserved and for m.spare.
type growth struct {
	taken   atom.Int64 // places that some goroutine moves, or has moved
	done    atom.Int64 // places that were moved
	came    atom.Int64 // keys that came by being moved
	chunk   int        // places that are moved at a time
	crowded atom.Bool  // a probe sequence is so long that the next table gets another seed
}

// extend gives a table a next one, of at least so many homes or, if less is set, as small as the
// keys allow, and moves the keys there.
func (m *tables) extend(t *table, homes int, less bool) {
	m.settle(t.from.Load()) // (growth.I1)
	m.provide(t, homes, less)
	for m.help(t) {
	}
}

// provide makes the next table, if there is none.
func (m *tables) provide(t *table, homes int, less bool) {
	if m.decides(t) {
		defer m.mu.Unlock()
		t.next.Store(m.successor(t, homes, less))
	}
}

// decides locks mu for a goroutine that is to decide on the next table of t, unless there is one by
// then: all that put keys into a full table come here at once.
func (m *tables) decides(t *table) bool {
	return atom.LockUnless(&m.mu, func() bool { return t.next.Load() != nil })
}

// settle helps to move the keys of t, and waits until all have come into the next table. If t is
// nil, they have.
func (m *tables) settle(t *table) {
	if t == nil {
		return
	}
	for n := t.next.Load(); n.from.Load() == t; {
		if !m.help(t) {
			atom.Yield()
		}
	}
}

// settled returns the root when no keys are being moved.
func (m *tables) settled() *table {
	t := m.root.Load()
	for ; t.next.Load() != nil; t = m.root.Load() {
		m.settle(t)
	}
	return t
}

// successor makes the table that the keys of t are moved to, with room for all that t may have by
// then: as many as t has places or, if less is set, as many as it counts and m.spare (growth.I5).
func (m *tables) successor(t *table, homes int, less bool) *table {
	if less {
		// From here on no goroutine can reserve room. Those that have, and are about to put a key
		// in, are counted, or are covered by spare.
		limit := t.limit.Load()
		t.full.Store(true)
		homes = max(homes, m.homesWithin(uint(min(limit, t.used.Add(limit+1)-limit-1+int64(m.spare)))))
	} else {
		homes = max(homes, t.homes, m.homesFor(int(t.came.Load()))) // some of the keys that came may have no values yet
	}
	need := m.homesFor(t.of.len())
	if less {
		t.of.keys.Store(0)
	} else if need > t.homes { // a map that was cleared comes to its former size in few steps
		need = max(need, min(16*t.homes, m.homesWithin(uint(t.of.keys.Load()))))
	}
	n := m.newTable(max(homes, need), t)
	if t.order.Load() != nil {
		n.order.Store(newOrder(n))
	}
	if n.seed = t.seed; t.crowded.Load() {
		n.seed = m.reseed()
	}
	n.from.Store(t)
	return n
}

// move moves the place i of a table to the next one, with the number of its key, and reports
// whether a key has come there.
func (m *tables) move(t *table, i int, n *table, w *trail) (came bool) {
	if m.isInline {
		return m.moveInline(t, i, n)
	}
	return m.moveBoxed(t, i, n, w)
}

// help moves a chunk of places to the next table. The goroutine that moves the last chunk makes the
// next table the root. help returns false if other goroutines have taken all chunks.
func (m *tables) help(t *table) bool {
	all := int64(t.places)
	if t.taken.Load() >= all {
		return false
	}
	end := t.taken.Add(int64(t.chunk))
	begin := end - int64(t.chunk)
	end = min(end, all)
	if begin >= all {
		return false
	}
	n := t.next.Load()
	came := int64(0)
	var w trail
	for i := begin; i < end; i++ {
		if m.move(t, int(i), n, &w) {
			came++
		}
	}
	n.came.Add(came)
	if t.done.Add(end-begin) == all {
		n.used.Add(n.came.Load())
		m.root.CompareAndSwap(t, n)
		n.from.Store(nil) // last, so that the root is not left behind
	}
	return true
}

// fit makes room for so many more keys. A table that counts some places only may have a sixth of
// the limit more keys than it has counted: four times the standard deviation.
func (m *tables) fit(more int) {
	for {
		t := m.settled()
		limit := t.limit.Load()
		if limit-limit/6*int64(min(t.sample, 1))-t.used.Load() >= int64(more) {
			return
		}
		m.extend(t, m.homesFor(t.of.len()+more), false)
	}
}

// shrink gives up places that are not needed. If many places have deleted keys, it first moves the
// other keys, because a deleted key counts until then. Then it makes a smaller table, if the keys
// fit.
func (m *tables) shrink() {
	t := m.settled()
	if t.used.Load() > 2*int64(t.of.len()+m.spare) {
		m.extend(t, 0, false)
		t = m.settled()
	}
	used := uint(t.used.Load()) + uint(m.spare)
	if t.homes > max(m.homesFor(t.of.len()), m.homesWithin(used)) {
		m.extend(t, 0, true)
	}
}

// empty removes the box r from a slot, unless that has changed. The slot is free then, or dead if
// it is chained or there is a next table.
func (m *tables) empty(t *table, p slot, r boxRef) bool {
	left := m.free
	if r.Tag()&chained != 0 || t.next.Load() != nil { // (boxes.I1), (growth.I4)
		left = m.dead
	}
	return p.box.CompareAndSwap(r, left)
}

// expel removes a box that is gone, from the slot with an index of table t, where its hash is h, or
// from the tables that it was moved to.
func (m *tables) expel(t *table, h uint32, at int, b *box) {
	for p := t.slotAt(at); ; {
		switch r := p.box.Load(); {
		case r.Nil() || r.Ptr() != b:
			return
		case r.Tag()&moved == 0:
			if m.empty(t, p, r) {
				return
			}
			continue
		}
		n := t.next.Load()
		t, h = n, m.rehash(t, h, n, b.key())
		for _, p = range t.probe(t.homeOf(h) * t.per) {
			if r := p.box.Load(); p.hash.Load() == none || !r.Nil() && r.Ptr() == b {
				break
			}
		}
	}
}

// unset deletes a cursor's key, if its cell has not changed.
func (m *tables) unset(c *cursor) bool {
	if m.isInline {
		return m.change(c.cell, c.was, content{})
	}
	if !m.change(c.cell, c.was, m.mark(gone)) {
		return false
	}
	m.expel(c.t, uint32(c.hash), c.at, c.box)
	return true
}

// moveBoxed moves the box in slot i of a table to the next one. It puts the box there, and then
// tags it moved. If the slot has changed meanwhile, moveBoxed removes the box there if it is gone,
// and tries again.
func (m *tables) moveBoxed(t *table, i int, n *table, w *trail) (came bool) {
	p := t.slotAt(i)
	h := p.hash.Load()
	if h == none && !p.hash.CompareAndSwap(none, shut) {
		h = p.hash.Load()
	}
	if h == none || h == shut {
		return false
	}
	var there *box // that this mover has put into the slot at
	at := 0
	for {
		r := p.box.Load()
		b := r.Ptr()
		if there != nil && there != b {
			m.expel(n, n.slotAt(at).hash.Load(), at, there)
			there = nil
		}
		if m.open(r) || r == m.dead {
			if r == m.dead || p.box.CompareAndSwap(r, m.dead) {
				return came
			}
			continue
		}
		c := m.read(m.cellOf(b))
		if s := m.says(c); s == gone || s == absent && m.change(m.cellOf(b), c, m.mark(gone)) {
			m.empty(t, p, r)
			continue
		} else if s == absent {
			continue
		}
		if there == nil {
			at = m.arrive(n, m.rehash(t, h, n, b.key()), b, w)
			there, came = b, true
		}
		if p.box.CompareAndSwap(r, tagged.To(b, moved)) { // (growth.I4)
			return true
		}
	}
}

// trail is where a goroutine that moves boxes has put the last one, and its hash there. The slots
// before that in the probe sequence get no key with the hash any more, because the goroutine has
// chained them (boxes.I1). So many keys with one hash are moved in one walk.
type trail struct {
	hash uint32
	at   int // a slot
}

// arrive puts a box that is moved into the first open slot for its key, and returns the index. It
// chains the slots with the hash h that it passes (boxes.I2). Only the caller has the key in this
// table. There is room: see successor.
func (m *tables) arrive(t *table, h uint32, b *box, w *trail) (at int) {
	if w.hash != h {
		*w = trail{h, t.homeOf(h) * t.per}
	}
	for at, p := range t.probe(w.at) {
		x := p.hash.Load()
		if x == none && !p.hash.CompareAndSwap(none, h) {
			x = p.hash.Load()
		}
		for x == none || x == h {
			if was := p.box.Load(); !m.open(was) {
				if m.link(p.box, was) { // (boxes.I2)
					break
				}
			} else if p.box.CompareAndSwap(was, tagged.To(b, 0)) {
				w.at = at
				return at
			}
		}
	}
	panic(full)
}
