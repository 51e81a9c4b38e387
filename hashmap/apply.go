package hashmap

import (
	"example.com/custody/internal/word"
)

// applier applies the entries of a job to a map. inlineApplier and boxApplier implement it.
type applier[K comparable, V any] interface {
	// hashes writes the hashes of some items.
	hashes(items []entry[K, V], hashes []uint64)
	// kept reports whether run needs the hashes.
	kept() bool
	// run applies items in order, with their hashes. The sequence number of item i is seq plus
	// numbers[i]. If a function of the program panics, did is the index of its item.
	run(items []entry[K, V], hashes []uint64, numbers []uint32, seq uint32, did *int)
}

// applier returns the applier of the map, for the phase.
func (m *Map[K, V]) applier() applier[K, V] {
	switch folds := m.phases.folds; {
	case m.inline != nil:
		return &inlineApplier[K, V]{m.inline, folds}
	default:
		return &boxApplier[K, V]{m, m.in.root.Load(), folds}
	}
}

// step is an entry that is applied.
type step[K comparable, V any] struct {
	entry[K, V]
	folds  []*merging[V]
	merged V // what applyByRef has returned
}

// apply returns the value and the Op for a key that has the value old, or none.
func (s *step[K, V]) apply(old V, ok bool) (V, Op) {
	switch {
	case !ok || s.op == opSet:
		return s.val, Update
	case s.op == opAdd:
		return old, Keep
	}
	return s.folds[s.op-opMerge].fold(old, s.val), Update
}

// applyByRef is apply for values by reference.
func (s *step[K, V]) applyByRef(old ref, ok bool) (ref, Op) {
	switch {
	case !ok || s.op == opSet:
		return ref(&s.val), Update
	case s.op == opAdd:
		return old, Keep
	}
	s.merged = s.folds[s.op-opMerge].fold(*(*V)(old), s.val)
	return ref(&s.merged), Update
}

// inlineApplier implements applier.
type inlineApplier[K comparable, V any] struct {
	m     *inline
	folds []*merging[V]
}

func (a *inlineApplier[K, V]) hashes(items []entry[K, V], hashes []uint64) {
	h := a.m.hash
	for i := range items {
		hashes[i] = h.Of(word.Of(items[i].key))
	}
}

func (a *inlineApplier[K, V]) kept() bool { return false }

func (a *inlineApplier[K, V]) run(items []entry[K, V], _ []uint64, numbers []uint32, seq uint32, did *int) {
	root, came, h := a.m.first(), int64(0), a.m.hash
	defer func() { // also when a fold panics
		root.head.of.count(came)
		a.m.tables.outdate()
	}()
	for i := range items {
		x := &items[i]
		w := h.Of(word.Of(x.key))
		for t := root; ; { // from the first table on (table.I4)
			p, at, _ := a.m.locate(t, w, true)
			if p == nil {
				t = a.m.follow(t)
				continue
			}
			was, e := p.val.Load(), word.Of(x.val)^a.m.salt
			switch {
			case was == movedWord:
				t = a.m.follow(t)
				continue
			case was == sideWord || was == noWord && e < marks:
				*did = i
				a.aside(t, w, x, later(seq, int(numbers[i])))
			case was == noWord:
				t.head.putSeq(at, later(seq, int(numbers[i])))
				if !p.val.CompareAndSwap(noWord, e) {
					continue
				}
				came++
			case x.op == opAdd:
			default:
				*did = i
				if x.op != opSet {
					e = word.Of(a.folds[x.op-opMerge].fold(word.To[V](was^a.m.salt), x.val)) ^ a.m.salt
				}
				if e < marks {
					a.aside(t, w, x, currentSeq)
				} else if !p.val.CompareAndSwap(was, e) {
					continue
				}
			}
			break
		}
	}
}

// aside applies an item whose key has its value in the side table, or gets one that does not fit.
func (a *inlineApplier[K, V]) aside(t *inlineTable, w uint64, x *entry[K, V], seq uint32) {
	s := step[K, V]{entry: *x, folds: a.folds}
	a.m.apply(t, w, word.Of(x.key), seq, asWords(s.apply))
}

// boxApplier implements applier.
type boxApplier[K comparable, V any] struct {
	m     *Map[K, V]
	from  *table // that the hashes belong to
	folds []*merging[V]
}

func (a *boxApplier[K, V]) hashes(items []entry[K, V], hashes []uint64) {
	for i := range items {
		hashes[i] = a.m.hashIn(a.from, ref(&items[i].key))
	}
}

func (a *boxApplier[K, V]) kept() bool { return true }

func (a *boxApplier[K, V]) run(items []entry[K, V], hashes []uint64, numbers []uint32, seq uint32, did *int) {
	s := &step[K, V]{folds: a.folds}
	byWord, byRef := asWords(s.apply), s.applyByRef
	for i := range items {
		s.entry, *did = items[i], i
		a.m.core.apply(a.from, hashes[i], ref(&items[i].key), later(seq, int(numbers[i])), byWord, byRef)
	}
}
