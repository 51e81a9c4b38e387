package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
)

// place is an inline key and its cell, side by side: open addressing with linear probing, so that
// most operations touch one cache line of the table. It is for keys of 1, 2, 4 or 8 bytes. A place
// holds the hash of its key, which is a bijection. The cell is a word; see [pointerPlace].
type place struct{ key, val atom.Uint64 }

// pointerPlace is a place whose cell is a pointer. A table has it as a place.
type pointerPlace struct {
	key atom.Uint64
	val atom.Pointer[byte]
}

// cell returns the address of a place's cell.
func (p *place) cell() ref { return ref(&p.val) }

// The keys of a place that are not the hash of a key.
const (
	none   = 0
	closed = ^uint64(0)
)

// spot returns the index of a hash's home, and the key field of a place that has the key.
func (t *table) spot(w uint64) (at int, key uint64) {
	if w+1 <= 1 {
		return len(t.inline) - extra + int(w&1), 1
	}
	return int(w >> t.shift), w
}

// hashAt returns the hash of the key at index i, whose place has the given key field.
func (t *table) hashAt(i int, key uint64) uint64 {
	if n := i - (len(t.inline) - extra); n >= 0 {
		return -uint64(n)
	}
	return key
}

// findInline returns the index of a key's place, and its key field. If the key has no place, it
// returns the end of the probe sequence, where the field is none or closed. If the sequence is the
// whole table, it returns closed.
func (t *table) findInline(w uint64) (at int, key uint64) {
	at, want := t.spot(w)
	for range t.homes {
		key = t.inline[at].key.Load()
		if key == want || key+1 <= 1 { // none or closed
			return at, key
		}
		at = (at + 1) & (t.homes - 1)
	}
	return at, closed
}

// loadWord returns the value of a key, for values that are words.
func (m *tables) loadWord(k uint64) (v uint64, ok bool) {
	t, w := m.root.Load(), m.word.Of(k)
	at, key := t.findInline(w)
	if key == none {
		return 0, false
	}
	if key != closed {
		if v = t.inline[at].val.Load(); v >= marks {
			return v ^ m.salt, true
		}
	}
	var in room
	if p := m.lookInline(t, k, &in); p != nil {
		return word.At(p, m.valSize), true
	}
	return 0, false
}

// lookInline returns the value of a key, or nil if it has none. It begins in a table which may no
// longer be the root.
func (m *tables) lookInline(t *table, k uint64, in *room) ref {
	w := m.word.Of(k)
	for {
		at, key := t.findInline(w)
		if key == none {
			return nil
		}
		if key != closed {
			switch c := m.read(t.inline[at].cell()); m.says(c) {
			case inCell:
				return m.valueOf(c, in)
			case absent:
				return nil
			case aside:
				word.Put(ref(&in.key), m.size, k)
				if v, found := t.sideTableOf(w).look(hidden(ref(&in.key)), false); found {
					return v
				}
				continue
			}
		}
		if t = t.next.Load(); t == nil { // the probe sequence is the whole table
			return nil
		}
	}
}

// locateInline returns the place of a key in a table and its index. If puts is set, a key without a
// place gets one. A nil place means that the key has none here. Then ended reports that it has none
// in any table; otherwise the caller goes on to the next table.
func (m *tables) locateInline(t *table, w uint64, puts bool) (p *place, at int, ended bool) {
	for {
		at, key := t.findInline(w)
		switch p := &t.inline[at]; {
		case key == closed:
			return nil, 0, !puts && t.next.Load() == nil
		case key != none:
			return p, at, false
		case !puts:
			return nil, 0, true
		case t.next.Load() != nil: // (growth.I2)
			return nil, 0, false
		case t.from.Load() != nil:
			m.settle(t.from.Load())
		case m.reserve(t, at):
			_, key = t.spot(w)
			if p.key.CompareAndSwap(none, key) {
				return p, at, false
			}
			t.release(at)
		}
	}
}

// storeWord makes v the value of a key, for values that are words.
func (m *tables) storeWord(k, v uint64) {
	w, e := m.word.Of(k), v^m.salt
	t := m.root.Load()
	if p, at, _ := m.locateInline(t, w, true); p != nil && e >= marks {
		switch was := p.val.Load(); {
		case was >= marks:
			if p.val.CompareAndSwap(was, e) {
				return
			}
		case was == absentWord:
			if m.putSeq(&cursor{t: t, at: at}); p.val.CompareAndSwap(absentWord, e) {
				t.count()
				return
			}
		}
	}
	in := new(room)
	word.Put(ref(&in.key), m.size, k)
	word.Put(ref(&in.val), m.valSize, v)
	m.storeFrom(&cursor{t: t, hash: w, k: ref(&in.key)}, ref(&in.val))
}

// takenOf writes the indices of the places that have keys, of which first is that of the first
// place, and returns their number. It has no branch on a key field, because the processor could not
// predict it.
func takenOf(some []place, first int, taken *[64]int) (n int) {
	for i := range some {
		taken[n&63] = first + i
		key, one := some[i].key.Load(), 0
		if key-1 < closed-1 {
			one = 1
		}
		n += one
	}
	return n
}

// keyAt returns the key of a place that has one.
func (m *tables) keyAt(t *table, i int) uint64 {
	return m.word.Key(t.hashAt(i, t.inline[i].key.Load()))
}

// moveInline moves the place i of a table to the next one. It repeats the copy until the place has
// not changed meanwhile.
func (m *tables) moveInline(t *table, i int, n *table) (came bool) {
	p := &t.inline[i]
	key := p.key.Load()
	if key == none && !p.key.CompareAndSwap(none, closed) { // (growth.I2)
		key = p.key.Load()
	}
	if key == none || key == closed {
		return false
	}
	var to *place
	at := 0
	for {
		c := m.read(p.cell())
		if to == nil && m.says(c) != absent {
			to, at = n.arriveInline(t.hashAt(i, key))
		}
		if to != nil {
			m.write(to, c) // (growth.I3)
		}
		if m.inWords && p.val.CompareAndSwap(c.w, goneWord) || !m.inWords && m.change(p.cell(), c, m.mark(gone)) {
			if to != nil {
				t.carry(i, n, at)
			}
			return to != nil
		}
	}
}

// write makes the cell of a place have c. Only its caller changes it.
func (m *tables) write(p *place, c content) {
	if m.inWords {
		p.val.Store(c.w)
	} else {
		m.change(p.cell(), m.read(p.cell()), c)
	}
}

// arriveInline gives a place to a key that is moved. Only its caller has the key here (growth.I3).
func (t *table) arriveInline(w uint64) (p *place, at int) {
	for {
		at, key := t.findInline(w)
		p = &t.inline[at]
		if key != none {
			panic(full)
		}
		if _, key = t.spot(w); p.key.CompareAndSwap(none, key) {
			return p, at
		}
	}
}

const full = "custody: the next table of a hash map has no room" // see successor
