package hashmap

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
)

// bucketed is the number of slots in a bucket. With their hashes they fill a cache line.
const bucketed = 5

// bucket is a block of slots: hashes of keys, and their boxes. A search looks at all hashes of the
// home, which are in one cache line, and most often at one box. Keys take the slots of a bucket in
// order.
type bucket struct {
	hash hashes
	_    uint32
	box  [bucketed]cell
}

// hashes are the hashes of a bucket's slots.
type hashes [bucketed]atom.Uint32

// cell is the pointer of a slot, and boxRef what it holds.
type (
	cell   = tagged.Cell[box]
	boxRef = tagged.Ref[box]
)

// slot is one slot of a bucket.
type slot struct {
	hash *atom.Uint32 // of the key; none or shut
	box  *cell        // nil or free: any key with the hash may be put here
}

// shut is the hash of a slot that is closed.
const shut = ^uint32(none)

// The tags of a slot's pointer.
const (
	movedBox   = 1 // the box is in the next table
	sideBox    = 2 // the value is in the side table
	deletedBox = 3 // the key was deleted, and may get another value here; see kill
	says       = 3 // the mask of these tags

	chained = 4 // added to one of these: a search for another key with the hash has passed the slot
)

// slots returns the number of slots of a bucket that are used: all, except in tests.
func (s sizes) slots() int {
	if s.each != 0 {
		return s.each
	}
	return bucketed
}

// first returns the index of the first slot with the hash h, or bucketed. It loads the hashes of
// later slots first: keys take slots in order, so if a later slot has a hash, the slots before have
// theirs for good. It has no branch on a hash, because the processor could not predict it.
func (s *hashes) first(h uint32) (j int) {
	j = bucketed
	if s[4].Load() == h {
		j = 4
	}
	if s[3].Load() == h {
		j = 3
	}
	if s[2].Load() == h {
		j = 2
	}
	if s[1].Load() == h {
		j = 1
	}
	if s[0].Load() == h {
		j = 0
	}
	return j
}

// slot returns the j-th slot.
func (g *bucket) slot(j int) slot { return slot{&g.hash[j], &g.box[j]} }

// homeOf returns the index of the bucket where the probe sequence of a hash begins.
func homeOf(t *boxTable, h uint32) int {
	return int(unfolded(h)>>(t.head.shift&63)) & (len(t.blocks) - 1) // one block has a shift of 64
}

// slotAt returns the slot with an index.
func slotAt(t *boxTable, i int) slot {
	g, j := uint(i)/bucketed, uint(i)%bucketed
	if t.head.per != bucketed {
		g, j = uint(i)/uint(t.head.per), uint(i)%uint(t.head.per)
	}
	return t.blocks[g].slot(int(j))
}

// probe ranges over the slots of a hash's probe sequence and their indices, from its home to the
// end of the table and from the beginning.
func probe(t *boxTable, h uint32) iter.Seq2[int, slot] {
	return func(yield func(at int, p slot) bool) {
		for i := range t.blocks {
			b := (homeOf(t, h) + i) & (len(t.blocks) - 1)
			for j := range t.head.per {
				if !yield(b*t.head.per+j, t.blocks[b].slot(j)) {
					return
				}
			}
		}
	}
}
