package hashmap

import (
	"math/bits"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
	"example.com/custody/safety"
)

// table is what all kinds of tables begin with, whatever types they are of; see [wordTable] and [boxTable]. Places lie in blocks of a few, one by
// default. Of blocks that are homes there is a power of two: a key's home is the first place of one of them. Behind them are blocks for keys that
// have a place of their own.
type table struct {
	next atom.Pointer[table]
	from atom.Pointer[table] // the one before, as long as not all of its keys have come (I6)
	_    pad.Bytes
	used atom.Int64 // how many keys it has, or has room reserved for, by what was counted
	_    pad.Bytes

	taken  atom.Int64 // places that somebody moves, or has moved
	done   atom.Int64 // places that were moved
	came   atom.Int64 // keys that came by being moved
	charge int64      // how many used was set to for these

	crowded atom.Bool // a run is so long that the next table has another seed
	_       pad.Bytes

	homes  int                 // blocks
	per    int                 // places in a block
	places int                 // in all blocks
	sample int                 // the bits of an index that are 0 in the places that are counted
	limit  atom.Int64          // how many keys it may hold
	order  atom.Pointer[order] // nil: all keys are equally old
	of     *generation
	seed   hash.Seed // what the hashes of its keys are made with
	shift  uint
}

// tenure is what tables have in common from one clearing to the next.
type generation struct {
	seed  hash.Seed // of the first
	tally []tally
	seq   atom.Uint32 // of keys that are put in now; see order
}

// tally counts some of the keys that have values.
type tally struct {
	n atom.Int64
	_ pad.Bytes
}

// count adds to the number of keys that have values.
func (t *generation) count(n int64) {
	t.tally[stripe.Hint()>>(64-bits.Len(uint(len(t.tally)-1)))].n.Add(n)
}

// len returns the number of keys that have values, exactly when nobody changes it.
func (t *generation) len() int {
	n := int64(0)
	for i := range t.tally {
		n += t.tally[i].n.Load()
	}
	return int(max(n, 0))
}

// tables are the tables of a map, and how its keys go from one to the next.
//
// When a table is full, or holds too many keys that were deleted, its keys are moved to another one, in chunks, by those who put
// keys in; all others go on meanwhile: a place that says that it was moved sends them to the next table.
//
// The protocol is a descendant of Cliff Click's non-blocking hash map (2007) and of the tables of Tobias Maier, Peter Sanders
// and Roman Dementiev, Concurrent Hash Tables: Fast and General(?)! (2016). We differ in that nobody waits for who moves a
// chunk: until a place says that it was moved it is the key's.
//
// Invariants:
//
//	(I1) A place gets a key, or its hash, once, or is closed. The run of a key are the places from its home on, up to the first
//	     that has none or is closed; without such a one it is the whole table. A key has at most one place in a table that
//	     is not dead, and it lies in its run; so all who look for it find the same one.
//	(I2) What a place says of its key is changed by compare-and-swap, and no more once it is moved or dead.
//	(I3) As long as a key's place in a table is not moved, what it says is so. The key's place in the next table, if it has one,
//	     is the mover's alone: he has it say the same before he says moved.
//	(I4) A key comes into the next table only by who moves its place, or by who has seen that the place is moved, or that the
//	     key has none here and its run ends at a closed place or is the whole table. So who goes from table to table as these
//	     say finds it.
//	(I5) When there is a next table nobody puts a key into this one any more, but for those few who were about to when it came,
//	     and who have room reserved.
//	(I6) A table has a next one only when all keys of the one before have come into it.
//	(I7) A place says that its key's value lies aside just when there is a record of the key, and both come and go under the lock
//	     of its records.
type tables struct {
	root atom.Pointer[table] // the maxSeq that keys lie in
	sizes
	per    int
	extra  int
	block  int // bytes of a block
	mover  mover
	seed   hash.Seed        // of new tables
	reseed func() hash.Seed // nil: hashes are as they are
	cycle  func() error     // what to panic with when a computation would wait for itself
	mu     atom.Mutex       // held to decide on a next table
	guard  *safety.Guard    // nil: the map has no Hasher. Hashers are asked under locks of records.
}

// mover is a kind of map.
type mover interface {
	// make returns a table of so many blocks, which is not ready yet. It has the records of another one, if there is one: of its tenure.
	make(blocks int, other *table) *table
	// move moves the i-th place of a table to the next one, and says whether a key has come there, and to which place.
	move(t *table, i int, n *table) (to int, came bool)
	// declareAll calls f with the memory of the places of the oldest table.
	declareAll(f func(unsafe.Pointer, int))
}

