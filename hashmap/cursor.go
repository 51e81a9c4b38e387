package hashmap

import "example.com/custody/internal/gls"

// action is what becomes of a key.
type action uint8

const (
	keep action = iota // what it is
	put                // it has a value
	drop               // it has none
)

// state is what a place says of its key.
type state uint8

const (
	absent state = iota // it has no value
	there               // it has the one that is there
	laid                // its value lies aside
)

// cursor is at a key that was sought. What it is asked to do it does unless the place says something else by now.
type cursor[K, V any] interface {
	said() (v V, s state)    // what the place has said
	fits(v V) bool           // v can be there
	set(v V) bool            // has the place say v, which fits
	unset() bool             // has it say that there is none
	lay() bool               // has it say that the value lies aside
	records() *records[K, V] // those among which the key's is
	counted(n int64)         // counts keys
	same(a, b K) bool        // two keys are one
	alike(a, b V) bool       // two values that lie aside are one
	cycle() error            // what to panic with when a computation would wait for itself
}

// seeker is a kind of map, C its cursor.
type seeker[K, V any, C cursor[K, V]] interface {
	// begin returns a cursor that has to be moved on.
	begin(k K) C
	// seek moves a cursor on to where the key is now. With puts the key has a place then.
	seek(c C, puts bool) C
}

// adjust does to a key what f says of its value. f is called once or several times, must not do anything else, and says put of a
// key without a value only with puts.
func adjust[K comparable, V any, C cursor[K, V]](m seeker[K, V, C], k K, puts bool, f func(old V, ok bool) (new V, act action)) {
	adjustFrom(m, m.begin(k), k, puts, f)
}

// adjustFrom is adjust for who has a cursor.
func adjustFrom[K comparable, V any, C cursor[K, V]](m seeker[K, V, C], c C, k K, puts bool, f func(old V, ok bool) (new V, act action)) {
	for {
		c = m.seek(c, puts)
		old, s := c.said()
		if s == laid {
			adjustAside(m, c, k, puts, f)
			return
		}
		v, act := f(old, s == there)
		done := false
		switch {
		case act == keep || act == drop && s == absent:
			return
		case act == drop:
			done = c.unset()
		case !c.fits(v):
			adjustAside(m, c, k, puts, f)
			return
		default:
			done = c.set(v)
		}
		if done {
			changed[K, V](c, s == there, act == put)
			return
		}
	}
}

// changed counts a key that had a value, or had none, and has one now, or not.
func changed[K, V any, C cursor[K, V]](c C, had, has bool) {
	switch {
	case has && !had:
		c.counted(1)
	case had && !has:
		c.counted(-1)
	}
}

// adjustAside is adjust for a value that lies aside, or will.
func adjustAside[K comparable, V any, C cursor[K, V]](m seeker[K, V, C], c C, k K, puts bool, f func(old V, ok bool) (new V, act action)) {
	s := c.records()
	s.lock()
	defer s.mu.Unlock()
	for {
		r := s.free(k, c.same, c.cycle)
		c = m.seek(c, puts)
		old, st := c.said()
		ok := st != absent
		if st == laid {
			old = r.val // (I7)
		}
		v, act := f(old, ok)
		if act == keep || act == drop && !ok {
			return
		}
		if resolve[K, V](c, s, r, k, v, act == put) {
			changed[K, V](c, ok, act == put)
			return
		}
	}
}

// resolve has a place say what becomes of its key: that it has a value, or none. r is the record of the key, if it has one. The
// lock of the records is held.
func resolve[K comparable, V any, C cursor[K, V]](c C, s *records[K, V], r *record[K, V], k K, v V, has bool) bool {
	switch {
	case !has || c.fits(v):
		if has && !c.set(v) || !has && !c.unset() {
			return false
		}
		if r != nil {
			s.remove(r)
		}
	case r != nil:
		r.val, r.ok = v, true
	default:
		r = s.add(k, v, true)
		if !c.lay() {
			s.remove(r)
			return false
		}
	}
	return true
}

// compute does to a key what f says of its value. f is called once and may do anything, but change the same key. Until it
// returns all others find the value that there was, and who would change it waits. When f does not return nothing changes.
func compute[K comparable, V any, C cursor[K, V]](m seeker[K, V, C], k K, f func(old V, ok bool) (new V, act action)) {
	c, r := occupy(m, m.begin(k), k, f)
	n := computations.cell()
	n.enter()
	returned := false
	defer func() {
		n.leave()
		if !returned {
			leaving(r.number)
		}
		s := c.records()
		s.lock()
		defer s.mu.Unlock()
		defer s.wake()
		had, has, v := r.ok, r.act == put || r.act == keep && r.ok, r.new
		if r.act != put {
			v = r.val
		}
		r.f = nil
		for {
			if c = m.seek(c, true); resolve[K, V](c, s, r, k, v, has) {
				break
			}
		}
		changed[K, V](c, had, has)
	}()
	gls.Call(r.number, r)
	returned = true
}

// occupy lays the value of a key aside, for who computes another one.
func occupy[K comparable, V any, C cursor[K, V]](m seeker[K, V, C], c C, k K, f func(old V, ok bool) (new V, act action)) (C, *record[K, V]) {
	s := c.records()
	s.lock()
	defer s.mu.Unlock()
	for {
		r := s.free(k, c.same, c.cycle)
		c = m.seek(c, true)
		old, st := c.said()
		if st != laid {
			if r = s.add(k, old, st == there); !c.lay() {
				s.remove(r)
				continue
			}
		}
		s.occupy(r, f)
		return c, r
	}
}

// mostAsked is the number of times that forget calls f for a key that nothing keeps from changing.
const mostAsked = 64

// forget deletes k if f returns true for its value, and reports whether it has deleted k. If the
// value changes while f runs, forget calls f again. A value that changes each time, because f
// changes it or other goroutines do, is computed in the end: then all changes of k wait for f, and
// a change by f is the violation that it is in a function of compute.
func forget[K comparable, V any, C cursor[K, V]](m seeker[K, V, C], k K, f func(v V) bool) (deleted bool) {
	c := m.begin(k)
	for range mostAsked {
		c = m.seek(c, false)
		v, s := c.said()
		switch {
		case s == absent:
			return false
		case s == laid:
			if deleted, aside := forgetAside(m, c, k, f); aside {
				return deleted
			}
		case !f(v):
			return false
		case c.unset():
			c.counted(-1)
			return true
		}
	}
	compute(m, k, func(old V, ok bool) (V, action) {
		if deleted = ok && f(old); deleted {
			return old, drop
		}
		return old, keep
	})
	return deleted
}

// forgetAside is forget for a value that lies aside. aside is false when there is none any more, or another one: then it is to try again.
func forgetAside[K comparable, V any, C cursor[K, V]](m seeker[K, V, C], c C, k K, f func(v V) bool) (deleted, aside bool) {
	v, aside := c.records().settled(k, c.same, c.cycle)
	if !aside || !f(v) {
		return false, aside
	}
	adjustAside(m, c, k, false, func(old V, ok bool) (V, action) {
		deleted = ok && c.alike(old, v)
		if aside = deleted || !ok; aside {
			return old, drop
		}
		return old, keep
	})
	return deleted, aside
}
