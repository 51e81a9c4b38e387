package hashmap

import (
	"slices"

	"example.com/custody/internal/hash"
)

// multiGroup is a key and its values. A group without values is free.
type multiGroup[K comparable, V any] struct {
	key  K
	vals []V
}

// multiPart is the keys of a multimap whose hashes have the same upper bits: groups, one for each
// key, and an index that finds them, open addressing with linear probing. A deleted key leaves
// nothing in the index: the entries behind it move up.
//
// Invariants:
//
//	(part.I1) A place of the index is 0, or has a tag and the number of a group plus 1. The tag is
//	     32 bits of a hash, and its upper bits are its home. All places from the home to the place
//	     of the tag are taken.
//	(part.I2) A key that has values and is equal to itself is in the index once; any other is not.
//	(part.I3) A group stays where it is until its key is deleted. Its number is another key's only
//	     after the order of the map no longer has it.
//	(part.I4) The memory between the length and the capacity of a group's values keeps nothing alive,
//	     nor does memory that values have left.
type multiPart[K comparable, V any] struct {
	index  []uint64
	shift  uint // from a tag to its home
	placed int  // places taken
	groups []multiGroup[K, V]
	live   int // keys that have values
	fresh  []freshGroup
	free   []uint32 // numbers of groups that the order no longer has
	vacant []uint32 // numbers of free groups that the order, or fresh, may still have
	count  int      // values
	block  multiBlock[V]
	lying  int        // values that blocks have room for
	left   int        // values that memory which groups no longer use has room for
	own    *hash.Seed // makes the tags; nil: they are bits of the hashes of the map
}

// freshGroup is a group that the order of the map does not have yet.
type freshGroup struct {
	number uint64 // the key's number in the order
	group  uint32
}

// tag returns the tag of a key that has the hash x in the map.
func (p *multiPart[K, V]) tag(x uint64, k K) uint32 {
	if p.own != nil {
		x = hash.Key(p.own, k)
	}
	return uint32(x >> 16)
}

const (
	leastIndex = 8
	farAway    = 256 // a distance from home that no good hash function leads to
)

// find returns the number of a key's group.
func (p *multiPart[K, V]) find(h *hashing[K], hash uint64, k K) (group int, ok bool) {
	mask := len(p.index) - 1
	if mask < 0 {
		return 0, false
	}
	tag := p.tag(hash, k)
	for at := int(tag >> p.shift); ; at++ {
		x := p.index[at&mask]
		if x == 0 {
			return 0, false
		}
		if uint32(x>>32) == tag {
			if g := int(uint32(x)) - 1; h.same(p.groups[g].key, k) {
				return g, true
			}
		}
	}
}

// place returns the number of a key's group, and makes one if there is none.
func (p *multiPart[K, V]) place(h *hashing[K], x uint64, k K) (group int, fresh bool) {
	if g, ok := p.find(h, x, k); ok {
		return g, false
	}
	return p.insert(h, x, k), true
}

// insert makes a group for a key that has none, and returns its number.
func (p *multiPart[K, V]) insert(h *hashing[K], x uint64, k K) int {
	self := h.same(k, k) // before anything changes, because a Hasher may panic
	g := p.newGroup(k)
	if self && p.enlist(p.tag(x, k), g) > farAway && h.custom == nil {
		p.retag()
	}
	return g
}

// retag gives the part tags by a seed of its own, because too many tags have homes close together.
func (p *multiPart[K, V]) retag() {
	s := hash.NewSeed[K](newSeed().Seed)
	p.own = &s
	old := p.index
	p.index, p.placed = make([]uint64, len(old)), 0
	for _, x := range old {
		if x != 0 {
			g := int(uint32(x)) - 1
			p.enlist(p.tag(0, p.groups[g].key), g)
		}
	}
}

// enlist adds a group to the index, and returns the distance from its home.
func (p *multiPart[K, V]) enlist(tag uint32, group int) (distance int) {
	if p.placed*3 >= len(p.index)*2 {
		p.reindex(max(leastIndex, 2*len(p.index)))
	}
	at := gap(p.index, p.shift, tag)
	p.index[at] = uint64(tag)<<32 | uint64(group+1)
	p.placed++
	return (at - int(tag>>p.shift)) & (len(p.index) - 1)
}

