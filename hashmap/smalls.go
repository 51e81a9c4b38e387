package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
)

// smalls is a map of words, which are overwritten in their boxes; old and new tables share these. What the word of a box says is
// what the word of a place of [words] says; but a box whose key was deleted is not used again, and its slot becomes dead.
type smalls[K comparable] struct {
	boxes[K, atom.Uint64, uint64]
	salt uint64
}

// smallTable is a table of a smalls.
type smallTable[K comparable] = boxTable[K, atom.Uint64, uint64]

// smallBox is a reference to a box of one.
type smallRef[K comparable] = tagged.Ref[box[K, atom.Uint64]]

func newSmalls[K comparable](salt uint64, keys int, s sizes, hash func(K) uint64, equal func(a, b K) bool) *smalls[K] {
	m := &smalls[K]{salt: salt}
	m.gone = func(v *atom.Uint64) bool { return v.Load() == noWord }
	m.init(keys, s, hash, equal)
	return m
}

// fresh returns a new box.
func fresh[K comparable](k K, e uint64) smallRef[K] {
	b := &box[K, atom.Uint64]{key: k}
	b.val.Store(e)
	return tagged.To(b, 0)
}

// load returns the value of a key.
func (m *smalls[K]) load(k K) (v uint64, ok bool) { return m.loadFrom(m.root.Load(), k) }

// loadFrom is load for who begins in a table that may be the root no more.
func (m *smalls[K]) loadFrom(t *smallTable[K], k K) (v uint64, ok bool) {
	h := m.hashOf(k)
	for {
		_, r, end, _ := m.find(t, h, k)
		if end == none {
			return 0, false
		}
		if end != closed {
			if r.Nil() {
				return 0, false
			}
			switch e := r.Ptr().val.Load(); {
			case e >= marks:
				return e ^ m.salt, true
			case e == laidWord:
				if v, ok, aside := t.of.recordsOf(h).look(k, m.same); aside {
					return v, ok
				}
				continue
			case r.Tag() == 0: // deleted, and nobody had put it in again when its slot was read
				return 0, false
			}
		}
		if t = t.next.Load(); t == nil { // the run is the whole table
			return 0, false
		}
	}
}

// store makes v the value of a key.
func (m *smalls[K]) store(k K, v uint64) {
	e := v ^ m.salt
	c := m.begin(k)
	for {
		c = m.seek(c, true)
		if e < marks && !m.same(k, k) {
			m.storeOdd(c, v)
			return
		}
		if e < marks || !c.was.Nil() && c.word == laidWord {
			adjustAside(m, c, k, true, func(uint64, bool) (uint64, action) { return v, put })
			return
		}
		if c.put(e) {
			if c.was.Nil() {
				c.counted(1)
			}
			return
		}
	}
}

// storeOdd is store for a key that is not equal to itself and a value that lies aside. Such a value is not changed.
func (m *smalls[K]) storeOdd(c smallCursor[K], v uint64) {
	s := c.records()
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.add(c.k, v, true)
	for {
		b := fresh(c.k, laidWord)
		r.at = b.Ptr()
		if c = m.seek(c, true); c.p.box.CompareAndSwap(c.was, b) {
			c.counted(1)
			return
		}
	}
}

