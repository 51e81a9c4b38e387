package hashmap

import (
	"errors"
	"hash/maphash"
	"math"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/hash"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// failing is a Hasher that panics when a number of calls was made.
type failing struct{ hashes, equals *int }

var errHasher = errors.New("hasher")

func (f failing) Hash(h *maphash.Hash, k int) {
	switch *f.hashes--; {
	case *f.hashes == 0:
		panic(errHasher)
	case *f.hashes == math.MinInt+1:
		runtime.Goexit()
	}
	maphash.WriteComparable(h, k)
}

func (f failing) Equal(a, b int) bool {
	if *f.equals--; *f.equals == 0 {
		panic(errHasher)
	}
	return a == b
}

// consistent says that a multimap has the keys and values that it says it has.
func consistent(t *testing.T, m *MultiMap[int, int]) {
	t.Helper()
	keys, values := 0, 0
	for _, vals := range m.Groups() {
		keys++
		values += len(vals)
	}
	require.Equal(t, []int{keys, values}, []int{m.LenKeys(), m.Len()})
}

// A Hasher that panics in an operation leaves no trace, and one that panics while a loop's values
// are put in leaves what was there.
func TestHashersThatPanicInAMultiMap(t *testing.T) {
	hashes, equals := math.MaxInt, 1
	m := NewMultiWith[int, int](failing{&hashes, &equals})
	require.Panics(t, func() { m.Add(1, 1) })
	consistent(t, m)
	require.Zero(t, m.LenKeys())
	equals = math.MaxInt
	const old, n = 20_000, 150_000
	for k := range old {
		m.Add(k, k)
	}
	for _, at := range []int{mostLocals / 2, mostLocals + old/2, mostLocals + old + 5000, n} {
		hashes = at
		err := lawtest.Failure(func() error {
			parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(old+i, i) }, parallelfor.Workers(1))
			return nil
		})
		require.ErrorIs(t, err, errHasher)
		hashes = math.MaxInt
		consistent(t, m)
		require.Equal(t, old, m.Len())
	}
	for _, n := range []int{10, n} {
		hashes = math.MinInt + n
		v := lawtest.Violation(t, func() error {
			parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(old+i, i) }, parallelfor.Workers(1))
			return nil
		})
		require.ErrorIs(t, v, safety.ErrArgument)
		require.Contains(t, v.Error(), "the Hasher of hashmap.MultiMap[int,int] ended its goroutine")
		hashes = math.MaxInt
		consistent(t, m)
	}
}

// odd is a key in which a NaN may hide what cannot be compared.
type odd struct {
	f float64
	x any
}

// A key that cannot be compared is refused where it is added, also where == does not come upon what
// makes it so.
func TestKeysThatHideThatTheyCannotBeCompared(t *testing.T) {
	w := new(MultiParallelWriter[any, any])
	for _, k := range []odd{{math.NaN(), []int{1}}, {1, []int{1}}} {
		func() {
			defer func() {
				_, is := recover().(runtime.Error)
				require.True(t, is)
			}()
			w.Add(k, 1)
		}()
		require.Panics(t, func() { mustCompare(k) })
	}
	require.ErrorIs(t, lawtest.Violation(t, func() error { w.Add(odd{math.NaN(), 1}, 1); return nil }), safety.ErrStaleView)
}

// Keys with equal hashes are compared hardly more often than other keys, also where these lie in
// other parts.
func TestPartsOfEqualHashes(t *testing.T) {
	for _, equal := range []bool{false, true} {
		m := NewMulti[string, int]()
		compared := m.counts(equal)
		const old, n = 10_000, 80_000
		for k := range old {
			m.Add(strconv.Itoa(k), k)
		}
		parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[string, int], i int) { w.Add(strconv.Itoa(i), i) })
		t.Logf("%.1f comparisons a key", float64(compared.Load())/n)
		require.Less(t, compared.Load(), int64(10*(old+n)), equal)
		require.Equal(t, n, m.LenKeys())
		require.Equal(t, []int{5, 5}, m.Values("5"))
	}
}

// counts makes the multimap count how often it compares keys, and gives all keys one hash if equal
// is set.
func (m *MultiMap[K, V]) counts(equal bool) *atomic.Int64 {
	compared := new(atomic.Int64)
	keys := &m.in.keys
	if equal {
		keys.seed, keys.hash = hash.Seed{}, func(ref) uint64 { return 0 }
	}
	keys.how, keys.equal = hash.AsAny, func(a, b ref) bool {
		compared.Add(1)
		return *(*K)(a) == *(*K)(b)
	}
	return compared
}
