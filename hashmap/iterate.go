package hashmap

import (
	"iter"

	"example.com/custody/internal/word"
)

// All ranges over the keys and values. When jobs have put keys in, or have read or written the map by position, they come in the order
// of [Map.Reader]; otherwise in no particular order.
//
// Cost: where there is an order, before the first key and after keys were put in or deleted, that of the first position that is asked
// for, see [Reader.At], and memory for the positions.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		m.guard.CheckLook()
		m.all(yield)
	}
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
	return func(yield func(K) bool) {
		m.guard.CheckLook()
		m.all(func(k K, _ V) bool { return yield(k) })
	}
}

// Values ranges over the values, as All does.
func (m *Map[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) {
		m.guard.CheckLook()
		m.all(func(_ K, v V) bool { return yield(v) })
	}
}

// DeleteFunc deletes the keys for which f says so. A key whose value was changed while f was asked is asked about again. Where a value is being
// computed it waits; so it is a violation within a computation, see [Map.Compute].
func (m *Map[K, V]) DeleteFunc(f func(K, V) bool) {
	m.guard.CheckShared()
	if f == nil {
		panic(m.noFunction("DeleteFunc"))
	}
	m.deleteFunc(f)
}

func (m *Map[K, V]) deleteFunc(f func(K, V) bool) {
	switch {
	case m.words != nil:
		m.words.forgetAll(func(k, v uint64) bool { return f(word.To[K](k), word.To[V](v)) })
	case m.smalls != nil:
		m.smalls.forgetAll(func(k K, v uint64) bool { return f(k, word.To[V](v)) })
	default:
		m.bigs.forgetAll(f)
	}
}
