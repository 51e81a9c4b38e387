package hashmap

import (
	"runtime"

	"example.com/custody/internal/gls"
)

// state is what a place says of its key.
type state uint8

const (
	absent      state = iota // the key has no value
	inPlace                  // the place has the value
	inSideTable              // a side table has the value
)

// change is a function that is given the value of a key, or ok false if the key has none, and
// returns what to do to the key, and the value for Update.
type change[V any] = func(old V, ok bool) (new V, op Op)

// cursor is the place of a key, as it was when seek read it. set, unset and setAside change the
// place, and return false if the place has changed since.
type cursor[K, V any] interface {
	said() (v V, s state)  // returns what the place says; v is the value if s is inPlace
	fits(v V) bool         // reports whether the place can have v
	set(v V) bool          // makes v, which fits, the value
	unset() bool           // removes the value
	setAside() bool        // makes the state inSideTable
	sideTable() *sideTable // returns the side table of the key
	counted(n int64)       // adds n to the number of keys
	alike(a, b V) bool     // reports whether two values from the side table are known to be equal
}

// seeker is a layout of a map, and C its cursor.
type seeker[K, V any, C cursor[K, V]] interface {
	// begin returns a cursor for seek.
	begin(k K) C
	// refTo returns a reference to a key that a side table may keep. keyAt returns one to the key
	// that p points to, as long as that is there.
	refTo(k K) ref
	keyAt(p ref) ref
	// aside returns v as side tables have it, and back what aside was given.
	aside(v V) ref
	back(v ref) V
	// seek moves a cursor to where the key is now. If puts is set, the key has a place then.
	seek(c C, puts bool) C
}

// adjustFrom does to a key what f returns for its value, with a cursor that begin returned. f may
// be called more than once, so it must have no side effects. It may return Update for a key without
// a value only if puts is set.
func adjustFrom[K, V any, C cursor[K, V]](m seeker[K, V, C], c C, k K, puts bool, f change[V]) {
	for {
		c = m.seek(c, puts)
		old, s := c.said()
		if s == inSideTable {
			break
		}
		v, op := f(old, s == inPlace)
		done := false
		switch {
		case op == Keep || op == Delete && s == absent:
			return
		case op == Delete:
			done = c.unset()
		case c.fits(v):
			done = c.set(v)
		default:
			adjustSide(m, c, k, puts, f)
			return
		}
		if done {
			changed[K, V](c, s == inPlace, op == Update)
			return
		}
	}
	adjustSide(m, c, k, puts, f)
}

// changed counts a key that had a value before a change, if had is set, and has one now, if has is.
func changed[K, V any, C cursor[K, V]](c C, had, has bool) {
	switch {
	case has && !had:
		c.counted(1)
	case had && !has:
		c.counted(-1)
	}
}

// adjustSide is adjustFrom for a key whose value is in the side table, or does not fit its place.
// It waits until no goroutine computes the value.
func adjustSide[K, V any, C cursor[K, V]](m seeker[K, V, C], c C, k K, puts bool, f change[V]) {
	key := m.keyAt(hidden(&k))
	defer runtime.KeepAlive(&k)
	s := c.sideTable()
	s.lock()
	defer s.mu.Unlock()
	for {
		e := s.findIdle(key)
		c = m.seek(c, puts)
		old, st := c.said()
		ok := st != absent
		if st == inSideTable {
			old = m.back(e.val) // (table.I7)
		}
		v, op := f(old, ok)
		if op == Keep || op == Delete && !ok {
			return
		}
		if resolve(m, c, s, e, key, v, op == Update) {
			changed[K, V](c, ok, op == Update)
			return
		}
	}
}

