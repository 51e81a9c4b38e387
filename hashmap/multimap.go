package hashmap

import (
	"runtime"

	"example.com/custody/internal/amount"
	"example.com/custody/internal/elem"
	"example.com/custody/safety"
)

// MultiMap is a hash map from a key to many values, in the order in which they were added. A value
// may be there several times. A key is there as long as it has a value.
//
// Use it to group things: the particles of each cell of a grid, the places of each word, the rows
// of each value of a column. It is made for parallel loops that add values
// ([MultiMap.ParallelWriter]), and for later loops that read them ([MultiMap.Reader]) or change
// them in place ([MultiMap.Writer]). Any goroutine may call its methods at any time, unless a job
// holds the map in a way that excludes them. A MultiMap must not be copied; pass on the pointer
// that [NewMulti] returned.
//
// Keys are equal if they are ==. So -0 and +0 are one key, of which the map keeps the first. A NaN
// is a new key each time it is added, which only iterations reach and only Clear deletes. A key of
// an interface type that holds a value which cannot be compared is a run-time panic, as in Go's
// map, and changes nothing. The memory that a key's comparison reads must not change while the key
// is in the map.
//
// Order: the values of a key are in the order in which they were added. The values that a job adds
// are in the order of the sequential loop, after those that were there. Keys are in the order of
// their first values, so a key that was deleted and is added again is the last.
//
// To delete by a condition, range over All and call DeleteValue, which is correct beside other
// operations. If values cannot be compared, or keys have many, range over Groups and Replace the
// values of a key by those that stay; values that other goroutines add to the key in between are
// lost.
//
// Consistency: all operations are linearizable, except AddAll of a NaN, which is as many Adds, and
// the iterations. These are weakly consistent: a key that is there all the time comes exactly once,
// and any other at most once, each with the values that it has at its turn. Adding a value happens
// before what follows reading it. Outside jobs values are returned as copies, which no other
// goroutine changes.
//
// Progress: an operation holds one of several locks, chosen by the key. Len, LenKeys, Clear, Trim
// and the beginning of an iteration take all locks, and now and then a deletion does, to tidy up.
// The only function of the program that runs under a lock is the Equal of a [Hasher].
//
// Cost: Add takes a hash, a lock, and most often two cache lines. The values of a key lie together,
// with room for half as many again or more if some are added one by one. Len and LenKeys look at
// all parts, up to 4096, and an iteration begins with a list of the keys.
//
// Memory: a key takes 24 bytes, the key itself, 8 to 24 bytes of an index, and 16 bytes for the
// order. After a loop that has filled an empty multimap, and until something changes, there is also
// a copy of the keys in their order, with 4 bytes for each. If keys are words with many values
// each, there is then an index of about 22 to 90 bytes for each key, too, or more if keys have
// hundreds of values.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Add, AddAll            linearizable       lock: the key's     O(values)           growth
//	Values, AppendValues   linearizable       lock: the key's     O(values)           a copy, or none
//	Count                  linearizable       lock: the key's     O(1)                never
//	Delete, DeleteValue    linearizable       lock: the key's     O(values)           growth
//	Replace                linearizable       lock: the key's     O(values)           one
//	Len, LenKeys, Stats    linearizable       lock: all           O(parts)            never
//	Clear, Trim            linearizable       lock: all           O(n)                Trim: the copy
//	All                    weakly consistent  lock: all, a key's  O(n, sort of keys)  list, a copy
//	Groups                 weakly consistent  lock: all, a key's  O(n, sort of keys)  list, copies
//	Dispose, DisposeAfter  ledger             lock: all           O(parts)            a small table
//
// Each map has a random seed for its hashes, so an attacker cannot choose keys whose hashes are
// equal. If a [Hasher] has one hash for n keys, an operation on one of them costs n.
type MultiMap[K comparable, V any] struct {
	_  other[K, V]
	in multiCore
}

// NewMulti returns an empty multimap.
func NewMulti[K comparable, V any](opts ...safety.Option) *MultiMap[K, V] {
	m := newMulti[K, V](usualMulti(), newSeed(), nil)
	m.in.guard.Init(m, 0, opts...)
	return m
}

// NewMultiWith returns an empty multimap whose keys are hashed and compared by h.
func NewMultiWith[K comparable, V any](h Hasher[K], opts ...safety.Option) *MultiMap[K, V] {
	if h == nil {
		panic(safety.NewViolation(safety.ErrArgument, "a multimap was to be made with a nil Hasher", "Give it a Hasher, or take NewMulti."))
	}
	m := newMulti[K, V](usualMulti(), newSeed(), customOf(h))
	m.in.guard.Init(m, 0, opts...)
	return m
}

// newMulti returns a multimap without a name.
func newMulti[K comparable, V any](s multiSizes, seed seed, h *custom) *MultiMap[K, V] {
	m := new(MultiMap[K, V])
	m.in.init(s, seed, h, multiScratchOf[K, V]())
	return m
}

// Add adds v behind the other values of a key.
func (m *MultiMap[K, V]) Add(k K, v V) { addTo(m.in.shared(), k, v) }

// addTo is compiled once for each pair of types, as the functions like it, which views use, too.
func addTo[K comparable, V any](m *multiCore, k K, v V) {
	m.add(shown(&k), shown(&v), 1)
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&v)
}

