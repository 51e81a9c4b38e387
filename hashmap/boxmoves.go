package hashmap

import "example.com/custody/internal/tagged"

// move implements mover. It puts the box into the next table, and then tags the slot movedBox. If
// the slot has changed meanwhile, move replaces the box there, or removes it if the key was
// deleted, and tries again.
func (m *boxes) move(from *table, i int, next *table) (at int, came bool) {
	t, n := boxedIn(from), boxedIn(next)
	p := slotAt(t, i)
	h := p.hash.Load()
	if h == none && !p.hash.CompareAndSwap(none, shut) {
		h = p.hash.Load()
	}
	if h == none || h == shut {
		return 0, false
	}
	var to *cell
	var there boxRef // the box that this mover has put into the slot to
	for {
		r := p.box.Load()
		if r.Nil() || r.Tag()&says == deletedBox || to == nil && m.gone != nil && m.gone(r.Ptr()) {
			if to != nil {
				m.replace(to, there, m.dead)
			}
			if r == m.dead || p.box.CompareAndSwap(r, m.dead) {
				return at, came
			}
			continue
		}
		now := tagged.To(r.Ptr(), r.Tag()&^chained)
		// (boxes.I3)
		if to != nil && there.Ptr() != r.Ptr() && !m.same(there.Ptr().key(), r.Ptr().key()) {
			m.replace(to, there, m.dead)
			to = nil
		}
		if to == nil || !m.replace(to, there, now) {
			to, at = m.arrive(n, m.rehash(t, h, n, r.Ptr().key()), now, t.head.seqAt(i))
		}
		if o := n.head.order.Load(); o != nil && came && there.Ptr() != r.Ptr() {
			o.seqs[at].Store(t.head.seqAt(i)) // the key may have been put in again
		}
		there, came = now, true
		if p.box.CompareAndSwap(r, tagged.To(r.Ptr(), movedBox)) { // (table.I3)
			return at, true
		}
	}
}

// replace makes r what a slot holds to which a mover brought b, and keeps it chained. It returns
// false if b has left the slot, unless the slot is dead: searches may have passed it, so r is
// chained.
func (m *boxes) replace(p *cell, b, r boxRef) bool {
	for {
		was, now := p.Load(), r
		switch {
		case was.Nil() || was != m.dead && was.Ptr() != b.Ptr():
			return false
		case r != m.dead && (was == m.dead || was.Tag()&chained != 0):
			now = tagged.To(r.Ptr(), r.Tag()|chained)
		}
		if p.CompareAndSwap(was, now) {
			return true
		}
	}
}

// arrive puts a box that is moved, with the number of its key, into the first open slot for the
// key, and returns that slot. It chains the slots with the hash h that it passes (boxes.I2). Only
// the caller has the key in this table (table.I3). There is room: see successor.
func (m *boxes) arrive(t *boxTable, h uint32, r boxRef, seq uint32) (to *cell, at int) {
	for at, p := range probe(t, h) {
		x := p.hash.Load()
		if x == none && !p.hash.CompareAndSwap(none, h) {
			x = p.hash.Load()
		}
		for x == none || x == h {
			if was := p.box.Load(); !m.open(was) {
				if m.link(p.box, was) { // (boxes.I2)
					break
				}
			} else if m.bring(t, p.box, at, was, r, seq) {
				return p.box, at
			}
		}
	}
	panic(full)
}

// empty removes the box r from a slot, and reports whether the slot still held r. The slot is free
// then, or dead if it is chained or there is a next table.
func (m *boxes) empty(t *boxTable, p *cell, r boxRef) bool {
	left := m.free
	if r.Tag()&chained != 0 || t.head.next.Load() != nil { // (boxes.I1), (boxes.I3)
		left = m.dead
	}
	return p.CompareAndSwap(r, left)
}

// kill deletes the key of a slot, if the slot still holds r.
//
// If boxes show that their keys were deleted (gone), kill empties the slot. Otherwise a mover may
// have copied r to the next table. If the slot were empty, a goroutine that puts the key in again
// would go on to the next table and find that copy. So the slot is tagged deletedBox, and the key
// can be put in again here. The mover removes its copy and makes the slot dead. If there is no next
// table after the tag, no mover has a copy, and kill empties the slot.
func (m *boxes) kill(t *boxTable, p *cell, r boxRef) bool {
	b := r.Ptr()
	if m.gone != nil && m.same(b.key(), b.key()) {
		return m.empty(t, p, r)
	}
	if !p.CompareAndSwap(r, tagged.To(b, deletedBox|r.Tag()&chained)) {
		return false
	}
	for t.head.next.Load() == nil {
		r = p.Load()
		if r.Nil() || r.Ptr() != b || r.Tag()&says != deletedBox || m.empty(t, p, r) {
			break
		}
	}
	return true
}

// expel removes a box, unless its value is in the side table, and reports whether it did.
func (m *boxes) expel(t *boxTable, h uint32, b *box) bool {
	return m.inSlot(t, h, b, m.kill)
}

// inSlot finds the slot of the box b: in table t, where the key of b has the hash h, or in a later
// table. It calls f with the slot, and returns true if f does. If f returns false, because the slot
// has changed, inSlot looks at the slot again. It returns false if the key was deleted, or its
// value is in the side table.
func (m *boxes) inSlot(t *boxTable, h uint32, b *box, f func(t *boxTable, p *cell, r boxRef) bool) bool {
	for t != nil {
		for _, p := range probe(t, h) {
			x := p.hash.Load()
			if x == none || x == shut {
				break
			}
			for x == h {
				r := p.box.Load()
				if r.Nil() || r.Ptr() != b {
					break
				}
				switch s := r.Tag() & says; {
				case s == deletedBox: // its mover may still have put it into the next table
					return false
				case s != 0:
					x = none
				case f(t, p.box, r):
					return true
				}
			}
		}
		n := t.after()
		if n != nil {
			h = m.rehash(t, h, n, b.key())
		}
		t = n
	}
	return false
}
