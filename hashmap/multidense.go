package hashmap

// row is the keys of a multimap in their order, and where the values of each begin, which all lie in one block in that order: what a
// compressed sparse row has. Who goes through keys by position then goes through memory, and needs no group.
//
// Invariants:
//
//	(I1) A multimap has a row only as long as nothing has changed since it was made but the values in their places: whoever changes
//	     more takes it away first, under a lock of the multimap or when it is his.
//	(I2) begins has one number more than there are keys: how many values there are.
type row[K comparable, V any] struct {
	keys   []K
	begins []uint32
	vals   []V
}

// at returns the i-th key and its values. There must be so many.
func (r *row[K, V]) at(i uint) (K, []V) {
	begin, end := r.begins[i], r.begins[i+1]
	return r.keys[i], r.vals[begin:end:end]
}

// dense puts the values of a loop that has filled an empty multimap into one block, in the order of the keys: so who goes through keys
// goes through memory. It is worth its while where keys have more than a few values each. A nil one does nothing.
//
// Invariants:
//
//	(I1) begins[i] is first how many values the i-th key has, then where in the block they begin; the last is how many there are.
//	(I2) counts of a part are first how many values its groups have, then where in the block the next one goes.
type dense[K comparable, V any] struct {
	counts []*[]uint32 // by part; nil: it got nothing
	begins []uint32    // by key
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
		d.begins[i] = (*d.counts[part])[group]
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
	m.blocked += s.n
	const some = 1 << 14
	parallel((len(keys)-1)/some+1, func(k int) {
		for i := k * some; i < min((k+1)*some, len(keys)); i++ {
			begin, end := d.begins[i], d.begins[i+1]
			ref := m.order.refs[i]
			part, g := ref>>m.partShift, uint32(ref)
			group := &m.parts[part].groups[g]
			group.vals = block[begin:end:end]
			keys[i] = group.key
			(*d.counts[part])[g] = begin
		}
	})
	parallel(len(m.parts), func(part int) {
		if d.counts[part] == nil {
			return
		}
		next := *d.counts[part]
		begin, end := s.bounds(part)
		m.parts[part].lying += end - begin
		for i, note := range s.notes[begin:end] {
			k := next[note>>1]
			next[note>>1] = k + 1
			block[k] = s.items[begin+i].val
		}
		m.scratch.counts.Give(d.counts[part])
	})
	m.row.Store(&row[K, V]{keys, d.begins, block})
}
