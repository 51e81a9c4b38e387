package hashmap

import (
	"iter"
	"runtime"

	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// hold is what views embed. The unexported alias keeps its methods off the pages of the views.
type hold = quiet.Hold

// Reader is a view that reads a map: by key, and by position in the order of first insertion. Any
// number of jobs may hold Readers of one map together. A Reader works only inside the job that
// carries it.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Load     job reads  as of Map                 as of Map            never
//	Len      job reads  wait-free                 O(1)                 never
//	At, All  job reads  wait-free, lock at first  O(1), at first more  positions
type Reader[K comparable, V any] struct {
	hold `custody:"part"`
	_    other[K, V]
	readerState
}

// readerState is what a Reader knows, whatever the types of the map are.
type readerState struct {
	of  *core
	all *session // of the job
	ix  *index   // nil until it is needed
}

// Reader returns a view that reads. Until a job that holds one is completed, no goroutine may
// change the map; Load, Len and ranges are allowed.
//
// Keys that jobs have put in with a [ParallelWriter] or a [ParallelMerger] are in the order of the
// sequential loops. Keys that ordinary operations have put in come behind those that were there
// when the last such job ended, and before those of the next. Among themselves they are in
// ascending order if their type has one: numbers except complex ones, strings, bools, and arrays
// and structs of these. Otherwise, and among NaNs, they are in no particular order. A job that has
// appended nothing does not count.
//
// A map whose table has more than 1<<32 places has no positions. It has about 3,000 million keys,
// or 2,000 million where keys have allocations of their own. To ask for a position is a violation
// then, and so are jobs that write the map or append to it, and iterations once it has an order.
func (m *Map[K, V]) Reader() Reader[K, V] {
	v := coreOf(m).reader()
	return *(*Reader[K, V])(ref(&v))
}

// Load returns the value of a key, or false if it has none.
//
// Cost: that of [Map.Load].
func (r *Reader[K, V]) Load(k K) (v V, ok bool) { return load[K, V]((*readerKind)(ref(r)).bound(), k) }

// Len returns the number of keys.
func (r *Reader[K, V]) Len() int { return (*readerKind)(ref(r)).bound().len() }

// At returns the key at a position, and its value. A position outside [0, Len) is a violation.
//
// Cost: an element of a slice, and the key with its value. The first position that is asked for
// after a key was put in or deleted costs more: a pass over the table, 20 to 100 ns for each key,
// and a sort of the keys that ordinary operations have put in, 100 to 300 ns for each of these.
func (r *Reader[K, V]) At(i int) (K, V) {
	return pairAt[K, V]((*readerKind)(ref(r)).at(i), i)
}

// pairAt returns the key at a position, and its value.
func pairAt[K, V any](ix *index, i int) (K, V) {
	var in room
	key, val, _ := ix.entry(i, hiddenRoom(&in))
	k, v := at[K](key), at[V](val)
	runtime.KeepAlive(&in)
	return k, v
}

// All ranges over the keys and values by position. The first time it costs what At does.
func (r *Reader[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { walkEntries((*readerKind)(ref(r)).walk(new(walk)), yield) }
}

// readerKind is the kind of Readers. It has no types, so that its methods are compiled once.
type readerKind struct {
	kept safety.Hold
	readerState
}

// bound returns the map of a view that may be used now.
func (r *readerKind) bound() *core {
	if safety.Strict {
		r.kept.Check()
	}
	if !r.kept.Bound() {
		panic(r.kept.Stale())
	}
	return r.of
}

// index returns the keys by position.
func (r *readerKind) index() *index {
	r.bound()
	if r.ix == nil {
		r.ix = r.all.index()
	}
	return r.ix
}

// walk makes w pass all keys.
func (r *readerKind) walk(w *walk) *walk {
	ix := r.index()
	return w.positions(&r.kept, ix, 0, len(ix.list))
}

// at returns the keys by position, of which there are more than i.
func (r *readerKind) at(i int) *index {
	ix := r.index()
	if uint(i) >= uint(len(ix.list)) {
		panic(r.kept.Out(i))
	}
	return ix
}

// reader returns a view of the map, which may be nil.
func (m *core) reader() readerKind {
	return readerKind{m.view(safety.Read, quiet.Kind[*readerKind]{}), readerState{of: m}}
}

// Bind implements safety.Binder.
func (r *readerKind) Bind(b safety.Binding) {
	r.kept.Bind(b)
	r.ix = nil
	r.all, _ = b.State().(*session)
	if b.First() {
		r.of.declareAll()
	}
}

// Window returns the positions that the view may touch and the length, for texts.
func (r *readerKind) Window() (begin, end, length int) {
	n := 0
	if r.ix != nil {
		n = len(r.ix.list)
	}
	return 0, n, n
}
