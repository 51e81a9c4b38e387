package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
)

// multiGroup is a key and its values. A group without values is free.
type multiGroup[K comparable] struct {
	_ [0]func() // no functions are made that compare groups
	//lint:ignore U1000 code without types uses it
	key  K
	vals values
}

// values is a slice of values.
type values struct {
	p      ref
	n, cap int
}

// kept returns the capacity that values have after regatherPart.
func (vs *values) kept(share int) int { return vs.n + min(vs.cap-vs.n, vs.n/share) }

// whole returns values without spare capacity, as views hand them out.
func (vs *values) whole() values { return values{vs.p, vs.n, vs.n} }

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
type multiPart struct {
	tagIndex
	groups ref        // of multiGroup
	n      int        // number of groups
	room   int        // number of groups that there is room for
	live   int        // keys that have values
	fresh  []multiKey // keys that the order does not have yet
	free   []uint32   // numbers of groups that the order no longer has
	vacant []uint32   // numbers of free groups that the order, or fresh, may still have
	count  int        // values
	block  multiBlock
	left   int        // values that memory which groups no longer use has room for
	own    *hash.Seed // makes the tags; nil: they are bits of the hashes of the map
}

// multiBlock is memory for the values of many keys.
type multiBlock struct {
	last  values // the block that was made last; n is not used
	blank bool   // last has no values
}

// take returns room for n values: in the last block if it is blank, or else in a new one.
func (b *multiBlock) take(val *elem.Type, n int) ref {
	switch {
	case !b.blank:
		b.last = values{p: val.Make(n), cap: n}
	case b.last.cap < n: // it was too small once, and may be again
		b.last = values{p: val.Make(n + n/8), cap: n + n/8}
	}
	b.blank = false
	return b.last.p
}

// keyOf returns the key of a group, and vals its values.
func (t *groupType) keyOf(p *multiPart, group int) ref { return t.group.At(p.groups, group) }
func (t *groupType) vals(p *multiPart, group int) *values {
	return (*values)(offset(t.keyOf(p, group), t.valsAt))
}

// wiped clears values, also to the eyes of the race detector.
func (t *groupType) wiped(vs values) {
	if vs.n > 0 {
		atom.WriteRange(vs.p, vs.n*int(t.val.Size))
		t.val.Clear(vs.p, vs.n)
	}
}

// tag returns the tag of a key that has the hash x in the map.
func (m *multiCore) tag(p *multiPart, x uint64, k ref) uint32 {
	if p.own != nil {
		x = m.keys.by(p.own, k)
	}
	return uint32(x >> 16)
}

// find returns the number of a key's group or, with false, the place where the search has ended.
func (m *multiCore) find(p *multiPart, hash uint64, k ref) (group int, ok bool) {
	if len(p.places) == 0 {
		return 0, false
	}
	if m.keys.custom != nil {
		defer m.keys.custom.count().leave()
	}
	tag := m.tag(p, hash, k)
	for at := m.begin(p, tag, k); ; at++ {
		if at, group = p.seek(tag, at); group < 0 {
			return at, false
		} else if m.keys.matches(m.keyOf(p, group), k) {
			return group, true
		}
	}
}

// begin returns where a search for a key with a tag begins: at the tag's home or, if there is a
// Hasher, behind keys with the tag that are others, which are compared with few calls.
func (m *multiCore) begin(p *multiPart, tag uint32, k ref) int {
	at := p.home(tag)
	for m.keys.custom != nil {
		var keys [16]ref
		for i := range keys {
			x := p.places[(at+i)&(len(p.places)-1)]
			if x == 0 || uint32(x>>32) != tag {
				return at
			}
			keys[i] = m.keyOf(p, int(uint32(x))-1)
		}
		if !m.keys.custom.matchNone(&keys[0], len(keys), k) {
			break
		}
		at += len(keys)
	}
	return at
}

// groupOf returns the number of a key's group. If there is none, it makes one, and adds the key to
// fresh.
func (m *multiCore) groupOf(p *multiPart, x uint64, k ref, fresh *[]multiKey) int {
	g, ok := m.find(p, x, k)
	if !ok {
		g = m.insert(p, x, k, g)
		*fresh = append(*fresh, multiKey{m.ref(x>>m.partShift, g), m.last.Add(1)})
	}
	return g
}

// insert makes a group for a key that has none, and returns its number. at is as of put.
func (m *multiCore) insert(p *multiPart, x uint64, k ref, at int) int {
	self := m.keys.same(k, k) // before anything changes, because a Hasher may panic
	g := m.newGroup(p, k)
	if self && p.put(m.tag(p, x, k), g, at) > farAway && m.keys.custom == nil {
		m.retag(p)
	}
	return g
}

