package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// box is a key, its cell and its sequence number. What points to a box is a slot of a bucket: it
// has half a hash of the key, so that few boxes are looked at in vain. A deleted key leaves its
// slot empty, and keeps nothing alive. The invariants of [tables] and of [growth] hold, and these:
//
//	(boxes.I1) A slot keeps its hash. It has boxes of keys with that hash, one after the other,
//	     and may be empty between them, until it is chained. A chained slot gets no other key's
//	     box, and is made dead instead of empty.
//	(boxes.I2) If a key has a slot, all slots of its probe sequence before that have its hash are
//	     chained, dead or moved. So a goroutine that puts a key in, or moves it there, chains those
//	     that it passes; and a slot without a box ends the search.
//	(boxes.I3) A key without a value has a box only until the operation ends that has made it so.
//	     Its cell is absent before it gets a value, for the first time, and gone after it had one.
//	(boxes.I4) A goroutine that puts a key in empties the slot of a box of it that is gone first.
//	     So such a box ends a search.
//
// A key that is not equal to itself is in one box, which no search finds.
type box struct{ _ uint64 }

// key returns the key of a box, cellOf the address of its cell, and seqOf that of its number.
func (b *box) key() ref                     { return ref(b) }
func (m *tables) cellOf(b *box) ref         { return offset(ref(b), m.at) }
func (m *tables) seqOf(b *box) *atom.Uint32 { return (*atom.Uint32)(offset(ref(b), m.seqAt)) }

// proper returns the upper half of a hash, or another number if that would be none or shut.
func proper(hash uint64) uint32 {
	h := uint32(hash >> 32)
	if h+1 <= 1 {
		return h ^ 1
	}
	return h
}

// unfolded returns a hash for which proper returns h.
func unfolded(h uint32) uint64 { return uint64(h) << 32 }

// hashIn returns the hash of a key in a table, as its slots have it.
func (m *tables) hashIn(t *table, k ref) uint32 { return proper(m.by(&t.seed, k)) }

// rehash returns the hash in table n of a key that has the hash h in table t. Keys that are not
// equal to themselves keep theirs, because no search looks for them.
func (m *tables) rehash(t *table, h uint32, n *table, k ref) uint32 {
	if n.seed == t.seed || !m.same(k, k) {
		return h
	}
	return m.hashIn(n, k)
}

// initBoxes makes what boxed keys need. zero is the zero value of keys.
func (m *tables) initBoxes(zero ref) {
	for _, r := range []*boxRef{&m.free, &m.dead} {
		b := m.box(zero, nil)
		m.change(m.cellOf(b), content{}, m.mark(gone))
		*r = tagged.To(b, 0)
	}
	if m.find = (*tables).findCounted; m.custom == nil {
		m.find, m.reseed = (*tables).findSlot, m.newSeed
	}
}

// open reports whether a slot that holds r may be given a box.
func (m *tables) open(r boxRef) bool { return r.Nil() || r == m.free }

// near returns the root, and a key's hash there, cell, box and place. The cell is nil unless the
// key is inline, or its box is the first one with its hash in its home, as for most keys. The cell
// may be gone.
func (m *tables) near(k ref) (t *table, hashed uint64, cell ref, b *box, at int) {
	t = m.root.Load()
	if m.isInline {
		hashed = m.word.Of(word.At(k, m.size))
		at, key := t.findInline(hashed)
		if key != none && key != closed {
			cell = t.inline[at].cell()
		}
		return t, hashed, cell, nil, at
	}
	h := uint32(0)
	if t.seed.How == hash.AsText {
		h = proper(t.seed.Text.Of(*(*string)(k)))
	} else {
		h = m.hashIn(t, k)
	}
	if b, at = m.nearIn(t, h, k); b != nil {
		cell = m.cellOf(b)
	}
	return t, uint64(h), cell, b, at
}

