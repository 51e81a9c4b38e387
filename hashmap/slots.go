package hashmap

import (
	"iter"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/tagged"
)

// bucketed is how many slots lie side by side: with their hashes they fill a cache line.
const bucketed = 5

// bucket is a block of slots: hashes of keys, and their boxes. Who seeks a key looks at all hashes of its home, of which one line has
// to come from memory, and most often at one box. Keys have their hashes in the order of the slots, from the first on.
type bucket[K, E any] struct {
	hash hashes
	_    uint32
	box  [bucketed]tagged.Cell[box[K, E]]
}

// hashes are those of a bucket's slots.
type hashes [bucketed]atom.Uint32

// slot is one of a bucket.
type slot[K, E any] struct {
	hash *atom.Uint32            // of the key; none, shut
	box  *tagged.Cell[box[K, E]] // nil, or free: whoever has a key with the hash may put it here
}

// box is a key and its value. Its first field has it lie at multiples of 8 and be as long, whatever the types are: the allocator
// packs what is small and has no pointers as its size allows.
type box[K, E any] struct {
	_   [0]uint64
	key K
	val E
}

// shut is the hash of a slot that is closed.
const shut = ^uint32(none)

// What the tag of a slot's pointer says.
const (
	movedBox   = 1 // the box is in the next table
	sideBox    = 2 // the value lies aside
	deletedBox = 3 // the key was deleted, and may get another value here; soon the slot is empty or dead
	says       = 3 // the bits of these

	chained = 4 // beside one of these: who had another key with the hash went on from here
)

// slots returns how many slots of a bucket are used: all, but in tests.
func (s sizes) slots() int {
	if s.each != 0 {
		return s.each
	}
	return bucketed
}

// first returns the index of the first slot with a hash, or bucketed. It looks at later ones first: where it has found one those before have
// their hashes for good. It is computed and not branched on, for nobody can foretell it.
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

// slot returns the j-th one.
func (g *bucket[K, E]) slot(j int) slot[K, E] { return slot[K, E]{&g.hash[j], &g.box[j]} }

// homeOf returns the index of the bucket where the run of a hash begins.
func homeOf[K, E, V any](t *boxTable[K, E, V], h uint32) int {
	return int(unfolded(h)>>(t.head.shift&63)) & (len(t.blocks) - 1) // one block has a shift of 64
}

// slotAt returns the slot with an index, and hash its hash.
func slotAt[K, E, V any](t *boxTable[K, E, V], i int) slot[K, E] {
	g, j := uint(i)/bucketed, uint(i)%bucketed
	if t.head.per != bucketed {
		g, j = uint(i)/uint(t.head.per), uint(i)%uint(t.head.per)
	}
	return t.blocks[g].slot(int(j))
}

// run ranges over the slots of a hash's run, and their indices: from its home on, to the end of the table and from its beginning.
func probe[K, E, V any](t *boxTable[K, E, V], h uint32) iter.Seq2[int, slot[K, E]] {
	return func(yield func(at int, p slot[K, E]) bool) {
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
