package hashmap

import "iter"

// All ranges over the keys and values. If a job has put keys in, or has read or written the map by
// position, they come in the order of [Map.Reader]; otherwise in no particular order. When it
// begins, the range waits for goroutines that move keys, and takes a lock if there is an order.
//
// The body may call any method. The range checks custody after each key. It panics
// ([safety.ErrBorrowed]) if the body has scheduled a job that holds the map by a Writer, a
// ParallelWriter or a ParallelMerger, even if the job has completed since. It panics
// ([safety.ErrDisposed]) if the body has disposed of the map. Changes by ordinary operations and by
// jobs with a [Map.Shared], Clear included, may or may not show in the range.
//
// Cost: in a map with an order, before the first key and after keys were put in or deleted, the
// cost of the first position that is asked for, see [Reader.At], and memory for the positions.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.walk(yield) }
}

// walk ranges as All does. Function literals that the program ranges over call it, and nothing else
// does, so that the borrow names the line of the range.
func (m *Map[K, V]) walk(yield func(K, V) bool) {
	borrow := m.guard.BorrowLook("an iterator", 1)
	m.all(func(k, v ref) bool {
		if !yield(*(*K)(k), *(*V)(v)) {
			return false
		}
		borrow.Check()
		return true
	})
}

// byRef returns f for keys and values by reference.
func byRef[K, V any](f func(k K, v V) bool) func(k, v ref) bool {
	return func(k, v ref) bool { return f(*(*K)(k), *(*V)(v)) }
}

// Keys ranges over the keys, as All does.
func (m *Map[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) { m.walk(func(k K, _ V) bool { return yield(k) }) }
}

// Values ranges over the values, as All does.
func (m *Map[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) { m.walk(func(_ K, v V) bool { return yield(v) }) }
}

// DeleteFunc deletes the keys for which f returns true, and returns the number of keys that it has
// deleted. Keys that another operation deletes first are not counted. If f returns true and the
// value of the key has changed while f ran, f is called again for that key. After 64 calls f is
// called for it as a function of [Map.Compute] is: other changes of the key wait until f has
// returned. So f must not change its own key and return true, which is a violation
// ([safety.ErrWaitCycle]). To change or delete by the value use [Map.Compute].
//
// DeleteFunc waits for values that are being computed, so a call within a computation is a
// violation, see [Map.Compute]. f may call any method. A job that f schedules, and a Dispose in f,
// end the call as they end a range: see [Map.All].
func (m *Map[K, V]) DeleteFunc(f func(K, V) bool) int {
	m.guard.CheckShared()
	if f == nil {
		panic(m.noFunction("DeleteFunc"))
	}
	borrow := m.guard.BorrowLook("the walk of DeleteFunc", 0)
	return m.forgetAll(func(k, v ref) bool {
		del := f(*(*K)(k), *(*V)(v))
		borrow.Check()
		m.guard.CheckShared()
		return del
	})
}
