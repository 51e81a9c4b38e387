package hashmap

import (
	"runtime"

	"example.com/custody/internal/hash"
	"example.com/custody/internal/phrase"
	"example.com/custody/internal/word"
	"example.com/custody/safety"
)

// Map is a hash map that any number of goroutines may use at the same time. Use it for data that
// many goroutines look up and change. Go's map does as well for data that one goroutine at a time
// uses, or that is written once and only read afterwards.
//
// Any goroutine may call any method at any time, except while a job holds the map in a way that
// excludes it: see [Map.Reader], [Map.Writer], [Map.ParallelWriter], [Map.ParallelMerger] and
// [Map.Shared]. A call that is not ordered with the scheduling of such a job is a violation when it
// is seen. A call that is not seen takes effect at one moment, which may lie within the job's time,
// and breaks nothing. A map must not be copied; pass on the pointer that [New] returned.
//
// Keys are equal if they are ==. So -0 and +0 are one key, of which the map keeps the first. A NaN
// is a new key each time it is put in, which only ranges, DeleteFunc and Clear reach. A key of an
// interface type that holds a value which cannot be compared is a run-time panic, as in Go's map,
// and changes nothing. The memory that a key's comparison reads must not change while the key is in
// the map: only ranges and Clear would reach it then.
//
// Consistency: storing a value happens before what follows loading it. Ranges and DeleteFunc come
// exactly once to a key that is there all the time, and may come again to a key that is deleted and
// put in again meanwhile.
//
// Progress: Load waits only for a lock, which it takes if the value is being computed, has one of
// the few bit patterns that the map reserves, or while keys are moved. Other operations on a key
// wait for a function that computes its value. Some take a lock that other keys share: those that
// put a key into a map with an order, and those on such a small value. An operation that puts a new
// key in while keys are moved to a larger table helps, and waits until all have been moved; it may
// have such a lock meanwhile.
//
// Cost: a small value has 0, 1, 2, 4 or 8 bytes and no pointers. A word is a small key that is
// compared by its bits, such as an integer, in a map without a [Hasher]. A word takes 16 bytes of a
// table with its value or a pointer to the value. The table grows when it is three quarters full.
// Another key takes an allocation and 13 bytes of a table, where five keys share a cache line; a
// string takes one of 32 bytes, with a small value or a pointer. A Load is a hash and most often
// one cache line of the table, and the allocations, if any. Small values and values of pointer
// types are overwritten in place. Any other value takes an allocation of its own, except the first
// one of a key with an allocation if the value holds no pointers. The place of a deleted key is
// used again when the key comes back, or when keys are moved: after as many others were put in, or
// by [Map.Trim]. A map of words that jobs have put keys into, or used by position, has 4 bytes more
// for each place. When positions are asked for, it has 4 for each key, or 12 if keys have
// allocations of their own.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Load                              linearizable       lock-free, or lock  O(1)      never
//	Store, LoadOrStore, Swap          linearizable       waits: for the key  O(1)      entry
//	CompareAndSwap, CompareAndDelete  linearizable       waits: for the key  O(1)      boxed value
//	Delete, LoadAndDelete             linearizable       waits: for the key  O(1)      never
//	Compute                           linearizable       waits: for f, key   O(1)      a few, entry
//	LoadOrCompute                     linearizable       as Load, Compute    O(1)      one, or more
//	Len, Stats                        summed             wait-free           O(1)      never
//	Clear                             linearizable       wait-free           O(1)      a small table
//	All                               weakly consistent  waits: for moves    O(table)  positions
//	DeleteFunc                        weakly consistent  waits: for the key  O(table)  a few
//	Clone                             weakly consistent  as All              O(table)  a map
//	Grow, Trim                        any time           waits: for moves    O(n)      a table
//	ParallelMerger                    constant           wait-free           O(1)      some
//	Dispose, DisposeAfter             ledger             lock                O(1)      a small table
//
// Each map has a random seed for its hashes, so an attacker cannot choose keys whose hashes are
// equal. If many are equal all the same, the map moves its keys and hashes them by a new seed. The
// hash of a word is a bijection, that of a string is Wang Yi's wyhash, and that of another key is
// by hash/maphash. If a [Hasher] has one hash for n keys, an operation on one of them costs n.
type Map[K comparable, V any] struct {
	_  other[K, V]
	in core
}

