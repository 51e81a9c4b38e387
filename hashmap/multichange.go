package hashmap

import (
	"iter"
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Delete deletes a key and returns the number of values that it had. It costs O(1), except if the
// values may hold pointers, which are cleared.
func (m *MultiMap[K, V]) Delete(k K) int {
	m.guard.CheckShared()
	return m.remove(k)
}

func (m *MultiMap[K, V]) remove(k K) (had int) {
	l, p, hash := m.enter(k, true)
	defer func() { m.dropped(l, had > 0) }()
	if g, ok := p.find(&m.keys, hash, k); ok {
		n := len(p.groups[g].vals)
		p.drop(&m.keys, hash, g)
		had = n
	}
	return had
}

// dropped releases the lock of a key that may have been deleted, and may purge the order.
func (m *MultiMap[K, V]) dropped(l *multiStripe, deleted bool) {
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
	m.guard.CheckShared()
	return m.removeValue(k, v)
}

func (m *MultiMap[K, V]) removeValue(k K, v V) (done bool) {
	_ = any(v) == any(v) // panics, before a lock is taken, if values cannot be compared
	l, p, hash := m.enter(k, true)
	deleted := false
	defer func() { m.dropped(l, deleted) }()
	g, ok := p.find(&m.keys, hash, k)
	if !ok {
		return false
	}
	vals := p.groups[g].vals
	i := slices.IndexFunc(vals, func(x V) bool { return any(x) == any(v) })
	switch {
	case i < 0:
		return false
	case len(vals) == 1:
		p.drop(&m.keys, hash, g)
		deleted = true
	default:
		p.remove(g, i)
	}
	return true
}

// Replace makes vs, in their order, the values of a key, at one moment, and returns the number of
// values that it had. Without values the key is deleted. A key that is there keeps its place in the
// order of keys. A NaN is one more key, with all of vs.
func (m *MultiMap[K, V]) Replace(k K, vs []V) int {
	m.guard.CheckShared()
	return m.replace(k, vs)
}

func (m *MultiMap[K, V]) replace(k K, vs []V) (had int) {
	if len(vs) == 0 {
		return m.remove(k)
	}
	vals := slices.Clone(vs)
	l, p, hash := m.enter(k, true)
	defer l.mu.Unlock()
	m.more(len(vals), p.count)
	g := m.group(p, hash, k)
	old := p.groups[g].vals
	p.groups[g].vals = vals
	p.count += len(vals) - len(old)
	p.leave(old)
	p.gather()
	return len(old)
}

// Keys ranges over the keys, in their order.
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
		borrow := m.guard.BorrowLook("an iterator", 0)
		m.each(&borrow, false, func(k K, _ []V) bool { return yield(k) })
	}
}

// All ranges over the keys and their values, one by one, as Keys does.
func (m *MultiMap[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		borrow := m.guard.BorrowLook("an iterator", 0)
		m.each(&borrow, true, func(k K, vals []V) bool {
			for i, v := range vals {
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

// Groups ranges over the keys, as Keys does, each with all its values. The slice of values may be
// changed by the body, and is good until the next one comes.
func (m *MultiMap[K, V]) Groups() iter.Seq2[K, []V] {
	return func(yield func(K, []V) bool) {
		borrow := m.guard.BorrowLook("an iterator", 0)
		m.each(&borrow, true, func(k K, vals []V) bool { return yield(k, vals[:len(vals):len(vals)]) })
	}
}

// each calls yield for each of the keys that there are now, in order, until yield returns false. If
// values is set, yield gets a copy of the values that the key has at its turn. each checks the
// borrow after every key, and holds no lock while yield runs. If the order is renewed meanwhile,
// each goes on at the key's number (keys.I2).
func (m *MultiMap[K, V]) each(borrow *safety.Borrow, values bool, yield func(k K, vals []V) bool) {
	order := m.share()
	end := len(order.refs)
	if end == 0 {
		return
	}
	last := order.numbers[end-1]
	var vals []V
	defer func() { clear(vals[:cap(vals)]) }() // yield may have kept the slice
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
		g := m.at(order.refs[i])
		k, there := g.key, len(g.vals) > 0
		if values {
			clear(vals[min(len(g.vals), len(vals)):]) // deleted values are not kept alive
			vals = append(vals[:0], g.vals...)
		}
		l.mu.Unlock()
		if i++; there {
			if !yield(k, vals) {
				return
			}
			borrow.Check()
		}
	}
}

// share returns the order, for an iteration: from now on its slices do not change (keys.I3).
func (m *MultiMap[K, V]) share() multiOrder {
	m.lock(false)
	defer m.unlock()
	m.flush()
	m.order.shared = true
	return m.order
}