// nearIn is near for a boxed key and a table, where its hash is h.
func (m *tables) nearIn(t *table, h uint32, k ref) (b *box, at int) {
	home := t.homeOf(h)
	g := &t.buckets[home]
	j := g.hash.first(h)
	if j == bucketed {
		return nil, 0
	}
	r := g.box[j].Load()
	switch {
	case r.Nil():
		return nil, 0
	case t.seed.How == hash.AsText:
		if !hash.SameText(*(*string)(r.Ptr().key()), *(*string)(k)) {
			return nil, 0
		}
	case r == m.dead || r == m.free || !m.same(r.Ptr().key(), k):
		return nil, 0
	}
	return r.Ptr(), home*t.per + j
}

// look returns the value of a key, or nil if it has none. For most kinds it is near and lookFrom in
// fewer calls.
func (m *tables) look(k ref, in *room) ref {
	t := m.root.Load()
	switch {
	case m.isInline:
		return m.lookInline(t, word.At(k, m.size), in)
	case t.seed.How == hash.AsText:
		return m.lookText(t, (*string)(k), in)
	}
	t, h, cell, _, _ := m.near(k)
	if cell != nil {
		if c := m.read(cell); m.says(c) == inCell {
			return m.valueOf(c, in)
		}
	}
	return m.lookFrom(t, uint32(h), k, in)
}

// lookText is look for a string, from table t on. It knows marks as says does, in fewer steps.
func (m *tables) lookText(t *table, k *string, in *room) ref {
	h := proper(t.seed.Text.Of(*k))
	g := &t.buckets[t.homeOf(h)]
	if j := g.hash.first(h); j < bucketed {
		if r := g.box[j].Load(); !r.Nil() && hash.SameText(*(*string)(r.Ptr().key()), *k) {
			switch c := m.read(m.cellOf(r.Ptr())); {
			case m.cells == asWords && c.w >= marks:
				word.Put(ref(&in.val), m.valSize, c.w^m.salt)
				return ref(&in.val)
			case c.p != nil && uintptr(c.p)-uintptr(ref(&marked)) >= 8*uintptr(inCell):
				if in.p = c.p; m.cells == asPointers && c.p != markOf(inCell) {
					return ref(&in.p)
				}
				return m.valueOf(c, in)
			}
		}
	}
	return m.lookFrom(t, h, ref(k), in)
}

// lookFrom is look for a boxed key, from table t on, where its hash is h. The root may be a later
// table.
func (m *tables) lookFrom(t *table, h uint32, k ref, in *room) ref {
	for {
		s := m.find(m, t, h, k, 0)
		if n := t.next.Load(); s.end == shut && n != nil {
			t, h = n, m.rehash(t, h, n, k)
			continue
		}
		if s.end != h || m.open(s.r) {
			return nil
		}
		switch m.says(s.was) {
		case inCell:
			return m.valueOf(s.was, in)
		case aside:
			if v, found := m.sideTableOf(t, h, k).look(k, false); found {
				return v
			}
			continue
		}
		return nil
	}
}

// search is the result of findSlot.
type search struct {
	slot          // the key's, or an open one, or the end of the probe sequence
	r     boxRef  // what the slot holds: a box, nil or free
	was   content // of the cell, if it is a box
	end   uint32  // the slot's hash; none or shut at the end of the sequence, shut after all slots
	at    int     // the slot's index
	loose *cell   // the first slot before it that had the hash and was not chained, or nil
	holds boxRef  // what that held
}

// findCounted is find for a map with a Hasher. Keys of one hash fill many buckets, so it passes
// some of these with one call at a time, which takes half the time.
func (m *tables) findCounted(t *table, h uint32, k ref, passed int) search {
	defer m.custom.count().leave()
	for b := t.homeOf(h); passed+atOnce <= len(t.buckets) && m.passes(t, b+passed, h, k); {
		passed += atOnce
	}
	return m.findSlot(t, h, k, passed)
}

const atOnce = 3 // buckets that passes looks at

// passes reports whether all slots of atOnce buckets, from the b-th on, have the hash, and are dead
// or have the boxes of other keys, chained or moved. They stay so (boxes.I1).
func (m *tables) passes(t *table, b int, h uint32, k ref) bool {
	var keys [atOnce * bucketed]ref
	n := 0
	for i := range atOnce {
		g := &t.buckets[(b+i)&(len(t.buckets)-1)]
		for j := range t.per {
			if g.hash[j].Load() != h {
				return false
			}
			if r := g.box[j].Load(); r != m.dead {
				if r.Tag() == 0 {
					return false
				}
				keys[n] = r.Ptr().key()
				n++
			}
		}
	}
	return m.custom.matchNone(&keys[0], n, k)
}

