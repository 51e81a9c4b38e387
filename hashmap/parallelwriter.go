package hashmap

import (
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// ParallelWriter is a view that puts keys and values into a map from all batches of a parallel
// loop. After the job was sealed the map is as after the sequential loop, at any number of workers,
// and iterations find the new keys in the order of that loop. A ParallelWriter works only inside
// the job that carries it.
// Each method: lane; wait-free; O(1); allocates chunks, and entry at the seal.
type ParallelWriter[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	laneState
}

// laneState is what a view that appends knows, whatever the types of the map are.
type laneState struct {
	lane *lanes.Lane // of entries; nil while the view is not bound
	of   *core
}

// ParallelWriter returns a view that puts keys and values in. A job may have several of them, and
// several of [Map.ParallelMerger]; their operations take effect in the order of the program. Until
// a job that holds one is completed, no operation may use the map, nor any job that is not ordered
// with that job.
//
// Cost: that of an append to a slice for each key. When the job is sealed, its workers apply what
// was appended. Many entries are applied in parts of the table that fit into a cache, so that they
// cost a fraction of as many Stores.
func (m *Map[K, V]) ParallelWriter() ParallelWriter[K, V] {
	v := coreOf(m).parallelWriter()
	return *(*ParallelWriter[K, V])(ref(&v))
}

// Add makes v the value of a key, if it has none then. A key that cannot be compared is a run-time
// panic here, and appends nothing.
//
//go:norace
func (w *ParallelWriter[K, V]) Add(k K, v V) {
	mustCompare(k)
	*(*entry[K, V])(w.lane.Next(quiet.Of(&w.hold))) = entry[K, V]{key: k, val: v, op: opAdd}
}

// Set makes v the value of a key, whether it has one or not. A key that cannot be compared is a
// run-time panic here, and appends nothing.
//
//go:norace
func (w *ParallelWriter[K, V]) Set(k K, v V) {
	mustCompare(k)
	*(*entry[K, V])(w.lane.Next(quiet.Of(&w.hold))) = entry[K, V]{key: k, val: v, op: opSet}
}

// parallelWriterKind is the kind of ParallelWriters, as readerKind is of Readers.
type parallelWriterKind struct {
	quiet.Appender
	of *core
}

// parallelWriter returns a view of the map, which may be nil.
func (m *core) parallelWriter() parallelWriterKind {
	return parallelWriterKind{quiet.Appender{Kept: m.view(safety.Append, quiet.Kind[*parallelWriterKind]{})}, m}
}

// Claim completes the claim.
func (w *parallelWriterKind) Claim(c *safety.Claim) { c.Into = intoOf(w.Lane) }

// intoOf returns the Into of a claim of a view: its lane, or if it has none the numbers of the
// computations within which the job is scheduled, or nil if there are none.
func intoOf(l *lanes.Lane) any {
	if l != nil {
		return l
	}
	if mine := computing(); mine != nil {
		return mine
	}
	return nil
}
