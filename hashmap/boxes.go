package hashmap

import (
	"reflect"

	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
)

// boxes is a map whose places point to boxes: a key, and a value or what stands for it. In a
// wordBoxes values are overwritten in their boxes. In a valueBoxes a box does not change, and
// another value is another box.
//
// Places are the slots of buckets. A slot has half a hash of its key, so that few boxes are looked
// at in vain. A key that was deleted leaves its slot empty, and keeps nothing alive. The invariants
// of [tables] hold, and these:
//
//	(boxes.I1) A slot keeps its hash. It has boxes of keys with that hash, one after the other, and
//	     may be empty between them, until it is chained. A chained slot gets no other key's box, and
//	     is made dead instead of empty.
//	(boxes.I2) If a key has a slot, all slots of its probe sequence before that have its hash are
//	     chained, dead or moved. So a goroutine that puts a key in chains those that it passes, also
//	     where it goes on to the next table; and a slot without a box ends the search.
//	(boxes.I3) A slot is emptied only by a goroutine that has seen no next table; otherwise it is
//	     made dead. A goroutine that fills an empty slot has seen none either. Both may have looked
//	     long before, so a slot may get another key while a mover copies its box.
type boxes struct {
	tables
	free boxRef // of an emptied slot
	dead boxRef // of a slot closed for boxes
	// gone reports whether a box's key was deleted. It is nil if only the slot shows that.
	gone func(b *box) bool
	// valued reports whether the key of a tagged box has a value. It is nil if it may have one.
	valued func(t *boxTable, h uint32, r boxRef) bool
}

// boxTable is a table of a [boxes].
type boxTable struct {
	head   table
	blocks []bucket
}

// boxedIn returns the table that begins with t, or nil for nil.
func boxedIn(t *table) *boxTable { return (*boxTable)(ref(t)) }

func (m *boxes) first() *boxTable             { return boxedIn(m.root.Load()) }
func (m *boxes) settled() *boxTable           { return boxedIn(m.tables.settled()) }
func (m *boxes) follow(t *boxTable) *boxTable { return boxedIn(m.tables.follow(&t.head)) }
func (t *boxTable) after() *boxTable          { return boxedIn(t.head.next.Load()) }

// make implements mover.
func (m *boxes) make(blocks int) *table {
	t := &boxTable{blocks: make([]bucket, blocks)}
	t.head.memory = ref(&t.blocks[0])
	return &t.head
}

func (m *boxes) init(keys int, s sizes, of kind) {
	m.kind = of
	m.free, m.dead = tagged.To(m.box(nil, nil), deletedBox), tagged.To(m.box(nil, nil), deletedBox)
	if of.how != hash.Given {
		m.reseed = m.newSeed
	}
	m.start(keys, s)
}

// start makes the tables of an empty map, with room for some keys.
func (m *boxes) start(keys int, s sizes) {
	m.tables.start(keys, s, s.slots(), 0, int(reflect.TypeFor[bucket]().Size()), m)
}

// hashOf returns the hash of a key in a table, as its slots have it.
func (m *boxes) hashOf(t *boxTable, k ref) uint32 { return m.hashBy(&t.head.seed, k) }

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

// rehash returns the hash in table n of a key that has the hash h in table t. Keys that are not
// equal to themselves keep theirs, because no search looks for them.
func (m *boxes) rehash(t *boxTable, h uint32, n *boxTable, k ref) uint32 {
	if n.head.seed == t.head.seed || !m.same(k, k) {
		return h
	}
	return m.hashOf(n, k)
}

// sideTableOf returns the side table, of the generation, for a key with the hash h in table t.
func (m *boxes) sideTableOf(t *boxTable, h uint32, k ref) *sideTable {
	if t.head.seed != t.head.of.seed && m.same(k, k) {
		h = m.hashBy(&t.head.of.seed, k)
	}
	return t.head.sideTableOf(uint64(h))
}

// peek is a short find for store and remove. It returns the hash of a key, and the first slot with
// that hash if the slot has the key or is open. It looks at near buckets and at one slot with the
// hash. If these do not tell, the slot is nil and the caller uses find. If k is "", r may be dead,
// which has no value, like the box of a deleted key.
func (m *boxes) peek(t *boxTable, k ref) (h uint32, p *cell, r boxRef) {
	text := t.head.seed.How == hash.AsText && m.how == hash.AsText
	if text {
		h = proper(t.head.seed.Text.Of(*(*string)(k)))
	} else {
		h = m.hashOf(t, k)
	}
	b, mask := homeOf(t, h), len(t.blocks)-1
	for range near {
		g := &t.blocks[b&mask]
		full := g.hash[bucketed-1].Load() != none // loaded first: if it is not none, all hashes of g are final
		if j := g.hash.first(h); j < bucketed {
			p = &g.box[j]
			if r = p.Load(); m.open(r) {
				return h, p, r
			}
			if key := r.Ptr().key(); text && *(*string)(key) == *(*string)(k) || !text && r != m.dead && m.same(key, k) {
				return h, p, r
			}
			break
		}
		if !full {
			break
		}
		b++
	}
	return h, nil, boxRef{}
}

// near is the number of buckets that peek looks at.
const near = 2

// open reports whether a slot that holds r may be given a box.
func (m *boxes) open(r boxRef) bool { return r.Nil() || r == m.free }

// bring puts the box r, whose key has the number seq, into a slot that is open or has a deleted
// box, and reports whether the slot still held was. It holds the place's lock meanwhile (order.I1).
func (m *boxes) bring(t *boxTable, p *cell, at int, was, r boxRef, seq uint32) bool {
	l, ok := t.head.lockPlace(at, seq, func() bool { return p.Load() == was })
	if !ok {
		return false
	}
	defer l.end()
	return p.CompareAndSwap(was, r)
}

