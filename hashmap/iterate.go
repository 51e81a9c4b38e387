package hashmap

import (
	"iter"

	"example.com/custody/internal/word"
)

// All ranges over the keys and values. When jobs have put keys in, or have read or written the map by position, they come in the order
// of [Map.Reader]; otherwise in no particular order.
//
// Custody is checked at every key. A range whose body schedules a job that holds the map by a Writer, a ParallelWriter or a ParallelMerger fails at the next
// key ([safety.ErrBorrowed]), also when the job was completed by then; so does one whose body disposes of the map. What ordinary operations and
// [Map.Shared] do meanwhile, Clear included, the range may come upon or not. The body may call any method.
//
// Cost: where there is an order, before the first key and after keys were put in or deleted, that of the first position that is asked
// for, see [Reader.At], and memory for the positions.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.walk(yield) }
}

// walk is a range, for functions that the program calls.
func (m *Map[K, V]) walk(yield func(K, V) bool) {
	loan := m.guard.LendLook("an iterator", 1)
	m.all(func(k K, v V) bool {
		if !yield(k, v) {
			return false
		}
		loan.Check()
		return true
	})
}

func (m *Map[K, V]) all(yield func(K, V) bool) {
	switch {
	case m.in.arranged():
		ix := m.index()
		ix.all(0, len(ix.list), yield)
	case m.words != nil:
		m.words.all(func(k, v uint64) bool { return yield(word.To[K](k), word.To[V](v)) })
	case m.smalls != nil:
		m.smalls.all(func(k K, v uint64) bool { return yield(k, word.To[V](v)) })
	default:
		m.bigs.all(yield)
	}
}

// Keys ranges over the keys, as All does.
func (m *Map[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) { m.walk(func(k K, _ V) bool { return yield(k) }) }
}

// Values ranges over the values, as All does.
func (m *Map[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) { m.walk(func(_ K, v V) bool { return yield(v) }) }
}

// DeleteFunc deletes the keys for which f says so, and returns how many it has deleted: not those that somebody else deletes first. A key whose
// value was changed while f was asked is asked about again. Where a value is being computed it waits; so it is a violation within a computation,
// see [Map.Compute]. f may call any method, except that jobs and Dispose end the call as they end a range: see [Map.All].
func (m *Map[K, V]) DeleteFunc(f func(K, V) bool) int {
	m.guard.CheckShared()
	if f == nil {
		panic(m.noFunction("DeleteFunc"))
	}
	loan := m.guard.LendLook("the walk of DeleteFunc", 0)
	return m.deleteFunc(func(k K, v V) bool {
		del := f(k, v)
		loan.Check()
		m.guard.CheckShared()
		return del
	})
}

func (m *Map[K, V]) deleteFunc(f func(K, V) bool) int {
	switch {
	case m.words != nil:
		return m.words.forgetAll(func(k, v uint64) bool { return f(word.To[K](k), word.To[V](v)) })
	case m.smalls != nil:
		return m.smalls.forgetAll(func(k K, v uint64) bool { return f(k, word.To[V](v)) })
	default:
		return m.bigs.forgetAll(f)
	}
}
