package hashmap

import (
	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// valueBoxes is a map of values of any kind. A box does not change: another value is another box.
type valueBoxes struct{ boxes boxes }

func newValueBoxes(keys int, s sizes, of kind) *valueBoxes {
	m := new(valueBoxes)
	m.boxes.valued = func(t *boxTable, h uint32, r boxRef) bool {
		_, ok := m.valueOf(t, h, r)
		return ok
	}
	m.boxes.init(keys, s, of)
	return m
}

// val returns the value of a box.
func (m *valueBoxes) val(b *box) ref { return b.val(m.boxes.at) }

// look returns the value of a key, or nil if it has none. What it points to does not change.
func (m *valueBoxes) look(k ref) ref {
	t := m.boxes.first()
	var text string
	var w uint64
	var h uint32
	switch {
	case t.head.seed.How != m.boxes.how || m.boxes.how == hash.Given:
		return m.lookFrom(t, m.boxes.hashOf(t, k), k)
	case m.boxes.how == hash.AsText:
		text = *(*string)(k)
		h = proper(t.head.seed.Text.Of(text))
	case m.boxes.how == hash.AsWord:
		w = word.At(k, m.boxes.size)
		h = proper(t.head.seed.Word.Of(w))
	default:
		h = m.boxes.hashOf(t, k)
	}
	g := &t.blocks[homeOf(t, h)]
	if j := g.hash.first(h); j < bucketed {
		if r := g.box[j].Load(); !r.Nil() && r.Tag()&says == 0 {
			b := r.Ptr()
			same := false // as m.boxes.same, without the cost of a call
			switch m.boxes.how {
			case hash.AsText:
				same = *(*string)(b.key()) == text
			case hash.AsWord:
				same = word.At(b.key(), m.boxes.size) == w
			default:
				same = m.boxes.equal(b.key(), k)
			}
			if same {
				return m.val(b)
			}
		}
	}
	return m.lookFrom(t, h, k)
}

// lookFrom is look that begins in a table which may no longer be the root, where the key has the
// hash h.
func (m *valueBoxes) lookFrom(t *boxTable, h uint32, k ref) ref {
	for {
		s := m.boxes.find(t, h, k)
		if s.end == none {
			return nil
		}
		if s.end != shut {
			if s.r.Nil() {
				return nil
			}
			switch s.r.Tag() & says {
			case 0:
				return m.val(s.r.Ptr())
			case deletedBox:
				return nil
			case sideBox:
				switch v, ok, found := m.boxes.sideTableOf(t, h, k).look(k); {
				case ok:
					return v
				case found:
					return nil
				}
				continue
			}
		}
		n := t.after()
		if n == nil { // the probe sequence is the whole table
			return nil
		}
		t, h = n, m.boxes.rehash(t, h, n, k)
	}
}

// store makes v the value of a key.
func (m *valueBoxes) store(k, v ref) {
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	switch {
	case r.Nil():
	case r.Tag()&says == 0:
		if p.CompareAndSwap(r, tagged.To(m.boxes.box(r.Ptr().key(), v), r.Tag())) {
			return
		}
	case r == m.boxes.free && t.head.next.Load() == nil && t.head.order.Load() == nil: // (table.I5)
		if p.CompareAndSwap(r, tagged.To(m.boxes.box(k, v), 0)) {
			t.head.count(1)
			return
		}
	}
	for c := m.at(t, h, k, currentSeq); ; { // as adjustFrom does, without a call of a function
		c = m.seek(c, true)
		_, s := c.said()
		if s == inSideTable {
			adjustSide(m, c, k, true, func(ref, bool) (ref, Op) { return v, Update })
			return
		}
		if c.set(v) {
			if s == absent {
				c.counted(1)
			}
			return
		}
	}
}

// remove removes the value of a key.
func (m *valueBoxes) remove(k ref) (v ref, ok bool) {
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	if !r.Nil() && r.Tag()&says == 0 && m.boxes.kill(t, p, r) {
		t.head.of.count(-1)
		return m.val(r.Ptr()), true
	}
	c := m.seek(m.at(t, h, k, currentSeq), false)
	if _, s := c.said(); s == absent {
		return v, false
	}
	adjustFrom(m, c, k, false, func(old ref, there bool) (ref, Op) {
		v, ok = old, there
		return old, Delete
	})
	return v, ok
}

// adjust does to a key what f returns for its value, as adjustFrom does.
func (m *valueBoxes) adjust(k ref, puts bool, f change[ref]) {
	adjustFrom(m, m.begin(k), k, puts, f)
}

func (m *valueBoxes) compute(k ref, f change[ref]) { compute(m, k, f) }

func (m *valueBoxes) forgetAll(f func(k, v ref) bool) int {
	return forgetAll(&m.boxes, m.valueOf, func(k ref, f func(v ref) bool) bool { return forget(m, k, f) }, f)
}

// apply is adjust for a key that is put in with a sequence number; see the method of core.
func (m *valueBoxes) apply(from *table, hash uint64, k ref, seq uint32, f change[ref]) {
	t := m.boxes.first()
	h := m.boxes.rehash(boxedIn(from), proper(hash), t, k)
	adjustFrom(m, m.at(t, h, k, seq), k, true, f)
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is in the map
// all the time comes once.
func (m *valueBoxes) all(yield func(k, v ref) bool) {
	m.boxes.boxed(func(t *boxTable, h uint32, r boxRef) bool {
		v, ok := m.valueOf(t, h, r)
		return !ok || yield(r.Ptr().key(), v)
	})
}

// valueOf returns the value of the key of a box, or ok false if it has none.
func (m *valueBoxes) valueOf(t *boxTable, h uint32, r boxRef) (v ref, ok bool) {
	b := r.Ptr()
	if r.Tag()&says != 0 && m.boxes.same(b.key(), b.key()) { // a NaN has no other box
		if at := m.lookFrom(t, h, b.key()); at != nil {
			return at, true
		}
		return v, false
	}
	return m.val(b), true
}

// valueBoxCursor implements cursor.
type valueBoxCursor struct {
	m   *valueBoxes
	t   *boxTable
	h   uint32
	k   ref
	p   *cell // nil: the key has none
	at  int   // the index of p
	was boxRef
	seq uint32 // the sequence number of the key, if it is put in
}

//lint:ignore U1000 functions with a seeker call it
func (m *valueBoxes) refTo(k ref) ref { return k }

//lint:ignore U1000 functions with a seeker call it
func (m *valueBoxes) keyAt(p ref) ref { return *(*ref)(p) }

//lint:ignore U1000 functions with a seeker call it
func (m *valueBoxes) aside(v ref) ref { return v }

//lint:ignore U1000 functions with a seeker call it
func (m *valueBoxes) back(v ref) ref { return v }

func (m *valueBoxes) begin(k ref) valueBoxCursor {
	t := m.boxes.first()
	return m.at(t, m.boxes.hashOf(t, k), k, currentSeq)
}

// at returns a cursor that begins in a table where the key has the hash h.
func (m *valueBoxes) at(t *boxTable, h uint32, k ref, seq uint32) valueBoxCursor {
	return valueBoxCursor{m: m, t: t, h: h, k: k, seq: seq}
}

func (m *valueBoxes) seek(c valueBoxCursor, puts bool) valueBoxCursor {
	for {
		var ended bool
		if c.p, c.was, c.at, ended = m.boxes.locate(c.t, c.h, c.k, puts); ended {
			return c
		}
		if c.p != nil && (c.was.Nil() || c.was.Tag()&says != movedBox) {
			return c
		}
		n := m.boxes.follow(c.t)
		c.t, c.h = n, m.boxes.rehash(c.t, c.h, n, c.k)
	}
}

func (c valueBoxCursor) said() (v ref, s state) {
	switch {
	case c.p == nil || c.was.Nil() || c.was.Tag()&says == deletedBox:
		return v, absent
	case c.was.Tag()&says == sideBox:
		return v, inSideTable
	}
	return c.m.val(c.was.Ptr()), inPlace
}

func (c valueBoxCursor) fits(ref) bool { return true }

func (c valueBoxCursor) set(v ref) bool { return c.put(v, 0) }

// put gives the slot a new box with the value v, and the tag.
func (c valueBoxCursor) put(v ref, tag int) bool {
	m := &c.m.boxes
	switch {
	case m.open(c.was):
		return m.bring(c.t, c.p, c.at, c.was, tagged.To(m.box(c.k, v), tag), c.t.head.now(c.seq))
	case c.was.Tag()&says == deletedBox: // another key comes into the slot if the deletion ends
		return m.bring(c.t, c.p, c.at, c.was, tagged.To(m.box(c.k, v), tag|c.was.Tag()&chained), c.t.head.now(c.seq))
	default: // of equal keys the map keeps the first
		return c.p.CompareAndSwap(c.was, tagged.To(m.box(c.was.Ptr().key(), v), tag|c.was.Tag()&chained))
	}
}

func (c valueBoxCursor) unset() bool { return c.m.boxes.kill(c.t, c.p, c.was) }

// setAside gives the slot a box that has the key and no value, for a value in the side table.
func (c valueBoxCursor) setAside() bool {
	return c.put(nil, sideBox)
}

func (c valueBoxCursor) sideTable() *sideTable {
	return c.m.boxes.sideTableOf(c.t, c.h, c.k)
}
func (c valueBoxCursor) counted(n int64)     { c.t.head.count(n) }
func (c valueBoxCursor) alike(ref, ref) bool { return false }