// other makes types of other keys and values differ: none converts to another. It has no size.
type other[K comparable, V any] [0]*func(K) V

// New returns an empty map.
func New[K comparable, V any](opts ...safety.Option) *Map[K, V] {
	m := newMap[K, V](usual, newSeed(), nil)
	m.in.guard.Init(m, 0, opts...)
	return m
}

// NewWith returns an empty map whose keys are hashed and compared by h.
func NewWith[K comparable, V any](h Hasher[K], opts ...safety.Option) *Map[K, V] {
	if h == nil {
		panic(safety.NewViolation(safety.ErrArgument, "a map was to be made with a nil Hasher", "Give it a Hasher, or take New."))
	}
	m := newMap[K, V](usual, newSeed(), customOf(h))
	m.in.guard.Init(m, 0, opts...)
	return m
}

var usual = sizes{least: 8, chunk: 1024, stripes: 8, spare: 1024, crowd: 1024, few: 2000, sampled: 1 << 12}

// newMap returns a map without a name.
func newMap[K comparable, V any](s sizes, seed seed, h *custom) *Map[K, V] {
	m := new(Map[K, V])
	m.in.shared, m.in.key, m.in.val = mapScratchOf[K, V](), typeOf((*K)(nil)), typeOf((*V)(nil))
	setKind[K, V](&m.in, seed, h.of(seed, &m.in.guard))
	m.in.init(s, seed)
	return m
}

// Load returns the value of a key, or false if it has none.
func (m *Map[K, V]) Load(k K) (v V, ok bool) {
	m.in.guard.CheckLook()
	if m.in.inWords { // as load, without the cost of a call
		w, ok := m.in.loadWord(word.Of(k))
		return word.To[V](w), ok
	}
	var in room
	var p ref
	switch t := m.in.root.Load(); {
	case m.in.isInline:
		p = m.in.lookInline(t, word.Of(k), &in)
	case t.seed.How == hash.AsText:
		p = m.in.lookText(t, (*string)(shown(&k)), &in)
	default:
		p = m.in.look(shown(&k), &in)
	}
	runtime.KeepAlive(&k)
	if ok = p != nil; ok {
		v = *(*V)(p)
	}
	return v, ok
}

// load is Load without the check of the guard. Functions like it are compiled once for each pair of
// types, and used by views, too.
func load[K comparable, V any](m *core, k K) (v V, ok bool) {
	if m.inWords {
		w, ok := m.loadWord(word.Of(k))
		return word.To[V](w), ok
	}
	var in room
	p := m.look(shown(&k), &in)
	runtime.KeepAlive(&k)
	return at[V](p), p != nil
}

// Store makes v the value of a key.
func (m *Map[K, V]) Store(k K, v V) {
	m.in.guard.CheckShared()
	if m.in.inWords {
		m.in.storeWord(word.Of(k), word.Of(v))
		return
	}
	store(&m.in, k, v)
}

func store[K comparable, V any](m *core, k K, v V) {
	m.store(shown(&k), shown(&v))
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&v)
}

// LoadOrStore returns the value of a key, with true, or makes v its value, with false.
func (m *Map[K, V]) LoadOrStore(k K, v V) (actual V, loaded bool) {
	m.in.guard.CheckShared()
	return loadOrStore(&m.in, nil, k, v)
}

func loadOrStore[K comparable, V any](m *core, within *origins, k K, v V) (V, bool) {
	var in room
	p, loaded := m.loadOrStore(within, shown(&k), shown(&v), hiddenRoom(&in))
	actual := at[V](p)
	runtime.KeepAlive(&in)
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&v)
	return actual, loaded
}