// add adds n values behind the others of a key.
func (m *multiCore) add(k, vs ref, n int) {
	l, p, hash := m.enter(k, true)
	defer l.mu.Unlock()
	g := m.groupOf(p, hash, k, &p.fresh)
	for i := range n {
		m.push(p, g, m.val.At(vs, i))
	}
}

// AddAll adds all of vs behind the other values of a key, in their order, at one moment. A NaN,
// which is a new key each time, gets one key for each value, one after the other. AddAll is a
// violation if vs has more values, which then have no size, than memory has bytes.
func (m *MultiMap[K, V]) AddAll(k K, vs []V) { addAllTo(m.in.shared(), k, vs) }

func addAllTo[K comparable, V any](m *multiCore, k K, vs []V) {
	m.addAll(shown(&k), elem.Data(vs), len(vs))
	runtime.KeepAlive(&k)
}

func (m *multiCore) addAll(k, vs ref, n int) {
	if n == 0 {
		return
	}
	if m.more(n, 0); m.keys.same(k, k) {
		m.add(k, vs, n)
		return
	}
	for i := range n {
		m.add(k, m.val.At(vs, i), 1)
	}
}

// more panics with a violation if memory cannot hold n values and beside others.
func (m *multiCore) more(n, beside int) {
	if most := m.val.Most - beside; n > most {
		panic(amount.Refusal(&m.guard, "was to get", n, 0, most, "value"))
	}
}

// Values returns a copy of the values of a key, in their order, or nil if it has none.
func (m *MultiMap[K, V]) Values(k K) []V { return appendTo[K, V](m.in.looked(), nil, k) }

// AppendValues appends the values of a key to dst, in their order, and returns the result. It
// allocates nothing if dst has room.
func (m *MultiMap[K, V]) AppendValues(dst []V, k K) []V { return appendTo(m.in.looked(), dst, k) }

func appendTo[K comparable, V any](m *multiCore, dst []V, k K) []V {
	all := m.appendTo(values{elem.Data(dst), len(dst), cap(dst)}, shown(&k))
	runtime.KeepAlive(&k)
	return elem.Slice[V](all.p, all.cap)[:all.n]
}

func (m *multiCore) appendTo(dst values, k ref) values {
	l, p, hash := m.enter(k, false)
	defer l.mu.Unlock()
	if g, ok := m.find(p, hash, k); ok {
		dst = m.appended(dst, *m.vals(p, g))
	}
	return dst
}

// appended appends values to dst.
func (t *groupType) appended(dst, vals values) values {
	old, n := dst, dst.n+vals.n
	if old.cap == 0 {
		return values{t.val.Clone(vals.p, n), n, n}
	}
	if n > old.cap {
		dst.cap = max(n, 2*old.cap)
		dst.p = t.val.Make(dst.cap)
		t.val.Copy(dst.p, old.p, old.n)
	}
	t.val.Copy(t.val.At(dst.p, old.n), vals.p, vals.n)
	dst.n = n
	return dst
}

// Count returns the number of values of a key.
func (m *MultiMap[K, V]) Count(k K) int { return countOf(m.in.looked(), k) }

func countOf[K comparable](m *multiCore, k K) int {
	n := m.count(shown(&k))
	runtime.KeepAlive(&k)
	return n
}

func (m *multiCore) count(k ref) int {
	l, p, hash := m.enter(k, false)
	defer l.mu.Unlock()
	if g, ok := m.find(p, hash, k); ok {
		return m.vals(p, g).n
	}
	return 0
}

// Len returns the number of values. It takes all locks. The number of keys is LenKeys, and is also
// the Len of [MultiReader] and [MultiWriter], because loops run over keys.
func (m *MultiMap[K, V]) Len() int { return m.in.looked().size().values }

// LenKeys returns the number of keys. It takes all locks.
func (m *MultiMap[K, V]) LenKeys() int { return m.in.looked().size().keys }

func (m *multiCore) size() multiTotal {
	m.lock(false)
	defer m.unlock()
	return m.total()
}

// Dispose ends the map: every later use is a violation. Dispose itself is a violation while a job
// that is not completed holds the map, and when it is called a second time.
func (m *MultiMap[K, V]) Dispose() {
	m.in.guard.Dispose()
	m.in.drop()
}

// DisposeAfter is Dispose for a map that jobs hold. From now on every use is a violation, except by
// the job of h and by jobs that it runs after. If another job holds the map, DisposeAfter is a
// violation and changes nothing.
func (m *MultiMap[K, V]) DisposeAfter(h safety.Handle) { m.in.guard.DisposeAfter(h, m.in.drop) }

// drop releases all memory.
func (m *multiCore) drop() {
	m.lockAll()
	defer m.unlock()
	m.vacate()
	m.lanes.Trim()
}

// Disposed reports whether the map was disposed.
func (m *MultiMap[K, V]) Disposed() bool { return m.in.guard.Disposed() }

// Stats returns the state of the multimap, at one moment. It takes all locks, as Len does, and is a
// violation when Len is.
//
// Cost: a look at each part, of which there are up to 4096.
func (m *MultiMap[K, V]) Stats() Stats { return m.in.looked().stats() }

// String returns the type and name of the multimap, its numbers of values and keys, and the jobs
// that hold it. It leaves out the numbers while an operation has one of its locks: String does not
// wait, because a [Hasher] that runs under a lock may call it. In all else it is as [Map.String].
func (m *MultiMap[K, V]) String() string {
	if m == nil {
		return "<nil>"
	}
	return m.in.guard.Text(m, m.in.amount)
}
