package hashmap

import (
	"math"
	"math/bits"
	"slices"

	"example.com/custody/internal/atom"
)

// order has the sequence numbers of a table's inline keys, for iterations in the order of first
// insertion. Boxed keys have theirs in their boxes.
//
// The keys that a job puts in have numbers one after the other, in the order of the sequential
// loop. All keys that ordinary operations put in between two such jobs have the same number,
// because the order in which goroutines put them in is unknown. They come in the order of their
// type, if it has one.
//
// Invariants:
//
//	(order.I1) The place of an inline key, or the box of another, has the key's number before the
//	     cell says that the key has a value. So a goroutine that finds the value finds the number,
//	     except while inline keys are moved: a moved one has its number in the next table before
//	     that is the root. Only a goroutine whose key is in a place writes the place's number. So
//	     if the guard was too late to refuse an operation, that may number a key which a job puts
//	     in.
//	(order.I2) If a table has an order, the next ones have one before there are keys in them.
//	(order.I3) An inline key that was moved keeps its number, unless it was deleted and put in
//	     again there.
//	(order.I4) A list that is not stale has all keys that had values when it was made. When an
//	     operation that has put a key in returns, the list is stale. So if the list is as long as
//	     the map, it has all keys of the map, and no others.
//	(order.I5) When an operation that has deleted a key returns, no table's list has the key's box,
//	     unless another operation is running. An operation that puts a key in or deletes one
//	     counts the key first, and then removes the lists. A goroutine that stores a list
//	     checks afterwards whether the list is fresh. A range that is not over, and a copy of a
//	     view, may still have the list.
type order struct {
	seqs  []atom.Uint32 // of inline keys, by place
	stale atom.Uint32
	list  atom.HiddenPointer[listing] // by number; nil: there is none
}

// newOrder returns an order for a table.
func newOrder(t *table) *order { return &order{seqs: make([]atom.Uint32, len(t.inline))} }

// currentSeq stands for generation.seq, the number that ordinary operations give to keys now. In a
// table without an order all numbers are 0.
const currentSeq = 0

// maxSeq is the greatest number. Later keys get it, too, until absorb numbers all anew.
const maxSeq = math.MaxUint32

// putSeq gives its number to the key of a cursor that is about to have a value (order.I1).
func (m *tables) putSeq(c *cursor) {
	if o := c.t.order.Load(); o != nil {
		o.seqOf(m, c.at, c.box).Store(c.t.now(c.seq))
	}
}

// seqOf returns the number of the key in a place, or in a box that is not nil.
func (o *order) seqOf(m *tables, at int, b *box) *atom.Uint32 {
	if b != nil {
		return m.seqOf(b)
	}
	return &o.seqs[at]
}

// now returns seq, or the number that currentSeq stands for.
func (t *table) now(seq uint32) uint32 {
	if seq == currentSeq {
		return t.of.seq.Load()
	}
	return seq
}

// carry copies the number of the inline key at index i, which was moved to index to of n, unless it
// has another one there (order.I3).
func (t *table) carry(i int, n *table, to int) {
	if o := t.order.Load(); o != nil {
		n.order.Load().seqs[to].CompareAndSwap(currentSeq, o.seqs[i].Load())
	}
}

// count counts a key that has got a value (order.I4). Its box may have been moved from t.
func (t *table) count() {
	t.of.count(1)
	for ; t != nil; t = t.next.Load() {
		t.outdate()
	}
}

// lost counts a key of a table that was deleted.
func (m *tables) lost(t *table) {
	t.of.count(-1)
	m.outdate()
}

// outdate makes the list stale, and removes it.
func (t *table) outdate() {
	o := t.order.Load()
	if o == nil {
		return
	}
	if o.stale.Load() == 0 {
		o.stale.Store(1)
	}
	if o.list.Load() != nil {
		o.list.Store(nil)
	}
}

// outdate makes the lists of all tables stale.
func (m *tables) outdate() {
	for t := m.root.Load(); t != nil; t = t.next.Load() {
		t.outdate()
	}
}

// arrange gives the tables an order, if they have none (order.I2).
func (m *tables) arrange() {
	if m.arranged() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []*table
	for t := m.root.Load(); t != nil; t = t.next.Load() {
		all = append(all, t)
	}
	for _, t := range slices.Backward(all) {
		if t.order.Load() == nil {
			t.order.Store(newOrder(t))
		}
	}
}

// arranged reports whether there is an order.
func (m *tables) arranged() bool { return m.root.Load().order.Load() != nil }

// reserveSeqs returns the first of n numbers that no key has. Ordinary operations use greater ones
// from now on.
func (m *tables) reserveSeqs(n int) uint32 {
	seq := &m.root.Load().of.seq
	first := later(seq.Load(), 1)
	seq.Store(later(first, n))
	return first
}

// setSeq sets the number that ordinary operations give to keys.
func (m *tables) setSeq(seq uint32) { m.root.Load().of.seq.Store(seq) }

// makeRoom makes room for so many more keys, and not for many more. All workers move the keys.
func (m *tables) makeRoom(more int, parallel func(n int, f func(k int))) {
	t := m.settled()
	if t.limit.Load()-t.used.Load() < int64(more) {
		m.provide(t, m.homesWithin(uint(t.of.len()+more)), false)
		const movers = 64
		parallel(movers, func(int) {
			for m.help(t) {
			}
		})
		t = m.settled()
	}
	if t.sample > 0 && m.decides(t) { // what is used is an estimate
		t.limit.Store(max(t.limit.Load(), t.most()))
		m.mu.Unlock()
	}
}

// later returns seq+i, or maxSeq.
func later(seq uint32, i int) uint32 { return uint32(min(uint64(seq)+uint64(i), maxSeq)) }

// bySeq returns the places in the lower halves of all, sorted by the numbers in the upper halves.
// It calls same with the places of each number that several have, to sort these.
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

// sorted sorts all by the width bits from the 32nd on, stably: a radix sort.
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
