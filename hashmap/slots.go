package hashmap

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
)

// bucketed is the number of slots in a bucket. With their hashes they fill a cache line.
const bucketed = 5

// bucket is the slots of a home. A search looks at all of their hashes, which are in one cache
// line, and most often at one box. Keys take the slots of a bucket in order.
type bucket struct {
	hash hashes
	_    uint32
	box  [bucketed]cell
}

// cell is the pointer of a slot, and boxRef what it holds.
type (
	cell   = tagged.Cell[box]
	boxRef = tagged.Ref[box]
)

// The tags of a slot's pointer.
const (
	moved   = 1 // the box is in the next table, too
	chained = 4 // a search for another key with the hash has passed the slot
)

// hashes are the hashes of a bucket's slots.
type hashes [bucketed]atom.Uint32

// slot is one slot of a bucket.
type slot struct {
	hash *atom.Uint32 // of the key; none or shut
	box  *cell        // nil or free: any key with the hash may be put here
}

// shut is the hash of a slot that is closed.
const shut = ^uint32(none)

// first returns the index of the first slot with the hash h, or bucketed. It has no branch on a
// hash, because the processor could not predict it.
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
func (t *table) homeOf(h uint32) int {
	return int(unfolded(h)>>(t.shift&63)) & (len(t.buckets) - 1) // one bucket has a shift of 64
}

// slotAt returns the slot with an index.
func (t *table) slotAt(i int) slot {
	g, j := uint(i)/bucketed, uint(i)%bucketed
	if t.per != bucketed {
		g, j = uint(i)/uint(t.per), uint(i)%uint(t.per)
	}
	return t.buckets[g].slot(int(j))
}

// probe ranges over the slots of a probe sequence and their indices, from an index to the end of
// the table and from the beginning.
func (t *table) probe(at int) iter.Seq2[int, slot] {
	return func(yield func(at int, p slot) bool) {
		for range t.places {
			if !yield(at, t.slotAt(at)) {
				return
			}
			if at++; at == t.places {
				at = 0
			}
		}
	}
}