// search is the result of find.
type search struct {
	slot          // the key's, or an open one, or the end of the probe sequence
	r      boxRef // what the slot holds: a box, nil or free
	end    uint32 // the slot's hash; none or shut at the end of the sequence, shut after all slots
	at     int    // the slot's index
	passed bool   // a slot before it has the hash
}

// find returns the first slot of a probe sequence that has the key, may get it, or is the end.
func (m *boxes) find(t *boxTable, h uint32, k ref) (s search) {
	b, mask := homeOf(t, h), len(t.blocks)-1
	for range t.blocks {
		g := &t.blocks[b]
		for j := range t.head.per {
			switch x := g.hash[j].Load(); x {
			case h:
				if r := g.box[j].Load(); m.open(r) || r != m.dead && m.same(r.Ptr().key(), k) {
					s.slot, s.r, s.end, s.at = g.slot(j), r, x, b*t.head.per+j
					return s
				}
				s.passed = true
			case none, shut:
				s.slot, s.end, s.at = g.slot(j), x, b*t.head.per+j
				return s
			}
		}
		b = (b + 1) & mask
	}
	s.end, s.at = shut, b*t.head.per
	return s
}

// chain chains the slots with a key's hash, from its home to before the index end (boxes.I2). It
// returns false at a slot that has the key or is open: then its caller calls find again.
func (m *boxes) chain(t *boxTable, h uint32, k ref, end int) bool {
	first := true
	for at, p := range probe(t, h) {
		if at == end && !first {
			break
		}
		for first = false; p.hash.Load() == h; {
			r := p.box.Load()
			if m.open(r) || r != m.dead && m.same(r.Ptr().key(), k) {
				return false
			}
			if m.link(p.box, r) {
				break
			}
		}
	}
	return true
}

// link chains a slot that holds r, and returns false if the slot no longer holds r.
func (m *boxes) link(p *cell, r boxRef) bool {
	return r == m.dead || r.Tag()&chained != 0 || r.Tag()&says == movedBox || p.CompareAndSwap(r, tagged.To(r.Ptr(), r.Tag()|chained))
}

// locate returns the slot of a key in a table, what the slot holds (a box, nil or free) and the
// slot's index. If puts is set, a key without a slot gets an open one: its hash is written and room
// is reserved, and the caller brings the box. A nil slot means that the key has none here. Then
// ended reports that it has none in any table; otherwise the caller goes on to the next table.
func (m *boxes) locate(t *boxTable, h uint32, k ref, puts bool) (p *cell, r boxRef, at int, ended bool) {
	for {
		s := m.find(t, h, k)
		switch {
		case !puts && s.end == shut:
			return nil, s.r, 0, t.head.next.Load() == nil
		case !puts && s.end == none:
			return nil, s.r, 0, true
		case !puts || !m.open(s.r):
			return s.box, s.r, s.at, false
		case s.passed && !m.chain(t, h, k, s.at):
		case s.end == shut:
			return nil, s.r, 0, false
		case t.head.next.Load() != nil: // (table.I5)
			if s.end == none {
				s.hash.CompareAndSwap(none, shut)
			} else {
				s.box.CompareAndSwap(s.r, m.dead)
			}
		case s.r == m.free: // an emptied slot keeps its room
			return s.box, s.r, s.at, false
		case m.tables.reseed != nil && (s.at-homeOf(t, h)*t.head.per+t.head.places)%t.head.places >= m.tables.crowd:
			t.head.crowded.Store(true)
			m.tables.extend(&t.head, 0, false)
		case !m.tables.reserve(&t.head, s.at):
		case s.end == h: // the goroutine that wrote the hash has reserved room, too
			return s.box, s.r, s.at, false
		case s.hash.CompareAndSwap(none, h):
			return s.box, s.r, s.at, false
		default:
			t.head.release(s.at)
		}
	}
}

// boxed calls f with the hashes and boxes of the settled table, until f returns false.
func (m *boxes) boxed(f func(t *boxTable, h uint32, r boxRef) bool) {
	t := m.settled()
	for i := range t.head.places {
		if h, r, ok := m.boxAt(t, i); ok && !f(t, h, r) {
			return
		}
	}
}

// forgetAll deletes the keys for which f returns true, and returns their number. value returns the
// value of a box's key, and forget is the function forget of the map.
func forgetAll[V any](m *boxes, value func(t *boxTable, h uint32, r boxRef) (V, bool), forget func(k ref, f func(v V) bool) bool, f func(k ref, v V) bool) (n int) {
	m.boxed(func(t *boxTable, h uint32, r boxRef) bool {
		b := r.Ptr()
		if m.same(b.key(), b.key()) {
			if forget(b.key(), func(v V) bool { return f(b.key(), v) }) {
				n++
			}
		} else if v, ok := value(t, h, r); ok && f(b.key(), v) && m.expel(t, h, b) {
			t.head.count(-1)
			n++
		}
		return true
	})
	return n
}

// boxAt returns the hash and the box of a place, or ok false if it has no key or a deleted one.
func (m *boxes) boxAt(t *boxTable, i int) (h uint32, r boxRef, ok bool) {
	p := slotAt(t, i)
	if h = p.hash.Load(); h == none || h == shut {
		return h, r, false
	}
	r = p.box.Load()
	return h, r, !r.Nil() && r.Tag()&says != deletedBox
}
