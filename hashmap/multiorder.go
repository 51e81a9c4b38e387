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
//	(keys.I1) The ref of a key is its part, in the upper bits as in a hash, and its group, in the
//	     lower 32 bits.
//	(keys.I2) Numbers grow: a key that is put in gets a greater number than all in the order.
//	(keys.I3) A ref is valid only while a lock is held, and only if turn is what it was when the
//	     ref was read. While shared is set, keys are added, and none changes.
type multiOrder struct {
	keys   []multiKey
	turn   int  // counts how often the refs became invalid
	shared bool // iterations have the slice, which therefore must not change
}

// multiKey is a key in the order.
type multiKey struct{ ref, number uint64 }

// below returns the number of keys whose numbers are below the given one.
func (o *multiOrder) below(number uint64) int {
	i, _ := slices.BinarySearchFunc(o.keys, number, func(k multiKey, n uint64) int { return cmp.Compare(k.number, n) })
	return i
}

// ref returns the ref of a group.
func (m *multiCore) ref(part uint64, group int) uint64 { return part<<m.partShift | uint64(group) }

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

// positions returns the keys that there are now. The caller only counts them, because their refs
// may become invalid when positions returns.
func (m *multiCore) positions() []multiKey {
	m.lockAll()
	defer m.unlock()
	m.tidy()
	return m.order.keys
}

// tidy brings the order up to date, unless a job holds the map: that has done so, and uses the
// order without a lock. The caller holds all locks.
func (m *multiCore) tidy() {
	if m.reading+m.changing > 0 {
		return
	}
	if m.flush(); m.gone() > 0 {
		m.purge()
	}
}

// flush puts the fresh keys of all parts into the order. The caller holds all locks.
func (m *multiCore) flush() {
	o := &m.order
	begin := len(o.keys)
	for i := range m.parts {
		p := &m.parts[i]
		for _, k := range p.fresh {
			if _, vals := m.at(k.ref); vals.n > 0 {
				o.keys = append(o.keys, k)
			}
		}
		p.fresh = p.fresh[:0]
	}
	slices.SortFunc(o.keys[begin:], func(a, b multiKey) int { return cmp.Compare(a.number, b.number) })
}

// purge removes deleted keys from the order, which must have all keys. Their groups may then get
// other keys (part.I3). The caller holds all locks.
//
// Cost: a pass over the order, about 2 to 4 ns a key. It does not look at the groups.
func (m *multiCore) purge() {
	gone := make([][]uint64, len(m.parts)) // the vacant groups of each part, as bits
	for i := range m.parts {
		if p := &m.parts[i]; len(p.vacant) > 0 {
			gone[i] = make([]uint64, p.n/64+1)
			for _, g := range p.vacant {
				gone[i][g/64] |= 1 << (g % 64)
			}
			p.free = append(p.free, p.vacant...)
			p.vacant = p.vacant[:0]
		}
	}
	keys := m.order.keys
	if m.order.shared {
		keys = slices.Clone(keys)
	}
	keys = slices.DeleteFunc(keys, func(k multiKey) bool {
		bits, g := gone[k.ref>>m.partShift], uint32(k.ref)
		return bits != nil && bits[g/64]>>(g%64)&1 != 0
	})
	m.renew(keys)
}

// renew makes keys the order, which has no deleted ones.
func (m *multiCore) renew(keys []multiKey) {
	m.order = multiOrder{keys: keys, turn: m.order.turn + 1}
	for i := range m.stripes {
		m.stripes[i].gone = 0
	}
}

// gone returns the number of deleted keys that the order still has. The caller holds all locks.
func (m *multiCore) gone() (n int) {
	for i := range m.stripes {
		n += m.stripes[i].gone
	}
	return n
}

// spread moves the keys, all of which are in the order, into so many parts. A job has the map.
//
// Cost: about 100 ns a key.
func (m *multiCore) spread(parts int) {
	fresh, shift := make([]multiPart, parts), upper(parts)
	keys := make([]multiKey, 0, len(m.order.keys))
	for _, x := range m.order.keys {
		key, vals := m.at(x.ref)
		if vals.n == 0 {
			continue
		}
		hash := m.keys.of(key)
		part := hash >> shift
		p := &fresh[part]
		// Without a search: keys may be equal that have changed.
		g := m.insert(p, hash, key, p.home(m.tag(p, hash, key)))
		*m.vals(p, g) = *vals
		p.count += vals.n
		keys = append(keys, multiKey{part<<shift | uint64(g), x.number})
	}
	m.parts, m.partShift = fresh, shift // last: if a Hasher panics before, nothing has changed
	m.renew(keys)
}