// sizes are what tests make smaller.
type sizes struct {
	least   int // places of the smallest table, about
	chunk   int // places that are moved at a time
	stripes int // counters of keys, and locks of records, a power of two
	spare   int // how many goroutines may be about to put a key into a table when a smaller one comes
	crowd   int // how many places lie between a key and its home before other hashes are tried
	each    int // slots of a bucket that are used; 0: all
	few     int // entries of a job that are applied one after the other, where there are no more
}

// start makes the tables of an empty map, with room for some keys.
func (m *tables) start(keys int, s sizes, per, extra, block int, mover mover) {
	m.sizes, m.per, m.extra, m.block, m.mover = s, per, extra, block, mover
	m.root.Store(m.newTable(m.blocksFor(keys), nil))
}

// sampled is how many places a table has that does not count all keys.
const sampled = 1 << 14

// newTable returns a table of so many blocks that are homes, of the tenure of another one or, without one, of a new tenure. Large ones do not
// count all keys but, so that those who put them in disturb each other less, those in some of the places, which stand for the others. For a
// few keys too many, by chance or because those who put them in do so at the same time, there is room beyond the limit.
func (m *tables) newTable(blocks int, other *table) *table {
	places := blocks * m.per
	t := m.mover.make(blocks+m.extra, other)
	if other != nil {
		t.of = other.of
	} else {
		t.of = &generation{seed: m.seed, tally: make([]tally, m.stripes)}
	}
	t.homes, t.per, t.places, t.shift, t.seed = blocks, m.per, places+m.extra, uint(64-bits.Len(uint(blocks-1))), t.of.seed
	t.limit.Store(int64(places - places/4))
	switch {
	case places >= 16*sampled:
		t.sample = 15
	case places >= sampled:
		t.sample = 3
	}
	return t
}

// blocksFor returns how many blocks are right for a table with so many keys, which are to become more.
func (m *tables) blocksFor(keys int) int {
	return max(m.leastBlocks(), 1<<bits.Len(uint(max(2*keys-1, 0)/m.per)))
}

// leastBlocks is how many blocks the smallest table has.
func (m *tables) leastBlocks() int { return 1 << bits.Len(uint((m.least-1)/m.per)) }

// blocksWithin returns how few blocks so many keys find room in.
func (m *tables) blocksWithin(keys uint) int {
	return max(m.leastBlocks(), 1<<bits.Len((keys+keys/3)/uint(m.per)))
}

// len returns the number of keys.
func (m *tables) len() int { return m.root.Load().of.len() }

// clear removes all keys, at one moment: an operation that has found the map before goes on in what was thrown away, as if it
// had come earlier.
func (m *tables) clear() { m.root.Store(m.newTable(m.leastBlocks(), nil)) }

// reserve counts a key that is about to be put into the place at an index. When there is no room for it there is a next table,
// and it says false.
func (m *tables) reserve(t *table, at int) bool {
	for {
		from, limit := t.from.Load(), t.limit.Load() // first: when the last keys have come there may be room
		if at&t.sample == 0 {
			if t.used.Add(int64(t.sample)+1) <= limit {
				return true
			}
			t.release(at)
		} else if t.used.Load() < limit {
			return true
		}
		if from != nil {
			m.settle(from) // then there is room again for those that were expected and did not come
		} else if !m.stretch(t, limit) {
			m.extend(t, 0, false)
			return false
		}
	}
}

// stretch has a full table hold more keys than others if the next one would not be larger, for many were deleted: so places are used
// longer before keys are moved. It says whether there is more room than the limit says, which somebody has found too little.
func (m *tables) stretch(t *table, limit int64) bool {
	m.mu.Lock() // who decides on a next table knows what this one may hold
	defer m.mu.Unlock()
	homes := t.places - m.extra
	most := int64(homes - homes/8)
	switch {
	case t.next.Load() != nil:
		return false
	case t.limit.Load() == limit && limit < most && m.blocksFor(t.of.len()) <= t.homes:
		t.limit.Store(most)
	}
	return t.limit.Load() > limit
}

// release takes back what reserve has counted.
func (t *table) release(at int) {
	if at&t.sample == 0 {
		t.used.Add(-int64(t.sample) - 1)
	}
}
