package hashmap

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
)

// applier applies the entries of a job to a map, for a phase.
type applier struct {
	m     *core
	from  *table // that the hashes of boxed keys belong to
	folds []*merging
	of    *mapScratch
	size  uintptr // of an entry
	one   steps   // of the goroutine that seals the job, if it applies all
	did   int     // by one
}

// applier returns the applier of the phase.
func (m *core) applier() *applier {
	a := &m.job
	if atom.Race { // two jobs may be in an order that the detector does not see
		a = new(applier)
	}
	*a = applier{m: m, from: m.root.Load(), folds: m.folds, of: m.shared, size: m.shared.splits.elem.Size}
	return a
}

// at returns the i-th of some items, and opOf what one does.
func (a *applier) at(items ref, i int) ref { return offset(items, uintptr(i)*a.size) }
func (a *applier) opOf(x ref) uint32       { return *(*uint32)(offset(x, a.of.opAt)) }
func (a *applier) halfOf(x ref) *uint32    { return (*uint32)(offset(x, a.of.opAt+4)) }

// hashOf returns the hash of an item.
func (a *applier) hashOf(x ref) uint64 {
	if a.m.isInline {
		return a.m.word.Of(word.At(x, a.m.size))
	}
	return unfolded(*a.halfOf(x))
}

// hashes writes the hashes of n items that are neighbours. Those with boxed keys get theirs, too.
func (a *applier) hashes(items ref, n int, hashes []uint64) {
	m := a.m
	for i := range n {
		k := a.at(items, i)
		if m.isInline {
			hashes[i] = m.word.Of(word.At(k, m.size))
		} else {
			h := m.hashIn(a.from, k)
			*a.halfOf(k), hashes[i] = h, unfolded(h)
		}
	}
}

// steps is the entries of a job that a goroutine applies, one after the other.
type steps struct {
	a      *applier
	t      *table // the root when it began
	near   bool   // and its boxed keys have the hashes of entries
	x      ref    // the entry
	did    *int   // the number of the entry among the items of run
	grew   bool   // some keys were new
	came   int64  // of these, how many were not counted
	most   int64  // how many there may be
	in     room
	does   change // apply, or nil
	merged ref    // memory for what a fold returns
	word   uint64 // that, if it is a word
}

// begin begins steps. Their end must be called, also when a fold panics.
func (s *steps) begin(a *applier, did *int) {
	t := a.m.root.Load()
	s.a, s.t, s.did, s.most, s.near = a, t, did, t.limit.Load()/16, !a.m.isInline && t.seed == a.from.seed
	if a.m.cells == asWords {
		s.merged = ref(&s.word)
	}
}

func (s *steps) end() {
	if s.grew {
		s.t.of.count(s.came)
		s.a.m.outdate()
	}
}

// run applies items in order. The sequence number of item i is seq plus numbers[i] or, if there are
// no numbers, plus i.
func (s *steps) run(items ref, n int, numbers []uint32, seq uint32) {
	a, m, t, c := s.a, s.a.m, s.t, cursor{}
	for i := range n {
		x := a.at(items, i)
		at := i
		if numbers != nil {
			at = int(numbers[i])
		}
		s.x, *s.did = x, i
		hash, number := a.hashOf(x), later(seq, at)
		done, fresh := s.direct(hash, number)
		if !done {
			if !m.isInline {
				hash = uint64(m.rehash(a.from, proper(hash), t, x))
			}
			c = cursor{t: t, hash: hash, k: x, seq: number, fresh: offset(x, a.of.valAt)}
			if m.seek(&c, true); !c.came {
				if c.fresh = nil; s.does == nil {
					s.does = s.apply
				}
				m.adjustFound(&c, true, s.does)
			}
			fresh = c.came
		}
		if !fresh {
			continue
		}
		s.grew = true
		if s.came++; s.came > s.most { // a table grows by the count
			t.of.count(s.came)
			s.came, s.most = 0, m.root.Load().limit.Load()/16
		}
	}
}

// direct applies an entry in fewer steps than a cursor: to an inline key, or a boxed one that is
// near. It reports whether it did, and whether the key is new. It has not if the key is in another
// table, or its value is in a side table, was to be there or has changed meanwhile.
func (s *steps) direct(hash uint64, seq uint32) (done, fresh bool) {
	m, t := s.a.m, s.t
	cell, at := ref(nil), 0
	if m.isInline {
		p, i, _ := m.locateInline(t, hash, true)
		if p == nil {
			return false, false
		}
		cell, at = p.cell(), i
	} else if b, _ := m.nearIn(t, proper(hash), s.x); b != nil && s.near {
		cell = m.cellOf(b)
	} else {
		return false, false
	}
	was, v, op := m.read(cell), ref(&s.in.val), Update
	switch says := m.says(was); {
	case says == inCell:
		if m.cells == asWords {
			word.Put(v, m.valSize, was.w^m.salt)
		} else {
			v = m.valueOf(was, &s.in)
		}
		v, op = s.apply(v, true)
	case says == absent && m.isInline: // not of a box, see (boxes.I3)
		fresh = true
		v, _ = s.apply(nil, false)
		m.putSeq(&cursor{t: t, at: at, seq: seq}) // (order.I1)
	default:
		return false, false
	}
	if op == Keep {
		return true, false
	}
	e, fits := m.contentOf(v)
	done = fits && m.change(cell, was, e) // (table.I2)
	return done, done && fresh
}

// apply returns the value and the Op for a key that has the value old, or none.
func (s *steps) apply(old ref, ok bool) (ref, Op) {
	op, v := s.a.opOf(s.x), offset(s.x, s.a.of.valAt)
	switch {
	case !ok || op == opSet:
		return v, Update
	case op == opAdd:
		return nil, Keep
	}
	if s.merged == nil {
		s.merged = s.a.m.keep(v)
	}
	s.a.folds[op-opMerge].fold(old, v, s.merged)
	return s.merged, Update
}