// resolve makes v the value of a key, or removes the value if has is not set. It returns false, and
// changes nothing, if the key's place has changed since seek read it. e is the key's entry in the
// side table, or nil. The caller holds the lock of the side table.
func resolve[K, V any, C cursor[K, V]](m seeker[K, V, C], c C, s *sideTable, e *sideEntry, k ref, v V, has bool) bool {
	switch {
	case !has || c.fits(v):
		if has && !c.set(v) || !has && !c.unset() {
			return false
		}
		if e != nil {
			s.remove(e)
		}
	case e != nil:
		e.val, e.ok = m.aside(v), true
	default:
		e = s.add(s.in.keepKey(k), m.aside(v), true)
		if !c.setAside() {
			s.remove(e)
			return false
		}
	}
	return true
}

// compute does to a key what f returns for its value. f is called once, and may do anything except
// change the same key. Until f returns, other goroutines find the old value, and operations that
// would change it wait. If f panics or ends its goroutine, nothing changes.
func compute[K, V any, C cursor[K, V]](m seeker[K, V, C], k K, f change[ref]) {
	key := m.refTo(k)
	c, e := occupy(m, m.begin(k), key, f)
	n := computations.counter()
	n.enter()
	returned := false
	defer func() {
		n.leave()
		if !returned {
			leaving(e.number)
		}
		s := c.sideTable()
		s.lock()
		defer s.mu.Unlock()
		defer s.wake()
		had, has, v := e.ok, e.op == Update || e.op == Keep && e.ok, e.new
		if e.op != Update {
			v = e.val
		}
		e.f = nil
		for {
			if c = m.seek(c, true); resolve(m, c, s, e, key, m.back(v), has) {
				break
			}
		}
		changed[K, V](c, had, has)
	}()
	gls.Call(e.number, e)
	returned = true
}

// occupy moves the value of a key to the side table, into an entry that the computation f occupies.
func occupy[K, V any, C cursor[K, V]](m seeker[K, V, C], c C, key ref, f change[ref]) (C, *sideEntry) {
	s := c.sideTable()
	s.lock()
	defer s.mu.Unlock()
	for {
		e := s.findIdle(key)
		c = m.seek(c, true)
		old, st := c.said()
		if st != inSideTable {
			if e = s.add(key, m.aside(old), st == inPlace); !c.setAside() {
				s.remove(e)
				continue
			}
		}
		s.occupy(e, f)
		return c, e
	}
}

// mostAsked is the number of times that forget calls f for a key that other goroutines may change.
const mostAsked = 64

// forget deletes k if f returns true for its value, and reports whether it has deleted k. If the
// value has changed while f ran, forget calls f again. After mostAsked calls forget computes the
// value with f: then other changes of k wait for f, and a change by f itself is a violation.
func forget[K, V any, C cursor[K, V]](m seeker[K, V, C], k K, f func(v V) bool) (deleted bool) {
	c := m.begin(k)
	for range mostAsked {
		c = m.seek(c, false)
		v, s := c.said()
		switch {
		case s == absent:
			return false
		case s == inSideTable:
			if deleted, done := forgetSide(m, c, k, f); done {
				return deleted
			}
		case !f(v):
			return false
		case c.unset():
			c.counted(-1)
			return true
		}
	}
	compute(m, k, func(old ref, ok bool) (ref, Op) {
		if deleted = ok && f(m.back(old)); deleted {
			return old, Delete
		}
		return old, Keep
	})
	return deleted
}

// forgetSide is forget for a value in the side table. If the value has left the table or has
// changed, done is false, and the caller tries again.
func forgetSide[K, V any, C cursor[K, V]](m seeker[K, V, C], c C, k K, f func(v V) bool) (deleted, done bool) {
	at, done := c.sideTable().settled(m.keyAt(hidden(&k)))
	runtime.KeepAlive(&k)
	if !done {
		return false, false
	}
	v := m.back(at)
	if !f(v) {
		return false, true
	}
	adjustSide(m, c, k, false, func(old V, ok bool) (V, Op) {
		deleted = ok && c.alike(old, v)
		if done = deleted || !ok; done {
			return old, Delete
		}
		return old, Keep
	})
	return deleted, done
}
