package hashmap

import (
	"iter"
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/elem"
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
		n := m.vals(p, g).n
		m.deleteGroup(p, hash, g)
		had = n
	}
	return had
}

// dropped releases the lock of a key that may have been deleted, and may purge the order.
func (m *multiCore) dropped(l *multiStripe, deleted bool) {
	if deleted {
		l.gone++
	}
	many := l.gone > m.sizes.gone+len(m.order.refs)/(2*len(m.stripes)) // by then a good part of the keys is deleted
	l.mu.Unlock()
	if many {
		m.tidy()
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
	g := m.groupOf(p, hash, k)
	old := *m.vals(p, g)
	*m.vals(p, g) = vals
	p.count += n - old.n
	m.leave(p, old)
	m.gather(p)
	return old.n
}

// Keys ranges over the keys, in the order of their first values; slices.Sorted(m.Keys()) has them
// in ascending order.
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
func (m *MultiMap[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) { walkKeys((*multiKeys)(&m.in), yield) }
}

// All ranges over the keys and their values, one by one, as Keys does.
func (m *MultiMap[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { walkEntries((*multiPairs)(&m.in), yield) }
}

// Groups ranges over the keys, as Keys does, each with a copy of all its values, which the body may
// keep and change. The copies of neighbouring keys lie in one piece of memory, of up to 1024 values
// if no key has more.
func (m *MultiMap[K, V]) Groups() iter.Seq2[K, []V] {
	return func(yield func(K, []V) bool) { walkEntries((*multiGroups)(&m.in), yield) }
}

// multiKeys, multiPairs and multiGroups are what Keys, All and Groups range over.
type multiKeys multiCore
type multiPairs multiCore
type multiGroups multiCore

// walk calls f with the keys that there are now, in order, until f returns false. If pairs is set,
// f gets the values of a key one by one; if groups is set, it gets them as a slice. The key and its
// values are copies that are made under a lock, the key in own. walk checks the borrow after each
// call of f, and holds no lock while f runs. If the order is renewed meanwhile, walk goes on at the
// key's number (keys.I2).
func (m *multiCore) walk(own ref, pairs, groups bool, f func(k, v ref) bool) {
	borrow := m.guard.BorrowLook("an iterator", 3)
	order := m.share()
	end := len(order.refs)
	if end == 0 {
		return
	}
	var now, room values
	size, last := 16, order.numbers[end-1]
	for i := 0; i < end; {
		l := &m.stripes[order.refs[i]>>m.shift]
		m.take(l)
		if m.changing > 0 {
			l.mu.Unlock()
			m.check(false)
			atom.Yield()
			continue
		}
		if m.order.turn != order.turn {
			l.mu.Unlock()
			number := order.numbers[i]
			order = m.share()
			i, end = order.below(number), order.below(last+1)
			continue
		}
		key, vals := m.at(order.refs[i])
		calls := min(vals.n, 1)
		switch {
		case vals.n == 0:
		case pairs:
			now = m.appended(values{now.p, 0, now.cap}, *vals)
			calls = now.n
		case groups:
			if room.cap-room.n < vals.n {
				size = min(2*size, 1024)
				room.n, room.cap = 0, max(vals.n, size)
				room.p = m.val.Make(room.cap)
			}
			now = values{m.val.At(room.p, room.n), vals.n, vals.n}
			m.val.Copy(now.p, vals.p, vals.n)
			room.n += vals.n
		}
		m.putKey(own, key)
		l.mu.Unlock()
		i++
		for v := range calls {
			at := hidden(&now)
			if pairs {
				at = m.val.At(now.p, v)
			}
			if !f(own, at) {
				return
			}
			borrow.Check()
		}
	}
	runtime.KeepAlive(&now)
}

// share returns the order, for an iteration: from now on its slices do not change (keys.I3).
func (m *multiCore) share() multiOrder {
	m.lock(false)
	defer m.unlock()
	m.flush()
	m.order.shared = true
	return m.order
}
