package hashmap

import "example.com/custody/internal/word"

// applier applies the entries of a job to a map, for a phase.
type applier struct {
	m     *core
	from  *table // that the hashes of boxed keys belong to
	folds []*merging
	of    *mapScratch
	size  uintptr // of an entry
}

func (m *core) applier() *applier {
	return &applier{m, m.root.Load(), m.folds, m.shared, m.shared.splits.elem.Size}
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
	came   int64  // new keys that were not counted
	most   int64  // how many there may be
	in     room
	does   change // apply
	merged ref    // memory for what a fold returns
}

// begin returns steps. Their end must be called, also when a fold panics.
func (a *applier) begin(did *int) *steps {
	t := a.m.root.Load()
	s := &steps{a: a, t: t, did: did, most: t.limit.Load() / 16, near: !a.m.isInline && t.seed == a.from.seed}
	s.does = s.apply
	return s
}

func (s *steps) end() {
	s.t.of.count(s.came)
	s.a.m.outdate()
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
		done, fresh := false, false
		switch {
		case m.inWords:
			done, fresh = s.applyWord(t, hash, number)
		case s.near:
			done = s.applyNear(t, proper(hash))
		}
		if !done {
			a.aim(&c, t, x, hash, number) // from the first table on
			c.fresh = offset(x, a.of.valAt)
			if m.seek(&c, true); !c.came {
				c.fresh = nil
				m.adjustFound(&c, true, s.does)
			}
			fresh = c.came
		}
		if fresh {
			if s.came++; s.came > s.most { // a table grows by the count
				t.of.count(s.came)
				s.came, s.most = 0, m.root.Load().limit.Load()/16
			}
		}
	}
}

// aim makes c a cursor for an item with a hash, from table t on.
func (a *applier) aim(c *cursor, t *table, x ref, hash uint64, seq uint32) {
	if !a.m.isInline {
		hash = uint64(a.m.rehash(a.from, proper(hash), t, x))
	}
	c.t, c.hash, c.k, c.seq, c.fixed = t, hash, x, seq, false
}

// applyNear applies an entry to a boxed key that is near in table t, where its hash is h, in fewer
// steps than a cursor. It reports whether it did.
func (s *steps) applyNear(t *table, h uint32) bool {
	m := s.a.m
	b, _ := m.nearIn(t, h, s.x)
	if b == nil {
		return false
	}
	was := m.read(m.cellOf(b))
	if m.says(was) != inCell {
		return false
	}
	v, op := s.apply(m.valueOf(was, &s.in), true)
	if op == Keep {
		return true
	}
	e, fits := m.contentOf(v)
	return fits && m.change(m.cellOf(b), was, e) // (table.I2)
}

// applyWord applies an entry if keys and values are words, in fewer steps than a cursor. It reports
// whether it did, and whether the key is new. It has not if the key is in another table, or its
// value is in a side table, was to be there or has changed meanwhile.
func (s *steps) applyWord(t *table, hash uint64, seq uint32) (done, fresh bool) {
	m := s.a.m
	p, at, _ := m.locateInline(t, hash, true)
	if p == nil {
		return false, false
	}
	was, v, op := p.val.Load(), ref(nil), Update
	switch {
	case was >= marks:
		word.Put(ref(&s.in.val), m.valSize, was^m.salt)
		v, op = s.apply(ref(&s.in.val), true)
	case was == absentWord:
		v, _ = s.apply(nil, false)
		m.putSeq(&cursor{t: t, at: at, seq: seq}) // (order.I1)
	default:
		return false, false
	}
	if op == Keep {
		return true, false
	}
	e := word.At(v, m.valSize) ^ m.salt
	done = e >= marks && p.val.CompareAndSwap(was, e) // (table.I2)
	return done, done && was == absentWord
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
