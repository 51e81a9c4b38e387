package hashmap

import (
	"math"
	"math/bits"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// multiPhases implements safety.Phased for a MultiMap.
type multiPhases multiCore

// OpenPhase implements safety.Phased.
func (x *multiPhases) OpenPhase(p *safety.Phase) {
	if m := (*multiCore)(x); m.open(p) {
		m.lanes.Open(p)
	}
}

// SealPhase implements safety.Phased.
func (x *multiPhases) SealPhase(p *safety.Phase) {
	if p.Mode == safety.Shared {
		return
	}
	m := (*multiCore)(x)
	defer func() {
		m.lockAll()
		defer m.unlock()
		*m.holders(p.Mode)--
	}()
	m.lanes.Seal(p, func(added lanes.Items) { m.seal(p, added) })
}

// open notes that a job holds the map, and reports whether that needs more than Shared views do. An
// operation that has passed the guard before the job was scheduled, and takes its lock after open,
// finds that a job holds the map, and is refused.
func (m *multiCore) open(p *safety.Phase) bool {
	if p.Mode == safety.Shared {
		return false
	}
	p.State = m // tells Bind to use the order; lanes have states of their own
	m.lockAll()
	defer m.unlock()
	if m.reading+m.changing == 0 {
		m.flush()
		if p.Mode != safety.Append && m.gone() > 0 {
			m.purge()
		}
	}
	if p.Mode == safety.Append {
		m.dropRow()
	}
	*m.holders(p.Mode)++
	return true
}

// seal puts in what a job has added.
func (m *multiCore) seal(p *safety.Phase, added lanes.Items) {
	if m.keys.custom == nil {
		m.build(added, p.Parallel)
		return
	}
	defer m.keys.custom.count().leave()
	apart(p, nil, func() { m.build(added, p.Parallel) }).fail(&m.guard, func() string { return "the Hasher of " + m.guard.Container() })
}

// holders returns the count of the jobs that hold the map in a mode.
func (m *multiCore) holders(mode safety.Mode) *int {
	if mode == safety.Read {
		return &m.reading
	}
	return &m.changing
}

// build puts in what a job has added, in the order of the sequential loop.
//
// Many values are divided into parts by the hashes of their keys. Each part is built by itself, in
// memory that fits into a cache: first the keys, which gives the number of values of each, then the
// values, to where those of their key lie. After all parts are built, the new keys are put into the
// order in which the loop has come upon them.
func (m *multiCore) build(added lanes.Items, parallel func(n int, f func(i int))) {
	n, few, were := added.Len(), m.sizes.few, m.total().values
	if were == 0 {
		few /= 4
	}
	if n <= few || n > mostAtOnce || were > mostAtOnce {
		m.addFew(added)
		return
	}
	defer m.compact()
	if m.groupSpans(added, parallel) {
		return
	}
	if want := min(1<<bits.Len(uint(n/m.sizes.part)), mostParts); want >= 4*len(m.parts) && len(m.order.keys) <= 4*n {
		m.spread(want)
	}
	s := m.spare.splits.split(added, parallel, len(m.parts), m.hashes, !m.keys.wide())
	var d *dense
	if len(m.order.keys) == 0 && were == 0 {
		d = &dense{counts: make([]*groupCounts, len(m.parts))}
	}
	parallel(len(m.parts), func(part int) { m.buildPart(s, part, d) })
	base, next := len(m.order.keys), uint64(0)
	s.replay(func(n int) {
		keys := m.order.keys
		if n > cap(keys)-base {
			keys = slices.Grow(keys, n+n/8) // the next job that fills the map may need a little more
		}
		m.order.keys = keys[:base+n]
		next = m.last.Add(uint64(n)) + 1 - uint64(n)
		if d != nil {
			d.begins = make([]uint32, n+1)
		}
	}, func(i, part int, note uint32) {
		g := note >> 1
		m.order.keys[base+i] = multiKey{m.ref(uint64(part), int(g)), next + uint64(i)}
		if d != nil {
			n := &d.counts[part].counts[g]
			d.begins[i], *n = *n, uint32(i+1) // (dense.I2)
		}
	})
	if d != nil {
		d.fill(m, s, parallel)
	}
	m.spare.splits.give(s)
}

// mostAtOnce is the greatest number of values that a multimap may have, and that a loop may add,
// for a parallel build: places in a block are counted with 31 bits, and a group that grows gets
// half as much again as it needs.
var mostAtOnce = math.MaxInt32 / 3 // tests make it smaller

// addFew puts values in one by one.
func (m *multiCore) addFew(added lanes.Items) {
	added.Pieces(0, added.Len(), func(_ int, items ref, n int) {
		for i := range n {
			k := m.pair.At(items, i)
			x := m.keys.of(k)
			p := &m.parts[x>>m.partShift]
			m.push(p, m.groupOf(p, x, k, &m.order.keys), offset(k, m.valAt))
		}
	})
}

// hashes writes the hashes of the keys of n items.
func (m *multiCore) hashes(items ref, n int, hashes []uint64) {
	if w := m.keys.seed.Word; m.keys.wide() {
		for i := range n {
			hashes[i] = w.Of(*(*uint64)(m.pair.At(items, i)))
		}
		return
	}
	for i := range n {
		hashes[i] = m.keys.of(m.pair.At(items, i))
	}
}

// buildPart makes the groups of a part, and puts the values in, unless d is set and does that
// later. The note of an item is twice its group's number, plus firstNote for the first of a new
// key.
func (m *multiCore) buildPart(s *split, part int, d *dense) {
	begin, end := s.bounds(part)
	if begin == end {
		return
	}
	n, items, notes := end-begin, m.pair.At(s.items, begin), s.notes[begin:end]
	hashes := s.hashes[min(begin, len(s.hashes)):] // empty for wide keys
	p := &m.parts[part]
	m.groupItems(p, items, hashes, notes)
	if d == nil && p.n > 8*n {
		for i, note := range notes {
			m.push(p, int(note>>1), offset(m.pair.At(items, i), m.valAt))
		}
		return
	}
	spare := m.spare.counts.Take()
	if spare == nil {
		spare = new(groupCounts)
	}
	counts := sized(&spare.trim, spare.counts, 1<<bits.Len(uint(p.n)))[:p.n] // room for others
	clear(counts)
	for _, note := range notes {
		counts[note>>1]++
	}
	spare.counts = counts
	p.count += n
	if d != nil {
		d.counts[part] = spare
		return
	}
	m.fill(p, items, notes, counts)
	m.gather(p)
	atom.Keep(&m.spare.counts, spare)
}

// groupItems writes the notes of items, and makes the groups that do not exist. It finds them as
// find does, but calls no function for most items.
func (m *multiCore) groupItems(p *multiPart, items ref, hashes []uint64, notes []uint32) {
	w, wide := m.keys.seed.Word, m.keys.wide()
	if len(p.places) == 0 {
		p.resize(leastIndex)
	}
	t := p.tagIndex
	for i := range notes {
		k := m.pair.At(items, i)
		var x uint64
		if wide {
			x = w.Of(*(*uint64)(k))
		} else {
			x = hashes[i]
		}
		tag := m.tag(p, x, k)
		at, g := t.seek(tag, m.begin(p, tag, k))
		for ; g >= 0; at, g = t.seek(tag, at+1) {
			if old := m.keyOf(p, g); wide && *(*uint64)(old) == *(*uint64)(k) || !wide && m.keys.matches(old, k) {
				break
			}
		}
		if notes[i] = uint32(g) << 1; g < 0 {
			notes[i] = uint32(m.insert(p, x, k, at))<<1 | firstNote
			t = p.tagIndex
		}
	}
}

// fill puts values behind those that the groups have; counts has the number of new values of each
// group. A group that lacks room gets more than it needs.
func (m *multiCore) fill(p *multiPart, items ref, notes, counts []uint32) {
	need := 0
	for g, n := range counts {
		if n > 0 {
			need += roomFor(m.vals(p, g), int(n))
		}
	}
	block, at := p.block.take(m.val, need), 0
	for g, n := range counts {
		if n > 0 {
			at += m.extend(p, m.vals(p, g), &counts[g], block, at)
		}
	}
	m.strew(items, len(notes), notes, counts, block, func(g int) ref { return m.vals(p, g).p })
}

// extend gives values as many more places as count says, which are still to be written. It makes
// count where the first of them is: an element of block, or, from far on, of the values. If these
// lack room, they move to block from its element at on, and take so much of it.
func (m *multiCore) extend(p *multiPart, vals *values, count *uint32, block ref, at int) (took int) {
	old, n := *vals, int(*count)
	took = roomFor(vals, n)
	*count = far + uint32(old.n)
	if vals.n += n; took > 0 {
		*vals = values{m.val.At(block, at), old.n + n, took}
		m.val.Copy(vals.p, old.p, old.n)
		m.leave(p, old)
		*count = uint32(at + old.n)
	}
	atom.WriteRange(m.val.At(vals.p, old.n), n*int(m.val.Size)) // strewValues writes it
	return took
}

// roomFor returns the room to make for old values and n more, or 0 if the old memory has room.
func roomFor(old *values, n int) int {
	switch all := old.n + n; {
	case all <= old.cap:
		return 0
	case old.n == 0:
		return all
	default:
		return all + all/2
	}
}