// Swap makes v the value of a key and returns the value before, or false if there was none.
func (m *Map[K, V]) Swap(k K, v V) (previous V, loaded bool) {
	m.in.guard.CheckShared()
	return swap(&m.in, nil, k, v)
}

func swap[K comparable, V any](m *core, within *origins, k K, v V) (V, bool) {
	var in room
	p := m.swap(within, shown(&k), shown(&v), hiddenRoom(&in))
	had := at[V](p)
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&v)
	runtime.KeepAlive(&in)
	return had, p != nil
}

// CompareAndSwap makes new the value of a key if the value is old, and reports whether it was.
// Values that cannot be compared are a run-time panic.
func (m *Map[K, V]) CompareAndSwap(k K, old, new V) bool {
	m.in.guard.CheckShared()
	return compareAnd(&m.in, k, old, new, Update)
}

// CompareAndDelete deletes a key if its value is old, and reports whether it was. Values that
// cannot be compared are a run-time panic.
func (m *Map[K, V]) CompareAndDelete(k K, old V) bool {
	m.in.guard.CheckShared()
	return compareAnd(&m.in, k, old, old, Delete)
}

func compareAnd[K comparable, V any](m *core, k K, old, new V, op Op) bool {
	_ = any(old) == any(old) // panics if values cannot be compared, also without such a key
	done := m.compareAnd(shown(&k), shown(&old), shown(&new), op)
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&old)
	runtime.KeepAlive(&new)
	return done
}

// Delete deletes a key, if it is there.
func (m *Map[K, V]) Delete(k K) { m.LoadAndDelete(k) }

// LoadAndDelete deletes a key and returns the value that it had, or false if it had none.
func (m *Map[K, V]) LoadAndDelete(k K) (v V, loaded bool) {
	m.in.guard.CheckShared()
	return remove[K, V](&m.in, nil, k)
}

func remove[K comparable, V any](m *core, within *origins, k K) (V, bool) {
	var in room
	p := m.remove(within, shown(&k), hiddenRoom(&in))
	had := at[V](p)
	runtime.KeepAlive(&k)
	runtime.KeepAlive(&in)
	return had, p != nil
}

// Len returns the number of keys. It is exact if no goroutine changes the map meanwhile, and so
// always in a job that has a [Reader]. Otherwise it may be wrong by one for each key that another
// goroutine puts in or deletes while Len runs, or was putting in or deleting when Len began. It is
// never negative.
func (m *Map[K, V]) Len() int {
	m.in.guard.CheckLook()
	return m.in.len()
}

// Clear deletes all keys, at one moment. When keys are put in again, the map grows to its former
// size in few steps.
func (m *Map[K, V]) Clear() {
	m.in.guard.CheckShared()
	m.in.clear()
}

// Dispose ends the map: every later use is a violation. Dispose itself is a violation while a job
// that is not completed holds the map, and when it is called a second time.
func (m *Map[K, V]) Dispose() {
	m.in.guard.Dispose()
	m.in.drop()
}

// DisposeAfter is Dispose for a map that jobs hold. From now on every use is a violation, except by
// the job of h and by jobs that it runs after. If another job holds the map, DisposeAfter is a
// violation and changes nothing.
func (m *Map[K, V]) DisposeAfter(h safety.Handle) { m.in.guard.DisposeAfter(h, m.in.drop) }

func (m *core) drop() {
	m.clear()
	m.lanes.Trim()
}

// Disposed reports whether the map was disposed.
func (m *Map[K, V]) Disposed() bool { return m.in.guard.Disposed() }

// String returns the type and name of the map, its number of keys by [Map.Len], unless a job
// changes the map, and the jobs that hold it; see safety.Guard.Text. Any goroutine may call String
// at any time, and it is never a violation.
func (m *Map[K, V]) String() string {
	if m == nil {
		return "<nil>"
	}
	return m.in.text(m)
}

func (m *core) text(of any) string {
	return m.guard.Text(of, func() string { return phrase.Amount(m.len(), "key") })
}
