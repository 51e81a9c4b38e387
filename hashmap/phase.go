package hashmap

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// entry is what a job does to a key. op is opAdd, opSet, or opMerge plus the number of a fold.
type entry[K, V any] struct {
	key  K
	val  V
	op   uint32
	hash uint32 // of a boxed key, when the job is sealed
}

const (
	opAdd = iota
	opSet
	opMerge
)

// phases is the part of a map that jobs use.
//
// What a job has appended is applied when the job is sealed, by the operations that ordinary
// callers use, with the sequence numbers of the sequential loop. Many entries are split by the
// upper bits of their hashes, and the parts are applied at the same time. Each part lies in a
// region of the table that fits into a cache.
//
// Invariants:
//
//	(phases.I1) All entries of a key are in one part, in the order of the sequential loop.
//	(phases.I2) Sequence numbers are in the order of the sequential loop, and above those of all keys
//	     that were there.
//	(phases.I3) An ordinary operation that the guard was too late to refuse takes effect at one
//	     moment, between two entries.
type phases struct {
	lanes  lanes.Lanes // of entries
	shared *mapScratch // of all maps of the type

	mu        atom.HiddenMutex
	folds     []*merging  // of the phase, by number
	combiners []*combiner // of the phase's workers
	job       applier     // of what the job has appended, when it is sealed

	began []uint32 // numbers of the computations within which the phase's job was scheduled
}

// within returns the numbers of the computations within which a job is sealed: those within which
// it was scheduled, which may wait for it, and those of the goroutine that seals it.
func (m *phases) within() []uint32 { return append(computing(), m.began...) }

// mapScratch is memory that is needed from when a job appends something until it is applied. All
// maps of a type share it.
type mapScratch struct {
	chunks      lanes.Lanes // shares its chunks with those of all maps
	combiners   atom.Spares[combiner]
	splits      splitter // of entries
	valAt, opAt uintptr  // where in an entry these begin; its hash follows
}

// mapScratchOf returns the memory of maps of a type.
func mapScratchOf[K comparable, V any]() *mapScratch {
	return scratch((*entry[K, V])(nil), func() any {
		return &mapScratch{
			splits: splitterOf[entry[K, V]](),
			valAt:  unsafe.Offsetof(entry[K, V]{}.val), opAt: unsafe.Offsetof(entry[K, V]{}.op),
		}
	}).(*mapScratch)
}

// session is shared by the copies of a Reader or a Writer in a job.
type session struct {
	of     *core
	ix     atom.HiddenPointer[index]
	within []uint32 // the computations that the job was scheduled within
}

// index returns the keys by position. The first call makes the list, if that is stale.
//
//go:norace
func (s *session) index() *index {
	ix := s.ix.Load()
	if ix == nil {
		ix = s.of.index() // a second goroutine here finds the list that the first has made
		s.ix.Store(ix)
	}
	return ix
}

// mapPhases implements safety.Phased for a Map.
type mapPhases core

// OpenPhase implements safety.Phased.
//
//go:norace
func (x *mapPhases) OpenPhase(p *safety.Phase) {
	m := (*core)(x)
	switch p.Mode {
	case safety.Read, safety.Write:
		s := &session{of: m}
		if p.Mode == safety.Write {
			s.within, _ = p.Into.([]uint32)
			s.index()
		}
		p.State = s
	case safety.Shared:
		p.State = p.Into
	case safety.Append:
		if !isNested(p) {
			m.began, _ = p.Into.([]uint32)
		}
		m.lanes.Open(p)
	}
}

// isNested reports whether what a job appends goes to the lane of the job around it.
func isNested(p *safety.Phase) bool {
	_, is := p.Into.(*lanes.Lane)
	return is
}

// SealPhase implements safety.Phased.
//
//go:norace
func (x *mapPhases) SealPhase(p *safety.Phase) {
	m := (*core)(x)
	if p.Mode != safety.Append {
		p.State = nil // its ticket may outlive the keys
		return
	}
	if !isNested(p) {
		defer m.forgetPhase()
	}
	m.lanes.Seal(p, func(added lanes.Items) { m.absorb(added, p) })
}

// number returns the number of a fold in this phase. Workers call it when they bind a view.
//
//go:norace
func (m *phases) number(f *merging) uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, g := range m.folds {
		if g == f {
			return uint32(i)
		}
	}
	m.folds = append(m.folds, f)
	return uint32(len(m.folds) - 1)
}

// combiner returns a combiner for a lane, for keys whose hashes have a seed. forgetPhase makes it
// spare, but not those of nested jobs, of which there may be many.
//
//go:norace
func (m *phases) combiner(seed hash.Seed, nested bool) *combiner {
	if nested {
		return &combiner{seed: seed, ends: -1, pause: leastPause}
	}
	c := m.shared.combiners.Take()
	if c == nil {
		c = new(combiner)
	}
	c.seed, c.ends, c.pause = seed, -1, leastPause
	m.mu.Lock()
	defer m.mu.Unlock()
	m.combiners = append(m.combiners, c)
	return c
}

// forgetPhase resets what belongs to the phase.
//
//go:norace
func (m *phases) forgetPhase() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, c := range m.combiners {
		c.empty()
		atom.Keep(&m.shared.combiners, c)
		m.combiners[i] = nil
	}
	clear(m.folds)
	m.folds, m.began, m.combiners, m.job = m.folds[:0], nil, m.combiners[:0], applier{}
}

// declareAll tells the race detector that all places are read.
func (m *core) declareAll() {
	if t := m.root.Load(); atom.Race {
		atom.ReadRange(elem.Data(t.inline), word.Bytes(t.inline))
		atom.ReadRange(elem.Data(t.buckets), word.Bytes(t.buckets))
	}
}

// declare tells the race detector that the value of a place is written. It leaves out words that
// goroutines read when they look for other keys.
func (m *core) declare(t *table, i int) {
	const size = 8
	if m.isInline {
		atom.WriteRange(t.inline[i].cell(), size)
	} else if r := t.slotAt(i).box.Load(); !m.open(r) && r != m.dead {
		atom.WriteRange(m.cellOf(r.Ptr()), size)
	}
}
