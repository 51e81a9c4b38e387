package hashmap

import (
	"iter"

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
	return func(yield func(K, V) bool) { walkEntries(m.in.walk(new(walk)), yield) }
}

// walkEntries calls yield with what a walk passes.
func walkEntries[K, V any](w *walk, yield func(K, V) bool) {
	for w.of.inWords {
		if k, v, ok := w.nextWord(); !ok || !yield(word.To[K](k), word.To[V](v)) {
			return
		}
	}
	for k, v := w.next(); k != nil && yield(*(*K)(k), *(*V)(v)); k, v = w.next() {
	}
}

// DeleteFunc deletes the keys for which f returns true, and returns the number of keys that it has
// deleted. Keys that another operation deletes first are not counted. If f returns true and the
// value of the key has changed while f ran, f is called for it once more, as a function of
// [Map.Compute] is: other changes of the key wait until f has returned. So f must not change its
// own key and return true, which is a violation ([safety.ErrWaitCycle]). To change or delete by the
// value use [Map.Compute]. A key that is put in again meanwhile may be asked about again.
//
// DeleteFunc waits for values that are being computed, so a call within a computation is a
// violation, see [Map.Compute]. f may call any method; DeleteFunc only if no other operation
// changes the map, as two that wait for each other are a violation. A job that f schedules, and a
// Dispose in f, end the call as they end a range: see [Map.All].
func (m *Map[K, V]) DeleteFunc(f func(K, V) bool) int {
	m.in.guard.CheckShared()
	if f == nil {
		panic(m.in.noFunction("DeleteFunc"))
	}
	return m.in.forgetAll(func(k, v ref) bool { return f(*(*K)(k), *(*V)(v)) })
}

// walk passes the keys of a table, or of some positions, that have values. A key that is in the map
// all the time comes once.
type walk struct {
	index
	begin, end int // positions or homes that load has not reached
	n, i       int // keys that load has found, and those of them that next has passed
	places     [64]int
	found      [64]*box
	in         room
	borrow     safety.Borrow
	borrowed   bool
	viewed     bool
	view       safety.Hold // in strict builds
}

// walk makes w pass all keys of a map. The caller's caller is the program, whose line a borrow
// names.
func (m *core) walk(w *walk) *walk {
	borrow := m.guard.BorrowLook("an iterator", 1)
	w.all(m)
	w.borrow, w.borrowed = borrow, true
	return w
}

// all makes w pass all keys of a map. It waits until no keys are being moved.
func (w *walk) all(m *core) {
	if m.arranged() {
		w.index = *m.index()
		w.end = len(w.list)
	} else {
		w.table(m, m.settled())
	}
}

// table makes w pass the keys of a table.
func (w *walk) table(m *core, t *table) {
	w.index, w.end = index{of: m, t: t}, max(len(t.inline), len(t.buckets))
}

// positions makes w pass some positions of a view.
func (w *walk) positions(view *safety.Hold, ix *index, begin, end int) *walk {
	w.index, w.begin, w.end = *ix, begin, end
	if safety.Strict {
		w.view, w.viewed = *view, true // the iteration may be kept
	}
	return w
}

// check checks the borrow or the view.
func (w *walk) check() {
	if w.borrowed {
		w.borrow.Check()
	} else if safety.Strict && w.viewed {
		w.view.Check()
	}
}

// nextWord is next for keys and values that are words, in fewer steps.
//
//go:norace
func (w *walk) nextWord() (k, v uint64, ok bool) {
	if w.i < w.n {
		w.check()
		at := w.places[w.i&(len(w.places)-1)]
		p := &w.t.inline[at]
		if c := p.val.Load(); c >= marks {
			w.i++
			return w.of.word.Key(w.t.hashAt(at, p.key.Load())), c ^ w.of.salt, true
		}
	}
	key, val := w.next()
	if key == nil {
		return 0, 0, false
	}
	return word.At(key, w.of.size), word.At(val, w.of.valSize), true
}

// next passes a key, after a check. It returns the key and its value, or nil after the last key.
// Both may point into the walk.
//
//go:norace
func (w *walk) next() (k, v ref) {
	w.check()
	for m := w.of; ; {
		if w.i == w.n {
			if w.i, w.n = 0, w.load(); w.n == 0 {
				return nil, nil
			}
		}
		i, in := w.i&(len(w.places)-1), hiddenRoom(&w.in)
		w.i++
		if b := w.found[i]; b != nil { // the frequent case without a call
			if c := m.read(m.cellOf(b)); m.says(c) == inCell {
				return b.key(), m.valueOf(c, in)
			}
		}
		if k, v, ok := m.entry(w.t, w.places[i], in); ok {
			return k, v
		}
	}
}

// load loads some keys from memory, at the same time, and returns their number. The list is hidden
// from the race detector: see index.at.
//
//go:norace
func (w *walk) load() (n int) {
	m, t := w.of, w.t
	for n == 0 && w.begin < w.end {
		first := w.begin
		switch {
		case w.list != nil:
			w.begin = min(first+len(w.places), w.end)
			for _, at := range w.list[first:w.begin] {
				w.places[n] = int(at)
				n++
			}
			copy(w.found[:], w.boxes[min(first, len(w.boxes)):min(w.begin, len(w.boxes))])
		case m.isInline:
			w.begin = min(first+len(w.places), w.end)
			n = takenOf(t.inline[first:w.begin], first, &w.places)
		default:
			w.begin = min(first+8, w.end)
			n = m.boxed(t, first, w.begin, w)
		}
	}
	if m.isInline && w.list != nil {
		for _, at := range w.places[:n] {
			t.inline[at].key.Load()
		}
	} else if !m.isInline {
		for _, b := range w.found[:n] {
			m.read(m.cellOf(b))
		}
	}
	return n
}

// boxed writes places that have boxes, and the boxes, to a walk, and returns their number.
func (m *core) boxed(t *table, begin, end int, w *walk) (n int) {
	for i := begin; i < end; i++ {
		g := &t.buckets[i]
		for j := range t.per {
			if h := g.hash[j].Load(); h == none || h == shut { // as those behind it
				break
			}
			if r := g.box[j].Load(); !m.open(r) && r != m.dead {
				w.found[n], w.places[n] = r.Ptr(), i*t.per+j
				n++
			}
		}
	}
	return n
}

// forgetAll deletes the keys for which is returns true, and returns their number.
func (m *core) forgetAll(is func(k, v ref) bool) (n int) {
	borrow := m.guard.BorrowLook("the walk of DeleteFunc", 1)
	f := func(k, v ref) bool {
		del := is(k, v)
		borrow.Check()
		m.guard.CheckShared()
		return del
	}
	var k, v ref
	each := func(v ref) bool { return f(k, v) }
	w, own := new(walk), new(room)
	w.table(m, m.settled())
	for k, v = w.next(); k != nil; k, v = w.next() {
		switch {
		case m.isInline || m.same(k, k):
			if m.isInline {
				word.Put(ref(&own.key), m.size, word.At(k, m.size))
				k = ref(&own.key)
			}
			if m.forget(k, own, each) {
				n++
			}
		case f(k, v) && m.deleteAt(w.t, w.places[w.i-1], k):
			n++
		}
	}
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
