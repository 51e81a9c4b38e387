package hashmap

import (
	"runtime"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
)

// sideTable has the values that cannot be in their places: those that look like a mark, and those
// that a goroutine computes. Methods without another remark are called with mu held.
type sideTable struct {
	mu    atom.Mutex
	over  *atom.Cond // signalled when a computation has ended; on mu
	all   []*sideEntry
	spare *sideEntry
	next  uint32 // the number of the next computation
	left  int    // how many numbers, from next on, s has left
	in    *tables
}

// lock takes the lock. In a map with a Hasher it panics with a violation if the lock stays taken
// and the calling goroutine is in a call of a Hasher, which may have been made under that lock.
func (s *sideTable) lock() {
	if s.in.asked == nil {
		s.mu.Lock()
		return
	}
	if !tryWithBackoff(&s.mu) {
		mustEnd(s.in.asked, 0, 1)
		s.mu.Lock()
	}
}

// sideEntry is a key and its value in a side table.
type sideEntry struct {
	key ref
	val ref
	ok  bool // the key has a value

	f      change // computes another value, or nil; until it returns, other changes wait
	number uint32 // of the computation; gls.Call keeps it on the stack of f's goroutine
	new    ref    // what f has returned
	op     Op
}

// Run implements gls.Runner.
func (e *sideEntry) Run() { e.new, e.op = e.f(e.val, e.ok) }

// look returns the value of a key, or nil if it has none. It returns found false if the table has
// no entry for the key any more. If idle is set, it waits until no goroutine computes the value.
// The caller does not hold the lock.
func (s *sideTable) look(k ref, idle bool) (v ref, found bool) {
	s.lock()
	defer s.mu.Unlock()
	e := s.find(k)
	if idle {
		e = s.findIdle(k)
	}
	if e != nil && e.ok {
		v = e.val
	}
	return v, e != nil
}

// find returns the entry of a key, or nil. Of keys that are not equal to themselves only the
// address counts.
func (s *sideTable) find(k ref) *sideEntry {
	for _, e := range s.all {
		if e.key == k || s.in.same(e.key, k) {
			return e
		}
	}
	return nil
}

// findIdle returns the entry of a key, or nil, after it has waited for a computation of the value.
func (s *sideTable) findIdle(k ref) *sideEntry {
	e := s.find(k)
	for e != nil && e.f != nil {
		s.await(e.number)
		e = s.find(k)
	}
	return e
}

// add adds an entry, and returns it. The entry keeps k and v.
func (s *sideTable) add(k, v ref, ok bool) *sideEntry {
	e := s.spare
	if s.spare = nil; e == nil {
		e = new(sideEntry)
	}
	e.key, e.val, e.ok = k, v, ok
	s.all = append(s.all, e)
	return e
}

func (s *sideTable) remove(e *sideEntry) {
	i := slices.Index(s.all, e)
	last := len(s.all) - 1
	s.all[i], s.all[last] = s.all[last], nil
	s.all = s.all[:last]
	*e = sideEntry{}
	s.spare = e
}

// occupy makes an entry that of the computation f.
func (s *sideTable) occupy(e *sideEntry, f change) {
	const block = 256
	if s.left == 0 {
		s.next, s.left = uint32(numbers.Add(block)-block), block
	}
	e.f, e.number, e.op = f, s.next%(gls.Callbacks-gls.Others)|gls.Others, Keep
	s.next++
	s.left--
}

// computed appends the keys whose values the numbered computations compute. The caller does not
// hold the lock.
func (s *sideTable) computed(keys []ref, numbers []uint32) []ref {
	s.lock()
	defer s.mu.Unlock()
	for _, e := range s.all {
		if e.f != nil && slices.Contains(numbers, e.number) {
			keys = append(keys, e.key)
		}
	}
	return keys
}

