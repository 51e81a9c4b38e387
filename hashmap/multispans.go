package hashmap

import (
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/pad"
)

// spans is what a job has added, divided into spans of neighbours, each of which has few keys. Each
// span is grouped by itself, through a small table of its own. The keys of all spans, in the order
// of the spans, then tell where the values go. Each value is copied once. With a thousand keys that
// takes about three quarters of the time of dividing the items into parts.
//
// Invariants:
//
//	(spans.I1) The locals of a span are its keys in the order in which the span comes upon them, and
//	     ids has the local of each item. So the locals of all spans, one span after the other, are in
//	     the order of the sequential loop.
//	(spans.I2) The values of a local go behind those of the same key in the spans before: to
//	     block[at:], or to old[at-far:] if at is far or more.
type spans struct {
	size  int          // items of a span
	ids   []uint32     // twice the local of each item
	trim  atom.Trimmer // of ids
	parts []spanKeys
	all   spanKeys // of all spans
	block ref
}

// spanKeys are the keys of a span.
type spanKeys struct {
	tagIndex
	locals []local
	counts []uint32     // of values, by local; then the at of (spans.I2)
	trim   atom.Trimmer // of places, locals and counts
	many   bool         // there are more keys than a span may have, or their hashes are too much alike
	_      pad.Bytes
}

// local is a key of a span.
type local struct {
	hash uint64
	key  ref    // in the item that was the first
	all  uint32 // its number among the keys of all spans; in spans.all, its group
	from uint32 // the number of its values in the spans before
	old  ref    // the values of the key's group
}

const (
	mostLocals = 1 << 12 // keys of a span, if there are several spans
	oneSpan    = 1 << 15 // items that are one span, whatever the number of their keys
)

// groupSpans groups what a job has added if there are few keys, and reports whether it did.
func (m *multiCore) groupSpans(added lanes.Items, parallel func(n int, f func(i int))) bool {
	s := m.spare.spans.Take()
	if s == nil {
		s = new(spans)
	}
	n := added.Len()
	s.size = max(oneSpan, n/16)
	count, most := (n-1)/s.size+1, mostLocals
	if count == 1 {
		most = oneSpan
	}
	s.ids = sized(&s.trim, s.ids, n)
	s.parts = append(s.parts[:cap(s.parts)], make([]spanKeys, max(0, count-cap(s.parts)))...)[:count]
	defer func() {
		for i := range s.parts {
			s.parts[i].clear()
		}
		s.all.clear()
		s.block = nil
		atom.Keep(&m.spare.spans, s)
	}()
	// The first items are most often like the others.
	begun := min(n, oneSpan)
	if s.group(m, added, 0, begun, 0, most); s.parts[0].many {
		return false
	}
	parallel(count, func(k int) { s.group(m, added, max(k*s.size, begun), min((k+1)*s.size, n), k, most) })
	for i := range s.parts {
		if s.parts[i].many {
			return false
		}
	}
	m.merge(s)
	parallel(count, func(k int) { s.fill(m, added, k, min((k+1)*s.size, n)) })
	return true
}

// group finds the keys of the items lo <= i < hi of a span. If there are too many, it sets many.
func (s *spans) group(m *multiCore, added lanes.Items, lo, hi, span, most int) {
	t := &s.parts[span]
	var hashes [64]uint64
	added.Pieces(lo, hi, func(at int, items ref, n int) {
		for i := 0; i < n && !t.many; i += len(hashes) {
			some, items := min(n-i, len(hashes)), m.pair.At(items, i)
			m.hashes(items, some, hashes[:])
			ids := s.ids[at+i : at+i+some]
			for j := range ids {
				id := t.find(&m.keys, hashes[j], m.pair.At(items, j))
				t.counts[id]++
				ids[j] = uint32(id) << 1
			}
			t.many = t.many || len(t.locals) > most
		}
	})
}

// clear resets t to the state without keys.
func (t *spanKeys) clear() {
	if !t.trim.Keeps(cap(t.locals), len(t.locals)) {
		t.places, t.locals, t.counts = nil, nil, nil
	}
	clear(t.places)
	clear(t.locals)
	t.taken, t.locals, t.counts, t.many = 0, t.locals[:0], t.counts[:0], false
}

// find returns the number of a key's local, and makes one if there is none.
func (t *spanKeys) find(h *keyKind, x uint64, k ref) int {
	if len(t.places) == 0 {
		t.resize(leastIndex)
	}
	tag := uint32(x >> 16)
	at, id := t.seek(tag, t.home(tag))
	for ; id >= 0; at, id = t.seek(tag, at+1) {
		if l := &t.locals[id]; l.hash == x && (h.how == hash.AsWord || h.matches(l.key, k)) {
			return id // no two words have one hash
		}
	}
	id = len(t.locals)
	t.locals, t.counts = append(t.locals, local{hash: x, key: k}), append(t.counts, 0)
	if h.same(k, k) && t.put(tag, id, at) > farAway {
		t.many = true // for this index
	}
	return id
}

// merge gives groups to the keys of all spans, and tells each local where its values go (spans.I2).
// A multimap that was empty gets a row: the block has the values in the order of the keys.
func (m *multiCore) merge(s *spans) {
	all, parts, first := &s.all, s.parts, len(m.order.keys) == 0 && m.total().values == 0
	if len(parts) == 1 {
		all, parts = &parts[0], nil
	}
	for i := range parts {
		t := &parts[i]
		for k := range t.locals {
			l := &t.locals[k]
			id := all.find(&m.keys, l.hash, l.key)
			l.all, l.from = uint32(id), all.counts[id]
			all.counts[id] += t.counts[k]
		}
	}
	need := 0
	for i := range all.locals {
		l := &all.locals[i]
		p := &m.parts[l.hash>>m.partShift]
		g := m.groupOf(p, l.hash, l.key, &m.order.keys)
		l.all = uint32(g)
		need += roomFor(m.vals(p, g), int(all.counts[i]))
	}
	s.block = m.block.take(m.val, need)
	m.blocked += need
	at := 0
	for i := range all.locals {
		l, n := &all.locals[i], int(all.counts[i])
		p := &m.parts[l.hash>>m.partShift]
		vals := m.vals(p, int(l.all))
		took := m.extend(p, vals, &all.counts[i], s.block, at)
		at += took
		p.count += n
		l.old = vals.p
	}
	if first {
		r := m.newRow(append(slices.Clip(all.counts), uint32(need)), s.block, 1, 2*len(all.locals))
		for i := range all.locals {
			r.put(m, i, all.locals[i].key)
		}
		m.row.Store(r)
	}
	for i := range parts {
		t := &parts[i]
		for k := range t.locals {
			l := &t.locals[k]
			l.old = all.locals[l.all].old
			t.counts[k] = all.counts[l.all] + l.from
		}
	}
}

// fill copies the values of a span to where they belong.
func (s *spans) fill(m *multiCore, added lanes.Items, span, hi int) {
	t := &s.parts[span]
	added.Pieces(span*s.size, hi, func(at int, items ref, n int) {
		m.strew(items, n, s.ids[at:at+n], t.counts, s.block, func(id int) ref { return t.locals[id].old })
	})
}
