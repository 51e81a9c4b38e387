package hashmap

import (
	"hash/maphash"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// boxes is a map whose places point to boxes: a key, and a value or what stands for it. E is what a box has beside the key:
//
//	V            in a map of large values; a box does not change then, and another value is another box
//	atom.Uint64  in a map of words, which are overwritten in their box
//
// A place has the hash of its key, so that few boxes are looked at in vain. A key that was deleted leaves its place empty, and keeps
// nothing alive. See [tables] for the rest, and these beside it:
//
// Invariants:
//
//	(B1) A slot keeps its hash. It has one box after the other, of keys with that hash, and none between them, until it is chained:
//	     then it gets no other key's box, and where it had none left it is dead.
//	(B2) Where a key has a slot all slots of its run before that have its hash are chained, dead or moved. So who puts a key in
//	     chains those that he passes, also where he goes on to the next table; and one that has no box ends the search.
//	(B3) A slot is emptied only for who has seen that there is no next table; otherwise it is made dead. Who fills an empty one has seen
//	     that too, and both may have seen it long ago: so a mover may find another key than before.
type boxes[K comparable, E, V any] struct {
	tables[slot[K, E], records[K, V]]
	hash  func(k K) uint64      // where a table's seed is none
	equal func(a, b K) bool     // nil: ==
	free  tagged.Ref[box[K, E]] // of a slot that was emptied
	dead  tagged.Ref[box[K, E]] // of a slot that gets no box any more
	gone  func(v *E) bool       // the key of the box was deleted; nil: its slot says so
}

// boxTable is a table of a boxes.
type boxTable[K, E, V any] = table[slot[K, E], records[K, V]]

// slot is a place: the hash of a key, and its box.
type slot[K, E any] struct {
	hash atom.Uint64
	box  tagged.Cell[box[K, E]] // nil, or free: whoever has a key with the hash may put it here
}

// box is a key and its value. Its first field has it lie at multiples of 8 and be as long, whatever the types are: the allocator
// packs what is small and has no pointers as its size allows.
type box[K, E any] struct {
	_   [0]uint64
	key K
	val E
}

// What the tag of a slot's pointer says.
const (
	movedBox   = 1 // the box is in the next table
	laidBox    = 2 // the value lies aside
	deletedBox = 3 // the key was deleted, and may get another value here; soon the slot is empty or dead
	says       = 3 // the bits of these

	chained = 4 // beside one of these: who had another key with the hash went on from here
)

func (m *boxes[K, E, V]) init(keys int, s sizes, by hashing[K]) {
	m.hash, m.equal = by.hash, by.equal
	m.free, m.dead = tagged.To(new(box[K, E]), deletedBox), tagged.To(new(box[K, E]), deletedBox)
	if m.seed = by.seed; m.equal == nil {
		m.reseed = func() hash.Seed { return hash.NewSeed[K](maphash.MakeSeed()) }
	}
	m.start(keys, s, 0, m)
}

// hashOf returns the hash of a key in a table, as its slots have it.
func (m *boxes[K, E, V]) hashOf(t *boxTable[K, E, V], k K) uint64 { return m.hashBy(&t.seed, k) }

// hashBy returns the hash of a key in the tables that have a seed.
func (m *boxes[K, E, V]) hashBy(seed *hash.Seed, k K) uint64 {
	if seed.How != hash.Given {
		return proper(hash.Key(seed, k))
	}
	return proper(m.hash(k))
}

// proper returns a hash, or another one if it says of a slot that it has none.
func proper(h uint64) uint64 {
	if h+1 <= 1 {
		return h ^ 1
	}
	return h
}

// rehash returns the hash in a table of a key that has one in another table. Keys that are not equal to themselves, which nobody looks
// for, keep theirs.
func (m *boxes[K, E, V]) rehash(t *boxTable[K, E, V], h uint64, n *boxTable[K, E, V], k K) uint64 {
	if n.seed == t.seed || !m.same(k, k) {
		return h
	}
	return m.hashOf(n, k)
}

// recordsOf returns those among which a key's is, which has a hash in a table. All tables of a tenure have them in common.
func (m *boxes[K, E, V]) recordsOf(t *boxTable[K, E, V], h uint64, k K) *records[K, V] {
	if t.seed != t.of.seed && m.same(k, k) {
		h = m.hashBy(&t.of.seed, k)
	}
	return t.of.recordsOf(h)
}

// same says whether two keys are one.
func (m *boxes[K, E, V]) same(a, b K) bool {
	if m.equal != nil {
		return m.equal(a, b)
	}
	return a == b
}

// spot returns the index of the place to look at for a hash: its home, or the next one if another hash is there, which is
// computed and not branched on, for nobody can foretell it.
func spot[K comparable, E, V any](t *boxTable[K, E, V], h uint64) int {
	at := h >> (t.shift & 63)
	next := uint64(0)
	if t.places[at&uint64(len(t.places)-1)].hash.Load() != h {
		next = 1
	}
	return int((at + next) & uint64(len(t.places)-1))
}

// near is how far peek looks.
const near = 8

// peek returns the hash of a key and, most often, what find would find: the slot with the key's box, or the first that is open. It is
// for those who change what is usual in a table whose keys nobody moves.
func (m *boxes[K, E, V]) peek(t *boxTable[K, E, V], k K) (h uint64, p *slot[K, E], r tagged.Ref[box[K, E]]) {
	switch t.seed.How {
	case hash.AsWord:
		h = proper(t.seed.Word.Of(word.Of(k)))
	case hash.AsText:
		h = proper(t.seed.Text.Of(word.Text(k)))
	default:
		h = m.hashOf(t, k)
	}
	at := spot(t, h)
	for range near {
		p = &t.places[at]
		switch p.hash.Load() {
		case h:
			if r = p.box.Load(); r == m.free {
				if home := &t.places[h>>(t.shift&63)&uint64(len(t.places)-1)]; home != p && home.hash.Load() == h {
					return h, nil, tagged.Ref[box[K, E]]{} // it had none when spot looked
				}
				return h, p, r
			}
			if r.Nil() || m.same(r.Ptr().key, k) {
				return h, p, r
			}
			return h, nil, tagged.Ref[box[K, E]]{}
		case none, closed:
			return h, nil, r
		}
		at = (at + 1) & (len(t.places) - 1)
	}
	return h, nil, r
}

// open says that a slot that says r may be given a box.
func (m *boxes[K, E, V]) open(r tagged.Ref[box[K, E]]) bool { return r.Nil() || r == m.free }

// bring puts a box into an open slot that says was.
func (m *boxes[K, E, V]) bring(t *boxTable[K, E, V], p *slot[K, E], at int, was, r tagged.Ref[box[K, E]], age uint32) bool {
	c, ok := t.claimed(at, age, func() bool { return p.box.Load() == was })
	if !ok {
		return false
	}
	defer c.end()
	return p.box.CompareAndSwap(was, r)
}

// search is what find has found.
type search[K, E any] struct {
	p      *slot[K, E]           // the slot of a key, or where it may be put, or where its run ends
	r      tagged.Ref[box[K, E]] // what that says: a box with the key, or that it is open
	end    uint64                // the slot's hash: none or closed where the run ends; closed, too, where it is the whole table
	at     int                   // the slot's index
	passed bool                  // there is a slot with the hash before it
}

// find looks for a key.
func (m *boxes[K, E, V]) find(t *boxTable[K, E, V], h uint64, k K) (s search[K, E]) {
	at, mask := int(h>>t.shift), len(t.places)-1
	for range t.places {
		p := &t.places[at]
		switch x := p.hash.Load(); x {
		case h:
			if r := p.box.Load(); m.open(r) || r != m.dead && m.same(r.Ptr().key, k) {
				s.p, s.r, s.end, s.at = p, r, x, at
				return s
			}
			s.passed = true
		case none, closed:
			s.p, s.end, s.at = p, x, at
			return s
		}
		at = (at + 1) & mask
	}
	s.end, s.at = closed, at
	return s
}

// chain chains the slots with a key's hash from the first of its run to one with an index (B2). It says false when the key may be in
// one, or may be put there.
func (m *boxes[K, E, V]) chain(t *boxTable[K, E, V], h uint64, k K, end int) bool {
	at, mask := int(h>>t.shift), len(t.places)-1
	for first := true; first || at != end; first = false {
		for p := &t.places[at]; p.hash.Load() == h; {
			r := p.box.Load()
			if m.open(r) || r != m.dead && m.same(r.Ptr().key, k) {
				return false
			}
			if m.link(p, r) {
				break
			}
		}
		at = (at + 1) & mask
	}
	return true
}

// link chains a slot that says r, if it says so still and can get another key's box.
func (m *boxes[K, E, V]) link(p *slot[K, E], r tagged.Ref[box[K, E]]) bool {
	return r == m.dead || r.Tag()&chained != 0 || r.Tag()&says == movedBox || p.box.CompareAndSwap(r, tagged.To(r.Ptr(), r.Tag()|chained))
}

// lay returns the slot of a key in a table, and what it has said: a box, or that it is open, after it was given one if it had
// none and is to have one. It returns no slot where the key has none and gets none: then, with ended, it is in no table, and
// otherwise the next table is where to look.
func (m *boxes[K, E, V]) lay(t *boxTable[K, E, V], h uint64, k K, puts bool) (p *slot[K, E], r tagged.Ref[box[K, E]], at int, ended bool) {
	for {
		s := m.find(t, h, k)
		switch {
		case !puts && s.end == closed:
			return nil, s.r, 0, t.next.Load() == nil
		case !puts && s.end == none:
			return nil, s.r, 0, true
		case !puts || !m.open(s.r):
			return s.p, s.r, s.at, false
		case s.passed && !m.chain(t, h, k, s.at):
		case s.end == closed:
			return nil, s.r, 0, false
		case t.next.Load() != nil: // (I5)
			if s.end == none {
				s.p.hash.CompareAndSwap(none, closed)
			} else {
				s.p.box.CompareAndSwap(s.r, m.dead)
			}
		case s.r == m.free: // room is reserved for it
			return s.p, s.r, s.at, false
		case m.reseed != nil && (s.at-int(h>>t.shift))&(len(t.places)-1) >= m.crowd:
			t.crowded.Store(true)
			m.extend(t, 0, false)
		case !m.reserve(t, s.at):
		case s.end == h: // for another key with the hash, for which room is reserved too: too much, until the keys are moved
			return s.p, s.r, s.at, false
		case s.p.hash.CompareAndSwap(none, h):
			return s.p, s.r, s.at, false
		default:
			t.release(s.at)
		}
	}
}

// boxed calls f with the hashes and boxes of a table in which no keys were being moved, until it says false.
func (m *boxes[K, E, V]) boxed(f func(t *boxTable[K, E, V], h uint64, r tagged.Ref[box[K, E]]) bool) {
	t := m.settled()
	for i := range t.places {
		if h, r, ok := m.boxAt(t, i); ok && !f(t, h, r) {
			return
		}
	}
}

// boxAt returns the hash and the box of a place. False says that it has no key, or one that was deleted.
func (m *boxes[K, E, V]) boxAt(t *boxTable[K, E, V], i int) (h uint64, r tagged.Ref[box[K, E]], ok bool) {
	p := &t.places[i]
	if h = p.hash.Load(); h == none || h == closed {
		return h, r, false
	}
	r = p.box.Load()
	return h, r, !r.Nil() && r.Tag()&says != deletedBox
}
