package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// wordBoxes is a map whose values are words in boxes. A value is overwritten in its box, which the
// old and the new table share while keys are moved. The word of a box means what the word of a
// place of an [inline] means, except that a box whose key was deleted is not used again: its slot
// is emptied.
//
// A key that is not equal to itself is in one box, which no search finds. Its word is always a
// value, and its slot shows whether it was deleted.
type wordBoxes[K comparable] struct {
	boxes boxes[K, atom.Uint64, uint64]
	salt  uint64
}

// wordBoxTable is a table of a wordBoxes.
type wordBoxTable[K comparable] = boxTable[K, atom.Uint64, uint64]

// wordBoxRef is a reference to a box of a wordBoxes.
type wordBoxRef[K comparable] = tagged.Ref[box[K, atom.Uint64]]

func newWordBoxes[K comparable](salt uint64, keys int, s sizes, by hashing[K]) *wordBoxes[K] {
	m := &wordBoxes[K]{salt: salt}
	m.boxes.value = m.valueOf
	m.boxes.forget = func(k K, f func(v uint64) bool) bool { return forget(m, k, f) }
	m.boxes.gone = func(b *box[K, atom.Uint64]) bool { return b.val.Load() == noWord && m.boxes.same(b.key, b.key) }
	m.boxes.init(keys, s, by)
	return m
}

// fresh returns a new box.
func fresh[K comparable](k K, e uint64) wordBoxRef[K] {
	b := &box[K, atom.Uint64]{key: k}
	b.val.Store(e)
	return tagged.To(b, 0)
}

// load returns the value of a key.
func (m *wordBoxes[K]) load(k K) (v uint64, ok bool) {
	t := m.boxes.first()
	h := uint32(0)
	switch t.head.seed.How {
	case hash.AsText:
		h = proper(t.head.seed.Text.Of(word.Text(k)))
	case hash.Given: // with a Hasher == does not compare keys
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

// loadFrom is load that begins in a table which may no longer be the root, where the key has the
// hash h.
func (m *wordBoxes[K]) loadFrom(t *wordBoxTable[K], h uint32, k K) (v uint64, ok bool) {
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
			case e == sideWord:
				if v, ok, found := m.boxes.sideTableOf(t, h, k).look(k); found {
					return v, ok
				}
				continue
			case s.r.Tag()&says == 0: // deleted, and not put in again when the slot was read
				return 0, false
			}
		}
		n := t.after()
		if n == nil { // the probe sequence is the whole table
			return 0, false
		}
		t, h = n, m.boxes.rehash(t, h, n, k)
	}
}

// store makes v the value of a key.
func (m *wordBoxes[K]) store(k K, v uint64) {
	e := v ^ m.salt
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	if !r.Nil() && e >= marks {
		b := r.Ptr()
		if was := b.val.Load(); was >= marks && b.val.CompareAndSwap(was, e) {
			return
		}
		if r == m.boxes.free && t.head.next.Load() == nil && t.head.order.Load() == nil && p.CompareAndSwap(r, fresh(k, e)) { // (table.I5)
			t.head.count(1)
			return
		}
	}
	for c := m.at(t, h, k, currentSeq); ; { // as adjustFrom does, without a call of a function
		c = m.seek(c, true)
		if !c.fits(v) || c.word == sideWord {
			adjustSide(m, c, k, true, func(uint64, bool) (uint64, Op) { return v, Update })
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

// remove removes the value of a key.
func (m *wordBoxes[K]) remove(k K) (v uint64, ok bool) {
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
	c := m.seek(m.at(t, h, k, currentSeq), false)
	if _, s := c.said(); s == absent {
		return v, false
	}
	adjustFrom(m, c, k, false, func(old uint64, there bool) (uint64, Op) {
		v, ok = old, there
		return 0, Delete
	})
	return v, ok
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is in the map
// all the time comes once.
func (m *wordBoxes[K]) all(yield func(k K, v uint64) bool) {
	m.boxes.boxed(func(t *wordBoxTable[K], h uint32, r wordBoxRef[K]) bool {
		v, ok := m.valueOf(t, h, r)
		return !ok || yield(r.Ptr().key, v)
	})
}

// valueOf returns the value of the key of a box, or ok false if it has none.
func (m *wordBoxes[K]) valueOf(t *wordBoxTable[K], h uint32, r wordBoxRef[K]) (v uint64, ok bool) {
	b := r.Ptr()
	e := b.val.Load()
	if e < marks && m.boxes.same(b.key, b.key) {
		return m.loadFrom(t, h, b.key)
	}
	return e ^ m.salt, true
}

// wordBoxCursor implements cursor.
type wordBoxCursor[K comparable] struct {
	m    *wordBoxes[K]
	t    *wordBoxTable[K]
	h    uint32
	k    K
	p    *tagged.Cell[box[K, atom.Uint64]] // nil: the key has none
	at   int                               // the index of p
	was  wordBoxRef[K]
	word uint64 // the word of the box that seek read
	seq  uint32 // the sequence number of the key, if it is put in
}

func (m *wordBoxes[K]) begin(k K) wordBoxCursor[K] {
	t := m.boxes.first()
	return m.at(t, m.boxes.hashOf(t, k), k, currentSeq)
}

// at returns a cursor that begins in a table where the key has the hash h.
func (m *wordBoxes[K]) at(t *wordBoxTable[K], h uint32, k K, seq uint32) wordBoxCursor[K] {
	return wordBoxCursor[K]{m: m, t: t, h: h, k: k, seq: seq}
}

func (m *wordBoxes[K]) seek(c wordBoxCursor[K], puts bool) wordBoxCursor[K] {
	for {
		var ended bool
		c.word = noWord
		if c.p, c.was, c.at, ended = m.boxes.locate(c.t, c.h, c.k, puts); ended {
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

func (c wordBoxCursor[K]) said() (v uint64, s state) {
	switch {
	case c.p == nil || c.m.boxes.open(c.was):
		return 0, absent
	case c.word == sideWord:
		return 0, inSideTable
	}
	return c.word ^ c.m.salt, inPlace
}

func (c wordBoxCursor[K]) fits(v uint64) bool {
	return v^c.m.salt >= marks || !c.m.boxes.same(c.k, c.k)
}

// put makes e the word of the key's box.
func (c wordBoxCursor[K]) put(e uint64) bool {
	if c.m.boxes.open(c.was) {
		return c.m.boxes.bring(c.t, c.p, c.at, c.was, fresh(c.k, e), c.t.head.now(c.seq))
	}
	return c.was.Ptr().val.CompareAndSwap(c.word, e)
}

func (c wordBoxCursor[K]) set(v uint64) bool { return c.put(v ^ c.m.salt) }
func (c wordBoxCursor[K]) setAside() bool    { return c.put(sideWord) }

func (c wordBoxCursor[K]) unset() bool {
	if !c.was.Ptr().val.CompareAndSwap(c.word, noWord) {
		return false
	}
	if c.was.Tag()&says != 0 || !c.m.boxes.empty(c.t, c.p, c.was) {
		c.m.boxes.expel(c.t, c.h, c.was.Ptr())
	}
	return true
}

func (c wordBoxCursor[K]) sideTable() *sideTable[K, uint64] {
	return c.m.boxes.sideTableOf(c.t, c.h, c.k)
}
func (c wordBoxCursor[K]) counted(n int64)        { c.t.head.count(n) }
func (c wordBoxCursor[K]) alike(a, b uint64) bool { return a == b }