// newGroup makes a group without values.
func (p *multiPart[K, V]) newGroup(k K) int {
	p.live++
	if n := len(p.free); n > 0 {
		g := int(p.free[n-1])
		p.free = p.free[:n-1]
		p.groups[g].key = k
		return g
	}
	p.groups = append(p.groups, multiGroup[K, V]{key: k})
	return len(p.groups) - 1
}

// gap returns the first free place of an index, from the home of a tag on.
func gap(index []uint64, shift uint, tag uint32) int {
	mask := len(index) - 1
	for at := int(tag >> shift); ; at++ {
		if index[at&mask] == 0 {
			return at & mask
		}
	}
}

// reindexed returns an index of so many places, a power of two, with old's entries, and its shift.
func reindexed(old []uint64, places int) (index []uint64, shift uint) {
	index, shift = make([]uint64, places), upper32(places)
	for _, x := range old {
		if x != 0 {
			index[gap(index, shift, uint32(x>>32))] = x
		}
	}
	return index, shift
}

// reindex gives the index so many places.
func (p *multiPart[K, V]) reindex(places int) { p.index, p.shift = reindexed(p.index, places) }

// unplace removes a group from the index, and moves up the entries that may lie nearer to their
// homes now.
func (p *multiPart[K, V]) unplace(hash uint64, group int) {
	tag := p.tag(hash, p.groups[group].key)
	mask := len(p.index) - 1
	hole := int(tag>>p.shift) & mask
	for p.index[hole] != uint64(tag)<<32|uint64(group+1) {
		hole = (hole + 1) & mask
	}
	for at := hole; ; {
		at = (at + 1) & mask
		x := p.index[at]
		if x == 0 {
			break
		}
		if home := int(uint32(x>>32) >> p.shift); (at-home)&mask >= (at-hole)&mask {
			p.index[hole] = x
			hole = at
		}
	}
	p.index[hole] = 0
	p.placed--
}

// add adds a value behind the others of a group.
func (p *multiPart[K, V]) add(group int, v V) {
	p.count++
	g := &p.groups[group]
	if n := len(g.vals); n < cap(g.vals) {
		g.vals = g.vals[:n+1]
		g.vals[n] = v
		return
	}
	old := g.vals
	g.vals = append(g.vals, v)
	p.leave(old)
}

// leave clears and counts the memory of values that have moved or were deleted.
func (p *multiPart[K, V]) leave(old []V) {
	clear(old) // (part.I4)
	p.left += cap(old)
}

// drop deletes the key of a group, whose number stays out of use until a purge (part.I3).
func (p *multiPart[K, V]) drop(h *hashing[K], hash uint64, group int) {
	g := &p.groups[group]
	if h.same(g.key, g.key) {
		p.unplace(hash, group)
	}
	p.count -= len(g.vals)
	p.leave(g.vals)
	*g = multiGroup[K, V]{}
	p.live--
	p.vacant = append(p.vacant, uint32(group))
	p.gather()
}

// gather calls regather if values have left so much room that it is worth a copy of the part.
func (p *multiPart[K, V]) gather() {
	if p.left >= max(64, p.lying/2, p.count, len(p.groups)) {
		p.regather()
	}
}

// regather copies the values into one new block.
func (p *multiPart[K, V]) regather() {
	block := make([]V, 0, p.count)
	for i := range p.groups {
		if g := &p.groups[i]; len(g.vals) > 0 {
			old, at := g.vals, len(block)
			block = append(block, old...)
			g.vals = block[at:len(block):len(block)]
			clear(old) // (part.I4)
		}
	}
	p.block, p.lying, p.left = multiBlock[V]{last: block}, p.count, 0
}

// remove deletes the i-th value of a group that has others.
func (p *multiPart[K, V]) remove(group, i int) {
	g := &p.groups[group]
	g.vals = slices.Delete(g.vals, i, i+1)
	p.count--
}

// wipe deletes all keys. It keeps the memory if an eighth of it was used. The map clears values in
// its own block.
func (p *multiPart[K, V]) wipe() {
	if p.live < cap(p.groups)/8 || p.live < len(p.index)/32 || p.count < cap(p.block.last)/8 {
		*p = multiPart[K, V]{}
		return
	}
	for i := range p.groups {
		clear(p.groups[i].vals) // (part.I4)
	}
	clear(p.groups)
	clear(p.index)
	*p = multiPart[K, V]{index: p.index, shift: p.shift, groups: p.groups[:0], fresh: p.fresh[:0], free: p.free[:0], vacant: p.vacant[:0],
		block: multiBlock[V]{p.block.last, true}}
}
