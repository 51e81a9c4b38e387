package hashmap

import (
	"iter"
	"math"
	"runtime"

	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// Delete deletes a key and returns the number of values that it had. It costs O(1), except if the
// values may hold pointers, which are cleared.
func (m *MultiMap[K, V]) Delete(k K) int { return removeFrom(m.in.shared(), k) }

func removeFrom[K comparable](m *multiCore, k K) int {
	had := m.removeKey(shown(&k))
	runtime.KeepAlive(&k)
	return had
}

func (m *multiCore) removeKey(k ref) (had int) {
	l, p, hash := m.enter(k, true)
	defer func() { m.dropped(l, had > 0) }()
	if g, ok := m.find(p, hash, k); ok {
		had = m.deleteGroup(p, hash, g)
	}
	return had
}

// dropped releases the lock of a key that may have been deleted, and may purge the order.
func (m *multiCore) dropped(l *multiStripe, deleted bool) {
	if deleted {
		l.gone++
	}
	many := l.gone > m.sizes.gone+len(m.order.keys)/(2*len(m.stripes)) // a good part of the keys
	l.mu.Unlock()
	if many {
		m.lockAll()
		m.tidy()
		m.unlock()
	}
}

// DeleteValue deletes the first value of a key that is v, and reports whether there was one. A key
// without other values is deleted.
func (m *MultiMap[K, V]) DeleteValue(k K, v V) bool { return removeValueFrom(m.in.shared(), k, v) }

func removeValueFrom[K comparable, V any](m *multiCore, k K, v V) bool {
	done := m.removeValue(shown(&k), shown(&v))
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&v)
	return done
}

// removeValue deletes the first value of a key that is v, and reports whether there was one.
func (m *multiCore) removeValue(k, v ref) bool {
	m.index(values{v, 1, 1}, v) // panics, before a lock is taken, if values cannot be compared
	l, p, hash := m.enter(k, true)
	deleted := false
	defer func() { m.dropped(l, deleted) }()
	g, ok := m.find(p, hash, k)
	if !ok {
		return false
	}
	vals := *m.vals(p, g)
	i := m.index(vals, v)
	switch {
	case i < 0:
		return false
	case vals.n == 1:
		m.deleteGroup(p, hash, g)
		deleted = true
	default:
		m.remove(p, g, i)
	}
	return true
}

// Replace makes vs, in their order, the values of a key, at one moment, and returns the number of
// values that it had. Without values the key is deleted. A key that is there keeps its place in the
// order of keys. A NaN is one more key, with all of vs.
func (m *MultiMap[K, V]) Replace(k K, vs []V) int { return replaceIn(m.in.shared(), k, vs) }

func replaceIn[K comparable, V any](m *multiCore, k K, vs []V) int {
	had := m.replace(shown(&k), elem.Data(vs), len(vs))
	runtime.KeepAlive(&k)
	return had
}

func (m *multiCore) replace(k, vs ref, n int) (had int) {
	if n == 0 {
		return m.removeKey(k)
	}
	m.more(n, 0)
	vals := values{m.val.Clone(vs, n), n, n}
	l, p, hash := m.enter(k, true)
	defer l.mu.Unlock()
	m.more(n, p.count)
	g := m.groupOf(p, hash, k, &p.fresh)
	old := *m.vals(p, g)
	*m.vals(p, g) = vals
	p.count += n - old.n
	m.leave(p, old)
	m.gather(p)
	return old.n
}

// All ranges over the keys and their values, one by one. The keys come in the order of their first
// values, each with all its values in their order.
//
// The body may call any method. The range checks custody after each step. It panics
// ([safety.ErrBorrowed]) if the body has scheduled a job that holds the map by a Writer or a
// ParallelWriter, even if the job has completed since. It panics ([safety.ErrDisposed]) if the body
// has disposed of the map. Changes by ordinary operations and by jobs with a
// [MultiMap.Shared], Clear included, may or may not show in the range.
//
// Cost: before the first key the range takes all locks and makes a list of the keys. The list is
// free if no key came or went since the last one was made; otherwise it takes a sort of the keys
// that came.
func (m *MultiMap[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		var own K
		w := m.in.walk()
		for ; w.next(hidden(ref(&own))); w.buf.n = 0 {
			for _, v := range *(*[]V)(ref(&w.now)) {
				if !yield(own, v) {
					return
				}
				w.borrow.Check()
			}
		}
		runtime.KeepAlive(&own)
	}
}

// Groups ranges over the keys, as All does, each with a copy of all its values, which the body may
// keep and change. The copies of neighbouring keys lie in one piece of memory, of up to 1024 values
// if no key has more.
func (m *MultiMap[K, V]) Groups() iter.Seq2[K, []V] {
	return func(yield func(K, []V) bool) {
		var own K
		w := m.in.walk()
		for w.next(hidden(ref(&own))) && yield(own, *(*[]V)(ref(&w.now))) {
			w.borrow.Check()
		}
		runtime.KeepAlive(&own)
	}
}

// multiWalk passes the keys that there were when it began, in order, with copies of their values.
// It holds no lock between its steps. If the order is renewed meanwhile, it goes on at the key's
// number (keys.I2).
type multiWalk struct {
	of     *multiCore
	borrow safety.Borrow
	turn   int        // of the order that keys are of
	keys   []multiKey // that are left
	last   uint64     // the number of the last of them
	now    values     // of the key
	buf    values     // for copies
	size   int        // of the next one
}

// walk returns a walk. The caller's caller is the program, whose line the borrow names.
func (m *multiCore) walk() multiWalk {
	w := multiWalk{borrow: m.guard.BorrowLook("an iterator", 1), of: m, size: 16, last: math.MaxUint64 - 1}
	if w.share(0); len(w.keys) > 0 {
		w.last = w.keys[len(w.keys)-1].number
	}
	return w
}

// next copies a key and its values, under a lock.
func (w *multiWalk) next(own ref) bool {
	for m := w.of; len(w.keys) > 0; {
		k := w.keys[0]
		l := &m.stripes[k.ref>>m.shift]
		m.take(l, 0)
		if !m.admits(false) {
			l.mu.Unlock()
			m.check(false)
			continue
		}
		if m.order.turn != w.turn {
			l.mu.Unlock()
			w.share(k.number)
			continue
		}
		w.keys = w.keys[1:]
		key, vals := m.at(k.ref)
		n := vals.n
		if n > 0 {
			w.copy(vals)
			m.putKey(own, key)
		}
		l.mu.Unlock()
		if n > 0 {
			return true
		}
	}
	return false
}

// copy copies the values of a key.
func (w *multiWalk) copy(vals *values) {
	if w.buf.cap-w.buf.n < vals.n {
		w.size = min(2*w.size, 1024)
		n := max(vals.n, w.size)
		w.buf = values{w.of.val.Make(n), 0, n}
	}
	w.now = values{w.of.val.At(w.buf.p, w.buf.n), vals.n, vals.n}
	w.of.val.Copy(w.now.p, vals.p, vals.n)
	w.buf.n += vals.n
}

// share takes the keys whose numbers are at least first: from now on they do not change (keys.I3).
func (w *multiWalk) share(first uint64) {
	m := w.of
	m.lock(false)
	defer m.unlock()
	m.flush()
	m.order.shared = true
	w.keys, w.turn = m.order.keys[m.order.below(first):m.order.below(w.last+1)], m.order.turn
}
