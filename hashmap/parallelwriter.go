package hashmap

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// ParallelWriter is a view that puts keys and values into a map from all batches of a parallel
// loop. After the job was sealed the map is as after the sequential loop, at any number of workers,
// and iterations find the new keys in the order of that loop. A ParallelWriter works only inside
// the job that carries it.
// Each method: lane; wait-free; O(1); allocates chunks, and entry at the seal.
type ParallelWriter[K comparable, V any] struct {
	hold
	lane *lane.Lane[entry[K, V]] // nil while the view is not bound
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
	return ParallelWriter[K, V]{hold: m.untyped().view(safety.Append, (*parallelWriterKind[K, V])(nil))}
}

// Add makes v the value of a key, if it has none then. A key that cannot be compared is a run-time
// panic here, and appends nothing.
func (w *ParallelWriter[K, V]) Add(k K, v V) {
	if k != k && map[K]bool(nil)[k] { // mustCompare by hand, so that Add is inlined
	}
	w.lane.Append(&w.hold, entry[K, V]{k, v, opAdd})
}

// Set makes v the value of a key, whether it has one or not. A key that cannot be compared is a
// run-time panic here, and appends nothing.
func (w *ParallelWriter[K, V]) Set(k K, v V) {
	if k != k && map[K]bool(nil)[k] { // as in Add
	}
	w.lane.Append(&w.hold, entry[K, V]{k, v, opSet})
}

// parallelWriterKind is the kind of ParallelWriters.
type parallelWriterKind[K comparable, V any] ParallelWriter[K, V]

// Of implements safety.ViewKind.
func (*parallelWriterKind[K, V]) Of(view any) safety.Binder {
	return (*parallelWriterKind[K, V])(view.(*ParallelWriter[K, V]))
}

// Claim completes the claim.
func (w *parallelWriterKind[K, V]) Claim(c *safety.Claim) {
	c.Into = into(w.lane)
}

// Bind implements safety.Binder.
func (w *parallelWriterKind[K, V]) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.lane = lane.Of[entry[K, V]](b)
}

// BeginSpan implements safety.SpanView.
func (w *parallelWriterKind[K, V]) BeginSpan(batch int) { w.lane.BeginSpan(batch) }

// into returns the Into of a claim of a view that adds to the lane l: l, or if l is nil the numbers
// of the computations within which the job is scheduled, or nil if there are none.
func into[K comparable, V any](l *lane.Lane[entry[K, V]]) any {
	if l != nil {
		return l
	}
	if mine := computing(); mine != nil {
		return mine
	}
	return nil
}
