package hashmap

import (
	"math/bits"

	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
)

// row is the keys of a multimap in their order, and where the values of each begin, which all lie in one block in that order: what a
// compressed sparse row has. Who goes through keys by position then goes through memory, and needs no group.
//
// Invariants:
//
//	(I1) A multimap has a row only as long as nothing has changed since it was made but the values in their places: whoever changes
//	     more takes it away first, under a lock of the multimap or when it is his.
//	(I2) begins has one number more than there are keys: how many values there are.
//	(I3) Where keys are words places has each of them: its hash, which is nobody else's, and where its values lie. The places are one
//	     table with linear probing for each part, so that these are filled side by side; none is more than three quarters full.
type row[K comparable, V any] struct {
	keys   []K
	begins []uint32
	vals   []V
	places []rowPlace
	by     hash.Word
	shift  uint // from a hash to its home
	mask   uint // of the numbers of places in a part
}

// rowPlace is free as long as its values are none.
type rowPlace struct {
	hash       uint64
	begin, end uint32
}

// of returns the values of a key that is a word.
func (r *row[K, V]) of(k K) []V {
	hash := r.by.Of(word.Of(k))
	for at := uint(hash >> (r.shift & 63)); ; at = at&^r.mask | (at+1)&r.mask {
		p := &r.places[at]
		if p.begin == p.end {
			return nil
		}
		if p.hash == hash {
			return r.vals[p.begin:p.end:p.end]
		}
	}
}

// put adds a word that has a hash.
func (r *row[K, V]) put(hash uint64, begin, end uint32) {
	at := uint(hash >> (r.shift & 63))
	for r.places[at].end != 0 {
		at = at&^r.mask | (at+1)&r.mask
	}
	r.places[at] = rowPlace{hash, begin, end}
}

// room makes places for keys that are words, when the fullest of some parts has so many.
func (r *row[K, V]) room(parts, most int) {
	each := 1 << bits.Len(uint(most+most/3))
	r.places = make([]rowPlace, parts*each)
	r.shift, r.mask = upper(parts*each), uint(each-1)
}

// at returns the i-th key and its values. There must be so many.
func (r *row[K, V]) at(i uint) (K, []V) {
	begin, end := r.begins[i], r.begins[i+1]
	return r.keys[i], r.vals[begin:end:end]
}

// dense puts the values of a loop that has filled an empty multimap into one block, in the order of the keys: so who goes through keys
// goes through memory. A nil one does nothing.
//
// Invariants:
//
//	(I1) begins[i] is first how many values the i-th key has, then where in the block they begin; the last is how many there are.
//	(I2) counts of a part are first how many values its groups have; then the numbers of their keys, and 1 more, where 0 is of groups that have
//	     none; then where in the block the next value goes. The keys of a part come in the order of its groups, so that all that is done for
//	     a part goes through memory.
type dense[K comparable, V any] struct {
	counts []*groupCounts // by part; nil: the part got no items
	begins []uint32       // by key
	rich   bool           // keys have many values each
}

// begin says how many keys there are.
func (d *dense[K, V]) begin(keys int) {
	if d != nil {
		d.begins = make([]uint32, keys+1)
	}
}

// count says which group the i-th key has.
func (d *dense[K, V]) count(i, part int, group uint32) {
	if d != nil {
		n := &d.counts[part].counts[group]
		d.begins[i], *n = *n, uint32(i+1)
	}
}

// fill puts the values in.
func (d *dense[K, V]) fill(m *MultiMap[K, V], s *split[pair[K, V]], parallel func(n int, f func(i int))) {
	if d == nil {
		return
	}
	at := uint32(0)
	for i, n := range d.begins {
		d.begins[i] = at
		at += n
	}
	block, keys := m.block.room(s.n), make([]K, len(d.begins)-1)
	m.blocked = s.n // nobody has values in older blocks
	r := &row[K, V]{keys: keys, begins: d.begins, vals: block}
	words := d.rich && m.keys.seed.How == hash.AsWord
	if words {
		most := 0
		for i := range m.parts {
			most = max(most, m.parts[i].live)
		}
		r.by = m.keys.seed.Word
		r.room(len(m.parts), most)
	}
	parallel(len(m.parts), func(part int) {
		if d.counts[part] == nil {
			return
		}
		next, groups := d.counts[part].counts, m.parts[part].groups
		for g, i := range next {
			if i == 0 {
				continue
			}
			begin, end := d.begins[i-1], d.begins[i]
			group := &groups[g]
			group.vals = block[begin:end:end]
			keys[i-1] = group.key
			if next[g] = begin; words {
				r.put(r.by.Of(word.Of(group.key)), begin, end)
			}
		}
		begin, end := s.bounds(part)
		m.parts[part].lying, m.parts[part].left = end-begin, 0
		for i, note := range s.notes[begin:end] {
			k := next[note>>1]
			next[note>>1] = k + 1
			block[k] = s.items[begin+i].val
		}
		m.scratch.counts.Give(d.counts[part])
	})
	m.row.Store(r)
}
