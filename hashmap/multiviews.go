package hashmap

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// MultiParallelWriter is a view that adds values from all batches of a parallel loop. After the job
// was sealed the values are there as after the sequential loop, keys and values in its order, at
// any number of workers. A MultiParallelWriter works only inside the job that carries it.
// Each method: lane; wait-free; O(values); allocates chunks.
type MultiParallelWriter[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	lane *lanes.Lane // of pairs; nil while the view is not bound
	of   *multiCore
}

// ParallelWriter returns a view that adds values. Until a job that holds one is completed, no
// operation may use the multimap, nor any job that is not ordered with that job.
//
// Cost: an append to a slice for each value. When the job is sealed the values are grouped, in
// parallel, in about 10 to 25 ns for each value and worker.
//
// Memory: until the job is sealed, the values lie in lanes with their keys. The lanes, and as much
// memory again for grouping, are used by the next loop that adds to a multimap of the same type.
// The garbage collector frees what no loop has used for 16 collections, or for two in a program
// that allocates next to nothing.
func (m *MultiMap[K, V]) ParallelWriter() MultiParallelWriter[K, V] {
	v := (*multiCore)(ref(m)).parallelWriter()
	return *(*MultiParallelWriter[K, V])(ref(&v))
}

// Add adds v behind the values of a key: those that were there, and those that the sequential loop
// has added before. A key that cannot be compared is a run-time panic.
//
//go:norace
func (w *MultiParallelWriter[K, V]) Add(k K, v V) {
	mustCompare(k)
	lanes.Append(w.lane, quiet.Of(&w.hold), pair[K, V]{key: k, val: v})
}

// AddAll adds all of vs to a key, in their order. It is a violation if vs has more values, which
// then have no size, than memory has bytes.
func (w *MultiParallelWriter[K, V]) AddAll(k K, vs []V) {
	(*multiParallelWriterKind)(ref(w)).check(len(vs))
	for _, v := range vs {
		w.Add(k, v)
	}
}

// multiParallelWriterKind is the kind of MultiParallelWriters, as readerKind is of Readers.
type multiParallelWriterKind struct {
	quiet.Appender
	of *multiCore
}

// parallelWriter returns a view of the multimap, which may be nil.
func (m *multiCore) parallelWriter() multiParallelWriterKind {
	return multiParallelWriterKind{quiet.Appender{Kept: m.view(safety.Append, quiet.Kind[*multiParallelWriterKind]{})}, m}
}

// check panics with a violation if the view may not be used now, or memory cannot hold n values.
func (w *multiParallelWriterKind) check(n int) {
	w.Lane.Check(&w.Kept)
	if most := w.of.pair.Most; n > most {
		panic(amount.Added(&w.Kept, n, most, "value"))
	}
}

// MultiShared is a view through which the bodies of a job use a multimap as goroutines do. Its
// operations are linearizable, and come in no other order. Any number of jobs may hold MultiShareds
// of one multimap together, and the multimap's own methods may be used beside them. A MultiShared
// works only inside the job that carries it.
// Each method: shared; as of MultiMap; as of MultiMap; allocates as of MultiMap.
type MultiShared[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	of   *multiCore
}

// Shared returns a view for linearizable operations. The order of values depends on how the loop
// was run.
func (m *MultiMap[K, V]) Shared() MultiShared[K, V] {
	in := (*multiCore)(ref(m))
	return MultiShared[K, V]{hold: quiet.New(in.view(safety.Shared, nil)), of: in}
}

// Add is [MultiMap.Add].
func (v *MultiShared[K, V]) Add(k K, x V) { addTo(v.of.in(quiet.Of(&v.hold)), k, x) }

// AddAll is [MultiMap.AddAll].
func (v *MultiShared[K, V]) AddAll(k K, xs []V) { addAllTo(v.of.in(quiet.Of(&v.hold)), k, xs) }

// Values is [MultiMap.Values].
func (v *MultiShared[K, V]) Values(k K) []V { return v.AppendValues(nil, k) }

// AppendValues is [MultiMap.AppendValues].
func (v *MultiShared[K, V]) AppendValues(dst []V, k K) []V {
	return appendTo(v.of.in(quiet.Of(&v.hold)), dst, k)
}

// Count is [MultiMap.Count].
func (v *MultiShared[K, V]) Count(k K) int { return countOf(v.of.in(quiet.Of(&v.hold)), k) }

// Delete is [MultiMap.Delete].
func (v *MultiShared[K, V]) Delete(k K) int { return removeFrom(v.of.in(quiet.Of(&v.hold)), k) }

// DeleteValue is [MultiMap.DeleteValue].
func (v *MultiShared[K, V]) DeleteValue(k K, x V) bool {
	return removeValueFrom(v.of.in(quiet.Of(&v.hold)), k, x)
}

// Replace is [MultiMap.Replace].
func (v *MultiShared[K, V]) Replace(k K, xs []V) int {
	return replaceIn(v.of.in(quiet.Of(&v.hold)), k, xs)
}

// Len is [MultiMap.Len]: the number of values.
func (v *MultiShared[K, V]) Len() int { return v.of.in(quiet.Of(&v.hold)).size().values }

// LenKeys is [MultiMap.LenKeys].
func (v *MultiShared[K, V]) LenKeys() int { return v.of.in(quiet.Of(&v.hold)).size().keys }

// in returns the multimap for a view with the hold by, which must be one that may be used now.
func (m *multiCore) in(by *safety.Hold) *multiCore {
	quiet.MustBeUsable(by)
	return m
}
