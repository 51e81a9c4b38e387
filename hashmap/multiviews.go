package hashmap

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/quiet"
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// MultiParallelWriter is a view that adds values from all batches of a parallel loop. After the job
// was sealed the values are there as after the sequential loop, keys and values in its order, at
// any number of workers. A MultiParallelWriter works only inside the job that carries it.
// Each method: lane; wait-free; O(values); allocates chunks.
type MultiParallelWriter[K comparable, V any] struct {
	hold `custody:"part"`
	lane *lane.Lane[pair[K, V]] // nil while the view is not bound
}

// ParallelWriter returns a view that adds values. Until a job that holds one is completed, no
// operation may use the multimap, nor any job that is not ordered with that job.
//
// Cost: an append to a slice for each value. When the job is sealed the values are grouped, in
// parallel, in about 10 to 25 ns for each value and worker.
//
// Memory: until the job is sealed, the values lie in lanes with their keys. The lanes, and as much
// memory again for grouping, are used by the next loop that adds to a multimap of the same type.
// Between loops the garbage collector may free them.
func (m *MultiMap[K, V]) ParallelWriter() MultiParallelWriter[K, V] {
	return MultiParallelWriter[K, V]{hold: quiet.New(m.untyped().view(safety.Append, (*multiParallelWriterKind[K, V])(nil)))}
}

// Add adds v behind the values of a key: those that were there, and those that the sequential loop
// has added before. A key that cannot be compared is a run-time panic.
func (w *MultiParallelWriter[K, V]) Add(k K, v V) {
	if k != k && map[K]bool(nil)[k] { // mustCompare by hand, so that Add is inlined
	}
	w.lane.Append(quiet.Of(&w.hold), pair[K, V]{k, v})
}

// AddAll adds all of vs to a key, in their order. It is a violation if vs has more values, which
// then have no size, than memory has bytes.
func (w *MultiParallelWriter[K, V]) AddAll(k K, vs []V) {
	if len(vs) == 0 {
		w.lane.AppendAll(quiet.Of(&w.hold), nil) // tests the view
	}
	if most := amount.Most[pair[K, V]](); len(vs) > most {
		panic(amount.Added(quiet.Of(&w.hold), len(vs), most, "value"))
	}
	for _, v := range vs {
		w.Add(k, v)
	}
}

// multiParallelWriterKind is the kind of MultiParallelWriters.
type multiParallelWriterKind[K comparable, V any] MultiParallelWriter[K, V]

// Of implements safety.ViewKind.
func (*multiParallelWriterKind[K, V]) Of(view any, _ *safety.Hold) safety.Binder {
	return (*multiParallelWriterKind[K, V])(view.(*MultiParallelWriter[K, V]))
}

// Claim completes the claim.
func (w *multiParallelWriterKind[K, V]) Claim(c *safety.Claim) {
	c.Into = w.lane
}

// Bind implements safety.Binder.
func (w *multiParallelWriterKind[K, V]) Bind(b safety.Binding) {
	quiet.Of(&w.hold).Bind(b)
	w.lane = lane.Of[pair[K, V]](b)
}

// BeginSpan implements safety.SpanView.
func (w *multiParallelWriterKind[K, V]) BeginSpan(batch int) { w.lane.BeginSpan(batch) }

// MultiShared is a view through which the bodies of a job use a multimap as goroutines do. Its
// operations are linearizable, and come in no other order. Any number of jobs may hold MultiShareds
// of one multimap together, and the multimap's own methods may be used beside them. A MultiShared
// works only inside the job that carries it.
// Each method: shared; as of MultiMap; as of MultiMap; allocates as of MultiMap.
type MultiShared[K comparable, V any] struct {
	hold `custody:"part"`
	of   *MultiMap[K, V]
}

// Shared returns a view for linearizable operations. The order of values depends on how the loop
// was run.
func (m *MultiMap[K, V]) Shared() MultiShared[K, V] {
	return MultiShared[K, V]{hold: quiet.New(m.untyped().view(safety.Shared, nil)), of: m}
}

// Add is [MultiMap.Add].
func (v *MultiShared[K, V]) Add(k K, x V) { v.multimap().add(k, x) }

// AddAll is [MultiMap.AddAll].
func (v *MultiShared[K, V]) AddAll(k K, xs []V) { v.multimap().addAll(k, xs) }

// Values is [MultiMap.Values].
func (v *MultiShared[K, V]) Values(k K) []V { return v.multimap().appendValues(nil, k) }

// AppendValues is [MultiMap.AppendValues].
func (v *MultiShared[K, V]) AppendValues(dst []V, k K) []V { return v.multimap().appendValues(dst, k) }

// Count is [MultiMap.Count].
func (v *MultiShared[K, V]) Count(k K) int { return v.multimap().count(k) }

// Contains is [MultiMap.Contains].
func (v *MultiShared[K, V]) Contains(k K) bool { return v.multimap().count(k) > 0 }

// Delete is [MultiMap.Delete].
func (v *MultiShared[K, V]) Delete(k K) int { return v.multimap().remove(k) }

// DeleteValue is [MultiMap.DeleteValue].
func (v *MultiShared[K, V]) DeleteValue(k K, x V) bool { return v.multimap().removeValue(k, x) }

// Replace is [MultiMap.Replace].
func (v *MultiShared[K, V]) Replace(k K, xs []V) int { return v.multimap().replace(k, xs) }

// Len is [MultiMap.Len]: the number of values.
func (v *MultiShared[K, V]) Len() int {
	values, _ := v.multimap().in.size()
	return values
}

// LenKeys is [MultiMap.LenKeys].
func (v *MultiShared[K, V]) LenKeys() int {
	_, keys := v.multimap().in.size()
	return keys
}

// multimap returns the multimap of a view that may be used now.
func (v *MultiShared[K, V]) multimap() *MultiMap[K, V] {
	quiet.Of(&v.hold).Check()
	if !quiet.Of(&v.hold).Bound() { // in unchecked builds Check does nothing
		panic(quiet.Of(&v.hold).Stale())
	}
	return v.of
}
