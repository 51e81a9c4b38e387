package hashmap

import (
	"slices"

	"example.com/custody/internal/hash"
)

// multiGroup is a key and its values. One without values is nobody's.
type multiGroup[K comparable, V any] struct {
	key  K
	vals []V
}

// multiPart is the keys of a multimap that have the same upper bits of their hashes: groups, one for each key, and an
// index that finds them, open addressing with linear probing. A key that was deleted leaves no trace in the index: those behind it move up.
//
// Invariants:
//
//	(I1) A place of the index has a tag, which is some bits of a hash, and the number of a group; or is 0. The upper bits of the tag
//	     say where its home is. All places from there to the tag's are taken.
//	(I2) A key that has values and is equal to itself is in the index once; any other is not.
//	(I3) A group stays where it is until its key is deleted. Its number is another key's only after the order of the map has
//	     let go of it.
//	(I4) What is between the length and the capacity of a group's values keeps nothing alive, nor does what the values have left.
type multiPart[K comparable, V any] struct {
	index  []uint64
	shift  uint // from a tag to its home
	placed int  // places taken
	groups []multiGroup[K, V]
	live   int // keys that have values
	fresh  []freshGroup
	free   []uint32 // numbers of groups that the order has let go of
	vacant []uint32 // those that it has not, or not yet
	count  int      // values
	block  multiBlock[V]
	lying  int        // how many values the blocks have room for
	left   int        // how much room groups have left, in blocks or elsewhere
	own    *hash.Seed // of the tags; nil: they are of the hashes that all parts have
}

// freshGroup is a group that the order of the map does not have yet.
type freshGroup struct {
	number uint64 // counts them
	group  uint32
}

// tag returns the tag of a key that has a hash.
func (p *multiPart[K, V]) tag(x uint64, k K) uint32 {
	if p.own != nil {
		x = hash.Key(p.own, k)
	}
	return uint32(x >> 16)
}

const (
	leastIndex = 8
	farAway    = 256 // from home: as many places as no good hash function sends a key
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
func (p *multiPart[K, V]) place(h *hashing[K], hash uint64, k K) (group int, fresh bool) {
	mask := len(p.index) - 1
	tag := p.tag(hash, k)
	at := int(tag >> p.shift)
	if mask >= 0 {
		for ; ; at++ {
			x := p.index[at&mask]
			if x == 0 {
				break
			}
			if uint32(x>>32) == tag {
				if g := int(uint32(x)) - 1; h.same(p.groups[g].key, k) {
					return g, false
				}
			}
		}
	}
	if at-int(tag>>p.shift) > farAway && h.custom == nil {
		p.retag(h)
		tag = p.tag(hash, k)
	}
	self := h.same(k, k) // before anything changes: a Hasher may panic
	group = p.newGroup(k)
	if self {
		p.enlist(tag, group)
	}
	return group, true
}

// retag gives the part tags of its own, for the hashes of some keys are too much alike.
func (p *multiPart[K, V]) retag(h *hashing[K]) {
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

// enlist has the index find a group, and returns how far from its home it lies.
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

// gap returns the first free place of an index from the home of a tag on.
func gap(index []uint64, shift uint, tag uint32) int {
	mask := len(index) - 1
	for at := int(tag >> shift); ; at++ {
		if index[at&mask] == 0 {
			return at & mask
		}
	}
}

// reindexed returns an index of so many places, a power of two, with what old has, and its shift.
func reindexed(old []uint64, places int) (index []uint64, shift uint) {
	index, shift = make([]uint64, places), upper32(places)
	for _, x := range old {
		if x != 0 {
			index[gap(index, shift, uint32(x>>32))] = x
		}
	}
	return index, shift
}

// reindex makes the index one of so many places.
func (p *multiPart[K, V]) reindex(places int) { p.index, p.shift = reindexed(p.index, places) }

// unplace takes a group out of the index, and moves up those that were driven from home by it.
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

// add puts a value behind the others of a group.
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

// leave lets go of values that lie elsewhere now, or nowhere.
func (p *multiPart[K, V]) leave(old []V) {
	clear(old) // (I4)
	p.left += cap(old)
}

// drop deletes the key of a group.
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

// gather puts the values into one block when as many places were left as there are values and more, and groups.
func (p *multiPart[K, V]) gather() {
	if p.left >= max(64, p.lying/2, p.count, len(p.groups)) {
		p.regather()
	}
}

// regather puts the values into one block.
func (p *multiPart[K, V]) regather() {
	block := make([]V, 0, p.count)
	for i := range p.groups {
		if g := &p.groups[i]; len(g.vals) > 0 {
			old, at := g.vals, len(block)
			block = append(block, old...)
			g.vals = block[at:len(block):len(block)]
			clear(old) // (I4)
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

// wipe deletes all keys. It keeps the memory if an eighth of it was used. What lies in the block of the map is cleared with that.
func (p *multiPart[K, V]) wipe() {
	if p.live < cap(p.groups)/8 || p.live < len(p.index)/32 || p.count < cap(p.block.last)/8 {
		*p = multiPart[K, V]{}
		return
	}
	for i := range p.groups {
		clear(p.groups[i].vals) // (I4)
	}
	clear(p.groups)
	clear(p.index)
	*p = multiPart[K, V]{index: p.index, shift: p.shift, groups: p.groups[:0], fresh: p.fresh[:0], free: p.free[:0], vacant: p.vacant[:0],
		block: multiBlock[V]{p.block.last, true}}
}