// findSlot returns the first slot of a probe sequence that has the key, may get it, or is the end.
// It begins behind the buckets that the search has passed. If it sees two boxes that are not
// chained, the first slot has changed meanwhile (boxes.I2).
func (m *tables) findSlot(t *table, h uint32, k ref, passed int) (s search) {
	mask, custom := len(t.buckets)-1, m.custom
	b := (t.homeOf(h) + passed) & mask
	for range t.buckets[passed:] {
		g := &t.buckets[b]
		for j := range t.per {
			switch x := g.hash[j].Load(); x {
			case h:
				r := g.box[j].Load()
				switch {
				case r == m.dead:
					continue
				case m.open(r):
				case custom != nil && custom.match(r.Ptr().key(), k) || custom == nil && m.same(r.Ptr().key(), k):
					s.was = m.read(m.cellOf(r.Ptr()))
				default:
					if s.loose == nil && r.Tag() == 0 {
						s.loose, s.holds = &g.box[j], r
					}
					continue
				}
				s.slot, s.r, s.end, s.at = g.slot(j), r, h, b*t.per+j
				return s
			case none, shut:
				s.slot, s.end, s.at = g.slot(j), x, b*t.per+j
				return s
			}
		}
		b = (b + 1) & mask
	}
	s.end, s.at = shut, b*t.per
	return s
}

// link chains a slot that holds r, and returns false if the slot no longer holds r.
func (m *tables) link(p *cell, r boxRef) bool {
	return r == m.dead || r.Tag() != 0 || p.CompareAndSwap(r, tagged.To(r.Ptr(), chained))
}

// locateBoxed finds the box of a cursor's key. If puts is set, a key without a box gets one: with
// the cursor's value, if it has one, and then came is set. It returns found false if the key has no
// box here. Then ended reports that it has none in any table; otherwise the caller goes on to the
// next table.
func (m *tables) locateBoxed(c *cursor, puts bool) (found, ended bool) {
	t, h := c.t, uint32(c.hash)
	for {
		s := m.find(m, t, h, c.k, 0)
		c.at = s.at
		has := s.end == h && !m.open(s.r)
		switch {
		case has && m.says(s.was) != gone:
			c.box, c.was = s.r.Ptr(), s.was
			c.cell, c.came = m.cellOf(c.box), false
			return true, false
		case !puts:
			return false, s.end != shut || t.next.Load() == nil
		case t.next.Load() != nil: // (growth.I2)
			return false, false
		case t.from.Load() != nil:
			m.settle(t.from.Load())
		case has: // (boxes.I4)
			m.empty(t, s.slot, s.r)
		case s.loose != nil && !m.link(s.loose, s.holds): // (boxes.I2)
		case s.end == shut:
			return false, false
		case s.end == h && s.r == m.free: // an emptied slot keeps its room
			if m.fill(c, s) {
				return true, false
			}
		case m.reseed != nil && (s.at-t.homeOf(h)*t.per+t.places)%t.places >= m.crowd:
			t.crowded.Store(true)
			m.extend(t, 0, false)
		case !m.reserve(t, s.at): // also if another goroutine has written the hash, and reserved room for its key
		case (s.end == h || s.hash.CompareAndSwap(none, h)) && m.fill(c, s):
			return true, false
		default:
			t.release(s.at)
		}
	}
}

// fill puts a box for the key into a slot, and reports whether that was still open.
func (m *tables) fill(c *cursor, s search) bool {
	v := c.fresh
	c.box = m.box(c.k, v)
	c.cell, c.was, c.came = m.cellOf(c.box), content{}, v != nil
	if c.came && m.says(m.read(c.cell)) == absent {
		var e content
		if e, c.came = m.contentOf(v); c.came {
			m.change(c.cell, content{}, e)
		}
	}
	if c.came {
		m.putSeq(c)
	}
	return s.box.CompareAndSwap(s.r, tagged.To(c.box, 0))
}
