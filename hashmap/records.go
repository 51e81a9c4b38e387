package hashmap

import (
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
)

// records are of keys whose values lie aside: those that look like a mark, and those that somebody computes.
type records[K, V any] struct {
	mu    atom.Mutex
	over  *atom.Cond // a computation has ended; on mu
	all   []*record[K, V]
	spare *record[K, V]
	next  uint32 // number of a computation
	left  int    // how many numbers from next on are left
	in    *tables
}

// lock takes the lock. In a map with a Hasher it panics with a violation if the lock stays taken
// and the calling goroutine is in a call of a Hasher, which may have been made under that lock.
func (s *records[K, V]) lock() {
	if s.in.guard == nil {
		s.mu.Lock()
		return
	}
	if !patiently(&s.mu) {
		mustEnd(s.in.guard, 0, 1)
		s.mu.Lock()
	}
}

// record is the value of a key that lies aside.
type record[K, V any] struct {
	key K
	val V
	ok  bool // it has a value

	f      func(old V, ok bool) (new V, act action) // what somebody computes another one with; then others who would change it wait
	number uint32                                   // of the computation, on the stack of who computes
	new    V
	act    action
}

// Run implements gls.Runner.
func (r *record[K, V]) Run() { r.new, r.act = r.f(r.val, r.ok) }

// look returns the value of a key whose value lay aside, unless it does so no more.
func (s *records[K, V]) look(k K, same func(a, b K) bool) (v V, ok, aside bool) {
	s.lock()
	defer s.mu.Unlock()
	if r := s.find(k, same); r != nil {
		return r.val, r.ok, true
	}
	return v, false, false
}

// settled is look for who waits until nobody computes.
func (s *records[K, V]) settled(k K, same func(a, b K) bool, cycle func() error) (v V, aside bool) {
	s.lock()
	defer s.mu.Unlock()
	if r := s.free(k, same, cycle); r != nil {
		return r.val, true
	}
	return v, false
}

// find returns the record of a key, or nil. It and all that follow are for who has the lock.
func (s *records[K, V]) find(k K, same func(a, b K) bool) *record[K, V] {
	for _, r := range s.all {
		if same(r.key, k) {
			return r
		}
	}
	return nil
}

// free returns the record of a key, or nil, when nobody computes.
func (s *records[K, V]) free(k K, same func(a, b K) bool, cycle func() error) *record[K, V] {
	r := s.find(k, same)
	for r != nil && r.f != nil {
		s.await(r.number, cycle)
		r = s.find(k, same)
	}
	return r
}

// add returns a new record.
func (s *records[K, V]) add(k K, v V, ok bool) *record[K, V] {
	r := s.spare
	if s.spare = nil; r == nil {
		r = new(record[K, V])
	}
	r.key, r.val, r.ok = k, v, ok
	s.all = append(s.all, r)
	return r
}

func (s *records[K, V]) remove(r *record[K, V]) {
	i := slices.Index(s.all, r)
	last := len(s.all) - 1
	s.all[i], s.all[last] = s.all[last], nil
	s.all = s.all[:last]
	*r = record[K, V]{}
	s.spare = r
}

// occupy makes a record that of a computation.
func (s *records[K, V]) occupy(r *record[K, V], f func(old V, ok bool) (new V, act action)) {
	const block = 256
	if s.left == 0 {
		s.next, s.left = uint32(numbers.Add(block)-block), block
	}
	r.f, r.number, r.act = f, s.next%(gls.Callbacks-gls.Others)|gls.Others, keep
	s.next++
	s.left--
}

// computed returns the keys whose values the numbered computations compute. The caller holds no
// lock.
func (s *records[K, V]) computed(numbers []uint32) (keys []K) {
	s.lock()
	defer s.mu.Unlock()
	for _, r := range s.all {
		if r.f != nil && slices.Contains(numbers, r.number) {
			keys = append(keys, r.key)
		}
	}
	return keys
}

// numbers counts the numbers that computations were given. A number may be given again after about
// a thousand million others.
var numbers atom.Uint64

// computations counts the computations that run, of all maps.
var computations = newCalls()

// waiting says which computations wait for which others: one for several where a job that it waits for is sealed by several goroutines.
var waiting struct {
	mu atom.Mutex
	on map[uint32][]uint32
}

// reaches says whether a computation is one of some, or waits for one of them, or for another that does.
func reaches(n uint32, some []uint32) bool {
	return slices.Contains(some, n) || slices.ContainsFunc(waiting.on[n], func(o uint32) bool { return reaches(o, some) })
}

// await waits until some computation has ended, for who waits for one. When that one waits for who waits, cycle tells.
func (s *records[K, V]) await(number uint32, cycle func() error) {
	mine := computing()
	if len(mine) > 0 {
		waiting.mu.Lock()
		if reaches(number, mine) {
			waiting.mu.Unlock()
			panic(cycle())
		}
		if waiting.on == nil {
			waiting.on = map[uint32][]uint32{}
		}
		for _, n := range mine {
			waiting.on[n] = append(waiting.on[n], number)
		}
		waiting.mu.Unlock()
		defer func() {
			waiting.mu.Lock()
			for _, n := range mine {
				unwait(n, func(o uint32) bool { return o == number })
			}
			waiting.mu.Unlock()
		}()
	}
	if s.over == nil {
		s.over = atom.NewCond(&s.mu)
	}
	s.over.Wait()
}

// leaving says that nobody waits any more for a computation whose function has not returned: its number is on the stack as long
// as deferred functions run.
func leaving(number uint32) {
	waiting.mu.Lock()
	for n := range waiting.on {
		unwait(n, func(o uint32) bool { return o == number })
	}
	waiting.mu.Unlock()
}

// unwait says that a computation does not wait any more for those for which gone says so. The lock of waiting is held.
func unwait(n uint32, gone func(o uint32) bool) {
	if left := slices.DeleteFunc(waiting.on[n], gone); len(left) > 0 {
		waiting.on[n] = left
	} else {
		delete(waiting.on, n)
	}
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

// under runs f within some computations, as the goroutines do that compute.
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

// wake lets those go on who wait for a computation.
func (s *records[K, V]) wake() {
	if s.over != nil {
		s.over.Broadcast()
	}
}