// retag gives the part tags by a seed of its own, because too many tags have homes close together.
func (m *multiCore) retag(p *multiPart) {
	s := m.keys.newSeed()
	p.own = &s
	old := p.places
	p.places, p.taken = make([]uint64, len(old)), 0
	for _, x := range old {
		if x != 0 {
			g := int(uint32(x)) - 1
			tag := m.tag(p, 0, m.keyOf(p, g))
			p.put(tag, g, p.home(tag))
		}
	}
}

// newGroup makes a group without values.
func (m *multiCore) newGroup(p *multiPart, k ref) int {
	p.live++
	g := p.n
	if n := len(p.free); n > 0 {
		g = int(p.free[n-1])
		p.free = p.free[:n-1]
	} else {
		if g == p.room {
			m.expect(p, max(4, 2*g))
		}
		p.n++
	}
	m.putKey(m.keyOf(p, g), k)
	return g
}

// putKey copies the key at k to p.
func (m *multiCore) putKey(p, k ref) {
	if m.keys.how == hash.AsWord {
		word.Put(p, m.keys.size, word.At(k, m.keys.size))
	} else {
		m.key.Copy(p, k, 1)
	}
}

// expect makes room for so many groups, which are more than there is room for.
func (m *multiCore) expect(p *multiPart, groups int) {
	old := p.groups
	p.groups, p.room = m.group.Make(groups), groups
	m.group.Copy(p.groups, old, p.n)
}

// push adds a value behind the others of a group.
func (m *multiCore) push(p *multiPart, group int, v ref) {
	p.count++
	vals := m.vals(p, group)
	if n := vals.n; n == vals.cap {
		old := *vals
		room := 2*n + 1
		if n >= 256 {
			room = n + n/4 + 192
		}
		*vals = values{m.val.Make(room), n, room}
		m.val.Copy(vals.p, old.p, n)
		m.leave(p, old)
	}
	m.val.Copy(m.val.At(vals.p, vals.n), v, 1)
	vals.n++
}

// leave clears and counts the memory of values that have moved or were deleted.
func (m *multiCore) leave(p *multiPart, old values) {
	m.wiped(old) // (part.I4)
	p.left += old.cap
}

// deleteGroup deletes the key of a group, whose number stays out of use until a purge (part.I3). It
// returns the number of its values.
func (m *multiCore) deleteGroup(p *multiPart, hash uint64, group int) int {
	if k := m.keyOf(p, group); m.keys.same(k, k) {
		p.remove(m.tag(p, hash, k), group)
	}
	vals := *m.vals(p, group)
	p.count -= vals.n
	m.leave(p, vals)
	m.group.Clear(m.keyOf(p, group), 1)
	p.live--
	p.vacant = append(p.vacant, uint32(group))
	m.gather(p)
	return vals.n
}

// gather calls regather if values have left so much room that it is worth a copy of the part.
func (m *multiCore) gather(p *multiPart) {
	if p.left >= max(64, p.count, p.n) {
		m.regatherPart(p, 4)
	}
}

// regatherPart copies the values into one new block. Where these have room for more, a key keeps
// room for a share of its values, so that its next value does not move all of them again.
func (m *multiCore) regatherPart(p *multiPart, share int) {
	need, at := 0, 0
	for g := range p.n {
		need += m.vals(p, g).kept(share)
	}
	block := m.val.Make(need)
	for g := range p.n {
		if vals := m.vals(p, g); vals.n > 0 {
			old := *vals
			*vals = values{m.val.At(block, at), old.n, old.kept(share)}
			m.val.Copy(vals.p, old.p, old.n)
			at += vals.cap
			m.wiped(old) // (part.I4)
		}
	}
	p.block, p.left = multiBlock{last: values{p: block, cap: need}}, 0
}

// remove deletes the i-th value of a group that has others.
func (m *multiCore) remove(p *multiPart, group, i int) {
	vals := m.vals(p, group)
	vals.n--
	at := m.val.At(vals.p, i)
	if i < vals.n {
		m.val.Copy(at, m.val.At(vals.p, i+1), vals.n-i)
	}
	m.wiped(values{p: m.val.At(vals.p, vals.n), n: 1})
	p.count--
}

// wipePart deletes all keys. It keeps the memory if an eighth of it was used. The map clears values
// in its own block.
func (m *multiCore) wipePart(p *multiPart) {
	if p.live < p.room/8 || p.live < len(p.places)/32 || p.count < p.block.last.cap/8 {
		*p = multiPart{}
		return
	}
	for g := range p.n {
		m.wiped(*m.vals(p, g)) // (part.I4)
	}
	m.group.Clear(p.groups, p.n)
	clear(p.places)
	*p = multiPart{tagIndex: tagIndex{places: p.places, shift: p.shift}, groups: p.groups, room: p.room, fresh: p.fresh[:0], free: p.free[:0], vacant: p.vacant[:0],
		block: multiBlock{p.block.last, true}}
}
