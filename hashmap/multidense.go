package hashmap

import (
	"math/bits"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
)

// row is the keys of a multimap in their order, and where the values of each begin. All values lie
// in one block in that order: a compressed sparse row. A loop over keys by position then goes
// through memory in order, and needs no groups. It takes about 0.4 of the time, and so does looking
// up words.
//
// Invariants:
//
//	(row.I1) A multimap has a row only until something changes other than values in their places. A
//	     goroutine that changes more removes the row first, under a lock of the multimap or while it
//	     has the map.
//	(row.I2) begins has one number more than there are keys: the number of values.
//	(row.I3) If keys are words, places has each of them: its hash, which no other key has, and where
//	     its values lie. The places are one table with linear probing, or one for each part if these
//	     are filled at the same time. A table is at most three quarters full.
type row struct {
	keys   ref
	begins []uint32
	vals   ref
	sizes  [2]uintptr // of a key and of a value
	places []rowPlace
	by     hash.Word
	shift  uint // from a hash to its home
	mask   uint // of the numbers of places in a part
}

// rowPlace is a key of a row. It is free if end is 0.
type rowPlace struct {
	hash       uint64
	begin, end uint32
}

// of returns the place of the word with a hash, or the free place where it would be. One goroutine
// at a time fills the places of a part.
func (r *row) of(hash uint64) *rowPlace {
	for at := uint(hash >> (r.shift & 63)); ; at = at&^r.mask | (at+1)&r.mask {
		if p := &r.places[at]; p.end == 0 || p.hash == hash {
			return p
		}
	}
}

// at returns the i-th key of a row and its values. i is less than the number of keys.
func (r *row) at(i uint) (key ref, vals values) {
	return offset(r.keys, uintptr(i)*r.sizes[0]), r.between(r.begins[i], r.begins[i+1])
}

// newRow returns a row of keys whose values begin at begins. For words with four values each or
// more it has the given number of tables of places, each with room for so many keys.
func (m *multiCore) newRow(begins []uint32, vals ref, tables, keys int) *row {
	n := len(begins) - 1
	r := &row{keys: m.key.Make(n), begins: begins, vals: vals, sizes: [2]uintptr{m.key.Size, m.val.Size}}
	if int(begins[n]) >= 4*n && m.keys.how == hash.AsWord {
		r.by = m.keys.seed.Word
		each := 1 << bits.Len(uint(keys+keys/3))
		r.places = make([]rowPlace, tables*each)
		r.shift, r.mask = upper(len(r.places)), uint(each-1)
	}
	return r
}

// put writes the i-th key of a row.
func (r *row) put(m *multiCore, i int, key ref) {
	if m.putKey(m.key.At(r.keys, i), key); r.places != nil {
		x := r.by.Of(word.At(key, m.keys.size))
		*r.of(x) = rowPlace{x, r.begins[i], r.begins[i+1]}
	}
}

// between returns some values of a row.
func (r *row) between(begin, end uint32) values {
	n := int(end - begin)
	return values{offset(r.vals, uintptr(begin)*r.sizes[1]), n, n}
}

// dense puts the values of a loop that has filled an empty multimap into one block, in the order of
// the keys, so that loops over keys go through memory in order.
//
// Invariants:
//
//	(dense.I1) begins[i] is first the number of values of the i-th key, then where in the block they
//	     begin. The last element is the number of all values.
//	(dense.I2) counts of a part are first the numbers of values of its groups; then the numbers of
//	     their keys plus 1, or 0 for groups that have none; then where in the block the next value
//	     goes. The keys of a part come in the order of its groups, so all passes over a part go
//	     through memory in order.
type dense struct {
	counts []*groupCounts // by part; nil: the part got no items
	begins []uint32       // by key
}

// fill puts the values into the block, part by part, and makes the row of the multimap.
func (d *dense) fill(m *multiCore, s *split, parallel func(n int, f func(i int))) {
	at := uint32(0)
	for i, n := range d.begins {
		d.begins[i] = at
		at += n
	}
	block := m.block.take(m.val, s.n)
	atom.WriteRange(block, s.n*int(m.val.Size)) // strewValues writes all of it
	m.blocked = s.n                             // older blocks have no values
	most := 0
	for i := range m.parts {
		most = max(most, m.parts[i].live)
	}
	r := m.newRow(d.begins, block, len(m.parts), most)
	parallel(len(m.parts), func(part int) {
		if d.counts[part] == nil {
			return
		}
		next, p := d.counts[part].counts, &m.parts[part]
		for g, i := range next {
			if i == 0 {
				continue
			}
			begin, end := d.begins[i-1], d.begins[i]
			n := int(end - begin)
			*m.vals(p, g) = values{m.val.At(block, int(begin)), n, n}
			next[g] = begin
			r.put(m, int(i-1), m.keyOf(p, g))
		}
		begin, end := s.bounds(part)
		p.left = 0
		m.strew(m.pair.At(s.items, begin), end-begin, s.notes[begin:end], next, block, nil)
		atom.Keep(&m.spare.counts, d.counts[part])
	})
	m.row.Store(r)
}

// far is added to the place of a value that does not go to the block, but behind the old values of
// its key.
const far = 1 << 31

// strewValues copies the values of n items to where those of their keys go: in order, from
// block[next[id]] on, where twice the id of an item's key, and a bit, is in ids. From far on it is
// the memory that old returns for an id. The race detector is told of the writes before.
//
//go:norace
func strewValues[K comparable, V any](items ref, n int, ids, next []uint32, block ref, old func(id int) ref) {
	for i, id := range ids[:n] {
		k := next[id>>1]
		next[id>>1] = k + 1
		p := block
		if k >= far {
			k -= far
			p = old(int(id >> 1))
		}
		*elem.Nth[V](p, int(k)) = elem.Nth[pair[K, V]](items, i).val
	}
}
