package hashmap

import (
	"cmp"
	"math/bits"
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
	"example.com/custody/safety"
)

// table has the places of keys: those of inline keys, or the slots of buckets. The number of homes,
// where probe sequences begin, is a power of two. Behind the homes of inline keys are places for
// two keys that have one of their own.
type table struct {
	next atom.Pointer[table]
	from atom.Pointer[table] // the table before, until all of its keys have come
	_    pad.Bytes
	used atom.Int64 // keys that have places here or reserved room, estimated from the places that are counted
	_    pad.Bytes

	growth
	_ pad.Bytes

	inline  []place // one of these two
	buckets []bucket
	homes   int                 // places or buckets where probe sequences begin
	per     int                 // places at a home
	places  int                 // in all
	sample  int                 // of so many places and one more, one is counted: see counts
	limit   atom.Int64          // the number of keys that the table may hold
	full    atom.Bool           // it gets a next table: no goroutine reserves room from then on
	order   atom.Pointer[order] // nil: the keys have no order
	of      *generation
	side    []sideTable // of the generation, by the hashes of keys
	seed    hash.Seed   // of the hashes of the keys
	shift   uint
}

// generation is what the tables of a map share from one Clear to the next.
type generation struct {
	seed  hash.Seed // of the first table
	tally atom.Pointer[tallies]
	seq   atom.Uint32      // the sequence number that ordinary operations give to keys now; see order
	keys  atom.HiddenInt64 // how many keys may come: so many were there before
}

// tally counts some of the keys that have values.
type tally struct {
	n atom.Int64
	_ pad.Bytes
}

// tallies are counts whose sum, with those that were counted before, is the number of keys.
type tallies struct {
	each   []tally
	before *tallies
}

// count adds n to the number of keys that have values.
func (t *generation) count(n int64) {
	each := t.tally.Load().each
	each[stripe.Hint()>>(64-bits.Len(uint(len(each)-1)))].n.Add(n)
}

// widen makes as many counts as processors may use at a time. Small maps do without them. The
// caller holds the lock of the tables.
func (t *generation) widen() {
	before := t.tally.Load()
	if n := stripe.Count(runtime.GOMAXPROCS(0)); n > 4*len(before.each) {
		t.tally.Store(&tallies{make([]tally, n), before})
	}
}

// len returns the number of keys that have values. It is exact if no goroutine changes it.
func (t *generation) len() int {
	n := int64(0)
	for some := t.tally.Load(); some != nil; some = some.before {
		for i := range some.each {
			n += some.each[i].n.Load()
		}
	}
	return int(max(n, 0))
}

// tables are the tables of a map.
//
// If a table is full, or has too many deleted keys, its keys are moved to another table: see
// [growth].
//
// The protocol is a descendant of Cliff Click's non-blocking hash map (2007) and of the tables of
// Tobias Maier, Peter Sanders and Roman Dementiev, Concurrent Hash Tables: Fast and General(?)!
// (2016). We differ in that only operations that put a new key in wait for goroutines that move
// keys: until a place is marked as moved, it is the key's.
//
// Invariants:
//
//	(table.I1) A place gets a key, or its hash, once, or is closed. The probe sequence of a key
//	     begins at its home, and ends at the first place that has no key or is closed; without
//	     such a place it is the whole table. In a table a key has at most one place whose cell is
//	     not gone, in its probe sequence. So all searches for the key find the same place.
//	(table.I2) The cell of a key changes by compare-and-swap, and no more after it is gone.
//	(table.I3) The state of a cell is aside exactly while the side table has an entry for the key.
//	     Both change under the lock of the side table.
type tables struct {
	root atom.Pointer[table] // the oldest table that has keys
	sizes
	kind           // of keys and values
	word hash.Word // hashes inline keys
	salt uint64    // is mixed with values that are words
	free boxRef    // of an emptied slot
	dead boxRef    // of a slot closed for boxes
	// find is findSlot, or findCounted if there is a Hasher.
	find   func(m *tables, t *table, h uint32, k ref, passed int) search
	reseed func() hash.Seed // nil: hashes have no seed
	cycle  func() error     // the violation of a computation that waits for itself
	mu     atom.Mutex       // held to decide on a next table
	asked  *safety.Guard    // nil: there is no Hasher, which is called under locks of side tables
}

// sizes are numbers that tests make smaller.
type sizes struct {
	least   int // places of the smallest table, about
	chunk   int // places that are moved at a time
	stripes int // counters of keys, and side tables, a power of two
	spare   int // goroutines that may be about to put a key into a table when a smaller one comes
	crowd   int // places between a key and its home above which the next table gets another seed
	each    int // places at a home; 0: all slots of a bucket
	few     int // entries of a job up to which they are applied one after the other

	// sampled is more than a few times the goroutines at a time. From so many places on a table
	// counts one in four, from four times as many on one in 16, then one in 64. 0 stands for all.
	sampled int
}

// start makes the tables of an empty map, with room for some keys.
func (m *tables) start(keys int, s sizes) {
	if m.sizes = s; m.isInline {
		m.each = 1
	}
	m.each = cmp.Or(m.each, bucketed)
	m.root.Store(m.newTable(m.homesFor(keys), nil))
}

