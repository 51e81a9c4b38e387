package hashmap

import (
	"example.com/custody/internal/hash"
	"example.com/custody/internal/tagged"
	"example.com/custody/internal/word"
)

// valueBoxes is a map of values of any kind. A box does not change: another value is another box.
type valueBoxes[K comparable, V any] struct{ boxes boxes[K, V, V] }

func newValueBoxes[K comparable, V any](keys int, s sizes, by hashing[K]) *valueBoxes[K, V] {
	m := new(valueBoxes[K, V])
	m.boxes.value = m.valueOf
	m.boxes.forget = func(k K, f func(v V) bool) bool { return forget(m, k, f) }
	m.boxes.init(keys, s, by)
	return m
}

// look returns a pointer to the value of a key, or nil if it has none. The value there does not
// change. The caller copies it, because each copy of a large value costs.
func (m *valueBoxes[K, V]) look(k K) *V {
	t := m.boxes.first()
	h := uint32(0)
	switch t.head.seed.How {
	case hash.AsWord:
		h = proper(t.head.seed.Word.Of(word.Of(k)))
	case hash.AsText:
		h = proper(t.head.seed.Text.Of(word.Text(k)))
	case hash.Given: // with a Hasher == does not compare keys
		return m.lookFrom(t, m.boxes.hashOf(t, k), k)
	default:
		h = m.boxes.hashOf(t, k)
	}
	g := &t.blocks[homeOf(t, h)]
	if j := g.hash.first(h); j < bucketed {
		if r := g.box[j].Load(); !r.Nil() && r.Tag()&says == 0 && r.Ptr().key == k {
			return &r.Ptr().val
		}
	}
	return m.lookFrom(t, h, k)
}

// lookFrom is look that begins in a table which may no longer be the root, where the key has the
// hash h.
func (m *valueBoxes[K, V]) lookFrom(t *boxTable[K, V, V], h uint32, k K) *V {
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
				return &s.r.Ptr().val
			case deletedBox:
				return nil
			case sideBox:
				switch v, ok, found := m.boxes.sideTableOf(t, h, k).look(k); {
				case ok:
					return &v
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

// store makes *v the value of a key.
func (m *valueBoxes[K, V]) store(k K, v *V) {
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	switch {
	case r.Nil():
	case r.Tag()&says == 0:
		if p.CompareAndSwap(r, tagged.To(&box[K, V]{key: r.Ptr().key, val: *v}, r.Tag())) {
			return
		}
	case r == m.boxes.free && t.head.next.Load() == nil && t.head.order.Load() == nil: // (table.I5)
		if p.CompareAndSwap(r, tagged.To(&box[K, V]{key: k, val: *v}, 0)) {
			t.head.count(1)
			return
		}
	}
	for c := m.at(t, h, k, currentSeq); ; { // as adjustFrom does, without a call of a function
		c = m.seek(c, true)
		_, s := c.said()
		if s == inSideTable {
			adjustSide(m, c, k, true, func(V, bool) (V, Op) { return *v, Update })
			return
		}
		if c.set(*v) {
			if s == absent {
				c.counted(1)
			}
			return
		}
	}
}

// remove removes the value of a key.
func (m *valueBoxes[K, V]) remove(k K) (v V, ok bool) {
	t := m.boxes.first()
	h, p, r := m.boxes.peek(t, k)
	if !r.Nil() && r.Tag()&says == 0 && m.boxes.kill(t, p, r) {
		t.head.of.count(-1)
		return r.Ptr().val, true
	}
	c := m.seek(m.at(t, h, k, currentSeq), false)
	if _, s := c.said(); s == absent {
		return v, false
	}
	adjustFrom(m, c, k, false, func(old V, there bool) (V, Op) {
		v, ok = old, there
		return old, Delete
	})
	return v, ok
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is in the map
// all the time comes once.
func (m *valueBoxes[K, V]) all(yield func(k K, v V) bool) {
	m.boxes.boxed(func(t *boxTable[K, V, V], h uint32, r tagged.Ref[box[K, V]]) bool {
		v, ok := m.valueOf(t, h, r)
		return !ok || yield(r.Ptr().key, v)
	})
}

// valueOf returns the value of the key of a box, or ok false if it has none.
func (m *valueBoxes[K, V]) valueOf(t *boxTable[K, V, V], h uint32, r tagged.Ref[box[K, V]]) (v V, ok bool) {
	b := r.Ptr()
	if r.Tag()&says != 0 && m.boxes.same(b.key, b.key) { // a NaN has no other box
		if at := m.lookFrom(t, h, b.key); at != nil {
			return *at, true
		}
		return v, false
	}
	return b.val, true
}

// valueBoxCursor implements cursor.
type valueBoxCursor[K comparable, V any] struct {
	m   *valueBoxes[K, V]
	t   *boxTable[K, V, V]
	h   uint32
	k   K
	p   *tagged.Cell[box[K, V]] // nil: the key has none
	at  int                     // the index of p
	was tagged.Ref[box[K, V]]
	seq uint32 // the sequence number of the key, if it is put in
}

func (m *valueBoxes[K, V]) begin(k K) valueBoxCursor[K, V] {
	t := m.boxes.first()
	return m.at(t, m.boxes.hashOf(t, k), k, currentSeq)
}

// at returns a cursor that begins in a table where the key has the hash h.
func (m *valueBoxes[K, V]) at(t *boxTable[K, V, V], h uint32, k K, seq uint32) valueBoxCursor[K, V] {
	return valueBoxCursor[K, V]{m: m, t: t, h: h, k: k, seq: seq}
}

func (m *valueBoxes[K, V]) seek(c valueBoxCursor[K, V], puts bool) valueBoxCursor[K, V] {
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

func (c valueBoxCursor[K, V]) said() (v V, s state) {
	switch {
	case c.p == nil || c.was.Nil() || c.was.Tag()&says == deletedBox:
		return v, absent
	case c.was.Tag()&says == sideBox:
		return v, inSideTable
	}
	return c.was.Ptr().val, inPlace
}

func (c valueBoxCursor[K, V]) fits(V) bool { return true }

func (c valueBoxCursor[K, V]) set(v V) bool { return c.put(v, 0) }

// put gives the slot a new box with the value v, and the tag.
func (c valueBoxCursor[K, V]) put(v V, tag int) bool {
	switch b := (&box[K, V]{key: c.k, val: v}); {
	case c.m.boxes.open(c.was):
		return c.m.boxes.bring(c.t, c.p, c.at, c.was, tagged.To(b, tag), c.t.head.now(c.seq))
	case c.was.Tag()&says == deletedBox: // another key comes into the slot if the deletion ends
		return c.m.boxes.bring(c.t, c.p, c.at, c.was, tagged.To(b, tag|c.was.Tag()&chained), c.t.head.now(c.seq))
	default:
		b.key = c.was.Ptr().key // of equal keys the map keeps the first
		return c.p.CompareAndSwap(c.was, tagged.To(b, tag|c.was.Tag()&chained))
	}
}

func (c valueBoxCursor[K, V]) unset() bool { return c.m.boxes.kill(c.t, c.p, c.was) }

// setAside gives the slot a box that has the key and no value, for a value in the side table.
func (c valueBoxCursor[K, V]) setAside() bool {
	var none V
	return c.put(none, sideBox)
}

func (c valueBoxCursor[K, V]) sideTable() *sideTable[K, V] {
	return c.m.boxes.sideTableOf(c.t, c.h, c.k)
}
func (c valueBoxCursor[K, V]) counted(n int64) { c.t.head.count(n) }
func (c valueBoxCursor[K, V]) alike(V, V) bool { return false }
