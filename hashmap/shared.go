package hashmap

import (
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// Shared is a view through which the bodies of a job use a map as goroutines do. Its operations are
// linearizable, and come in no other order. Any number of jobs may hold Shareds of one map
// together, and the map's own methods may be used beside them. A Shared works only inside the job
// that carries it. What it has no method for, such as a swap, Compute does.
//
// A job that is scheduled within a function of [Map.Compute] must not change the key whose value
// that function computes: that is a violation.
// Each method: shared; as of Map; as of Map; allocates as of Map.
type Shared[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
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
	v := coreOf(m).sharing()
	return *(*Shared[K, V])(ref(&v))
}

// Load is [Map.Load].
func (s *Shared[K, V]) Load(k K) (v V, ok bool) { return load[K, V]((*sharedKind)(ref(s)).bound(), k) }

// Store is [Map.Store].
func (s *Shared[K, V]) Store(k K, v V) {
	if m := (*sharedKind)(ref(s)).bound(); s.within == nil {
		store(m, k, v)
	} else {
		swap(m, s.within, k, v)
	}
}

// LoadOrStore is [Map.LoadOrStore].
func (s *Shared[K, V]) LoadOrStore(k K, v V) (actual V, loaded bool) {
	return loadOrStore((*sharedKind)(ref(s)).bound(), s.within, k, v)
}

// Delete is [Map.Delete].
func (s *Shared[K, V]) Delete(k K) { s.LoadAndDelete(k) }

// LoadAndDelete is [Map.LoadAndDelete].
func (s *Shared[K, V]) LoadAndDelete(k K) (v V, loaded bool) {
	return remove[K, V]((*sharedKind)(ref(s)).bound(), s.within, k)
}

// Compute is [Map.Compute]. f must not wait for another batch, because the worker that calls f may
// have yet to run it.
func (s *Shared[K, V]) Compute(k K, f func(old V, loaded bool) (new V, op Op)) (actual V, ok bool) {
	m := (*sharedKind)(ref(s)).bound()
	if f == nil {
		panic(quiet.Of(&s.hold).Blame(m.noFunction("Compute")))
	}
	return compute(m, s.within, k, f, quiet.Of(&s.hold))
}

// LoadOrCompute is [Map.LoadOrCompute]. f must not wait for another batch, as in Compute.
func (s *Shared[K, V]) LoadOrCompute(k K, f func() (v V, cancel bool)) (actual V, loaded bool) {
	m := (*sharedKind)(ref(s)).bound()
	if f == nil {
		panic(quiet.Of(&s.hold).Blame(m.noFunction("LoadOrCompute")))
	}
	return loadOrCompute(m, s.within, k, f, quiet.Of(&s.hold))
}

// Len is [Map.Len].
func (s *Shared[K, V]) Len() int { return (*sharedKind)(ref(s)).bound().len() }

// sharedKind is the kind of Shareds, as readerKind is of Readers.
type sharedKind struct {
	kept safety.Hold
	sharedState
}

// sharing returns a view of the map, which may be nil.
func (m *core) sharing() sharedKind {
	return sharedKind{m.view(safety.Shared, quiet.Kind[*sharedKind]{}), sharedState{of: m}}
}

// bound returns the map of a view that may be used now.
func (s *sharedKind) bound() *core {
	s.kept.Check()
	if !s.kept.Bound() { // in unchecked builds Check does nothing
		panic(s.kept.Stale())
	}
	return s.of
}

// Claim completes the claim.
func (s *sharedKind) Claim(c *safety.Claim) {
	if o := originsOf(s.of, s.within); o != nil {
		c.Into = o
	}
}

// Bind implements safety.Binder.
func (s *sharedKind) Bind(b safety.Binding) {
	s.kept.Bind(b)
	s.within, _ = b.State().(*origins)
}