// compute does to a key what f returns for its value, and returns the value that the key has then,
// or nil. f is called once, and may do anything except change the same key. Until f returns, other
// goroutines find the old value, and operations that would change it wait. If f panics or ends its
// goroutine, nothing changes.
func (m *tables) compute(k ref, f change) (actual ref) {
	c := m.begin(k)
	e := m.occupy(&c, f)
	n := computations.counter()
	n.enter()
	returned := false
	defer func() {
		n.leave()
		if !returned { // deferred functions still have e.number on their stack
			unwait(func(w wait) bool { return w.on == e.number })
		}
		s := m.sideTable(&c)
		s.lock()
		defer s.mu.Unlock()
		defer s.wake()
		had, has, v := e.ok, e.op == Update || e.op == Keep && e.ok, e.new
		if e.op != Update {
			v = e.val
		}
		if e.f, e.new = nil, nil; has {
			actual = v
		}
		for {
			if m.seek(&c, true); m.resolve(&c, s, e, v, has) {
				break
			}
		}
		s.in.counted(c.t, had, has)
	}()
	gls.Call(e.number, e)
	returned = true
	return nil
}

// occupy moves the value of a key to the side table, into an entry that the computation f occupies.
func (m *tables) occupy(c *cursor, f change) *sideEntry {
	s := m.sideTable(c)
	s.lock()
	defer s.mu.Unlock()
	var in room
	defer runtime.KeepAlive(&in)
	for {
		e := s.findIdle(c.k)
		m.seek(c, true)
		if st := m.says(c.was); st != aside {
			var old ref
			if st == inCell {
				old = m.lasting(m.valueOf(c.was, hiddenRoom(&in)))
			}
			if e = s.add(m.keyFor(c), old, st == inCell); !m.put(c, m.mark(aside)) {
				s.remove(e)
				continue
			}
		}
		s.occupy(e, f)
		return e
	}
}

// numbers counts the numbers that computations were given. A number may be given again after about
// 1,000 million others.
var numbers atom.Uint64

// computations counts the running computations of all maps.
var computations = newCalls()

// waiting has the computations that wait for another. One waits for several if several goroutines
// seal a job that it waits for.
var waiting struct {
	mu atom.Mutex
	on []wait
}

// wait is a computation that waits, and the one that it waits for.
type wait struct{ who, on uint32 }

// reaches reports whether the computation n is one of some, or waits for one of them, directly or
// through others.
func reaches(n uint32, some []uint32) bool {
	return slices.Contains(some, n) || slices.ContainsFunc(waiting.on, func(w wait) bool { return w.who == n && reaches(w.on, some) })
}

// await waits until a computation in s has ended. It panics if the computation with the given
// number waits for one that the calling goroutine is in.
func (s *sideTable) await(number uint32) {
	mine := computing()
	if len(mine) > 0 {
		waiting.mu.Lock()
		if reaches(number, mine) {
			waiting.mu.Unlock()
			panic(s.in.cycle())
		}
		for _, n := range mine {
			waiting.on = append(waiting.on, wait{n, number})
		}
		waiting.mu.Unlock()
		defer unwait(func(w wait) bool { return w.on == number && slices.Contains(mine, w.who) })
	}
	if s.over == nil {
		s.over = atom.NewCond(&s.mu)
	}
	s.over.Wait()
}

// unwait removes the waits for which is returns true.
func unwait(is func(w wait) bool) {
	waiting.mu.Lock()
	defer waiting.mu.Unlock()
	waiting.on = slices.DeleteFunc(waiting.on, is)
}

// computing returns the numbers of the computations that the calling goroutine is in.
func computing() (mine []uint32) {
	if numbers.Load() == 0 || !computations.running() {
		return nil
	}
	gls.Current(func(n uint32) bool {
		if n >= gls.Others && n < gls.Callbacks {
			mine = append(mine, n)
		}
		return false
	})
	return mine
}

// under runs f as if the calling goroutine were in the numbered computations.
func under(some []uint32, f func()) {
	if len(some) == 0 {
		f()
		return
	}
	gls.Call(some[0], called(func() { under(some[1:], f) }))
}

// called implements gls.Runner.
type called func()

// Run calls f.
func (f called) Run() { f() }

// wake wakes the goroutines that wait for a computation.
func (s *sideTable) wake() {
	if s.over != nil {
		s.over.Broadcast()
	}
}
