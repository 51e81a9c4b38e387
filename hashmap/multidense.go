package hashmap

// dense puts the values of a loop that has filled an empty multimap into one block, in the order of the keys: so who goes through keys
// goes through memory. It is worth its while where keys have more than a few values each. A nil one does nothing.
//
// Invariants:
//
//	(I1) begins[i] is first how many values the i-th key has, then where in the block they begin.
//	(I2) counts of a part are first how many values its groups have, then where in the block the next one goes.
type dense[K comparable, V any] struct {
	counts []*[]uint32 // by part; nil: it got nothing
	begins []uint32    // by key
}

// begin says how many keys there are.
func (d *dense[K, V]) begin(keys int) {
	if d != nil {
		d.begins = make([]uint32, keys)
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
	block := m.block.room(s.n)
	m.blocked += s.n
	const some = 1 << 14
	parallel((len(d.begins)-1)/some+1, func(k int) {
		for i := k * some; i < min((k+1)*some, len(d.begins)); i++ {
			begin, end := d.begins[i], uint32(s.n)
			if i+1 < len(d.begins) {
				end = d.begins[i+1]
			}
			ref := m.order.refs[i]
			part, g := ref>>m.partShift, uint32(ref)
			m.parts[part].groups[g].vals = block[begin:end:end]
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
}
