package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
)

// wordBoxes is a map whose values are words in boxes. A value is overwritten in its box, which the
// old and the new table share while keys are moved. The word of a box means what the word of a
// place of an [inline] means, except that a box whose key was deleted is not used again: its slot
// is emptied.
//
// A key that is not equal to itself is in one box, which no search finds. Its word is always a
// value, and its slot shows whether it was deleted.
type wordBoxes struct {
	boxes boxes
	salt  uint64
}

func newWordBoxes(salt uint64, keys int, s sizes, of kind) *wordBoxes {
	m := &wordBoxes{salt: salt}
	m.boxes.gone = func(b *box) bool { return m.word(b).Load() == noWord && m.boxes.same(b.key(), b.key()) }
	m.boxes.init(keys, s, of)
	return m
}

// word returns the word of a box.
func (m *wordBoxes) word(b *box) *atom.Uint64 { return (*atom.Uint64)(b.val(m.boxes.at)) }

// fresh returns a new box.
func (m *wordBoxes) fresh(k ref, e uint64) boxRef {
	b := m.boxes.box(k, nil)
	m.word(b).Store(e)
	return tagged.To(b, 0)
}

// load returns the value of a key.
func (m *wordBoxes) load(k ref) (v uint64, ok bool) {
	t := m.boxes.first()
	var text string
	var h uint32
	switch {
	case t.head.seed.How != m.boxes.how || m.boxes.how == hash.Given:
		return m.loadFrom(t, m.boxes.hashOf(t, k), k)
	case m.boxes.how == hash.AsText:
		text = *(*string)(k)
		h = proper(t.head.seed.Text.Of(text))
	default:
		h = m.boxes.hashOf(t, k)
	}
	g := &t.blocks[homeOf(t, h)]
	if j := g.hash.first(h); j < bucketed {
		if r := g.box[j].Load(); !r.Nil() {
			b := r.Ptr()
			if m.boxes.how == hash.AsText && *(*string)(b.key()) == text || m.boxes.how != hash.AsText && m.boxes.equal(b.key(), k) {
				if e := m.word(b).Load(); e >= marks {
					return e ^ m.salt, true
				}
			}
		}
	}
	return m.loadFrom(t, h, k)
}

