package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
)

// boxes is a map whose places point to boxes: a key, and a value or what stands for it. E is what a box has beside the key:
//
//	V            in a map of large values; a box does not change then, and another value is another box
//	atom.Uint64  in a map of words, which are overwritten in their box
//
// A place has the hash of its key, so that few boxes are looked at in vain. See [tables] for the rest: a place whose key was deleted
// is dead, and keeps nothing alive; a table has room for other keys again when its keys are moved.
type boxes[K comparable, E, V any] struct {
	tables[slot[K, E], records[K, V]]
	hash  func(k K) uint64
	equal func(a, b K) bool     // nil: ==
	dead  tagged.Ref[box[K, E]] // of a slot whose key was deleted
	gone  func(v *E) bool       // the key of the box was deleted; nil: its slot says so
}

// boxTable is a table of a boxes.
type boxTable[K, E, V any] = table[slot[K, E], records[K, V]]

// slot is a place: the hash of a key, and its box.
type slot[K, E any] struct {
	hash atom.Uint64
	box  tagged.Cell[box[K, E]] // nil: whoever has a key with the hash may put it here
}

// box is a key and its value. Its first field has it lie at multiples of 4 and be as long, whatever the types are: the allocator
// packs what is small and has no pointers as its size allows.
type box[K, E any] struct {
	_   [0]uint32
	key K
	val E
}

// The tags of a slot's pointer.
const (
	movedBox   = 1 // the box is in the next table
	laidBox    = 2 // the value lies aside
	deletedBox = 3 // the key was deleted, and may get another value here; soon the slot is dead
)

func (m *boxes[K, E, V]) init(keys int, s sizes, hash func(K) uint64, equal func(a, b K) bool) {
	m.hash, m.equal, m.dead = hash, equal, tagged.To(new(box[K, E]), 0)
	m.start(keys, s, 0, m)
}

// hashOf returns the hash of a key, as slots have it.
func (m *boxes[K, E, V]) hashOf(k K) uint64 {
	h := m.hash(k)
	if h+1 <= 1 {
		h ^= 1
	}
	return h
}

// same says whether two keys are one.
func (m *boxes[K, E, V]) same(a, b K) bool {
	if m.equal != nil {
		return m.equal(a, b)
	}
	return a == b
}

// find returns the slot of a key, and what it says: a box with the key, or nil where it may be put. Where there is no such slot it
// returns what the run ends with, none or closed. A run that is the whole table ends with closed. at is the slot's index.
func (m *boxes[K, E, V]) find(t *boxTable[K, E, V], h uint64, k K) (p *slot[K, E], r tagged.Ref[box[K, E]], end uint64, at int) {
	at, mask := int(h>>t.shift), len(t.places)-1
	for range t.places {
		p = &t.places[at]
		switch x := p.hash.Load(); x {
		case h:
			if r = p.box.Load(); r.Nil() || r != m.dead && m.same(r.Ptr().key, k) {
				return p, r, h, at
			}
		case none, closed:
			return p, tagged.Ref[box[K, E]]{}, x, at
		}
		at = (at + 1) & mask
	}
	return nil, tagged.Ref[box[K, E]]{}, closed, at
}

// lay returns the slot of a key in a table, and what it has said: a box, or nil where it may be put, after it was given one if it had
// none and is to have one. It returns no slot where the key has none and gets none: then, with ended, it is in no table, and
// otherwise the next table is where to look.
func (m *boxes[K, E, V]) lay(t *boxTable[K, E, V], h uint64, k K, puts bool) (p *slot[K, E], r tagged.Ref[box[K, E]], ended bool) {
	for {
		p, r, end, at := m.find(t, h, k)
		switch {
		case end == closed:
			return nil, r, !puts && t.next.Load() == nil
		case end == none && !puts:
			return nil, r, true
		case end != none && (!puts || !r.Nil()):
			return p, r, false
		case t.next.Load() != nil: // (I5)
			if end == none {
				p.hash.CompareAndSwap(none, closed)
			} else {
				p.box.CompareAndSwap(r, m.dead)
			}
		case !m.reserve(t, at):
		case end != none: // for another key with the hash, for which room is reserved too: too much, until the keys are moved
			return p, r, false
		case p.hash.CompareAndSwap(none, h):
			return p, r, false
		default:
			t.release(at)
		}
	}
}

