package hashmap

import (
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/hash"
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
	in   appending
}

// appending is what a view that appends knows, whatever the types of the map are.
type appending struct {
	lane   *lanes.Lane // of entries; nil while the view is not bound
	of     *core
	by     *merging // nil: the view is a ParallelWriter
	op     uint32   // of what is merged
	find   bool     // keys are looked up
	nested bool     // the job runs in a body
	least  int      // the length of the lane from which on they are
}

// ParallelWriter returns a view that puts keys and values in. A job may have several of them, and
// several of [Map.ParallelMerger]; their operations take effect in the order of the program. Until
// a job that holds one is completed, no operation may use the map, nor any job that is not ordered
// with that job.
//
// Cost: that of an append to a slice for each key. A worker that has appended some thousand looks
// keys up if they come again often, and appends each once for many neighbouring batches; not so
// with a [Hasher], in nested jobs and in builds with -race. When the job is sealed, its workers
// apply what was appended. Many entries are applied in parts of the table that fit into a cache, so
// that they cost a fraction of as many Stores. Memory: see [MultiMap.ParallelWriter].
func (m *Map[K, V]) ParallelWriter() ParallelWriter[K, V] {
	v := coreOf(m).appending(nil)
	return *(*ParallelWriter[K, V])(ref(&v))
}

// Add makes v the value of a key, if it has none then. A key that cannot be compared is a run-time
// panic here, and appends nothing.
//
//go:norace
func (w *ParallelWriter[K, V]) Add(k K, v V) {
	mustCompare(k)
	if w.in.looks() {
		appendOnce(&w.in, quiet.Of(&w.hold), k, v, opAdd)
		return
	}
	lanes.Append(w.in.lane, quiet.Of(&w.hold), entry[K, V]{key: k, val: v, op: opAdd})
}

// Set makes v the value of a key, whether it has one or not. A key that cannot be compared is a
// run-time panic here, and appends nothing.
//
//go:norace
func (w *ParallelWriter[K, V]) Set(k K, v V) {
	mustCompare(k)
	if w.in.looks() {
		if e := appendOnce(&w.in, quiet.Of(&w.hold), k, v, opSet); e != nil {
			e.val, e.op = v, opSet
		}
		return
	}
	lanes.Append(w.in.lane, quiet.Of(&w.hold), entry[K, V]{key: k, val: v, op: opSet})
}

// looks reports whether the worker looks keys up. The lane has the combiner, and the length from
// which on it is used, because the program may copy the view.
func (w *appending) looks() bool { return w.find && w.lane.Len() >= max(w.least, w.lane.Rest) }

// appendOnce appends an entry and returns nil, unless it finds an entry for the key, which it
// returns.
//
//go:norace
func appendOnce[K comparable, V any](w *appending, by *safety.Hold, k K, v V, op uint32) *entry[K, V] {
	e, known := w.entryFor(by, shown(&k))
	if runtime.KeepAlive(&k); e != nil {
		return (*entry[K, V])(e)
	}
	e = w.lane.Next(by)
	if *(*entry[K, V])(e) = (entry[K, V]{key: k, val: v, op: op}); known {
		w.added(e)
	}
	return nil
}

// appendingKind is the kind of views that append, as readerKind is of Readers.
type appendingKind struct {
	kept safety.Hold
	appending
}

// appending returns a view of the map, which may be nil. by is nil for a ParallelWriter.
func (m *core) appending(by *merging) appendingKind {
	return appendingKind{m.view(safety.Append, quiet.Kind[*appendingKind]{}), appending{of: m, by: by}}
}

// Claim completes the claim. Its Into is the lane of a view that has one, or else the numbers of
// the computations within which the job is scheduled.
func (w *appendingKind) Claim(c *safety.Claim) {
	if w.lane != nil {
		c.Into = w.lane
	} else if mine := computing(); mine != nil {
		c.Into = mine
	}
}

// Bind implements safety.Binder. The race detector is to see all that is appended.
func (w *appendingKind) Bind(b safety.Binding) {
	w.kept.Bind(b)
	w.nested = w.lane != nil
	w.lane, w.least = lanes.Of(b, nil), leastPause
	w.find = w.of.custom == nil && !w.nested
	if w.by != nil {
		w.op, w.least, w.find = opMerge+w.of.number(w.by), 0, w.by.associative
	}
	if w.find = w.find && w.lane != nil && !atom.Race; w.find && w.by != nil {
		w.combiner() // of which there is a list, so that no first Merge waits for its lock
	}
}

// BeginSpan implements safety.SpanView.
func (w *appendingKind) BeginSpan(batch int) {
	w.lane.BeginSpan(batch)
	if c := (*combiner)(w.lane.Memo); c != nil {
		c.ends = -1
	}
}

// seedOf returns the seed of the hashes of keys.
func (m *core) seedOf() hash.Seed {
	if m.isInline {
		return hash.Seed{How: hash.AsWord, Word: m.word}
	}
	return m.root.Load().seed
}