// loadFrom is load that begins in a table which may no longer be the root, where the key has the
// hash h.
func (m *wordBoxes) loadFrom(t *boxTable, h uint32, k ref) (v uint64, ok bool) {
	for {
		s := m.boxes.find(t, h, k)
		if s.end == none {
			return 0, false
		}
		if s.end != shut {
			if m.boxes.open(s.r) {
				return 0, false
			}
			switch e := m.word(s.r.Ptr()).Load(); {
			case e >= marks:
				return e ^ m.salt, true
			case e == sideWord:
				if v, ok, found := m.boxes.sideTableOf(t, h, k).look(k); found {
					return wordAt(v), ok
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
func (m *wordBoxes) store(k ref, v uint64) {
	e := v ^ m.salt
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	if !r.Nil() && e >= marks {
		b := r.Ptr()
		if was := m.word(b).Load(); was >= marks && m.word(b).CompareAndSwap(was, e) {
			return
		}
		// (table.I5)
		if r == m.boxes.free && t.head.next.Load() == nil && t.head.order.Load() == nil && p.CompareAndSwap(r, m.fresh(k, e)) {
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
func (m *wordBoxes) remove(k ref) (v uint64, ok bool) {
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	if !r.Nil() {
		b := r.Ptr()
		if was := m.word(b).Load(); was >= marks && m.word(b).CompareAndSwap(was, noWord) {
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

// adjust does to a key what f returns for its value, as adjustFrom does.
func (m *wordBoxes) adjust(k ref, puts bool, f change[uint64]) {
	adjustFrom(m, m.begin(k), k, puts, f)
}

func (m *wordBoxes) compute(k ref, f change[ref]) { compute(m, k, f) }

func (m *wordBoxes) forgetAll(f func(k ref, v uint64) bool) int {
	return forgetAll(&m.boxes, m.valueOf, func(k ref, f func(v uint64) bool) bool { return forget(m, k, f) }, f)
}

// apply is adjust for a key that is put in with a sequence number; see the method of core.
func (m *wordBoxes) apply(from *table, hash uint64, k ref, seq uint32, f change[uint64]) {
	t := m.boxes.first()
	h := m.boxes.rehash(boxedIn(from), proper(hash), t, k)
	adjustFrom(m, m.at(t, h, k, seq), k, true, f)
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is in the map
// all the time comes once.
func (m *wordBoxes) all(yield func(k ref, v uint64) bool) {
	m.boxes.boxed(func(t *boxTable, h uint32, r boxRef) bool {
		v, ok := m.valueOf(t, h, r)
		return !ok || yield(r.Ptr().key(), v)
	})
}

// valueOf returns the value of the key of a box, or ok false if it has none.
func (m *wordBoxes) valueOf(t *boxTable, h uint32, r boxRef) (v uint64, ok bool) {
	b := r.Ptr()
	e := m.word(b).Load()
	if e < marks && m.boxes.same(b.key(), b.key()) {
		return m.loadFrom(t, h, b.key())
	}
	return e ^ m.salt, true
}

// wordBoxCursor implements cursor.
type wordBoxCursor struct {
	m    *wordBoxes
	t    *boxTable
	h    uint32
	k    ref
	p    *cell // nil: the key has none
	at   int   // the index of p
	was  boxRef
	word uint64 // the word of the box that seek read
	seq  uint32 // the sequence number of the key, if it is put in
}

//lint:ignore U1000 functions with a seeker call it
func (m *wordBoxes) refTo(k ref) ref { return k }

//lint:ignore U1000 functions with a seeker call it
func (m *wordBoxes) keyAt(p ref) ref { return *(*ref)(p) }

//lint:ignore U1000 functions with a seeker call it
func (m *wordBoxes) aside(v uint64) ref { return refToWord(v) }

//lint:ignore U1000 functions with a seeker call it
func (m *wordBoxes) back(v ref) uint64 { return wordAt(v) }

func (m *wordBoxes) begin(k ref) wordBoxCursor {
	t := m.boxes.first()
	return m.at(t, m.boxes.hashOf(t, k), k, currentSeq)
}

// at returns a cursor that begins in a table where the key has the hash h.
func (m *wordBoxes) at(t *boxTable, h uint32, k ref, seq uint32) wordBoxCursor {
	return wordBoxCursor{m: m, t: t, h: h, k: k, seq: seq}
}

func (m *wordBoxes) seek(c wordBoxCursor, puts bool) wordBoxCursor {
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
			if c.word = m.word(c.was.Ptr()).Load(); c.word != noWord {
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

func (c wordBoxCursor) said() (v uint64, s state) {
	switch {
	case c.p == nil || c.m.boxes.open(c.was):
		return 0, absent
	case c.word == sideWord:
		return 0, inSideTable
	}
	return c.word ^ c.m.salt, inPlace
}

func (c wordBoxCursor) fits(v uint64) bool {
	return v^c.m.salt >= marks || !c.m.boxes.same(c.k, c.k)
}

// put makes e the word of the key's box.
func (c wordBoxCursor) put(e uint64) bool {
	if c.m.boxes.open(c.was) {
		return c.m.boxes.bring(c.t, c.p, c.at, c.was, c.m.fresh(c.k, e), c.t.head.now(c.seq))
	}
	return c.m.word(c.was.Ptr()).CompareAndSwap(c.word, e)
}

func (c wordBoxCursor) set(v uint64) bool { return c.put(v ^ c.m.salt) }
func (c wordBoxCursor) setAside() bool    { return c.put(sideWord) }

func (c wordBoxCursor) unset() bool {
	if !c.m.word(c.was.Ptr()).CompareAndSwap(c.word, noWord) {
		return false
	}
	if c.was.Tag()&says != 0 || !c.m.boxes.empty(c.t, c.p, c.was) {
		c.m.boxes.expel(c.t, c.h, c.was.Ptr())
	}
	return true
}

func (c wordBoxCursor) sideTable() *sideTable {
	return c.m.boxes.sideTableOf(c.t, c.h, c.k)
}
func (c wordBoxCursor) counted(n int64)        { c.t.head.count(n) }
func (c wordBoxCursor) alike(a, b uint64) bool { return a == b }
