package hashmap

import (
	"cmp"
	"slices"

	"example.com/custody/internal/elem"
)

// multiOrder is the keys of a multimap in the order of their first values. It is changed with all
// locks held, or by a job that has the map, and read with one lock held. A key that an ordinary
// operation puts in is noted in its part first, with a number that tells the order, and comes into
// the order when that is needed (flush). Deleted keys stay until the order is purged.
//
// Invariants:
//
//	(keys.I1) refs[i] is the part of the i-th key, in the upper bits as in a hash, and its group, in
//	     the lower 32 bits.
//	(keys.I2) Numbers grow: a key that is put in gets a greater number than all in the order.
//	(keys.I3) A ref is valid only while a lock is held, and only if turn is what it was when the
//	     ref was read. While shared is set, elements are added to refs and numbers, and none changes.
type multiOrder struct {
	refs    []uint64
	numbers []uint64 // of the keys, ascending
	turn    int      // counts how often the refs became invalid
	shared  bool     // iterations have the slices, which therefore must not change
}

// add appends a key.
func (o *multiOrder) add(ref, number uint64) {
	o.refs, o.numbers = append(o.refs, ref), append(o.numbers, number)
}

// addAll appends keys, which come in no order.
func (o *multiOrder) addAll(fresh []multiEntry) {
	slices.SortFunc(fresh, func(a, b multiEntry) int { return cmp.Compare(a.number, b.number) })
	for _, f := range fresh {
		o.add(f.ref, f.number)
	}
}

// carry appends the keys begin <= i < end of another order, with their numbers.
func (o *multiOrder) carry(from *multiOrder, begin, end int) {
	o.refs = append(o.refs, from.refs[begin:end]...)
	o.numbers = append(o.numbers, from.numbers[begin:end]...)
}

// extend appends n keys whose numbers end with last. The caller writes their refs.
func (o *multiOrder) extend(n int, last uint64) {
	begin := len(o.refs)
	if begin == 0 && cap(o.refs) < n {
		room := n + n/8 // the next job that fills the map may need a little more
		o.refs, o.numbers = make([]uint64, n, room), make([]uint64, n, room)
	} else {
		o.refs, o.numbers = append(o.refs, make([]uint64, n)...), append(o.numbers, make([]uint64, n)...)
	}
	for i := range o.numbers[begin:] {
		o.numbers[begin+i] = last + 1 - uint64(n-i)
	}
}

// below returns the number of keys whose numbers are below the given one.
func (o *multiOrder) below(number uint64) int {
	i, _ := slices.BinarySearch(o.numbers, number)
	return i
}

// renew returns an empty order of the next turn, in the same memory unless iterations have that.
func (o *multiOrder) renew() multiOrder {
	n := multiOrder{turn: o.turn + 1}
	if o.shared {
		n.refs, n.numbers = make([]uint64, 0, len(o.refs)), make([]uint64, 0, len(o.refs))
	} else {
		n.refs, n.numbers = o.refs[:0], o.numbers[:0]
	}
	return n
}

// wipe empties the order. It keeps the memory if an eighth of it was used.
func (o *multiOrder) wipe() {
	if o.shared || len(o.refs) < cap(o.refs)/8 {
		*o = multiOrder{turn: o.turn + 1}
	} else {
		*o = o.renew()
	}
}

// ref returns the ref of a group.
func (m *multiCore) ref(part, group int) uint64 {
	return uint64(part)<<m.partShift | uint64(group)
}

// at returns the key of a ref, and its values.
func (m *multiCore) at(x uint64) (key ref, vals *values) {
	return m.groupAt(m.parts, m.partShift, x)
}

// groupAt is at for the parts that a view was given.
func (t *groupType) groupAt(parts []multiPart, shift uint, x uint64) (key ref, vals *values) {
	p, g := &parts[x>>shift], int(uint32(x))
	_ = elem.Slice[struct{}](p.groups, p.n)[g] // panics for a group that is gone
	key = t.keyOf(p, g)
	return key, (*values)(offset(key, t.valsAt))
}

