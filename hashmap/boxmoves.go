package hashmap

import "example.com/custody/internal/tagged"

// empty removes the box r from a slot, unless that has changed. The slot is free then, or dead if
// it is chained or there is a next table.
func (m *tables) empty(t *table, p slot, r boxRef) bool {
	left := m.free
	if r.Tag()&chained != 0 || t.next.Load() != nil { // (boxes.I1), (boxes.I3)
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
			var was uint32
			at, was = m.arrive(n, m.rehash(t, h, n, b.key()), b, w)
			t.carry(i, n, at, was)
			there, came = b, true
		}
		if p.box.CompareAndSwap(r, tagged.To(b, moved)) { // (table.I3)
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

// arrive puts a box that is moved into the first open slot for its key, and returns the index and
// the number that the slot had. It chains the slots with the hash h that it passes (boxes.I2). Only
// the caller has the key in this table. There is room: see successor.
func (m *tables) arrive(t *table, h uint32, b *box, w *trail) (at int, seq uint32) {
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
			} else if seq = t.seqAt(at); p.box.CompareAndSwap(was, tagged.To(b, 0)) {
				w.at = at
				return at, seq
			}
		}
	}
	panic(full)
}