// loadOdd returns the value of a key that is not equal to itself.
func (m *smalls[K]) loadOdd(t *smallTable[K], h uint64, b *box[K, atom.Uint64]) (v uint64, ok bool) {
	e := b.val.Load()
	if e != laidWord {
		return e ^ m.salt, e != noWord
	}
	s := t.of.recordsOf(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.at(b); r != nil {
		return r.val, true
	}
	return 0, false
}

// forgetOdd deletes one.
func (m *smalls[K]) forgetOdd(t *smallTable[K], h uint64, b *box[K, atom.Uint64]) {
	s := t.of.recordsOf(h)
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := b.val.Load(); e == noWord || !b.val.CompareAndSwap(e, noWord) {
		return
	}
	if r := s.at(b); r != nil {
		s.remove(r)
	}
	m.expel(t, h, b)
	t.of.count(-1)
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is there all the time comes once.
func (m *smalls[K]) all(yield func(k K, v uint64) bool) {
	m.boxed(func(t *smallTable[K], h uint64, r smallRef[K]) bool {
		b := r.Ptr()
		e := b.val.Load()
		if e >= marks {
			return yield(b.key, e^m.salt)
		}
		var v uint64
		var ok bool
		if m.same(b.key, b.key) {
			v, ok = m.loadFrom(t, b.key)
		} else {
			v, ok = m.loadOdd(t, h, b)
		}
		return !ok || yield(b.key, v)
	})
}

// forgetAll deletes the keys for which f says so.
func (m *smalls[K]) forgetAll(f func(k K, v uint64) bool) {
	m.boxed(func(t *smallTable[K], h uint64, r smallRef[K]) bool {
		b := r.Ptr()
		if m.same(b.key, b.key) {
			forget(m, b.key, func(v uint64) bool { return f(b.key, v) })
			return true
		}
		if v, ok := m.loadOdd(t, h, b); ok && f(b.key, v) {
			m.forgetOdd(t, h, b)
		}
		return true
	})
}

// smallCursor implements cursor.
type smallCursor[K comparable] struct {
	m    *smalls[K]
	t    *smallTable[K]
	h    uint64
	k    K
	p    *slot[K, atom.Uint64] // nil: the key has none
	was  smallRef[K]
	word uint64 // what the box has said
}

func (m *smalls[K]) begin(k K) smallCursor[K] {
	return smallCursor[K]{m: m, t: m.root.Load(), h: m.hashOf(k), k: k}
}

func (m *smalls[K]) seek(c smallCursor[K], puts bool) smallCursor[K] {
	for {
		var ended bool
		c.word = noWord
		if c.p, c.was, ended = m.lay(c.t, c.h, c.k, puts); ended {
			return c
		}
		switch {
		case c.p == nil:
			c.t = m.follow(c.t)
			continue
		case c.was.Nil():
			return c
		}
		if c.word = c.was.Ptr().val.Load(); c.word != noWord {
			return c
		}
		if c.was.Tag() == movedBox {
			c.t = m.follow(c.t)
		} else {
			c.p.box.CompareAndSwap(c.was, m.dead)
		}
	}
}

func (c smallCursor[K]) said() (v uint64, s state) {
	switch {
	case c.p == nil || c.was.Nil():
		return 0, absent
	case c.word == laidWord:
		return 0, laid
	}
	return c.word ^ c.m.salt, there
}

func (c smallCursor[K]) fits(v uint64) bool { return v^c.m.salt >= marks }

// put has the place say a word.
func (c smallCursor[K]) put(e uint64) bool {
	if c.was.Nil() {
		return c.p.box.CompareAndSwap(c.was, fresh(c.k, e))
	}
	return c.was.Ptr().val.CompareAndSwap(c.word, e)
}

func (c smallCursor[K]) set(v uint64) bool { return c.put(v ^ c.m.salt) }
func (c smallCursor[K]) lay() bool         { return c.put(laidWord) }

func (c smallCursor[K]) unset() bool {
	if !c.was.Ptr().val.CompareAndSwap(c.word, noWord) {
		return false
	}
	c.m.expel(c.t, c.h, c.was.Ptr())
	return true
}

func (c smallCursor[K]) records() *records[K, uint64] { return c.t.of.recordsOf(c.h) }
func (c smallCursor[K]) counted(n int64)              { c.t.of.count(n) }
func (c smallCursor[K]) same(a, b K) bool             { return c.m.same(a, b) }
func (c smallCursor[K]) alike(a, b uint64) bool       { return a == b }
func (c smallCursor[K]) cycle() error                 { return c.m.cycle() }
