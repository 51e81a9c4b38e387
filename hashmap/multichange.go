package hashmap

import (
	"iter"
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Delete deletes a key and returns the number of values that it had. It costs O(1), except if the
// values may hold pointers, which are cleared.
func (m *MultiMap[K, V]) Delete(k K) int {
	m.in.guard.CheckShared()
	return m.remove(k)
}

func (m *MultiMap[K, V]) remove(k K) int {
	had := m.in.removeKey(shown(&k))
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
func (m *MultiMap[K, V]) DeleteValue(k K, v V) bool {
	m.in.guard.CheckShared()
	return m.removeValue(k, v)
}

func (m *MultiMap[K, V]) removeValue(k K, v V) bool {
	_ = any(v) == any(v) // panics, before a lock is taken, if values cannot be compared
	done := m.in.removeValue(shown(&k), func(vals values) int {
		for i, x := range sliceOf[V](vals) {
			if any(x) == any(v) {
				return i
			}
		}
		return -1
	})
	runtime.KeepAlive(&k)
	return done
}

// removeValue deletes the value of a key whose number index returns, if that is not -1.
func (m *multiCore) removeValue(k ref, index func(vals values) int) bool {
	l, p, hash := m.enter(k, true)
	deleted := false
	defer func() { m.dropped(l, deleted) }()
	g, ok := m.find(p, hash, k)
	if !ok {
		return false
	}
	vals := *m.vals(p, g)
	i := index(vals)
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
func (m *MultiMap[K, V]) Replace(k K, vs []V) int {
	m.in.guard.CheckShared()
	return m.replace(k, vs)
}

func (m *MultiMap[K, V]) replace(k K, vs []V) int {
	if len(vs) == 0 {
		return m.remove(k)
	}
	had := m.in.replace(shown(&k), shown(&vs[0]), len(vs))
	runtime.KeepAlive(&k)
	runtime.KeepAlive(vs)
	return had
}

func (m *multiCore) replace(k, vs ref, n int) (had int) {
	m.more(n, 0)
	vals := values{m.val.Make(n), n, n}
	m.val.Copy(vals.p, vs, n)
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
	return func(yield func(K) bool) {
		borrow := m.in.guard.BorrowLook("an iterator", 0)
		var k K
		m.in.each(&borrow, func(key ref, _ values) { k = *(*K)(key) }, func() bool { return yield(k) })
	}
}

// All ranges over the keys and their values, one by one, as Keys does.
func (m *MultiMap[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		borrow := m.in.guard.BorrowLook("an iterator", 0)
		var k K
		var now []V
		keep := func(key ref, vals values) { k, now = *(*K)(key), append(now[:0], sliceOf[V](vals)...) }
		m.in.each(&borrow, keep, func() bool {
			for i, v := range now {
				if i > 0 {
					borrow.Check() // as each does between keys
				}
				if !yield(k, v) {
					return false
				}
			}
			return true
		})
	}
}

// Groups ranges over the keys, as Keys does, each with a copy of all its values, which the body may
// keep and change. The copies of neighbouring keys lie in one piece of memory, of up to 1024 values
// if no key has more.
func (m *MultiMap[K, V]) Groups() iter.Seq2[K, []V] {
	return func(yield func(K, []V) bool) {
		borrow := m.in.guard.BorrowLook("an iterator", 0)
		var k K
		var room, own []V
		size := 16
		keep := func(key ref, vals values) {
			k = *(*K)(key)
			if vals.n > len(room) {
				size = min(2*size, 1024)
				room = make([]V, max(vals.n, size))
			}
			own, room = room[:vals.n:vals.n], room[vals.n:]
			copy(own, sliceOf[V](vals))
		}
		m.in.each(&borrow, keep, func() bool { return yield(k, own) })
	}
}

// each calls keep and then yield for each of the keys that there are now, in order, until yield
// returns false. keep gets the key and its values, and copies them under a lock. each checks the
// borrow after every key, and holds no lock while yield runs. If the order is renewed meanwhile,
// each goes on at the key's number (keys.I2).
func (m *multiCore) each(borrow *safety.Borrow, keep func(key ref, vals values), yield func() bool) {
	order := m.share()
	end := len(order.refs)
	if end == 0 {
		return
	}
	last := order.numbers[end-1]
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
		there := vals.n > 0
		if there {
			keep(key, *vals)
		}
		l.mu.Unlock()
		if i++; there {
			if !yield() {
				return
			}
			borrow.Check()
		}
	}
}

// share returns the order, for an iteration: from now on its slices do not change (keys.I3).
func (m *multiCore) share() multiOrder {
	m.lock(false)
	defer m.unlock()
	m.flush()
	m.order.shared = true
	return m.order
}
