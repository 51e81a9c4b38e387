package hashmap

import (
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// origins are the computations within which a job with a [Shared] view was scheduled. The
// computations may wait for the job, so its bodies must not change a key that one of them computes,
// on any worker, and must not wait for a computation that waits for one of them. A job whose view
// comes from the view of another job has the origins of both.
type origins[K comparable, V any] struct {
	numbers []uint32
	keys    []K // that these compute; bodies change none of them, even after the computation has ended
}

// originsOf returns the origins of a job that is scheduled now, or nil if it has none. others are
// those of the view that the job's view comes from, or nil.
func originsOf[K comparable, V any](m *Map[K, V], others *origins[K, V]) *origins[K, V] {
	mine := computing()
	if len(mine) == 0 {
		return others
	}
	o := &origins[K, V]{numbers: mine, keys: m.computed(mine)}
	if others != nil {
		o.numbers = append(o.numbers, others.numbers...)
		o.keys = append(o.keys, others.keys...)
	}
	return o
}

// computed returns the keys of the map whose values the numbered computations compute.
func (m *Map[K, V]) computed(numbers []uint32) (keys []K) {
	switch {
	case m.words != nil:
		aside := m.words.first().aside
		for i := range aside {
			for _, k := range aside[i].computed(numbers) {
				keys = append(keys, word.To[K](k))
			}
		}
	case m.smalls != nil:
		aside := m.smalls.boxes.first().aside
		for i := range aside {
			keys = append(keys, aside[i].computed(numbers)...)
		}
	default:
		aside := m.bigs.boxes.first().aside
		for i := range aside {
			keys = append(keys, aside[i].computed(numbers)...)
		}
	}
	return keys
}

// change runs f, which may change k, for a body of the job. It panics with a violation if an origin
// computes k.
func (o *origins[K, V]) change(m *Map[K, V], k K, f func()) {
	for _, x := range o.keys {
		if m.same(x, k) {
			panic(m.cycle())
		}
	}
	under(o.numbers, f)
}

// The methods below do what those of [Shared] of the same names do.

func (o *origins[K, V]) store(m *Map[K, V], k K, v V) { o.change(m, k, func() { m.store(k, &v) }) }

func (o *origins[K, V]) loadOrStore(m *Map[K, V], k K, v V) (actual V, loaded bool) {
	if actual, loaded = m.load(k); loaded {
		return actual, true
	}
	o.change(m, k, func() { actual, loaded = m.loadOrStore(k, v) })
	return actual, loaded
}

func (o *origins[K, V]) swap(m *Map[K, V], k K, v V) (previous V, loaded bool) {
	o.change(m, k, func() { previous, loaded = m.swap(k, v) })
	return previous, loaded
}

func (o *origins[K, V]) compareAnd(m *Map[K, V], k K, old, new V, act action) (done bool) {
	o.change(m, k, func() { done = m.compareAnd(k, old, new, act) })
	return done
}

func (o *origins[K, V]) remove(m *Map[K, V], k K) (v V, loaded bool) {
	o.change(m, k, func() { v, loaded = m.remove(k) })
	return v, loaded
}

func (o *origins[K, V]) compute(m *Map[K, V], k K, f func(old V, loaded bool) (new V, op Op), by *safety.Hold) (actual V, ok bool) {
	o.change(m, k, func() { actual, ok = m.compute(k, f, by) })
	return actual, ok
}

func (o *origins[K, V]) loadOrCompute(m *Map[K, V], k K, f func() (v V, cancel bool), by *safety.Hold) (actual V, loaded bool) {
	if actual, loaded = m.load(k); loaded {
		return actual, true
	}
	o.change(m, k, func() { actual, loaded = m.loadOrCompute(k, f, by) })
	return actual, loaded
}
