package hashmap

import (
	"iter"
	"runtime"

	"example.com/custody/internal/word"
	"example.com/custody/safety"
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
	return func(yield func(K, V) bool) { walkEntries(&m.in, yield) }
}

// walkEntries, walkKeys and walkValues are walk with keys and values.
//
//go:noinline
func walkEntries[K, V any](of any, yield func(K, V) bool) {
	var own K
	f := func(k, v ref) bool { return yield(*(*K)(k), *(*V)(v)) }
	walk(of, hidden(&own), f)
	runtime.KeepAlive(&own)
}

//go:noinline
func walkKeys[K any](of any, yield func(K) bool) {
	var own K
	f := func(k, _ ref) bool { return yield(*(*K)(k)) }
	walk(of, hidden(&own), f)
	runtime.KeepAlive(&own)
}

//go:noinline
func walkValues[V any](of any, yield func(V) bool) {
	walk(of, nil, func(_, v ref) bool { return yield(*(*V)(v)) })
}

// walk calls f with the keys and values of a map or a multimap, or of the positions of a view,
// until f returns false. own is room for a copy of a key. The caller's caller is a function literal
// that the program ranges over, so that a borrow names the line of the range.
func walk(of any, own ref, f func(k, v ref) bool) {
	switch of := of.(type) {
	case *core:
		borrow := of.guard.BorrowLook("an iterator", 2)
		of.all(f, &borrow)
	case *readerKind:
		ix := of.index()
		ix.all(0, len(ix.list), checking(&of.kept, f), nil)
	case *writerKind:
		of.kept.Check()
		if of.ix != nil {
			of.ix.all(of.lo+of.begin, of.lo+of.end, checking(&of.kept, f), nil)
		}
	case *multiKeys:
		(*multiCore)(of).walk(own, false, false, f)
	case *multiPairs:
		(*multiCore)(of).walk(own, true, false, f)
	case *multiGroups:
		(*multiCore)(of).walk(own, false, true, f)
	}
}

// Keys ranges over the keys, as All does.
func (m *Map[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) { walkKeys(&m.in, yield) }
}

// Values ranges over the values, as All does.
func (m *Map[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) { walkValues(&m.in, yield) }
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

// checking returns f. In strict builds it returns a function that checks the view before each call,
// because the iteration may have been kept.
func checking(view *safety.Hold, f func(k, v ref) bool) func(k, v ref) bool {
	if safety.Strict {
		a := *view
		return func(k, v ref) bool {
			a.Check()
			return f(k, v)
		}
	}
	return f
}

// all calls f with the keys and values until f returns false, and checks the borrow, if it is not
// nil, after each call. It begins when no keys are being moved. A key that is in the map all the
// time comes once.
func (m *core) all(f func(k, v ref) bool, borrow *safety.Borrow) {
	if m.arranged() {
		ix := m.index()
		ix.all(0, len(ix.list), f, borrow)
		return
	}
	m.each(m.settled(), new(room), f, borrow)
}

// each is all for the keys of a table that have values. Their place is in the room.
func (m *core) each(t *table, in *room, f func(k, v ref) bool, borrow *safety.Borrow) {
	if m.isInline {
		m.eachInline(t, in, f, borrow)
	} else {
		m.eachBoxed(t, in, f, borrow)
	}
}

func (m *core) eachInline(t *table, in *room, f func(k, v ref) bool, borrow *safety.Borrow) {
	var taken [64]uint8
	for lo := 0; lo < t.places; lo += len(taken) {
		for _, j := range taken[:takenOf(t.inline[lo:min(lo+len(taken), t.places)], &taken)] {
			in.at = lo + int(j)
			if k, v, ok := m.entry(t, in.at, in); !ok {
				continue
			} else if !f(k, v) {
				return
			}
			if borrow != nil {
				borrow.Check()
			}
		}
	}
}

// eachBoxed loads the boxes of some buckets from memory at the same time.
func (m *core) eachBoxed(t *table, in *room, f func(k, v ref) bool, borrow *safety.Borrow) {
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
			if k, v, ok := m.entryOf(t, x.hash, x.box, in); !ok {
				continue
			} else if !f(k, v) {
				return
			}
			if borrow != nil {
				borrow.Check()
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
	}, nil)
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
