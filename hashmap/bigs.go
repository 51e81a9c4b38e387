package hashmap

import "example.com/custody/internal/tagged"

// bigs is a map of values of any kind. A box does not change; a key's value is changed by another box.
type bigs[K comparable, V any] struct{ boxes[K, V, V] }

func newBigs[K comparable, V any](keys int, s sizes, hash func(K) uint64, equal func(a, b K) bool) *bigs[K, V] {
	m := new(bigs[K, V])
	m.init(keys, s, hash, equal)
	return m
}

// load returns the value of a key.
func (m *bigs[K, V]) load(k K) (v V, ok bool) { return m.loadFrom(m.root.Load(), k) }

// loadFrom is load for who begins in a table that may be the root no more.
func (m *bigs[K, V]) loadFrom(t *boxTable[K, V, V], k K) (v V, ok bool) {
	h := m.hashOf(k)
	for {
		_, r, end, _ := m.find(t, h, k)
		if end == none {
			return v, false
		}
		if end != closed {
			if r.Nil() {
				return v, false
			}
			switch r.Tag() {
			case 0:
				return r.Ptr().val, true
			case deletedBox:
				return v, false
			case laidBox:
				if v, ok, aside := t.of.recordsOf(h).look(k, m.same); aside {
					return v, ok
				}
				continue
			}
		}
		if t = t.next.Load(); t == nil { // the run is the whole table
			return v, false
		}
	}
}

// store makes v the value of a key.
func (m *bigs[K, V]) store(k K, v V) {
	c := m.begin(k)
	for {
		c = m.seek(c, true)
		_, s := c.said()
		if s == laid {
			adjustAside(m, c, k, true, func(V, bool) (V, action) { return v, put })
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

// all ranges over keys and values. It begins when no keys are being moved. A key that is there all the time comes once.
func (m *bigs[K, V]) all(yield func(k K, v V) bool) {
	m.boxed(func(t *boxTable[K, V, V], _ uint64, r tagged.Ref[box[K, V]]) bool {
		b := r.Ptr()
		if r.Tag() != 0 && m.same(b.key, b.key) { // who is not what he is cannot have another value
			v, ok := m.loadFrom(t, b.key)
			return !ok || yield(b.key, v)
		}
		return yield(b.key, b.val)
	})
}

// forgetAll deletes the keys for which f says so.
func (m *bigs[K, V]) forgetAll(f func(k K, v V) bool) {
	m.boxed(func(t *boxTable[K, V, V], h uint64, r tagged.Ref[box[K, V]]) bool {
		b := r.Ptr()
		if m.same(b.key, b.key) {
			forget(m, b.key, func(v V) bool { return f(b.key, v) })
		} else if f(b.key, b.val) && m.expel(t, h, b) {
			t.of.count(-1)
		}
		return true
	})
}

// bigCursor implements cursor.
type bigCursor[K comparable, V any] struct {
	m   *bigs[K, V]
	t   *boxTable[K, V, V]
	h   uint64
	k   K
	p   *slot[K, V] // nil: the key has none
	was tagged.Ref[box[K, V]]
}

func (m *bigs[K, V]) begin(k K) bigCursor[K, V] {
	return bigCursor[K, V]{m: m, t: m.root.Load(), h: m.hashOf(k), k: k}
}

func (m *bigs[K, V]) seek(c bigCursor[K, V], puts bool) bigCursor[K, V] {
	for {
		var ended bool
		if c.p, c.was, ended = m.lay(c.t, c.h, c.k, puts); ended {
			return c
		}
		switch {
		case c.p == nil || !c.was.Nil() && c.was.Tag() == movedBox:
			c.t = m.follow(c.t)
		default:
			return c
		}
	}
}

func (c bigCursor[K, V]) said() (v V, s state) {
	switch {
	case c.p == nil || c.was.Nil() || c.was.Tag() == deletedBox:
		return v, absent
	case c.was.Tag() == laidBox:
		return v, laid
	}
	return c.was.Ptr().val, there
}

func (c bigCursor[K, V]) fits(V) bool { return true }

func (c bigCursor[K, V]) set(v V) bool {
	return c.p.box.CompareAndSwap(c.was, tagged.To(&box[K, V]{key: c.key(), val: v}, 0))
}

// key returns the key that was put in first of those that are one.
func (c bigCursor[K, V]) key() K {
	if c.was.Nil() || c.was.Tag() == deletedBox {
		return c.k
	}
	return c.was.Ptr().key
}

func (c bigCursor[K, V]) unset() bool { return c.m.kill(c.t, c.p, c.was) }

// lay keeps the box, for its key. The record has the value.
func (c bigCursor[K, V]) lay() bool {
	b := &box[K, V]{key: c.key()}
	return c.p.box.CompareAndSwap(c.was, tagged.To(b, laidBox))
}

func (c bigCursor[K, V]) records() *records[K, V] { return c.t.of.recordsOf(c.h) }
func (c bigCursor[K, V]) counted(n int64)         { c.t.of.count(n) }
func (c bigCursor[K, V]) same(a, b K) bool        { return c.m.same(a, b) }
func (c bigCursor[K, V]) alike(V, V) bool         { return false }
func (c bigCursor[K, V]) cycle() error            { return c.m.cycle() }
