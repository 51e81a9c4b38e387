package hashmap

import (
	"cmp"
	"slices"
)

// multiOrder is the keys of a multimap in the order of their first values. It is changed under all locks, or by a job that has the
// map; whoever holds a lock reads it. Keys that ordinary operations put in are noted in their parts first, with numbers that say which was
// first, and come into the order when somebody needs it (flush). Keys that are deleted stay until it is purged.
//
// Invariants:
//
//	(I1) refs says of the i-th key in which part it is, in the upper bits, as a hash does, and which of its groups, in the lower 32.
//	(I2) Keys have numbers that grow: a key that is put in gets a greater one than all that the order has. series says which.
//	(I3) Only who holds a lock, and has seen the turn, may use a ref; what an iteration has seen does not change as long as shared
//	     is set.
type multiOrder struct {
	refs   []uint64
	series []series
	turn   int  // counts the times that refs were made others
	shared bool // iterations have the slices
}

// series says that the keys from the i-th on have the numbers from number on, up to where the next series begins.
type series struct {
	i      int
	number uint64
}

// add appends a key.
func (o *multiOrder) add(ref, number uint64) {
	if k := len(o.series); k == 0 || o.series[k-1].number+uint64(len(o.refs)-o.series[k-1].i) != number {
		o.series = append(o.series, series{len(o.refs), number})
	}
	o.refs = append(o.refs, ref)
}

// extend appends n keys, whose refs are still to be written and whose numbers end with last.
func (o *multiOrder) extend(n int, last uint64) {
	if n == 0 {
		return
	}
	o.series = append(o.series, series{len(o.refs), last + 1 - uint64(n)})
	if len(o.refs) == 0 && cap(o.refs) < n {
		o.refs = make([]uint64, n, n+n/8) // a little more, for who fills it again
	} else {
		o.refs = append(o.refs, make([]uint64, n)...)
	}
}

// number returns the number of the i-th key.
func (o *multiOrder) number(i int) uint64 {
	k, _ := slices.BinarySearchFunc(o.series, i+1, func(s series, i int) int { return s.i - i })
	s := o.series[k-1]
	return s.number + uint64(i-s.i)
}

// below returns how many keys have numbers below the given one.
func (o *multiOrder) below(number uint64) int {
	k, _ := slices.BinarySearchFunc(o.series, number, func(s series, n uint64) int { return cmp.Compare(s.number, n) })
	if k == 0 {
		return 0
	}
	end := len(o.refs)
	if k < len(o.series) {
		end = o.series[k].i
	}
	s := o.series[k-1]
	return int(min(uint64(end-s.i), number-s.number)) + s.i
}

// renew returns an empty order for another turn, with memory for what is in this one.
func (o *multiOrder) renew() multiOrder {
	n := multiOrder{turn: o.turn + 1}
	if o.shared {
		n.refs = make([]uint64, 0, len(o.refs))
	} else {
		n.refs = o.refs[:0]
	}
	return n
}

// wipe empties the order.
func (o *multiOrder) wipe() {
	if o.shared {
		*o = multiOrder{turn: o.turn + 1}
	} else {
		*o = o.renew()
	}
}

// ref returns how the order names a group.
func (m *MultiMap[K, V]) ref(part, group int) uint64 {
	return uint64(part)<<m.partShift | uint64(group)
}

// at returns the group that the order names.
func (m *MultiMap[K, V]) at(ref uint64) *multiGroup[K, V] {
	return &m.parts[ref>>m.partShift].groups[uint32(ref)]
}

// flush puts the keys into the order that are not in it yet. All locks are held.
func (m *MultiMap[K, V]) flush() {
	var fresh []multiEntry
	for i := range m.parts {
		p := &m.parts[i]
		for _, f := range p.fresh {
			if len(p.groups[f.group].vals) > 0 {
				fresh = append(fresh, multiEntry{m.ref(i, int(f.group)), f.number})
			}
		}
		p.fresh = p.fresh[:0]
	}
	slices.SortFunc(fresh, func(a, b multiEntry) int { return cmp.Compare(a.number, b.number) })
	for _, f := range fresh {
		m.order.add(f.ref, f.number)
	}
}

// multiEntry is what the order has of a key.
type multiEntry struct{ ref, number uint64 }

// purge takes keys that were deleted out of the order. All locks are held, and all keys are in it.
func (m *MultiMap[K, V]) purge() {
	n := m.order.renew()
	for i, ref := range m.order.refs {
		if len(m.at(ref).vals) > 0 {
			n.add(ref, m.order.number(i))
		}
	}
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

// gone says whether the order has keys that were deleted. All locks are held.
func (m *MultiMap[K, V]) gone() (n int) {
	for i := range m.stripes {
		n += m.stripes[i].gone
	}
	return n
}

// tidy purges the order, unless a job has come to hold the map.
func (m *MultiMap[K, V]) tidy() {
	m.lockAll()
	defer m.unlock()
	if m.reading+m.changing == 0 && m.gone() > 0 {
		m.flush()
		m.purge()
	}
}

// spread puts the keys into so many parts. A job has the map, and all keys are in the order.
//
// Cost: some 100 ns a key.
func (m *MultiMap[K, V]) spread(parts int) {
	old, from := m.parts, m.partShift
	m.parts, m.partShift = make([]multiPart[K, V], parts), upper(parts)
	h, n := m.keys, m.order.renew()
	for i, ref := range m.order.refs {
		g := &old[ref>>from].groups[uint32(ref)]
		if len(g.vals) == 0 {
			continue
		}
		x := h.of(g.key)
		part := x >> m.partShift
		p := &m.parts[part]
		k := p.newGroup(g.key)
		if h.same(g.key, g.key) {
			p.enlist(p.tag(x, g.key), k)
		}
		p.groups[k].vals = g.vals
		p.count += len(g.vals)
		p.lying += cap(g.vals)
		n.add(m.ref(int(part), k), m.order.number(i))
	}
	m.order = n
	for i := range m.stripes {
		m.stripes[i].gone = 0
	}
}
