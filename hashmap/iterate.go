package hashmap

import (
	"iter"

	"example.com/custody/internal/word"
)

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
	borrow := m.in.guard.BorrowLook("an iterator", 1)
	m.in.all(func(k, v ref) bool {
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
	m.in.guard.CheckShared()
	if f == nil {
		panic(m.in.noFunction("DeleteFunc"))
	}
	borrow := m.in.guard.BorrowLook("the walk of DeleteFunc", 0)
	return m.in.forgetAll(func(k, v ref) bool {
		del := f(*(*K)(k), *(*V)(v))
		borrow.Check()
		m.in.guard.CheckShared()
		return del
	})
}

// all ranges over keys and values. It begins when no keys are being moved. A key that is in the map
// all the time comes once.
func (m *core) all(yield func(k, v ref) bool) {
	if m.arranged() {
		ix := m.index()
		ix.all(0, len(ix.list), yield)
		return
	}
	m.each(m.settled(), new(room), yield)
}

// each calls f with the keys of a table that have values, and these, until f returns false. Their
// place is in the room.
func (m *core) each(t *table, in *room, f func(k, v ref) bool) {
	if m.isInline {
		m.eachInline(t, in, f)
	} else {
		m.eachBoxed(t, in, f)
	}
}

func (m *core) eachInline(t *table, in *room, f func(k, v ref) bool) {
	var taken [64]uint8
	for lo := 0; lo < t.places; lo += len(taken) {
		for _, j := range taken[:takenOf(t.inline[lo:min(lo+len(taken), t.places)], &taken)] {
			in.at = lo + int(j)
			if k, v, ok := m.entry(t, in.at, in); ok && !f(k, v) {
				return
			}
		}
	}
}

// eachBoxed loads the boxes of some buckets from memory at the same time.
func (m *core) eachBoxed(t *table, in *room, f func(k, v ref) bool) {
	const some = 8
	var all [some * bucketed]struct {
		at   int
		hash uint32
		box  boxRef
	}
	for lo := 0; lo < len(t.buckets); lo += some {
		n := 0
		for i := lo; i < min(lo+some, len(t.buckets)); i++ {
			g := &t.buckets[i]
			for j := range t.per {
				h := g.hash[j].Load()
				if h == none || h == shut { // as those behind it
					break
				}
				if r := g.box[j].Load(); !m.open(r) && r != m.dead {
					all[n].at, all[n].hash, all[n].box = i*t.per+j, h, r
					n++
				}
			}
		}
		for i := range all[:n] {
			m.read(m.cellOf(all[i].box.Ptr()))
		}
		for _, x := range all[:n] {
			in.at = x.at
			if k, v, ok := m.entryOf(t, x.hash, x.box, in); ok && !f(k, v) {
				return
			}
		}
	}
}

// forgetAll deletes the keys for which f returns true, and returns their number.
func (m *core) forgetAll(f func(k, v ref) bool) (n int) {
	t, in, own := m.settled(), new(room), new(room)
	m.each(t, in, func(k, v ref) bool {
		switch {
		case m.isInline || m.same(k, k):
			if m.isInline {
				word.Put(ref(&own.key), m.size, word.At(k, m.size))
				k = ref(&own.key)
			}
			if m.forget(k, own, func(v ref) bool { return f(k, v) }) {
				n++
			}
		case f(k, v) && m.deleteAt(t, in.at, k):
			n++
		}
		return true
	})
	return n
}

// deleteAt deletes the key k of a box in a place. It is not equal to itself.
func (m *tables) deleteAt(t *table, i int, k ref) (deleted bool) {
	m.adjustBox(t, i, (*box)(k), func(_ ref, ok bool) (ref, Op) {
		deleted = ok
		return nil, Delete
	})
	return deleted
}
