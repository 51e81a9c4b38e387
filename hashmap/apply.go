package hashmap

import (
	"example.com/custody/internal/atom"
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
	case m.wordBoxes != nil:
		b := &m.wordBoxes.boxes
		return &boxApplier[K, V, atom.Uint64, uint64, wordBoxCursor[K]]{m.wordBoxes, b, b.first(), folds, asWords[V]}
	default:
		b := &m.valueBoxes.boxes
		same := func(f change[V]) change[V] { return f }
		return &boxApplier[K, V, V, V, valueBoxCursor[K, V]]{m.valueBoxes, b, b.first(), folds, same}
	}
}

// step is an entry that is applied.
type step[K comparable, V any] struct {
	entry[K, V]
	folds []*merging[V]
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
	s := step[K, V]{*x, a.folds}
	adjustFrom(a.m, inlineCursor{m: a.m, t: t, w: w, seq: seq}, word.Of(x.key), true, asWords(s.apply))
}

// boxMap is a map of boxes.
type boxMap[K comparable, E, W any, C cursor[K, W]] interface {
	seeker[K, W, C]
	// at returns a cursor that begins in a table where the key has the hash h.
	at(t *boxTable[K, E, W], h uint32, k K, seq uint32) C
}

// boxApplier implements applier.
type boxApplier[K comparable, V, E, W any, C cursor[K, W]] struct {
	m     boxMap[K, E, W, C]
	boxes *boxes[K, E, W]
	from  *boxTable[K, E, W] // the table that the hashes belong to
	folds []*merging[V]
	as    func(change[V]) change[W] // converts a function of values
}

func (a *boxApplier[K, V, E, W, C]) hashes(items []entry[K, V], hashes []uint64) {
	for i := range items {
		hashes[i] = unfolded(a.boxes.hashOf(a.from, items[i].key))
	}
}

func (a *boxApplier[K, V, E, W, C]) kept() bool { return true }

func (a *boxApplier[K, V, E, W, C]) run(items []entry[K, V], hashes []uint64, numbers []uint32, seq uint32, did *int) {
	s := step[K, V]{folds: a.folds}
	f := a.as(s.apply)
	for i := range items {
		s.entry, *did = items[i], i
		t := a.boxes.first()
		h := a.boxes.rehash(a.from, proper(hashes[i]), t, s.key)
		adjustFrom(a.m, a.m.at(t, h, s.key, later(seq, int(numbers[i]))), s.key, true, f)
	}
}
