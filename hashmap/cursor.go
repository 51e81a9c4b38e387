package hashmap

import (
	"runtime"

	"example.com/custody/internal/word"
)

// change is a function that is given the value of a key, or ok false if the key has none, and
// returns what to do to the key, and the value for Update.
type change = func(old ref, ok bool) (v ref, op Op)

// cursor is an operation on a key, and where seek has found the key.
type cursor struct {
	t     *table // where the search goes on
	hash  uint64 // of the key in t: the whole, or the proper half
	k     ref
	seq   uint32 // the sequence number of the key, if it is put in
	fresh ref    // the value to put a key without a box in with; or nil

	fixed bool // the key is not equal to itself: the cell is known

	cell ref  // nil: the key has none
	box  *box // of the cell
	at   int  // the index of the place
	was  content
	came bool // the key was put in with the value fresh
}

// begin returns a cursor for seek.
func (m *tables) begin(k ref) cursor {
	t := m.root.Load()
	if m.isInline {
		return cursor{t: t, hash: m.word.Of(word.At(k, m.size)), k: k}
	}
	return cursor{t: t, hash: uint64(m.hashIn(t, k)), k: k}
}

// seek moves a cursor to where the key is now. If puts is set, the key has a cell then.
func (m *tables) seek(c *cursor, puts bool) {
	if c.fixed {
		if c.was = m.read(c.cell); m.says(c.was) == gone {
			c.was = content{}
		}
		return
	}
	for {
		c.cell, c.box, c.was, c.came = nil, nil, content{}, false
		var found, ended bool
		if !m.isInline {
			found, ended = m.locateBoxed(c, puts)
		} else if p, at, e := m.locateInline(c.t, c.hash, puts); p == nil {
			ended = e
		} else {
			c.cell, c.at = p.cell(), at
			c.was = m.read(c.cell)
			s := m.says(c.was)
			if e, fits := (content{}), false; s == absent && c.fresh != nil {
				if e, fits = m.contentOf(c.fresh); fits && !m.put(c, e) {
					continue
				}
				c.came = fits
			}
			found = s != gone
		}
		if found || ended {
			return
		}
		if c.t.next.Load() == nil { // the probe sequence is the whole table
			m.extend(c.t, 0, false)
		}
		n := c.t.next.Load()
		if !m.isInline {
			c.hash = uint64(m.rehash(c.t, uint32(c.hash), n, c.k))
		}
		c.t = n
	}
}

// put makes the cell of a cursor have e, if it has not changed.
func (m *tables) put(c *cursor, e content) bool {
	if m.says(c.was) == absent {
		m.putSeq(c)
	}
	return m.change(c.cell, c.was, e)
}

// sideTable returns the side table of a cursor's key.
func (m *tables) sideTable(c *cursor) *sideTable {
	if m.isInline {
		return c.t.sideTableOf(c.hash)
	}
	return m.sideTableOf(c.t, uint32(c.hash), c.k)
}

// sideTableOf returns the generation's side table for a boxed key with the hash h in table t.
func (m *tables) sideTableOf(t *table, h uint32, k ref) *sideTable {
	if t.seed != t.of.seed && m.same(k, k) {
		h = proper(m.by(&t.of.seed, k))
	}
	return t.sideTableOf(uint64(h))
}

// counted counts a key that had a value before a change, if had is set, and has one now, if has is.
func (m *tables) counted(t *table, had, has bool) {
	switch {
	case has && !had:
		t.count()
	case had && !has:
		m.lost(t)
	}
}

// left ends an operation that has left the key of a cursor as it was.
func (m *tables) left(c *cursor) {
	if c.box != nil && m.says(c.was) == absent {
		m.unset(c) // (boxes.I3)
	}
}

// adjust does to a key what f returns for its value. f may be called more than once, so it must
// have no side effects. It may return Update for a key without a value only if puts is set.
func (m *tables) adjust(k ref, puts bool, f change) {
	c := m.begin(k)
	m.adjustFrom(&c, puts, f)
}

// adjustBox is adjust for the key of a box that a place has, or had.
func (m *tables) adjustBox(t *table, i int, b *box, f change) {
	c := cursor{t: t, hash: uint64(t.slotAt(i).hash.Load()), k: b.key(), box: b, cell: m.cellOf(b), at: i}
	c.fixed = !m.same(c.k, c.k)
	m.adjustFrom(&c, false, f)
}