// boxed calls f with the hashes and boxes of a table in which no keys were being moved, until it says false.
func (m *boxes[K, E, V]) boxed(f func(t *boxTable[K, E, V], h uint64, r tagged.Ref[box[K, E]]) bool) {
	t := m.settled()
	for i := range t.places {
		p := &t.places[i]
		h := p.hash.Load()
		if h == none || h == closed {
			continue
		}
		if r := p.box.Load(); !r.Nil() && r != m.dead && r.Tag() != deletedBox && !f(t, h, r) {
			return
		}
	}
}

// move implements mover.
func (m *boxes[K, E, V]) move(t *boxTable[K, E, V], i int, n *boxTable[K, E, V]) (came bool) {
	p := &t.places[i]
	h, has := keyOrClose(&p.hash)
	if !has {
		return false
	}
	var to *slot[K, E]
	for {
		r := p.box.Load()
		switch {
		case r.Nil():
			if p.box.CompareAndSwap(r, m.dead) {
				return false
			}
			continue
		case r == m.dead || r.Tag() == deletedBox || to == nil && m.gone != nil && m.gone(&r.Ptr().val):
			if to != nil {
				to.box.Store(m.dead)
			}
			if r == m.dead || p.box.CompareAndSwap(r, m.dead) {
				return to != nil
			}
			continue
		}
		if to == nil { // (I3)
			to = m.arrive(n, h, r)
		} else {
			to.box.Store(r)
		}
		if p.box.CompareAndSwap(r, tagged.To(r.Ptr(), movedBox)) {
			return true
		}
	}
}

// arrive puts a box that is moved where its key may be put. Nobody else has the key here.
func (m *boxes[K, E, V]) arrive(t *boxTable[K, E, V], h uint64, r tagged.Ref[box[K, E]]) *slot[K, E] {
	at, mask := int(h>>t.shift), len(t.places)-1
	for range t.places {
		p := &t.places[at]
		x := p.hash.Load()
		if x == none && !p.hash.CompareAndSwap(none, h) {
			x = p.hash.Load()
		}
		if (x == none || x == h) && p.box.CompareAndSwap(tagged.Ref[box[K, E]]{}, r) {
			return p
		}
		at = (at + 1) & mask
	}
	panic(full)
}

// kill makes a slot dead, if it still says r.
//
// Where a box says that its key was deleted its slot is just made dead. Otherwise a mover may have put the box into the next table
// already, where who puts the key in again would find it if the slot did not send him to this table until that is undone. So
// the key stays here, deleted; and becomes dead at once if nobody moves, which nobody who comes later can have a box left from,
// or else by its mover.
func (m *boxes[K, E, V]) kill(t *boxTable[K, E, V], p *slot[K, E], r tagged.Ref[box[K, E]]) bool {
	if m.gone != nil {
		return p.box.CompareAndSwap(r, m.dead)
	}
	deleted := tagged.To(r.Ptr(), deletedBox)
	if !p.box.CompareAndSwap(r, deleted) {
		return false
	}
	if t.next.Load() == nil {
		p.box.CompareAndSwap(deleted, m.dead)
	}
	return true
}

// expel makes the slot of a box dead, and says whether it was it who did. A box that lies aside stays.
func (m *boxes[K, E, V]) expel(t *boxTable[K, E, V], h uint64, b *box[K, E]) bool {
	for ; t != nil; t = t.next.Load() {
		at, mask := int(h>>t.shift), len(t.places)-1
		for range t.places {
			p := &t.places[at]
			x := p.hash.Load()
			if x == none || x == closed {
				break
			}
			if x == h {
				r := p.box.Load()
				switch {
				case r == tagged.To(b, 0) && m.kill(t, p, r):
					return true
				case r == tagged.To(b, deletedBox): // somebody else was quicker
					return false
				}
			}
			at = (at + 1) & mask
		}
	}
	return false
}
