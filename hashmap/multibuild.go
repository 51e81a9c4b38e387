package hashmap

import (
	"math"
	"math/bits"
	"unsafe"

	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// multiMapPhases implements safety.Phased for a MultiMap.
type multiMapPhases[K comparable, V any] MultiMap[K, V]

// OpenPhase implements safety.Phased. An operation that has passed the guard before the job was
// scheduled, and takes its lock after OpenPhase, finds that a job holds the map, and is refused.
func (x *multiMapPhases[K, V]) OpenPhase(p *safety.Phase) {
	m := (*MultiMap[K, V])(x)
	if p.Mode == safety.Shared {
		return
	}
	p.State = m // tells Bind to use the order; lanes have states of their own
	m.lockAll()
	if m.reading+m.changing == 0 {
		m.flush()
		if p.Mode != safety.Append && m.gone() > 0 {
			m.purge()
		}
	}
	switch p.Mode {
	case safety.Read:
		m.reading++
	case safety.Append:
		m.changing++
		m.dropRow()
	default:
		m.changing++
	}
	m.unlock()
	m.lanes.Open(p)
}

// SealPhase implements safety.Phased.
func (x *multiMapPhases[K, V]) SealPhase(p *safety.Phase) {
	m := (*MultiMap[K, V])(x)
	if p.Mode == safety.Shared {
		return
	}
	defer m.letGo(p.Mode == safety.Read)
	m.lanes.Seal(p, func(added lane.Items[pair[K, V]]) {
		if m.keys.equal == nil {
			m.build(added, p.Parallel)
			return
		}
		apart(p, nil, func() { m.build(added, p.Parallel) }).fail(&m.guard, func() string { return "the Hasher of " + m.guard.Container() })
	})
}

// letGo ends the hold that OpenPhase has counted.
func (m *MultiMap[K, V]) letGo(read bool) {
	m.lockAll()
	defer m.unlock()
	if read {
		m.reading--
	} else {
		m.changing--
	}
}

// build puts in what a job has added, in the order of the sequential loop.
//
// Many values are divided into parts by the hashes of their keys. Each part is built by itself, in
// memory that fits into a cache: first the keys, which gives the number of values of each, then the
// values, to where those of their key lie. After all parts are built, the new keys are put into the
// order in which the loop has come upon them.
func (m *MultiMap[K, V]) build(added lane.Items[pair[K, V]], parallel func(n int, f func(i int))) {
	n := added.Len()
	if n <= m.sizes.few || n > mostAtOnce || m.values() > mostAtOnce {
		m.addFew(added)
		return
	}
	defer m.compact()
	done, rich := m.groupSpans(added, parallel)
	if done {
		return
	}
	if want := min(1<<bits.Len(uint(n/m.sizes.part)), mostParts); want >= 4*len(m.parts) && len(m.order.refs) <= 4*n {
		m.spread(want)
	}
	s := m.scratch.splits.split(all(added), parallel, len(m.parts), m.hashes, m.keys.seed.How != hash.AsWord, false)
	var d *dense[K, V]
	if len(m.order.refs) == 0 && m.values() == 0 {
		d = &dense[K, V]{counts: make([]*groupCounts, len(m.parts)), rich: rich}
	}
	parallel(len(m.parts), func(part int) { m.buildPart(s, part, d) })
	base := len(m.order.refs)
	s.replay(func(n int) {
		m.order.extend(n, m.last.Add(uint64(n)))
		d.begin(n)
	}, func(i, part int, note uint32) {
		m.order.refs[base+i] = m.ref(part, int(note>>1))
		d.count(i, part, note>>1)
	})
	d.fill(m, s, parallel)
	m.scratch.splits.give(s)
}

// mostAtOnce is the greatest number of values that a multimap may have, and that a loop may add,
// for a parallel build: places in a block are counted with 31 bits, and a group that grows gets
// half as much again as it needs.
var mostAtOnce = math.MaxInt32 / 3 // tests make it smaller

// values returns the number of values. The caller holds all locks or has the map.
func (m *MultiMap[K, V]) values() (n int) {
	for i := range m.parts {
		n += m.parts[i].count
	}
	return n
}

// addFew puts values in one by one.
func (m *MultiMap[K, V]) addFew(added lane.Items[pair[K, V]]) {
	h := &m.keys
	for _, piece := range added.Slices(0, added.Len()) {
		for i := range piece {
			e := &piece[i]
			x := h.of(e.key)
			part := int(x >> m.partShift)
			p := &m.parts[part]
			g, fresh := p.place(h, x, e.key)
			if fresh {
				m.order.add(m.ref(part, g), m.last.Add(1))
			}
			p.add(g, e.val)
		}
	}
}

// hashes writes the hashes of keys.
func (m *MultiMap[K, V]) hashes(p ref, n int, hashes []uint64) {
	h, items := &m.keys, unsafe.Slice((*pair[K, V])(p), n)
	if h.seed.How == hash.AsWord {
		w := h.seed.Word
		for i := range items {
			hashes[i] = w.Of(word.Of(items[i].key))
		}
		return
	}
	for i := range items {
		hashes[i] = h.of(items[i].key)
	}
}

// buildPart makes the groups of a part, and puts the values in, unless d is set and does that
// later. The note of an item is twice its group's number, plus firstNote for the first of a new
// key.
func (m *MultiMap[K, V]) buildPart(s *split, part int, d *dense[K, V]) {
	begin, end := s.bounds(part)
	if begin == end {
		return
	}
	items, notes := itemsOf[pair[K, V]](s)[begin:end], s.notes[begin:end]
	hashes := s.hashes
	if len(hashes) > 0 {
		hashes = hashes[begin:end]
	}
	p := &m.parts[part]
	if len(p.groups) == 0 {
		keys := len(items) * int(m.rate.Load()) / 1024
		p.expect(keys + keys/8)
	}
	was := p.live
	if d == nil && len(p.groups) > 8*len(items) {
		p.group(&m.keys, items, hashes, notes, nil, false)
		for i := range items {
			p.add(int(notes[i]>>1), items[i].val)
		}
		return
	}
	spare := m.scratch.counts.Take()
	if spare == nil {
		spare = new(groupCounts)
	}
	counts := sized(&spare.trim, spare.counts, len(p.groups))
	clear(counts)
	counts = p.group(&m.keys, items, hashes, notes, counts, true)
	m.rate.Store(uint32((p.live - was) * 1024 / len(items)))
	spare.counts = counts
	p.count += len(items)
	if d != nil {
		d.counts[part] = spare
		return
	}
	p.fill(items, notes, counts)
	p.gather()
	m.scratch.counts.Give(spare)
}

// group writes the notes of items, and makes the groups that do not exist. If counted is set, it
// adds the number of items of each group to counts, which it returns.
func (p *multiPart[K, V]) group(h *hashing[K], items []pair[K, V], hashes []uint64, notes, counts []uint32, counted bool) []uint32 {
	w, words := h.seed.Word, h.seed.How == hash.AsWord
	if len(p.index) == 0 {
		p.reindex(leastIndex)
	}
	index, shift := p.index, p.shift
	for i := range items {
		e := &items[i]
		var x uint64
		if words {
			x = w.Of(word.Of(e.key))
		} else {
			x = hashes[i]
		}
		g, fresh, known := uint32(0), uint32(0), false
		if p.own == nil {
			tag := uint32(x >> 16)
			for at := tag >> shift; !known; at++ {
				y := &index[int(at)&(len(index)-1)]
				if *y == 0 {
					// This is what place does, except in rare cases. It would look for the entry
					// again.
					if (at-tag>>shift <= farAway || h.custom != nil) && p.placed*3 < len(index)*2 && (words || h.same(e.key, e.key)) {
						g, fresh, known = uint32(p.newGroup(e.key)), firstNote, true
						*y = uint64(tag)<<32 | uint64(g+1)
						p.placed++
					}
					break
				}
				if uint32(*y>>32) == tag {
					g = uint32(*y) - 1
					known = h.same(p.groups[g].key, e.key)
				}
			}
		}
		if !known {
			n, is := p.place(h, x, e.key)
			if g = uint32(n); is {
				fresh = firstNote
			}
			index, shift = p.index, p.shift
		}
		if fresh != 0 && counted && int(g) == len(counts) {
			counts = append(counts, 0)
		}
		if counted {
			counts[g]++
		}
		notes[i] = g<<1 | fresh
	}
	return counts
}

// expect makes room for so many keys in a part that has none.
func (p *multiPart[K, V]) expect(keys int) {
	if cap(p.groups) < keys {
		p.groups = make([]multiGroup[K, V], 0, keys+keys/8)
	}
	if want := 1 << bits.Len(uint(keys+keys/2)); want > len(p.index) {
		p.reindex(max(want, leastIndex))
	}
}

// fill puts values behind those that the groups have; counts has the number of new values of each
// group. A group that lacks room gets more than it needs.
func (p *multiPart[K, V]) fill(items []pair[K, V], notes, counts []uint32) {
	need := 0
	for g, n := range counts {
		if n > 0 {
			need += roomFor(p.groups[g].vals, int(n))
		}
	}
	block := p.block.room(need)
	p.lying += need
	for g, n := range counts {
		if n == 0 {
			continue
		}
		old := p.groups[g].vals
		size := roomFor(old, int(n))
		if size == 0 {
			p.groups[g].vals = old[:len(old)+int(n)]
		} else {
			vals := block[: len(old)+int(n) : size]
			block = block[size:]
			copy(vals, old)
			p.leave(old)
			p.groups[g].vals = vals
		}
		counts[g] = uint32(len(old))
	}
	for i, note := range notes {
		g := note >> 1
		at := counts[g]
		counts[g] = at + 1
		p.groups[g].vals[at] = items[i].val
	}
}

// roomFor returns the room to make for old values and n more, or 0 if the old memory has room.
func roomFor[V any](old []V, n int) int {
	switch all := len(old) + n; {
	case all <= cap(old):
		return 0
	case len(old) == 0:
		return all
	default:
		return all + all/2
	}
}
