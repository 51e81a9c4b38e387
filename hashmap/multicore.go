package hashmap

import (
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/phrase"
	"example.com/custody/internal/stripe"
	"example.com/custody/safety"
)

// multiCore is the part of a multimap that does not depend on its types. It is compiled once, and
// gets keys and values by reference.
type multiCore struct {
	guard safety.Guard
	keys  keyKind
	groupType
	stripes []multiStripe // locks
	shift   uint          // from a hash to its lock

	// These fields are changed with all locks held, and read with one of them, or by a job that
	// holds the map.
	parts     []multiPart // each belongs to one lock
	partShift uint        // from a hash to its part
	order     multiOrder
	reading   int // jobs that read
	changing  int // jobs that write or append

	lanes   lanes.Lanes       // of pairs
	row     atom.Pointer[row] // nil: there is none
	_       pad.Bytes
	last    atom.Uint64 // the number of the key that came last
	_       pad.Bytes
	spare   *multiScratch
	block   multiBlock
	blocked int // values that the blocks that parts share have room for
	sizes   multiSizes
}

// groupType is what a multimap knows of the memory of its types.
type groupType struct {
	key, val, pair, group *elem.Type                   // group: of multiGroups
	valsAt                uintptr                      // offset of vals in a multiGroup
	valAt                 uintptr                      // offset of val in a pair
	index                 func(vals values, v ref) int // returns which of some values is the first that is v, or -1
	strew                 func(items ref, n int, ids, next []uint32, block ref, old func(id int) ref)
}

// multiStripe is a lock of the parts whose hashes have the number of the lock in their upper bits.
type multiStripe struct {
	mu   atom.Mutex
	gone int // deleted keys that the order still has
	_    pad.Bytes
}

// pair is a key and one of its values.
type pair[K comparable, V any] struct {
	_   [0]func() // no functions are made that compare pairs
	key K
	val V
}

// multiScratch is what all multimaps of a type share: what they know of it, and memory that is
// needed from when a job adds something until it is put in.
type multiScratch struct {
	groupType
	keys   keyKind     // without a seed
	chunks lanes.Lanes // shares its chunks with those of all multimaps
	splits splitter    // of pairs
	spans  atom.Spares[spans]
	counts atom.Spares[groupCounts]
}

// groupCounts are the numbers of items that the groups of a part get.
type groupCounts struct {
	counts []uint32
	trim   atom.Trimmer
}

// multiSizes are numbers that tests make smaller.
type multiSizes struct {
	stripes int // locks, a power of two
	part    int // values that a part should have when it is built
	few     int // values of a job up to which they are added one by one; in an empty map a quarter
	gone    int // deleted keys of a lock from which on the order is purged
}

// usualMulti returns the sizes for the present number of processors.
func usualMulti() multiSizes {
	return multiSizes{stripes: min(stripe.Count(runtime.GOMAXPROCS(0)), 64), part: 4096, few: 1024, gone: 64}
}

// init makes an empty multimap.
func (m *multiCore) init(s multiSizes, seed seed, h *custom, of *multiScratch) {
	m.guard.Growable()
	m.guard.Phases((*multiPhases)(m))
	m.groupType, m.keys = of.groupType, of.keys
	m.keys.init(m.key.Of, seed, h.of(seed, &m.guard))
	m.lanes.Elem = m.pair
	m.lanes.Share(&of.chunks)
	m.sizes, m.spare = s, of
	m.stripes = make([]multiStripe, s.stripes)
	m.shift = upper(s.stripes)
	m.parts, m.partShift = make([]multiPart, s.stripes), m.shift
}

// shared and looked return the multimap, for an operation that the guard allows.
func (m *multiCore) shared() *multiCore {
	m.guard.CheckShared()
	return m
}

func (m *multiCore) looked() *multiCore {
	m.guard.CheckLook()
	return m
}

// multiTotal is the numbers of values and keys.
type multiTotal struct{ values, keys int }

// total is size for a caller that holds all locks or has the map.
func (m *multiCore) total() (n multiTotal) {
	for i := range m.parts {
		n.values += m.parts[i].count
		n.keys += m.parts[i].live
	}
	return n
}

func (m *multiCore) stats() Stats {
	m.lock(false)
	defer m.unlock()
	s := Stats{Tables: len(m.parts), Bytes: 16 * cap(m.order.keys)}
	n := m.total()
	s.Len, s.Keys = n.values, n.keys
	for i := range m.parts {
		p := &m.parts[i]
		s.Places += len(p.places)
		s.Room += len(p.places) * 2 / 3
		s.Bytes += 8*cap(p.places) + int(m.group.Size)*p.room
	}
	return s
}

// amount returns the numbers of values and keys, or "" if it cannot without waiting.
func (m *multiCore) amount() string {
	if !m.tryLock() {
		return ""
	}
	defer m.unlock()
	n := m.total()
	return phrase.Amount(n.values, "value") + " of " + phrase.Amount(n.keys, "key")
}

// view returns the hold of a view that claims the map, or an empty one if the map is nil.
func (m *multiCore) view(mode safety.Mode, kind safety.ViewKind) safety.Hold {
	if m == nil {
		return safety.Hold{}
	}
	outsideHashers(&m.guard, m.keys.custom != nil)
	return m.guard.Hold(mode, kind)
}
