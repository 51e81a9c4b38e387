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

// run applies items in order. The sequence number of item i is seq plus numbers[i] or, if there are
// no numbers, plus i. If a function of the program panics, did is the index of its item.
func (a *applier) run(items ref, n int, numbers []uint32, seq uint32, did *int) {
	s, c := &step{a: a}, cursor{}
	f, m, t, came := s.apply, a.m, a.m.root.Load(), int64(0)
	most := t.limit.Load() / 16
	defer func() { // also when a fold panics
		t.of.count(came)
		m.outdate()
	}()
	for i := range n {
		x := a.at(items, i)
		at := i
		if numbers != nil {
			at = int(numbers[i])
		}
		s.x, *did = x, i
		hash, number := a.hashOf(x), later(seq, at)
		done, fresh := false, false
		if m.inWords {
			done, fresh = s.applyWord(t, hash, number)
		}
		if !done {
			a.aim(&c, t, x, hash, number) // from the first table on
			c.fresh = offset(x, a.of.valAt)
			if m.seek(&c, true); !c.came {
				c.fresh = nil
				m.adjustFound(&c, true, f)
			}
			fresh = c.came
		}
		if fresh {
			if came++; came > most { // a table grows by the count
				t.of.count(came)
				came, most = 0, m.root.Load().limit.Load()/16
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

// step is an entry that is applied.
type step struct {
	a      *applier
	x      ref
	old    uint64
	merged ref // memory for what a fold returns
}

// applyWord applies an entry if keys and values are words, in fewer steps than a cursor. It reports
// whether it did, and whether the key is new. It has not if the key is in another table, or its
// value is in a side table, was to be there or has changed meanwhile.
func (s *step) applyWord(t *table, hash uint64, seq uint32) (done, fresh bool) {
	m := s.a.m
	p, at, _ := m.locateInline(t, hash, true)
	if p == nil {
		return false, false
	}
	was, v, op := p.val.Load(), ref(nil), Update
	switch {
	case was >= marks:
		word.Put(ref(&s.old), m.valSize, was^m.salt)
		v, op = s.apply(ref(&s.old), true)
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
func (s *step) apply(old ref, ok bool) (ref, Op) {
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