// leastChunk is the number of places for which it pays that one more goroutine moves keys.
const leastChunk = 64

// extra is the number of places for inline keys whose hashes are none and closed.
const extra = 2

// newTable returns a table with so many homes, of the generation of other or, if that is nil, of a
// new one. A large table counts the keys of some places only, which stand for the others, so that
// goroutines disturb each other less when they put keys in. There may be more keys than the limit,
// if the estimate is too low or several are put in at once. A quarter of the places is for these.
func (m *tables) newTable(homes int, other *table) *table {
	t := &table{homes: homes, per: m.each, places: homes * m.each, shift: uint(64 - bits.Len(uint(homes-1)))}
	t.limit.Store(int64(t.places - t.places/4))
	t.chunk = min(m.chunk, max(leastChunk, t.places/(4*runtime.GOMAXPROCS(0)))) // all move keys
	for from := m.sampled; 0 < from && from <= t.places && t.sample < 63; from *= 4 {
		t.sample = 4*t.sample + 3
	}
	if m.isInline {
		t.places += extra
		t.inline = m.kind.places(t.places)
	} else {
		t.buckets = make([]bucket, homes)
	}
	if other != nil {
		if t.of, t.side = other.of, other.side; t.sample > 0 {
			t.of.widen()
		}
	} else {
		t.of, t.side = &generation{seed: m.seed}, make([]sideTable, m.stripes)
		t.of.tally.Store(&tallies{each: make([]tally, m.stripes)})
		for i := range t.side {
			t.side[i].in = m
		}
	}
	t.seed = t.of.seed
	return t
}

// sideTableOf returns the side table of the keys with a hash.
func (t *table) sideTableOf(hash uint64) *sideTable { return &t.side[hash&uint64(len(t.side)-1)] }

// computed returns the keys whose values the numbered computations compute.
func (m *tables) computed(numbers []uint32) (keys []ref) {
	side := m.root.Load().side
	for i := range side {
		keys = side[i].computed(keys, numbers)
	}
	return keys
}

// homesFor returns the number of homes with at least twice as many places as so many keys need.
func (m *tables) homesFor(keys int) int {
	return max(m.leastHomes(), 1<<bits.Len(uint(max(2*keys-1, 0)/m.each)))
}

// leastHomes returns the number of homes of the smallest table.
func (m *tables) leastHomes() int { return 1 << bits.Len(uint((m.least-1)/m.each)) }

// homesWithin returns the smallest number of homes that have room for so many keys.
func (m *tables) homesWithin(keys uint) int {
	return max(m.leastHomes(), 1<<bits.Len((keys+keys/3)/uint(m.each)))
}

// len returns the number of keys.
func (m *tables) len() int { return m.root.Load().of.len() }

// clear removes all keys, at one moment. An operation that has loaded the old root goes on in the
// old tables, as if it had come earlier.
func (m *tables) clear() {
	t, was := m.newTable(m.leastHomes(), nil), m.root.Load().of
	t.of.keys.Store(max(int64(was.len()), was.keys.Load()/2))
	m.root.Store(t)
}

// reserve counts a key that its caller is about to put into the place at an index. A caller that
// does not put the key in calls release. If the table has no room, reserve makes a next table,
// helps to move the keys there, and returns false.
func (m *tables) reserve(t *table, at int) bool {
	counted := t.counts(at)
	for {
		limit := t.limit.Load()
		switch {
		case !counted && !t.full.Load() || counted && t.used.Add(int64(t.sample)+1) <= limit:
			return true
		case counted:
			t.release(at)
		}
		if !m.stretch(t, limit) {
			for m.help(t) {
			}
			return false
		}
	}
}

// stretch raises the limit of a full table if the next one would not be larger, because many keys
// were deleted. So places are used longer before keys are moved. stretch reports whether the limit
// is now above the given one, which was too low for the caller. Otherwise it makes the next table:
// of the goroutines that come at once only one counts the keys.
func (m *tables) stretch(t *table, limit int64) bool {
	if !m.decides(t) { // the limit is fixed once there is a next table
		return false
	}
	defer m.mu.Unlock()
	if t.limit.Load() == limit && limit < t.most() && m.homesFor(t.of.len()) <= t.homes {
		t.limit.Store(t.most())
	}
	stretched := t.limit.Load() > limit
	if !stretched {
		t.full.Store(true)
		t.next.Store(m.successor(t, 0, false))
	}
	return stretched
}

// most returns the largest limit that a table may have.
func (t *table) most() int64 {
	places := t.homes * t.per
	return int64(places - places/8)
}

// counts reports whether a place is one of those that are counted. Each 64 places have as many, at
// other positions, because keys that follow a rule have places that follow one.
func (t *table) counts(at int) bool {
	h := uint32(at>>6) * 0x9e3779b9
	h = (h ^ h>>16) * 0x85ebca6b
	return (uint32(at)^h>>26)&uint32(t.sample) == 0
}

// release takes back what reserve has counted.
func (t *table) release(at int) {
	if t.counts(at) {
		t.used.Add(-int64(t.sample) - 1)
	}
}
