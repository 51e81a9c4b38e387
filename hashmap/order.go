package hashmap

import (
	"math"
	"math/bits"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// order is how old the keys of a table are, for iterations in the order in which they were put in first.
//
// What a job puts in has ages one after the other, in the order of the sequential loop. What ordinary operations put in between two
// such jobs is all of the same age: nobody knows in which order goroutines did it. Such keys come in the order of their type, if it
// has one.
//
// Invariants:
//
//	(I1) A place has the age of its key before it says that the key has a value. So who finds the value finds the age. Where several
//	     keys may be about to come into one place who brings one holds the place's claim, so that the age is that of the key that came.
//	(I2) Of a table with an order the next ones have one, before there are keys in them.
//	(I3) A key that was moved has the age that it had, unless it was deleted and put in again there.
//	(I4) A list that is not stale has all keys that had values when it was made and, after operations that put keys in have
//	     returned, is stale. So one as long as there are keys has them all, and no others.
type order struct {
	seqs   []atom.Uint32 // by place
	claims []claim
	stale  atom.Uint32
	list   atom.HiddenPointer[[]uint32] // places by seq; nil: it was not made yet
}

// young is the age of what ordinary operations put in: that of the tenure at the time. In a table without an order all keys have
// the age 0.
const currentSeq = 0

// oldest is the greatest age. Keys that come after so many others are all of that age, until ages are given anew.
const maxSeq = math.MaxUint32

func newOrder(places int) *order {
	return &order{seqs: make([]atom.Uint32, places), claims: make([]claim, min(64, 1<<bits.Len(uint(places/64))))}
}

// claim is held by who brings a key into one of some places.
type claim struct {
	mu atom.Mutex
	_  pad.Bytes
}

// claimed notes the age of a key that is about to come into a place, and returns the claim, or nil without an order; false says that the
// place is not open any more.
func (t *table) claimed(at int, seq uint32, open func() bool) (c *claim, ok bool) {
	o := t.order.Load()
	if o == nil {
		return nil, true
	}
	c = &o.claims[at&(len(o.claims)-1)]
	c.mu.Lock()
	if !open() {
		c.mu.Unlock()
		return nil, false
	}
	o.seqs[at].Store(seq)
	return c, true
}

// end gives the claim up.
func (c *claim) end() {
	if c != nil {
		c.mu.Unlock()
	}
}

// ageAt returns the age of the key in a place.
func (t *table) seqAt(i int) uint32 {
	if o := t.order.Load(); o != nil {
		return o.seqs[i].Load()
	}
	return currentSeq
}

// enter notes the age of a key that is about to have a value (I1).
func (t *table) enter(at int, seq uint32) {
	if o := t.order.Load(); o != nil {
		o.seqs[at].Store(t.now(seq))
	}
}

// now returns the age of a key that is put in, which young stands for.
func (t *table) now(seq uint32) uint32 {
	if seq == currentSeq {
		return t.of.seq.Load()
	}
	return seq
}

// carry notes the age of a key that was moved (I3).
func (t *table) carry(i int, n *table, to int) {
	if o := t.order.Load(); o != nil {
		if seq := o.seqs[i].Load(); seq != 0 {
			n.order.Load().seqs[to].CompareAndSwap(0, seq)
		}
	}
}

// count adds to the number of keys that have values, after one has got it, or has lost it (I4).
func (t *table) count(n int64) {
	t.of.count(n)
	if n > 0 {
		t.outdate()
	}
}

// outdate makes the list of places stale.
func (t *table) outdate() {
	if o := t.order.Load(); o != nil && o.stale.Load() == 0 {
		o.stale.Store(1)
	}
}

// outdate makes the lists of all tables stale.
func (m *tables) outdate() {
	for t := m.root.Load(); t != nil; t = t.next.Load() {
		t.outdate()
	}
}

// arrange gives the tables an order, if they have none (I2).
func (m *tables) arrange() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []*table
	for t := m.root.Load(); t != nil; t = t.next.Load() {
		all = append(all, t)
	}
	for _, t := range slices.Backward(all) {
		if t.order.Load() == nil {
			t.order.Store(newOrder(t.places))
		}
	}
}

// arranged says whether there is an order.
func (m *tables) arranged() bool { return m.root.Load().order.Load() != nil }

// ageFor returns the first of n ages, which are nobody's. What is put in by others from now on is younger.
func (m *tables) reserveSeqs(n int) uint32 {
	seq := &m.root.Load().of.seq
	first := later(seq.Load(), 1)
	seq.Store(later(first, n))
	return first
}

// age returns the age of what ordinary operations put in now.
func (m *tables) seq() uint32 { return m.root.Load().of.seq.Load() }

func (m *tables) setSeq(seq uint32) { m.root.Load().of.seq.Store(seq) }

// tired says whether there are not so many ages that are nobody's.
func (m *tables) exhausted(n int) bool { return later(m.root.Load().of.seq.Load(), n+1) == maxSeq }

// renew gives the keys at all places of a list other ages, one after the other.
func (t *table) renumber(list []uint32) {
	o := t.order.Load()
	for i, at := range list {
		o.seqs[at].Store(later(1, i))
	}
	t.of.seq.Store(later(1, len(list)))
}

// makeRoom makes room for so many more keys, but not for many more, and has all workers move the keys.
func (m *tables) makeRoom(more int, parallel func(n int, f func(k int))) {
	t := m.settled()
	if t.limit.Load()-t.used.Load() >= int64(more) {
		return
	}
	keys := uint(t.of.len() + more)
	m.provide(t, m.blocksWithin(keys), false)
	const movers = 64
	parallel(movers, func(int) {
		for m.help(t) {
		}
	})
	m.settle(t)
}

// later returns the age i ages after another one.
func later(seq uint32, i int) uint32 { return uint32(min(uint64(seq)+uint64(i), maxSeq)) }

// aged returns a place and, above it, the age of its key.
func (o *order) numbered(i int) uint64 { return uint64(o.seqs[i].Load())<<32 | uint64(i) }

// byAge returns places with their ages without these, those of the oldest keys first. Those of the same age are put into an order by
// same.
//
//go:norace
func bySeq(all []uint64, same func(places []uint64)) []uint32 {
	differ := uint64(0)
	for _, x := range all {
		differ |= x ^ all[0]
	}
	all = sorted(all, bits.Len64(differ>>32))
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end]>>32 == all[i]>>32 {
			end++
		}
		if end-i > 1 {
			same(all[i:end])
		}
		i = end
	}
	list := make([]uint32, len(all))
	for i, x := range all {
		list[i] = uint32(x)
	}
	return list
}

// sorted returns what is sorted by so many of its bits, from the 32nd on; what is equal there stays as it is.
//
//go:norace
func sorted(all []uint64, width int) []uint64 {
	const digit = 11
	var other []uint64
	for shift := 32; shift < 32+width; shift += digit {
		var at [1 << digit]int
		for _, x := range all {
			at[x>>shift&(1<<digit-1)]++
		}
		sum := 0
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		if other == nil {
			other = make([]uint64, len(all))
		}
		for _, x := range all {
			d := x >> shift & (1<<digit - 1)
			other[at[d]] = x
			at[d]++
		}
		all, other = other, all
	}
	return all
}
