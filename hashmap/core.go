package hashmap

import (
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// core is a map without its types. It is compiled once. So what is compiled for each type of map
// calls its methods, with keys and values by reference, and no generic code. A result that is nil
// stands for no value, and one that is not may lie in the room that the caller has given.
type core struct {
	guard safety.Guard
	tables
	phases
	key, val any              // their reflect.Types, as in elem.Type
	listing  atom.HiddenMutex // held while an index is made
}

// coreOf returns a map without its types, and nil for nil.
func coreOf[K comparable, V any](m *Map[K, V]) *core { return (*core)(ref(m)) }

// init makes an empty map.
func (m *core) init(s sizes, seed seed) {
	m.guard.Growable()
	m.guard.Phases((*mapPhases)(m))
	m.lanes.Elem = m.shared.splits.elem
	m.lanes.Share(&m.shared.chunks)
	m.salt = seed.word()
	if m.isInline {
		m.word = hash.NewWord(m.salt)
		m.salt = m.word.Of(m.salt)
	} else {
		m.initBoxes(reflect.New(m.key.(reflect.Type)).UnsafePointer())
	}
	m.cycle = m.wouldCycle
	if m.custom != nil {
		m.asked = &m.guard
	}
	m.start(0, s)
}

// store makes v the value of a key.
func (m *core) store(k, v ref) {
	if m.inWords {
		m.storeWord(word.At(k, m.size), word.At(v, m.valSize))
		return
	}
	t, h, cell, _, _ := m.near(k)
	if cell != nil {
		if was := m.read(cell); m.says(was) == inCell {
			if e, fits := m.contentOf(v); fits && m.change(cell, was, e) {
				return
			}
		}
	}
	m.storeFrom(&cursor{t: t, hash: h, k: k}, v)
}

// storeFrom makes v the value of a cursor's key.
func (m *tables) storeFrom(c *cursor, v ref) {
	c.fresh = v
	if m.seek(c, true); c.came {
		c.t.count()
		return
	}
	c.fresh = nil
	m.adjustFound(c, true, func(ref, bool) (ref, Op) { return v, Update })
}

// remove deletes a key, and returns the value that it had.
func (m *core) remove(within *origins, k ref, in *room) ref {
	if within != nil {
		return within.change(m, k, nil, func(k, _ ref, in *room) ref { return m.remove(nil, k, in) })
	}
	t, h, cell, b, at := m.near(k)
	c := cursor{t: t, hash: h, k: k, cell: cell, box: b, at: at}
	if cell != nil {
		if c.was = m.read(cell); m.says(c.was) == inCell && m.unset(&c) {
			m.lost(t)
			return m.valueOf(c.was, in)
		}
	}
	if m.seek(&c, false); m.says(c.was) == absent {
		return nil
	}
	var had ref
	m.adjustFound(&c, false, func(old ref, ok bool) (ref, Op) {
		if had = nil; ok {
			had = m.held(old, in)
		}
		return nil, Delete
	})
	return had
}

// loadOrStore returns the value of a key, with true, or v, which it has made the value, with false.
func (m *core) loadOrStore(within *origins, k, v ref, in *room) (actual ref, loaded bool) {
	if p := m.look(k, in); p != nil {
		return p, true
	}
	if within != nil {
		actual = within.change(m, k, v, func(k, v ref, in *room) ref {
			if p, loaded := m.loadOrStore(nil, k, v, in); loaded {
				return p
			}
			return nil
		})
		if actual == nil {
			return v, false
		}
		return actual, true
	}
	m.adjust(k, true, func(old ref, ok bool) (ref, Op) {
		if loaded = ok; ok {
			actual = m.held(old, in)
			return nil, Keep
		}
		actual = v
		return v, Update
	})
	return actual, loaded
}

// swap makes v the value of a key, and returns the value that it had.
func (m *core) swap(within *origins, k, v ref, in *room) (had ref) {
	if within != nil {
		return within.change(m, k, v, func(k, v ref, in *room) ref { return m.swap(nil, k, v, in) })
	}
	m.adjust(k, true, func(old ref, ok bool) (ref, Op) {
		if had = nil; ok {
			had = m.held(old, in)
		}
		return v, Update
	})
	return had
}

// compareAnd does op to a key, with v, if its value is old, and reports whether it did.
func (m *core) compareAnd(k, old, v ref, op Op) (done bool) {
	m.adjust(k, false, func(now ref, ok bool) (ref, Op) {
		if done = ok && m.match(now, old); done {
			return v, op
		}
		return nil, Keep
	})
	return done
}

// computeBy is Compute. by is the hold of the view that is used, or nil for a method of the map. If
// f has scheduled a job that holds the map, or has disposed of it, the check after f panics, and
// the key stays as it was.
func (m *core) computeBy(within *origins, k ref, f change, by *safety.Hold) (actual ref) {
	if within != nil {
		return within.change(m, k, nil, func(k, _ ref, _ *room) ref { return m.computeBy(nil, k, f, by) })
	}
	g := func(old ref, ok bool) (ref, Op) {
		v, op := f(old, ok)
		if by == nil {
			m.guard.CheckShared()
		} else {
			by.Check()
		}
		if op > Delete {
			panic(m.guard.Violation(safety.ErrArgument, "a function that computes a value of "+m.guard.Container()+" returned an Op that there is none of", "Return Keep, Update or Delete."))
		}
		return v, op
	}
	if m.isInline || m.same(k, k) {
		return m.compute(k, g)
	}
	if v, op := g(nil, false); op == Update { // a new key
		m.store(k, v)
		return v
	}
	return nil
}

// bodies never runs. It calls the functions of package safety, and of tables, that generic code
// calls for every operation. The compiler exports the body of a function only if it was inlined
// here. So without bodies each check would be a call.
//
//lint:ignore U1000 it is there for the compiler
func bodies(g *safety.Guard) {
	g.CheckLook()
	g.CheckShared()
}
