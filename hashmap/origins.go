package hashmap

import "example.com/custody/internal/word"

// origins are the computations within which a job with a [Shared] view was scheduled. They may wait
// for the job. So its bodies must not change a key that one of them computes, on any worker, nor
// wait for a computation that waits for one of them. A job whose view comes from the view of
// another job has the origins of both.
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
	o := &origins[K, V]{numbers: mine}
	for _, k := range m.in.computed(mine) {
		if m.inline != nil {
			o.keys = append(o.keys, word.To[K](wordAt(k)))
		} else {
			o.keys = append(o.keys, *(*K)(k))
		}
	}
	if others != nil {
		o.numbers = append(o.numbers, others.numbers...)
		o.keys = append(o.keys, others.keys...)
	}
	return o
}

// change runs f, which may change k, for a body of the job, and returns what f returns. It panics
// with a violation if k is a key of an origin.
func (o *origins[K, V]) change(m *Map[K, V], k K, f func() (V, bool)) (v V, ok bool) {
	for _, x := range o.keys {
		if m.same(x, k) {
			panic(m.cycle())
		}
	}
	under(o.numbers, func() { v, ok = f() })
	return v, ok
}
