package hashmap

import (
	"math"
	"math/bits"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/internal/lanes"
	"example.com/custody/safety"
)

// absorb applies what the job of a phase has appended. The goroutine that seals the job calls it.
func (m *core) absorb(added lanes.Items, p *safety.Phase) {
	within := m.within()
	switch {
	case added.Len() == 0:
	case m.calls():
		m.fail(apart(p, within, func() { m.apply(added, p) }))
	case len(within) > 0:
		under(within, func() { m.apply(added, p) })
	default:
		m.apply(added, p)
	}
}

// apply is absorb where functions of the program may be called.
func (m *core) apply(added lanes.Items, p *safety.Phase) {
	m.arrange()
	n := added.Len()
	if later(m.root.Load().of.seq.Load(), n+1) == maxSeq { // fewer than n numbers are left
		m.index().renumber()
	}
	seq := m.reserveSeqs(n)
	if a := m.applier(); n < m.few || uint64(n) >= maxSeq {
		a.all(added, seq)
	} else {
		a.parts(added, seq, p)
	}
}

// calls reports whether functions of the program are called when a job is sealed.
func (m *core) calls() bool { return m.custom != nil || m.merges() }

// merges reports whether functions of the program merge values of the job.
func (m *core) merges() bool {
	return slices.ContainsFunc(m.folds, func(f *merging) bool { return !f.ours })
}

// ended is how a function that ran apart has ended.
type ended struct {
	returned bool
	value    any    // the panic's value otherwise; nil: it has ended its goroutine
	note     uint32 // the position in the loop's order of the entry that failed
}

// apart runs f, within some computations, on a new goroutine: f may call functions of the program,
// which may end their goroutine, and the one that seals the job of p must not end. If f waits for
// that job, it is a violation.
func apart(p *safety.Phase, within []uint32, f func()) (e ended) {
	var over atom.WaitGroup
	over.Add(1)
	atom.Go(func() {
		defer over.Done()
		defer func() {
			if !e.returned {
				e.value = recover()
			}
		}()
		gls.TellSeal(p, called(func() { under(within, f) }))
		e.returned = true
	})
	over.Wait()
	return e
}

// fail panics with what the function panicked with, or with a violation if it has ended its
// goroutine. who names the function.
func (e ended) fail(g *safety.Guard, who func() string) {
	switch {
	case e.returned:
	case e.value == nil:
		panic(g.Violation(safety.ErrArgument, who()+" ended its goroutine",
			"It is called when the job is sealed, on a goroutine that is not the caller's. Have it return, or panic."))
	default:
		panic(e.value)
	}
}

// fail is e.fail for the functions that a map calls.
func (m *core) fail(e ended) {
	e.fail(&m.guard, func() string {
		switch {
		case !m.merges():
			return "the Hasher of " + m.guard.Container()
		case m.custom == nil:
			return "a function that merges values of " + m.guard.Container()
		}
		return "a function that merges values of " + m.guard.Container() + ", or its Hasher,"
	})
}

// all applies what was appended, one entry after the other, with the numbers from seq on.
func (a *applier) all(added lanes.Items, seq uint32) {
	s := &a.one
	s.begin(a, &a.did)
	defer s.end()
	added.Pieces(0, added.Len(), func(at int, piece ref, n int) {
		for i := range n {
			if x := a.at(piece, i); !a.m.isInline {
				*a.halfOf(x) = a.m.hashIn(a.from, x)
			}
		}
		s.run(piece, n, nil, later(seq, at))
	})
}

// parts applies what was appended, part by part, in parallel. If a function of the program fails in
// a part, the other parts go on to their ends or their own failures. The failure that the
// sequential loop comes upon first is the job's.
func (a *applier) parts(added lanes.Items, seq uint32, p *safety.Phase) {
	m, parallel := a.m, p.Parallel
	splits := &m.shared.splits
	n := min(mostParts, max(8, 1<<bits.Len(uint((added.Len()-1)/partKeys))))
	s := splits.split(added, parallel, n, a.hashes, false)
	defer splits.give(s)
	m.makeRoom(a.distinct(s), parallel)
	part := func(k int, did *int) {
		begin, end := s.bounds(k)
		if begin == end {
			return
		}
		one := new(steps)
		one.begin(a, did)
		defer one.end()
		one.run(a.at(s.items, begin), end-begin, s.notes[begin:end], seq)
	}
	within := m.within()
	if !m.calls() && len(within) == 0 {
		parallel(1<<s.bits, func(k int) { part(k, new(int)) })
		return
	}
	var mu atom.Mutex
	first, done, all := ended{returned: true}, make([]bool, 1<<s.bits), false
	try := func(k int) {
		did, returned := 0, false
		defer func() {
			done[k] = true
			if returned {
				return
			}
			begin, _ := s.bounds(k)
			e := ended{value: recover(), note: s.notes[begin+did]}
			mu.Lock()
			defer mu.Unlock()
			if first.returned || e.note < first.note {
				first = e
			}
		}()
		under(within, func() { part(k, &did) })
		returned = true
	}
	rest := func() {
		parallel(len(done), func(k int) {
			if !done[k] {
				try(k)
			}
		})
	}
	defer func() {
		for range done {
			if !all { // a function has ended the goroutine before the other parts were done
				all = apart(p, nil, rest).returned
			}
		}
		m.fail(first)
	}()
	rest()
	all = true
}

// partKeys is the greatest number of keys in a part, if all are new and mostParts is not reached.
// With about 40 bytes of the table for each key they fit into a cache.
const partKeys = 4096

// lookedAt is the least number of items that distinct looks at. It takes whole parts, which are
// samples that favour no key.
const lookedAt = 2048

// distinct estimates the number of new keys among what was appended, and errs on the high side.
func (a *applier) distinct(s *split) int {
	parts, end := 0, 0
	for ; parts < 1<<s.bits && end < lookedAt; parts++ {
		_, end = s.bounds(parts)
	}
	seen, news, in := tagIndex{}, 0, new(room)
	seen.resize(1 << bits.Len(uint(min(end, 2*lookedAt)*3/2)))
	for i := range end {
		x := a.at(s.items, i)
		if seen.add(tagOf(a.hashOf(x))) && a.m.look(x, in) == nil {
			news++
		}
	}
	news += int(3 * math.Sqrt(float64(news)))
	if parts < 1<<s.bits {
		news = int(float64(news) / float64(parts) * float64(int(1)<<s.bits))
	}
	return min(news, s.n)
}

// tagOf returns a tag for a hash, which differs where hashes of boxed keys do.
func tagOf(hash uint64) uint32 { return uint32(hash * 0x9e3779b97f4a7c15 >> 32) }