// adjustFrom is adjust for a cursor.
func (m *tables) adjustFrom(c *cursor, puts bool, f change) {
	m.seek(c, puts)
	m.adjustFound(c, puts, f)
}

// adjustFound is adjustFrom for a cursor after seek.
func (m *tables) adjustFound(c *cursor, puts bool, f change) {
	var in room
	defer runtime.KeepAlive(&in)
	for ; ; m.seek(c, puts) {
		s := m.says(c.was)
		if s == aside {
			break
		}
		var old ref
		if s == inCell {
			old = m.valueOf(c.was, hiddenRoom(&in))
		}
		v, op := f(old, s == inCell)
		if op == Keep || op == Delete && s == absent {
			m.left(c)
			return
		}
		done := false
		if op == Delete {
			done = m.unset(c)
		} else if e, fits := m.contentOf(v); !fits {
			break
		} else {
			done = m.put(c, e)
		}
		if done {
			m.counted(c.t, s == inCell, op == Update)
			return
		}
	}
	m.adjustSide(c, puts, f)
}

// adjustSide is adjustFrom for a key whose value is in the side table, or does not fit its cell. It
// waits until no goroutine computes the value.
func (m *tables) adjustSide(c *cursor, puts bool, f change) {
	c.fresh = nil
	if c.box != nil && !m.same(c.k, c.k) {
		c.k, c.fixed = c.box.key(), true
	}
	s := m.sideTable(c)
	s.lock()
	defer s.mu.Unlock()
	var in room
	defer runtime.KeepAlive(&in)
	for {
		e := s.findIdle(c.k)
		m.seek(c, puts)
		var old ref
		ok := false
		switch m.says(c.was) {
		case inCell:
			old, ok = m.valueOf(c.was, hiddenRoom(&in)), true
		case aside: // (table.I3); without a value if a Hasher has failed at the end of a computation
			old, ok = e.val, e.ok
		}
		v, op := f(old, ok)
		if op == Keep || op == Delete && !ok {
			m.left(c)
			return
		}
		if m.resolve(c, s, e, v, op == Update) {
			m.counted(c.t, ok, op == Update)
			return
		}
	}
}

// resolve makes v the value of a key, or removes the value if has is not set. It returns false, and
// changes nothing, if the key's cell has changed since seek read it. e is the key's entry in the
// side table, or nil. The caller holds the lock of the side table.
func (m *tables) resolve(c *cursor, s *sideTable, e *sideEntry, v ref, has bool) bool {
	var x content
	fits := true
	if has {
		x, fits = m.contentOf(v)
	}
	switch {
	case !has || fits:
		if has && !m.put(c, x) || !has && !m.unset(c) {
			return false
		}
		if e != nil {
			s.remove(e)
		}
	case e != nil:
		e.val, e.ok = m.keep(v), true
	default:
		e = s.add(m.keyFor(c), m.keep(v), true)
		if !m.put(c, m.mark(aside)) {
			s.remove(e)
			return false
		}
	}
	return true
}

// keyFor returns a reference to the key of a cursor's cell that a side table may keep.
func (m *tables) keyFor(c *cursor) ref {
	if m.isInline {
		w := new(uint64)
		word.Put(ref(w), m.size, word.At(c.k, m.size))
		return ref(w)
	}
	return c.box.key()
}

// forget deletes k if f returns true for its value, and reports whether it has deleted k. If the
// value has changed while f ran, forget computes the value with f: then other changes of k wait for
// f, and a change by f itself is a violation.
func (m *tables) forget(k ref, in *room, f func(v ref) bool) (deleted bool) {
	for c := m.begin(k); ; {
		m.seek(&c, false)
		switch m.says(c.was) {
		case absent:
			return false
		case aside:
			if v, found := m.sideTable(&c).look(c.k, true); found {
				return v != nil && f(v) && m.forgetAlone(k, v, f)
			}
		default:
			v := m.valueOf(c.was, in)
			if !f(v) {
				return false
			}
			if m.unset(&c) {
				m.lost(c.t)
				return true
			}
			return m.forgetAlone(k, v, f) // the key may only have moved
		}
	}
}

// forgetAlone ends forget: f is true for v. It is apart, because compute keeps its function.
//
//go:noinline
func (m *tables) forgetAlone(k, v ref, f func(v ref) bool) (deleted bool) {
	m.compute(k, func(old ref, ok bool) (ref, Op) {
		if deleted = ok && (m.identity(old) == m.identity(v) || f(old)); deleted {
			return old, Delete
		}
		return old, Keep
	})
	return deleted
}
