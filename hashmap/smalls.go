package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// smalls is a map of words, which are overwritten in their boxes; old and new tables share these. What the word of a box says is
// what the word of a place of [words] says; but a box whose key was deleted is not used again, and its slot is emptied.
//
// A key that is not equal to itself is in one box, which nobody looks for. Its word is always a
// value, and its slot says that it was deleted.
type smalls[K comparable] struct {
	boxes boxes[K, atom.Uint64, uint64]
	salt  uint64
}

// smallTable is a table of a smalls.
type smallTable[K comparable] = boxTable[K, atom.Uint64, uint64]

// smallBox is a reference to a box of one.
type smallRef[K comparable] = tagged.Ref[box[K, atom.Uint64]]

func newSmalls[K comparable](salt uint64, keys int, s sizes, by hashing[K]) *smalls[K] {
	m := &smalls[K]{salt: salt}
	m.boxes.value = m.valueOf
	m.boxes.forget = func(k K, f func(v uint64) bool) bool { return forget(m, k, f) }
	m.boxes.gone = func(b *box[K, atom.Uint64]) bool { return b.val.Load() == noWord && m.boxes.same(b.key, b.key) }
	m.boxes.init(keys, s, by)
	return m
}

// fresh returns a new box.
func fresh[K comparable](k K, e uint64) smallRef[K] {
	b := &box[K, atom.Uint64]{key: k}
	b.val.Store(e)
	return tagged.To(b, 0)
}

// load returns the value of a key.
func (m *smalls[K]) load(k K) (v uint64, ok bool) {
	t := m.boxes.first()
	h := uint32(0)
	switch t.head.seed.How {
	case hash.AsText:
		h = proper(t.head.seed.Text.Of(word.Text(k)))
	case hash.Given: // who compares keys, too
		return m.loadFrom(t, m.boxes.hashOf(t, k), k)
	default:
		h = m.boxes.hashOf(t, k)
	}
	g := &t.blocks[homeOf(t, h)]
	if j := g.hash.first(h); j < bucketed {
		if r := g.box[j].Load(); !r.Nil() {
			if b := r.Ptr(); b.key == k {
				if e := b.val.Load(); e >= marks {
					return e ^ m.salt, true
				}
			}
		}
	}
	return m.loadFrom(t, h, k)
}

// loadFrom is load for who begins in a table that may be the root no more, where the key has the hash h.
func (m *smalls[K]) loadFrom(t *smallTable[K], h uint32, k K) (v uint64, ok bool) {
	for {
		s := m.boxes.find(t, h, k)
		if s.end == none {
			return 0, false
		}
		if s.end != shut {
			if m.boxes.open(s.r) {
				return 0, false
			}
			switch e := s.r.Ptr().val.Load(); {
			case e >= marks:
				return e ^ m.salt, true
			case e == laidWord:
				if v, ok, aside := m.boxes.recordsOf(t, h, k).look(k, m.boxes.same); aside {
					return v, ok
				}
				continue
			case s.r.Tag()&says == 0: // deleted, and nobody had put it in again when its slot was read
				return 0, false
			}
		}
		n := t.after()
		if n == nil { // the run is the whole table
			return 0, false
		}
		t, h = n, m.boxes.rehash(t, h, n, k)
	}
}

// store makes v the value of a key.
func (m *smalls[K]) store(k K, v uint64) {
	e := v ^ m.salt
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	if !r.Nil() && e >= marks {
		b := r.Ptr()
		if was := b.val.Load(); was >= marks && b.val.CompareAndSwap(was, e) {
			return
		}
		if r == m.boxes.free && t.head.next.Load() == nil && t.head.order.Load() == nil && p.CompareAndSwap(r, fresh(k, e)) { // (I5)
			t.head.count(1)
			return
		}
	}
	m.storeFrom(smallCursor[K]{m: m, t: t, h: h, k: k}, v)
}

// storeFrom is store for who has a cursor.
func (m *smalls[K]) storeFrom(c smallCursor[K], v uint64) {
	for e := v ^ m.salt; ; {
		c = m.seek(c, true)
		if !c.fits(v) || c.word == laidWord {
			adjustAside(m, c, c.k, true, func(uint64, bool) (uint64, action) { return v, put })
			return
		}
		if c.put(e) {
			if m.boxes.open(c.was) {
				c.counted(1)
			}
			return
		}
	}
}

