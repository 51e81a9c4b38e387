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
	quiet.MustBeUsable(&s.kept)
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

// origins are the computations within which a job with a [Shared] view was scheduled. They may wait
// for the job. So its bodies must not change a key that one of them computes, on any worker, nor
// wait for a computation that waits for one of them. A job whose view comes from the view of
// another job has the origins of both.
type origins struct {
	numbers []uint32
	keys    []ref // that these compute; bodies change none of them, also after that has ended
}

// originsOf returns the origins of a job that is scheduled now, or nil if it has none. others are
// those of the view that the job's view comes from, or nil.
func originsOf(m *core, others *origins) *origins {
	mine := computing()
	if len(mine) == 0 {
		return others
	}
	o := &origins{numbers: mine, keys: m.computed(mine)}
	if others != nil {
		o.numbers = append(o.numbers, others.numbers...)
		o.keys = append(o.keys, others.keys...)
	}
	return o
}

// run runs f, which may change k, for a body of the job. It panics with a violation if k is a key
// of an origin.
func (o *origins) run(m *core, k ref, f func()) {
	for _, x := range o.keys {
		if m.same(x, k) {
			panic(m.cycle())
		}
	}
	under(o.numbers, f)
}

// change runs f as run does, with copies of k and, if it is not nil, v. It returns what f returns.
func (o *origins) change(m *core, k, v ref, f func(k, v ref, in *room) ref) (r ref) {
	k = m.box(k, nil).key()
	if v != nil {
		v = m.keep(v)
	}
	o.run(m, k, func() { r = f(k, v, new(room)) })
	return r
}