// positions returns the refs of the keys that there are now. The caller only counts them, because
// they may become invalid when positions returns.
func (m *multiCore) positions() []uint64 {
	m.lockAll()
	defer m.unlock()
	m.flush()
	if m.reading+m.changing == 0 && m.gone() > 0 {
		m.purge()
	}
	return m.order.refs
}

// flush puts the fresh keys of all parts into the order. The caller holds all locks.
func (m *multiCore) flush() {
	var fresh []multiEntry
	for i := range m.parts {
		p := &m.parts[i]
		for _, f := range p.fresh {
			if m.vals(p, int(f.group)).n > 0 {
				fresh = append(fresh, multiEntry{m.ref(i, int(f.group)), f.number})
			}
		}
		p.fresh = p.fresh[:0]
	}
	m.order.addAll(fresh)
}

// multiEntry is a key in the order.
type multiEntry struct{ ref, number uint64 }

// purge removes deleted keys from the order, which must have all keys. Their groups may then get
// other keys (part.I3). The caller holds all locks.
//
// Cost: a copy of the order, about 2 to 4 ns a key. It does not look at the groups.
func (m *multiCore) purge() {
	gone := m.holes()
	old := m.order
	n := old.renew()
	begin := 0
	for i, ref := range old.refs {
		if bits, g := gone[ref>>m.partShift], uint32(ref); bits != nil && bits[g/64]>>(g%64)&1 != 0 {
			n.carry(&old, begin, i)
			begin = i + 1
		}
	}
	n.carry(&old, begin, len(old.refs))
	m.order = n
	for i := range m.parts {
		p := &m.parts[i]
		p.free = append(p.free, p.vacant...)
		p.vacant = p.vacant[:0]
	}
	for i := range m.stripes {
		m.stripes[i].gone = 0
	}
}

// holes returns which groups of each part were of deleted keys that the order still has, as bits.
func (m *multiCore) holes() [][]uint64 {
	all := make([][]uint64, len(m.parts))
	for i := range m.parts {
		p := &m.parts[i]
		if len(p.vacant) == 0 {
			continue
		}
		all[i] = make([]uint64, p.n/64+1)
		for _, g := range p.vacant {
			all[i][g/64] |= 1 << (g % 64)
		}
	}
	return all
}

// gone returns the number of deleted keys that the order still has. The caller holds all locks.
func (m *multiCore) gone() (n int) {
	for i := range m.stripes {
		n += m.stripes[i].gone
	}
	return n
}

// tidy purges the order, if it has deleted keys and no job holds the map.
func (m *multiCore) tidy() {
	m.lockAll()
	defer m.unlock()
	if m.reading+m.changing == 0 && m.gone() > 0 {
		m.flush()
		m.purge()
	}
}

// spread moves the keys, all of which are in the order, into so many parts. A job has the map.
//
// Cost: about 100 ns a key.
func (m *multiCore) spread(parts int) {
	fresh, shift := make([]multiPart, parts), upper(parts)
	n := multiOrder{turn: m.order.turn + 1, refs: make([]uint64, 0, len(m.order.refs)), numbers: make([]uint64, 0, len(m.order.refs))}
	for i, x := range m.order.refs {
		key, vals := m.at(x)
		if vals.n == 0 {
			continue
		}
		hash := m.keys.of(key)
		part := hash >> shift
		p := &fresh[part]
		g := m.insert(p, hash, key)
		*m.vals(p, g) = *vals
		p.count += vals.n
		p.lying += vals.cap
		n.add(part<<shift|uint64(g), m.order.numbers[i])
	}
	m.parts, m.partShift, m.order = fresh, shift, n // last: if a Hasher panics before, nothing has changed
	for i := range m.stripes {
		m.stripes[i].gone = 0
	}
}