// remove takes the value of a key away.
func (m *smalls[K]) remove(k K) (v uint64, ok bool) {
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	if !r.Nil() {
		b := r.Ptr()
		if was := b.val.Load(); was >= marks && b.val.CompareAndSwap(was, noWord) {
			if r.Tag()&says != 0 || !m.boxes.empty(t, p, r) {
				m.boxes.expel(t, h, b)
			}
			t.head.of.count(-1)
			return was ^ m.salt, true
		}
	}
	for c := (smallCursor[K]{m: m, t: t, h: h, k: k}); ; {
		c = m.seek(c, false)
		was, s := c.said()
		switch {
		case s == laid:
			adjustAside(m, c, k, false, func(old uint64, there bool) (uint64, action) {
				v, ok = old, there
				return 0, drop
			})
			return v, ok
		case s == absent:
			return 0, false
		case c.unset():
			c.counted(-1)
			return was, true
		}
	}
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is there all the time comes once.
func (m *smalls[K]) all(yield func(k K, v uint64) bool) {
	m.boxes.boxed(func(t *smallTable[K], h uint32, r smallRef[K]) bool {
		v, ok := m.valueOf(t, h, r)
		return !ok || yield(r.Ptr().key, v)
	})
}

// valueOf returns the value of a box's key. False says that it has none.
func (m *smalls[K]) valueOf(t *smallTable[K], h uint32, r smallRef[K]) (v uint64, ok bool) {
	b := r.Ptr()
	e := b.val.Load()
	if e < marks && m.boxes.same(b.key, b.key) {
		return m.loadFrom(t, h, b.key)
	}
	return e ^ m.salt, true
}

// smallCursor implements cursor.
type smallCursor[K comparable] struct {
	m    *smalls[K]
	t    *smallTable[K]
	h    uint32
	k    K
	p    *tagged.Cell[box[K, atom.Uint64]] // nil: the key has none
	at   int                               // its index
	was  smallRef[K]
	word uint64 // what the box has said
	age  uint32 // what the key's is to be, if it is put in
}

func (m *smalls[K]) begin(k K) smallCursor[K] {
	t := m.boxes.first()
	return m.at(t, m.boxes.hashOf(t, k), k, young)
}

// at returns a cursor that begins in a table where the key has the hash h.
func (m *smalls[K]) at(t *smallTable[K], h uint32, k K, age uint32) smallCursor[K] {
	return smallCursor[K]{m: m, t: t, h: h, k: k, age: age}
}

func (m *smalls[K]) seek(c smallCursor[K], puts bool) smallCursor[K] {
	for {
		var ended bool
		c.word = noWord
		if c.p, c.was, c.at, ended = m.boxes.lay(c.t, c.h, c.k, puts); ended {
			return c
		}
		if c.p != nil {
			if m.boxes.open(c.was) {
				return c
			}
			if c.word = c.was.Ptr().val.Load(); c.word != noWord {
				return c
			}
			if c.was.Tag()&says != movedBox {
				m.boxes.empty(c.t, c.p, c.was)
				continue
			}
		}
		n := m.boxes.follow(c.t)
		c.t, c.h = n, m.boxes.rehash(c.t, c.h, n, c.k)
	}
}

func (c smallCursor[K]) said() (v uint64, s state) {
	switch {
	case c.p == nil || c.m.boxes.open(c.was):
		return 0, absent
	case c.word == laidWord:
		return 0, laid
	}
	return c.word ^ c.m.salt, there
}

func (c smallCursor[K]) fits(v uint64) bool { return v^c.m.salt >= marks || !c.m.boxes.same(c.k, c.k) }

// put has the place say a word.
func (c smallCursor[K]) put(e uint64) bool {
	if c.m.boxes.open(c.was) {
		return c.m.boxes.bring(c.t, c.p, c.at, c.was, fresh(c.k, e), c.t.head.now(c.age))
	}
	return c.was.Ptr().val.CompareAndSwap(c.word, e)
}

func (c smallCursor[K]) set(v uint64) bool { return c.put(v ^ c.m.salt) }
func (c smallCursor[K]) lay() bool         { return c.put(laidWord) }

func (c smallCursor[K]) unset() bool {
	if !c.was.Ptr().val.CompareAndSwap(c.word, noWord) {
		return false
	}
	if c.was.Tag()&says != 0 || !c.m.boxes.empty(c.t, c.p, c.was) {
		c.m.boxes.expel(c.t, c.h, c.was.Ptr())
	}
	return true
}

func (c smallCursor[K]) records() *records[K, uint64] { return c.m.boxes.recordsOf(c.t, c.h, c.k) }
func (c smallCursor[K]) counted(n int64)              { c.t.head.count(n) }
func (c smallCursor[K]) same(a, b K) bool             { return c.m.boxes.same(a, b) }
func (c smallCursor[K]) alike(a, b uint64) bool       { return a == b }
func (c smallCursor[K]) cycle() error                 { return c.m.boxes.tables.cycle() }
