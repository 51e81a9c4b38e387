package hashmap

import (
	"reflect"
	"slices"
	"strconv"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// index is the keys of a map by position: places of a table that has, or had, all of them.
type index struct {
	of *core
	t  *table
	listing
}

// listing is the places of keys, and the boxes in these places when the list was made. Boxes that a
// part of a loop has made lie side by side in the order of the list; their places do not.
type listing struct {
	list  []uint32
	boxes []*box // nil if keys are inline
}

// mostPlaces is the greatest number of places of a table whose keys have positions.
const mostPlaces = 1 << 32

// mustNumber panics with a violation if a table has more places than a list can have.
func (m *core) mustNumber(places int) {
	if uint64(places) > mostPlaces {
		panic(m.guard.Violation(safety.ErrArgument, "the keys of "+m.guard.Container()+", which has a table of "+strconv.Itoa(places)+" places, were to have positions",
			"Keys have positions, and come in an order, in maps of up to 1<<32 places, which is 2,000 million keys or more. Use several maps."))
	}
}

// index returns the keys by position. If no goroutine puts keys in or deletes some meanwhile, these
// are all keys.
//
// Cost: nothing if no keys were put in or deleted since the last call; otherwise a pass over the
// table, and a sort of the keys with equal sequence numbers.
//
//go:norace
func (m *core) index() *index {
	m.listing.Lock()
	defer m.listing.Unlock()
	for {
		m.arrange()
		t := m.settled()
		m.mustNumber(t.places)
		o := t.order.Load()
		if o == nil { // the map was cleared
			continue
		}
		fresh := func(l *listing) bool { return l != nil && o.stale.Load() == 0 && len(l.list) == t.of.len() }
		l := o.list.Load()
		if !fresh(l) {
			o.stale.Store(0) // first, so that a later change is seen, or sets it again (order.I4)
			all := make([]uint64, 0, t.of.len())
			w := new(walk)
			w.table(m, t)
			for n := w.load(); n > 0; n = w.load() {
				for i, at := range w.places[:n] {
					b, cell := w.found[i], ref(nil)
					if b != nil {
						cell = m.cellOf(b)
					} else {
						cell = t.inline[at].cell()
					}
					if m.says(m.read(cell)) != inCell {
						if _, _, ok := m.entry(t, at, &w.in); !ok {
							continue
						}
					}
					all = append(all, uint64(o.seqOf(&m.tables, at, b).Load())<<32|uint64(at))
				}
			}
			l = &listing{list: bySeq(all, func(same []uint64) { m.sortKeys(t, same) })}
			if !m.isInline {
				l.boxes = make([]*box, len(l.list))
				for i, at := range l.list {
					l.boxes[i] = t.slotAt(int(at)).box.Load().Ptr()
				}
			}
			if o.list.Store(l); !fresh(l) { // (order.I5)
				o.list.Store(nil)
			}
		}
		return &index{m, t, *l}
	}
}

// sortKeys sorts places, the lower halves of words, by their keys. The order of keys that compare
// as equal is unspecified: among keys with one sequence number these have NaNs.
func (m *core) sortKeys(t *table, all []uint64) {
	compare := word.ComparerOf(m.key.(reflect.Type))
	if compare == nil {
		return
	}
	type placed struct {
		key ref
		at  uint64
	}
	rooms, keys := make([]room, len(all)), make([]placed, len(all))
	for i, x := range all {
		keys[i] = placed{m.keyIn(t, int(uint32(x)), &rooms[i]), x}
	}
	slices.SortFunc(keys, func(a, b placed) int { return compare(a.key, b.key) })
	for i := range keys {
		all[i] = keys[i].at
	}
}

// keyIn returns the key of a place that has had one. entry returns its value, too, or ok false if
// it has none any more. They may be in the room.
func (m *core) keyIn(t *table, i int, in *room) ref {
	if !m.isInline {
		return t.slotAt(i).box.Load().Ptr().key()
	}
	word.Put(ref(&in.key), m.size, m.keyAt(t, i))
	return ref(&in.key)
}

func (m *core) entry(t *table, i int, in *room) (k, v ref, ok bool) {
	if m.isInline {
		key := m.keyAt(t, i)
		if c := m.read(t.inline[i].cell()); m.says(c) == inCell {
			v = m.valueOf(c, in)
		} else {
			v = m.lookInline(t, key, in)
		}
		word.Put(ref(&in.key), m.size, key)
		return ref(&in.key), v, v != nil
	}
	p := t.slotAt(i)
	r := p.box.Load()
	if m.open(r) || r == m.dead {
		return nil, nil, false
	}
	b := r.Ptr()
	for k = b.key(); ; {
		switch c := m.read(m.cellOf(b)); m.says(c) {
		case inCell:
			return k, m.valueOf(c, in), true
		case aside:
			if v, found := m.sideTableOf(t, p.hash.Load(), k).look(k, false); found {
				return k, v, v != nil
			}
			continue
		case gone:
			if n := t.next.Load(); r.Tag()&moved != 0 && m.same(k, k) {
				v = m.lookFrom(n, m.rehash(t, p.hash.Load(), n, k), k, in)
			}
		}
		return k, v, v != nil
	}
}

// set makes v the value of the key of a place, unless the key has none.
func (m *core) set(t *table, i int, v ref) {
	cell, b := ref(nil), (*box)(nil)
	if m.isInline {
		cell = t.inline[i].cell()
	} else if r := t.slotAt(i).box.Load(); !m.open(r) && r != m.dead {
		b = r.Ptr()
		cell = m.cellOf(b)
	} else {
		return
	}
	e, fits := m.contentOf(v)
	for was := m.read(cell); fits && m.says(was) == inCell; was = m.read(cell) {
		if m.change(cell, was, e) {
			return
		}
	}
	f := func(_ ref, ok bool) (ref, Op) {
		if ok {
			return v, Update
		}
		return nil, Keep
	}
	if b != nil {
		m.adjustBox(t, i, b, f)
		return
	}
	var in room
	word.Put(ref(&in.key), m.size, m.keyAt(t, i))
	m.adjust(ref(&in.key), false, f)
}

// at returns the place of the i-th key. The list is hidden from the race detector, because the
// program does not order the goroutine that makes it with those that use it.
//
//go:norace
func (ix *index) at(i int) int { return int(ix.list[i]) }

// seqOf returns the number of the i-th key.
func (ix *index) seqOf(i int) *atom.Uint32 {
	b := (*box)(nil)
	if ix.boxes != nil {
		b = ix.boxes[i]
	}
	return ix.t.order.Load().seqOf(&ix.of.tables, ix.at(i), b)
}

// renumber numbers the keys anew, one after the other.
func (ix *index) renumber() {
	for i := range ix.list {
		ix.seqOf(i).Store(later(1, i))
	}
	ix.t.of.seq.Store(later(1, len(ix.list)))
}

// entry returns the i-th key and its value, or ok false if it has none any more. They may be in the
// room.
//
//go:norace
func (ix *index) entry(i int, in *room) (k, v ref, ok bool) {
	if ix.boxes != nil {
		b := ix.boxes[i]
		if c := ix.of.read(ix.of.cellOf(b)); ix.of.says(c) == inCell {
			return b.key(), ix.of.valueOf(c, in), true
		}
	}
	return ix.of.entry(ix.t, ix.at(i), in)
}
