package hashmap

import (
	"reflect"
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/kind"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// MultiMap is a hash map from a key to many values, in the order in which they were added. Equal values may be there several times; a
// key is there as long as it has a value.
//
// Use it to group things: the particles of each cell of a grid, the places of each word, the rows of each value of a column. It is
// made for parallel loops that add ([MultiMap.ParallelWriter]) and others that then read ([MultiMap.Reader]), or change values in
// place ([MultiMap.Writer]); besides, any goroutine may call its methods at any time when no job has other claims on it. It
// must not be copied; pass on the pointer that [NewMulti] returned.
//
// Keys are equal as == says: so -0 and +0 are one key, of which the first is kept, and a NaN is a key of its own every time it is
// added, which iterations come upon and nothing else, and only Clear deletes. A key of an interface type that holds what cannot be
// compared is a run-time panic, as with Go's map, and changes nothing. What a key's bytes say must not change while it is in the map.
//
// Order: the values of a key are in the order in which they were added; what a job adds is in the order of the sequential loop, behind
// what was there. So are the keys, by their first values: a key that was deleted and is added again is the last.
//
// To delete by a condition range over All and call DeleteValue, which is right beside others, too; or, where values cannot be compared or keys have
// many, over Groups and Replace the values of a key by those that stay: then what others add to the key in between is lost.
//
// Consistency: all operations are linearizable but AddAll of a NaN, which is as many Adds, and the iterations, which are weakly
// consistent: a key that is there all the time comes exactly once, any other at most once, each with the values that it has when it comes.
// What happens before a value is added happens before what follows its being read. Values are handed out as copies outside jobs, so
// nobody sees them change.
//
// Progress: operations take one of several locks, chosen by the key, for as long as the operation takes; Len, LenKeys, Clear, Trim and the beginning
// of an iteration take all of them, and so does now and then one that deletes, to tidy up. No function of the caller's runs under a lock but a [Hasher]'s Equal.
//
// Cost: Add is a hash, a lock, and most often two cache lines; a key's values lie together, and have room for half as many again or
// more where some are added one by one. Memory: per key 24 bytes, the key, and 8 to 24 bytes of an index; and 16 bytes per key for
// the order. After a loop that has filled an empty multimap there are also the keys once more, in their order, and 4 bytes for
// each, and where keys are words with many values each an index of some 22 to 48 bytes for each, or more where there are hundreds of values for
// each, until something changes. Len and LenKeys look at all parts, of which there are up to 4096, under all locks; an iteration begins with a list of the keys.
//
// Hashes are seeded, by another seed for each map: who does not know it cannot choose keys that meet. A [Hasher] is taken at its word: of n
// keys that it has one hash for each costs n.
type MultiMap[K comparable, V any] struct {
	guard   safety.Guard
	keys    *keys[K]
	holds   bool          // keys or values may keep something alive
	stripes []multiStripe // locks
	shift   uint          // from a hash to its lock

	// Changed by who holds all locks, read by who holds one, or by a job that holds the map.
	parts     []multiPart[K, V] // a lock is that of one or several
	partShift uint              // from a hash to its part
	order     multiOrder
	reading   int // jobs that read
	changing  int // jobs that write or append

	row     atom.Pointer[row[K, V]] // nil: there is none
	last    atom.Uint64             // the number of the key that came last
	lanes   lane.Lanes[pair[K, V]]
	scratch *multiScratch[K, V]
	block   multiBlock[V]
	blocked int         // for how many values there are blocks that parts share
	rate    atom.Uint32 // how many keys, of 1024 values, a part had that was built last
	sizes   multiSizes
}

// multiStripe is a lock. Whoever has it may use the parts of the hashes that begin with its number.
type multiStripe struct {
	mu   atom.Mutex
	gone int // keys deleted that the order still has
	_    pad.Bytes
}

// pair is a key and one of its values.
type pair[K comparable, V any] struct {
	key K
	val V
}

// multiScratch is memory that is needed from when a job adds something until it is put in. All multimaps of a type share it.
type multiScratch[K comparable, V any] struct {
	chunks lane.Chunks[pair[K, V]]
	splits splitter[pair[K, V]]
	spans  atom.Spares[spans[K, V]]
	counts atom.Spares[groupCounts]
}

// groupCounts are the numbers of items that the groups of a part get.
type groupCounts struct {
	counts []uint32
	trim   atom.Trimmer
}

// multiSizes are what tests make smaller.
type multiSizes struct {
	stripes int // locks, a power of two
	part    int // values that a part should have when it is built
	few     int // values that are added one by one when a job ends
	gone    int // keys of a lock that were deleted before the order is purged
}

// NewMulti returns an empty multimap.
func NewMulti[K comparable, V any](opts ...safety.Option) *MultiMap[K, V] {
	m := newMulti[K, V](usualMulti(), newSeed(), nil)
	m.guard.Init(m, 0, opts...)
	return m
}

// NewMultiWith returns an empty multimap whose keys are hashed and compared by h.
func NewMultiWith[K comparable, V any](h Hasher[K], opts ...safety.Option) *MultiMap[K, V] {
	if h == nil {
		panic(safety.NewViolation(safety.ErrArgument, "a multimap was to be made with a nil Hasher", "Give it a Hasher, or take NewMulti."))
	}
	m := newMulti[K, V](usualMulti(), newSeed(), h)
	m.guard.Init(m, 0, opts...)
	return m
}

// usualMulti returns the sizes that are right for the processors there are now.
func usualMulti() multiSizes {
	return multiSizes{stripes: min(stripe.Count(runtime.GOMAXPROCS(0)), 64), part: 4096, few: 1024, gone: 64}
}

func newMulti[K comparable, V any](s multiSizes, seed seed, h Hasher[K]) *MultiMap[K, V] {
	m := &MultiMap[K, V]{sizes: s, keys: newKeys(seed, h), holds: kind.Holds(reflect.TypeFor[pair[K, V]]())}
	if h != nil {
		m.keys.custom.guard = &m.guard
	}
	m.guard.Growable()
	m.scratch = scratchOf[multiScratch[K, V]]()
	m.lanes.Share(&m.scratch.chunks)
	m.stripes = make([]multiStripe, s.stripes)
	m.shift = upper(s.stripes)
	m.parts, m.partShift = make([]multiPart[K, V], s.stripes), m.shift
	return m
}

// Add puts v behind the other values of a key.
func (m *MultiMap[K, V]) Add(k K, v V) {
	m.guard.CheckShared()
	m.add(k, v)
}

func (m *MultiMap[K, V]) add(k K, v V) {
	l, p, hash := m.enter(k, true)
	defer l.mu.Unlock()
	p.add(m.group(p, hash, k), v)
}

// group returns the number of a key's group. The key's lock is held.
func (m *MultiMap[K, V]) group(p *multiPart[K, V], hash uint64, k K) int {
	g, fresh := p.place(m.keys, hash, k)
	if fresh {
		p.fresh = append(p.fresh, freshGroup{m.last.Add(1), uint32(g)})
	}
	return g
}

// AddAll puts all of vs behind the other values of a key, in their order, at one moment. A NaN, which is a key of its own every time, gets one for
// each value, one after the other.
func (m *MultiMap[K, V]) AddAll(k K, vs []V) {
	m.guard.CheckShared()
	m.addAll(k, vs)
}

func (m *MultiMap[K, V]) addAll(k K, vs []V) {
	if len(vs) == 0 {
		return
	}
	if !m.keys.same(k, k) {
		for _, v := range vs {
			m.add(k, v)
		}
		return
	}
	l, p, hash := m.enter(k, true)
	defer l.mu.Unlock()
	g := m.group(p, hash, k)
	for _, v := range vs {
		p.add(g, v)
	}
}

// Values returns the values of a key, in their order, as a copy; nil if it has none.
func (m *MultiMap[K, V]) Values(k K) []V {
	m.guard.CheckLook()
	return m.appendValues(nil, k)
}

// AppendValues is Values without an allocation where dst has room: it appends the values to dst and returns the result.
func (m *MultiMap[K, V]) AppendValues(dst []V, k K) []V {
	m.guard.CheckLook()
	return m.appendValues(dst, k)
}

func (m *MultiMap[K, V]) appendValues(dst []V, k K) []V {
	l, p, hash := m.enter(k, false)
	defer l.mu.Unlock()
	if g, ok := p.find(m.keys, hash, k); ok {
		dst = append(dst, p.groups[g].vals...)
	}
	return dst
}

// Count returns how many values a key has.
func (m *MultiMap[K, V]) Count(k K) int {
	m.guard.CheckLook()
	return m.count(k)
}

func (m *MultiMap[K, V]) count(k K) int {
	l, p, hash := m.enter(k, false)
	defer l.mu.Unlock()
	if g, ok := p.find(m.keys, hash, k); ok {
		return len(p.groups[g].vals)
	}
	return 0
}

// Contains says whether a key has a value.
func (m *MultiMap[K, V]) Contains(k K) bool { return m.Count(k) > 0 }

// Len returns the number of values. It takes all locks.
//
// Values, not keys: these are LenKeys, and what the Len of [MultiReader] and [MultiWriter] counts, since loops run over keys.
func (m *MultiMap[K, V]) Len() int {
	m.guard.CheckLook()
	values, _ := m.size()
	return values
}

// LenKeys returns the number of keys. It takes all locks.
func (m *MultiMap[K, V]) LenKeys() int {
	m.guard.CheckLook()
	_, keys := m.size()
	return keys
}

func (m *MultiMap[K, V]) size() (values, keys int) {
	m.lock(false)
	defer m.unlock()
	return m.total()
}

// total is size for who has all locks.
func (m *MultiMap[K, V]) total() (values, keys int) {
	for i := range m.parts {
		values += m.parts[i].count
		keys += m.parts[i].live
	}
	return values, keys
}

// Dispose ends the map: every later use is a violation, and so is a second Dispose. It is one itself while a job that was not
// completed holds the map.
func (m *MultiMap[K, V]) Dispose() {
	m.guard.Dispose()
	m.drop()
}

// DisposeAfter is Dispose for a map that jobs hold: every use from now on is a violation, but that of the handle's job and
// of those that it runs after. Another job that holds it is a violation; then nothing changes.
func (m *MultiMap[K, V]) DisposeAfter(h safety.Handle) { m.guard.DisposeAfter(h, m.drop) }

// drop lets go of all memory.
func (m *MultiMap[K, V]) drop() {
	m.lockAll()
	defer m.unlock()
	m.vacate()
	m.lanes.Trim()
}

// Disposed says whether the map was disposed.
func (m *MultiMap[K, V]) Disposed() bool { return m.guard.Disposed() }
