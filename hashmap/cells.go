package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
)

// content is what a cell has, one of the two.
type content struct {
	w uint64 // a value that is a word, mixed with the salt of the map
	p ref    // a value that is a pointer, or where the value is
}

// state is what a cell says of its key.
type state uint8

const (
	absent state = iota // the key has no value
	gone                // the key is in the next table, or has another box
	aside               // the side table has the value
	inCell              // the cell has the value
)

// The marks: what a cell has instead of a value. A value is a whole word, and has no bit to spare
// for a mark. So a word that looks like a mark is in a side table.
const (
	absentWord = uint64(absent)
	goneWord   = uint64(gone)
	asideWord  = uint64(aside)
	marks      = uint64(inCell)
)

// marked has the marks of pointers: a cell points to the element with the number of its state. That
// of inCell is a value that is nil.
var marked [marks + 1]uint64

func markOf(s state) ref { return ref(&marked[s]) }

// read returns what a cell has.
func (m *tables) read(cell ref) content {
	if m.cells == asWords {
		return content{w: (*atom.Uint64)(cell).Load()}
	}
	return content{p: ref((*atom.Pointer[byte])(cell).Load())}
}

// change makes to what a cell has, if it has from.
func (m *tables) change(cell ref, from, to content) bool {
	if m.cells == asWords {
		return (*atom.Uint64)(cell).CompareAndSwap(from.w, to.w)
	}
	return (*atom.Pointer[byte])(cell).CompareAndSwap((*byte)(from.p), (*byte)(to.p))
}

// says returns the state of a cell that has c.
func (m *tables) says(c content) state {
	switch {
	case m.cells == asWords:
		return state(min(c.w, marks))
	case c.p == nil:
		return absent
	}
	return state(min((uintptr(c.p)-uintptr(ref(&marked)))/8, uintptr(inCell)))
}

// mark returns what a cell has that is gone, or aside.
func (m *tables) mark(s state) content {
	if m.cells == asWords {
		return content{w: uint64(s)}
	}
	return content{p: markOf(s)}
}

// room is memory for a key and a value.
type room struct {
	key, val uint64
	p        ref
}

// hiddenRoom is hidden for a room.
//
//go:nocheckptr
func hiddenRoom(in *room) *room { return (*room)(hidden(ref(in))) }

// valueOf returns the value of a cell that has c. It may be in the room.
func (m *tables) valueOf(c content, in *room) ref {
	if m.cells == asValues {
		atom.Reads((*byte)(c.p))
		return c.p
	}
	return m.smallOf(c, in)
}

// smallOf is valueOf for cells that have the value. So valueOf is inlined.
//
//go:noinline
func (m *tables) smallOf(c content, in *room) ref {
	if m.cells == asWords {
		word.Put(ref(&in.val), m.valSize, c.w^m.salt)
		return ref(&in.val)
	}
	if in.p = c.p; c.p == markOf(inCell) {
		in.p = nil
	}
	return ref(&in.p)
}

// contentOf returns what a cell has for a value, and reports whether it can have that.
func (m *tables) contentOf(v ref) (c content, fits bool) {
	switch m.cells {
	case asWords:
		c.w = word.At(v, m.valSize) ^ m.salt
		return c, c.w >= marks
	case asPointers:
		if c.p = *(*ref)(v); c.p == nil {
			c.p = markOf(inCell)
		}
		return c, true
	}
	return content{p: m.keep(v)}, true
}

// held returns v, which may lie where another value will, in the room or where it stays.
func (m *tables) held(v ref, in *room) ref {
	if m.cells == asValues {
		return v
	}
	return m.smallOf(m.identity(v), in)
}

// identity returns what tells a value of a cell from another that has come in its place.
func (m *tables) identity(v ref) content {
	if m.cells == asValues {
		return content{p: v}
	}
	c, _ := m.contentOf(v)
	return c
}

// lasting returns v, or a copy if v may lie where another value will.
func (m *tables) lasting(v ref) ref {
	if m.cells == asValues {
		return v
	}
	return m.keep(v)
}
