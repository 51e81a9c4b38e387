package hashmap

import (
	"math"
	"math/bits"
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/kind"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// absorb does what a job has appended.
func (m *Map[K, V]) absorb(added lane.Items[entry[K, V]], parallel func(n int, f func(k int))) {
	n := added.Len()
	if n == 0 {
		return
	}
	do := func() {
		m.in.arrange()
		if m.in.tired(n) {
			ix := m.index()
			ix.renew(ix.list)
		}
		age := m.in.ageFor(n)
		if a := m.applier(); n < m.few || uint64(n) >= oldest {
			applyAll(a, added, age)
		} else {
			m.applyParts(a, added, age, parallel)
		}
	}
	if len(m.phases.folds) == 0 {
		do()
		return
	}
	m.contain(do)
}

// contain runs f, which calls users' functions, and panics if f does, or ends its goroutine: who seals a job must not.
func (m *Map[K, V]) contain(f func()) {
	var over atom.WaitGroup
	var value any
	returned := false
	over.Add(1)
	atom.Go(func() {
		defer over.Done()
		defer func() {
			if !returned {
				value = recover()
			}
		}()
		f()
		returned = true
	})
	over.Wait()
	switch {
	case returned:
	case value == nil:
		panic(m.guard.Violation(safety.ErrArgument, "a function that merges values of "+m.guard.Container()+" ended its goroutine",
			"It is called when the job is sealed, on a goroutine that is not the caller's. Have it return, or panic."))
	default:
		panic(value)
	}
}

// applyAll does what was appended, one after the other.
func applyAll[K comparable, V any](a applier[K, V], added lane.Items[entry[K, V]], age uint32) {
	const some = 64
	var hashes [some]uint64
	var numbers [some]uint32
	for at, piece := range added.Slices(0, added.Len()) {
		for len(piece) > 0 {
			n := min(some, len(piece))
			a.hashes(piece[:n], hashes[:n])
			for i := range n {
				numbers[i] = uint32(i)
			}
			a.run(piece[:n], hashes[:n], numbers[:n], later(age, at))
			at += n
			piece = piece[n:]
		}
	}
}

// applyParts does what was appended, part by part.
func (m *Map[K, V]) applyParts(a applier[K, V], added lane.Items[entry[K, V]], age uint32, parallel func(n int, f func(k int))) {
	s := m.phases.scratch.splits.split(added, parallel, partsFor(added.Len()), a.hashes, a.kept(), true)
	defer m.phases.scratch.splits.give(s, kind.Holds(reflect.TypeFor[entry[K, V]]()))
	m.in.makeRoom(distinct(a, s), parallel)
	parallel(1<<s.bits, func(part int) {
		begin, end := s.bounds(part)
		var hashes []uint64
		if a.kept() {
			hashes = s.hashes[begin:end]
		}
		a.run(s.items[begin:end], hashes, s.notes[begin:end], age)
	})
}

// partKeys is how many keys a part has, at most, if all are new and places are enough: with some 40 bytes of the table for each
// they fit into a cache.
const partKeys = 4096

// partsFor returns how many parts there are for so many items.
func partsFor(n int) int { return min(mostParts, max(8, 1<<bits.Len(uint((n-1)/partKeys)))) }

// lookedAt is how many items are looked at, at least, to find out how many keys are new. Parts are samples that favour no key.
const lookedAt = 4096

// distinct returns about how many keys are new among what was appended, rather a few too many.
func distinct[K comparable, V any](a applier[K, V], s *split[entry[K, V]]) int {
	parts, end := 0, 0
	for ; parts < 1<<s.bits && end < lookedAt; parts++ {
		_, end = s.bounds(parts)
	}
	seen := make([]uint64, 1<<bits.Len(uint(2*end)))
	mask, news := len(seen)-1, 0
	var hashes [1]uint64
items:
	for i := range s.items[:end] {
		if len(s.hashes) > 0 {
			hashes[0] = s.hashes[i]
		} else {
			a.hashes(s.items[i:i+1], hashes[:])
		}
		h := hashes[0] | 1 // 0 is nothing
		at := int(h>>1) & mask
		for ; seen[at] != 0; at = (at + 1) & mask {
			if seen[at] == h {
				continue items
			}
		}
		seen[at] = h
		if !a.has(s.items[i].key) {
			news++
		}
	}
	news += int(3 * math.Sqrt(float64(news)))
	if parts < 1<<s.bits {
		news = int(float64(news) / float64(parts) * float64(int(1)<<s.bits))
	}
	return min(news, s.n)
}
