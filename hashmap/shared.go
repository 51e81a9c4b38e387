package hashmap

import (
	"runtime"

	"example.com/custody/safety"
)

// Shared is a view through which the bodies of a job use a map as goroutines do. Its operations are
// linearizable, and come in no other order. Any number of jobs may hold Shareds of one map
// together, and the map's own methods may be used beside them. A Shared works only inside the job
// that carries it.
//
// A job that is scheduled within a function of [Map.Compute] must not change the key whose value
// that function computes: that is a violation.
// Each method: shared; as of Map; as of Map; allocates as of Map.
type Shared[K comparable, V any] struct {
	hold
	sharedState
}

// sharedState is what a Shared knows, whatever the types of the map are.
type sharedState struct {
	of     *core
	within *origins // nil: no computation scheduled the job
}

// Shared returns a view for linearizable operations. The values that a body finds depend on how the
// loop was run.
func (m *Map[K, V]) Shared() Shared[K, V] {
	return Shared[K, V]{m.untyped().view(safety.Shared, (*sharedKind)(nil)), sharedState{of: m.untyped()}}
}

// Load is [Map.Load].
func (s *Shared[K, V]) Load(k K) (v V, ok bool) { return s.bound().load(k) }

// Contains is [Map.Contains].
func (s *Shared[K, V]) Contains(k K) bool {
	_, ok := s.bound().load(k)
	return ok
}

// LoadInto is [Map.LoadInto].
func (s *Shared[K, V]) LoadInto(keys []K, vals []V, ok []bool) int {
	return s.bound().loadInto(keys, vals, ok)
}

// Store is [Map.Store].
func (s *Shared[K, V]) Store(k K, v V) {
	if m := s.bound(); s.within == nil {
		m.store(k, v)
	} else {
		s.Swap(k, v)
	}
}

// LoadOrStore is [Map.LoadOrStore].
func (s *Shared[K, V]) LoadOrStore(k K, v V) (actual V, loaded bool) {
	m := s.bound()
	if s.within == nil {
		return m.loadOrStore(k, v)
	}
	if actual, loaded = m.load(k); loaded {
		return actual, true
	}
	return s.change(k, func() (V, bool) { return m.loadOrStore(k, v) })
}

// Swap is [Map.Swap].
func (s *Shared[K, V]) Swap(k K, v V) (previous V, loaded bool) {
	m := s.bound()
	if s.within == nil {
		return m.swap(k, v)
	}
	return s.change(k, func() (V, bool) { return m.swap(k, v) })
}

// CompareAndSwap is [Map.CompareAndSwap].
func (s *Shared[K, V]) CompareAndSwap(k K, old, new V) bool { return s.compareAnd(k, old, new, Update) }

// CompareAndDelete is [Map.CompareAndDelete].
func (s *Shared[K, V]) CompareAndDelete(k K, old V) bool { return s.compareAnd(k, old, old, Delete) }

func (s *Shared[K, V]) compareAnd(k K, old, new V, op Op) bool {
	m := s.bound()
	if s.within == nil {
		return m.compareAnd(k, old, new, op)
	}
	_, done := s.change(k, func() (V, bool) { return old, m.compareAnd(k, old, new, op) })
	return done
}

// Delete is [Map.Delete].
func (s *Shared[K, V]) Delete(k K) { s.LoadAndDelete(k) }

// LoadAndDelete is [Map.LoadAndDelete].
func (s *Shared[K, V]) LoadAndDelete(k K) (v V, loaded bool) {
	m := s.bound()
	if s.within == nil {
		return m.remove(k)
	}
	return s.change(k, func() (V, bool) { return m.remove(k) })
}

// Compute is [Map.Compute]. f must not wait for another batch, because the worker that calls f may
// have yet to run it.
func (s *Shared[K, V]) Compute(k K, f func(old V, loaded bool) (new V, op Op)) (actual V, ok bool) {
	m := s.bound()
	if f == nil {
		panic(s.hold.Blame(m.noFunction("Compute")))
	}
	if s.within == nil {
		return m.compute(k, f, &s.hold)
	}
	return s.change(k, func() (V, bool) { return m.compute(k, f, &s.hold) })
}

// LoadOrCompute is [Map.LoadOrCompute]. f must not wait for another batch, as in Compute.
func (s *Shared[K, V]) LoadOrCompute(k K, f func() (v V, cancel bool)) (actual V, loaded bool) {
	m := s.bound()
	if f == nil {
		panic(s.hold.Blame(m.noFunction("LoadOrCompute")))
	}
	if s.within == nil {
		return m.loadOrCompute(k, f, &s.hold)
	}
	if actual, loaded = m.load(k); loaded {
		return actual, true
	}
	return s.change(k, func() (V, bool) { return m.loadOrCompute(k, f, &s.hold) })
}

// Len is [Map.Len].
func (s *Shared[K, V]) Len() int { return s.bound().in.len() }

// bound returns the map of a view that may be used now.
func (s *Shared[K, V]) bound() *Map[K, V] {
	s.hold.Check()
	if !s.hold.Bound() { // in unchecked builds Check does nothing
		panic(s.hold.Stale())
	}
	return typed[K, V](s.of)
}

// change runs f, which may change k, within the origins, and returns what f returns.
func (s *Shared[K, V]) change(k K, f func() (V, bool)) (v V, ok bool) {
	s.within.run(s.of, shown(&k), func() { v, ok = f() })
	runtime.KeepAlive(&k)
	return v, ok
}

// sharedKind is the kind of Shareds, as readerKind is of Readers.
type sharedKind struct {
	hold
	sharedState
}

// Of implements safety.ViewKind.
func (*sharedKind) Of(view any) safety.Binder {
	return (*sharedKind)(holdBefore(ref(view.(interface{ state() *sharedState }).state())))
}

func (s *sharedState) state() *sharedState { return s }

// Claim completes the claim.
func (s *sharedKind) Claim(c *safety.Claim) {
	if o := originsOf(s.of, s.within); o != nil {
		c.Into = o
	}
}

// Bind implements safety.Binder.
func (s *sharedKind) Bind(b safety.Binding) {
	s.hold.Bind(b)
	s.within, _ = b.State().(*origins)
}
