package hashmap

import (
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A NaN is a key of its own every time: nothing finds it but what ranges over all.
func TestNaNs(t *testing.T) {
	nan := math.NaN()
	bigs, smalls := initialised[any, any](tiny, nil), initialised[float64, int](tiny, nil)
	smalls.smalls.salt = 0 // so that 1 lies aside
	for i := range 5 {
		bigs.Store(nan, "x")
		smalls.Store(nan, i)
	}
	actual, loaded := bigs.LoadOrStore(nan, "y")
	require.Equal(t, "y", actual)
	require.False(t, loaded)
	_, ok := bigs.Compute(nan, func(_ any, there bool) (any, Op) { return "z", Update })
	require.True(t, ok)
	_, ok = bigs.Compute(nan, func(_ any, there bool) (any, Op) {
		require.False(t, there)
		return "z", Delete
	})
	require.False(t, ok)
	_, ok = bigs.Load(nan)
	require.False(t, ok)
	require.False(t, smalls.CompareAndDelete(nan, 1))
	bigs.Delete(nan)
	require.Equal(t, 7, bigs.Len())
	require.Equal(t, 5, smalls.Len())
	require.ElementsMatch(t, []any{"x", "x", "x", "x", "x", "y", "z"}, slices.Collect(bigs.Values()))
	require.ElementsMatch(t, []int{0, 1, 2, 3, 4}, slices.Collect(smalls.Values()))
	bigs.Grow(100)
	bigs.DeleteFunc(func(k, v any) bool { return v != "y" })
	smalls.DeleteFunc(func(k float64, v int) bool { return v%2 == 1 })
	require.Equal(t, []any{"y"}, slices.Collect(bigs.Values()))
	require.ElementsMatch(t, []int{0, 2, 4}, slices.Collect(smalls.Values()))
	require.Equal(t, 1, bigs.Len())
	require.Equal(t, 3, smalls.Len())
	smalls.DeleteFunc(func(float64, int) bool { return true })
	require.Empty(t, slices.Collect(smalls.Keys()))
	require.Zero(t, smalls.Len())
}

// -0 and +0 are one key, of which the first is kept.
func TestZeros(t *testing.T) {
	m := New[any, any]()
	m.Store(math.Copysign(0, -1), "a")
	m.Store(0.0, "b")
	require.Equal(t, 1, m.Len())
	v, _ := m.Load(0.0)
	require.Equal(t, "b", v)
	m.Swap(0.0, "c")
	m.Compute(0.0, func(any, bool) (any, Op) { return "d", Update })
	for k := range m.Keys() {
		require.True(t, math.Signbit(k.(float64)))
	}
	n := New[float64, int]()
	n.Store(math.Copysign(0, -1), 1)
	n.Store(0, 2)
	for k := range n.Keys() {
		require.True(t, math.Signbit(k))
	}
}

// A key that cannot be compared is a panic and changes nothing, and so is a value where values are compared.
func TestWhatCannotBeCompared(t *testing.T) {
	m := New[any, any]()
	m.Store(1, []int{1})
	for _, f := range []func(){
		func() { m.Store([]int{}, 1) },
		func() { m.Load(func() {}) },
		func() { m.Compute([]int{}, func(any, bool) (any, Op) { return 1, Update }) },
		func() { m.CompareAndSwap(1, []int{1}, 2) },
		func() { m.CompareAndDelete(2, map[int]int{}) },
	} {
		require.Panics(t, f)
	}
	require.Equal(t, map[any]any{1: []int{1}}, maps.Collect(m.All()))
	m.Store(1, 2)
	require.True(t, m.CompareAndSwap(1, 2, 3))
}

// What a function that computes says is done, also when it says nothing.
func TestCompute(t *testing.T) {
	for name, m := range map[string]*Map[int, int]{"words": initialised[int, int](tiny, nil), "like marks": plainWords(tiny), "small": initialised[int, int](tiny, same{})} {
		t.Run(name, func(t *testing.T) {
			op := func(v int, op Op) func(int, bool) (int, Op) { return func(int, bool) (int, Op) { return v, op } }
			is := func(v int, ok bool) func(int, bool) {
				return func(w int, is bool) {
					t.Helper()
					require.Equal(t, []any{v, ok}, []any{w, is})
				}
			}
			is(0, false)(m.Compute(1, op(7, Keep)))
			is(0, false)(m.Compute(1, op(7, Cancel)))
			is(0, false)(m.Compute(1, op(7, Delete)))
			require.Zero(t, m.Len())
			for _, v := range []int{0, 1, 2, 100} { // the first three lie aside in the one
				is(v, true)(m.Compute(1, op(v, Update)))
				is(v, true)(m.Compute(1, op(9, Keep)))
				is(0, false)(m.Compute(1, op(9, Cancel)))
				is(v, true)(m.Load(1))
				require.Panics(t, func() { m.Compute(1, func(int, bool) (int, Op) { panic("no") }) })
				var ended sync.WaitGroup
				ended.Go(func() { m.Compute(1, func(int, bool) (int, Op) { runtime.Goexit(); return 0, Delete }) })
				ended.Wait()
				v := lawtest.Violation(t, func() error { m.Compute(1, op(5, 17)); return nil })
				require.ErrorIs(t, v, safety.ErrArgument)
			}
			is(100, true)(m.LoadOrCompute(1, func() (int, bool) { panic("not called") }))
			is(0, false)(m.LoadOrCompute(2, func() (int, bool) { return 5, true }))
			is(5, false)(m.LoadOrCompute(2, func() (int, bool) { return 5, false }))
			is(0, false)(m.Compute(1, op(9, Delete)))
			require.Equal(t, map[int]int{2: 5}, maps.Collect(m.All()))
		})
	}
	m := New[int, int](safety.Named("m"))
	for _, f := range []func(){func() { m.Compute(1, nil) }, func() { m.LoadOrCompute(1, nil) }, func() { m.DeleteFunc(nil) }} {
		v := lawtest.Violation(t, func() error { f(); return nil })
		require.ErrorIs(t, v, safety.ErrArgument)
		require.Contains(t, v.Error(), `of hashmap.Map[int,int] "m" was given a nil function`)
	}
}

// Two who want the same computed at the same time have it computed once.
func TestAValueIsComputedOnce(t *testing.T) {
	for range 100 {
		m := New[string, int]()
		var all sync.WaitGroup
		calls := 0
		for range 4 {
			all.Go(func() {
				v, _ := m.LoadOrCompute("k", func() (int, bool) {
					calls++ // others wait
					runtime.Gosched()
					return calls, false
				})
				if v != 1 {
					panic(v)
				}
			})
		}
		all.Wait()
		require.Equal(t, 1, calls)
	}
}

// A function that computes a value may do anything but change that key: it is told, and nothing is held up.
func TestAComputationThatWouldWaitForItself(t *testing.T) {
	t.Run("words", func(t *testing.T) { waitsForItself(t, New[int, int](safety.Named("m")), 1, 2, 3) })
	t.Run("small values", func(t *testing.T) { waitsForItself(t, NewWith[int, int](same{}, safety.Named("m")), 1, 2, 3) })
	t.Run("large values", func(t *testing.T) { waitsForItself(t, New[int, [3]int](safety.Named("m")), twin(1), twin(2), twin(3)) })
}

func waitsForItself[V any](t *testing.T, m *Map[int, V], one, two, three V) {
	m.Store(1, one)
	for name, f := range map[string]func(){
		"Store":      func() { m.Store(1, two) },
		"Compute":    func() { m.Compute(1, func(V, bool) (V, Op) { return two, Update }) },
		"Delete":     func() { m.Delete(1) },
		"DeleteFunc": func() { m.DeleteFunc(func(int, V) bool { return false }) },
	} {
		t.Run(name, func(t *testing.T) {
			v := lawtest.Violation(t, func() error {
				m.Compute(1, func(old V, _ bool) (V, Op) {
					m.Store(2, old)
					v, _ := m.Load(1)
					require.Equal(t, one, v, "the value there was")
					f()
					return three, Update
				})
				return nil
			})
			require.ErrorIs(t, v, safety.ErrWaitCycle)
			require.Contains(t, v.Error(), `hashmap.Map[int,`)
			x, _ := m.Load(1)
			require.Equal(t, one, x)
			m.Store(1, one) // nothing is held
		})
	}
}

// So it is when numbers of computations begin again.
func TestNumbersOfComputationsBeginAgain(t *testing.T) {
	defer numbers.Store(numbers.Load())
	numbers.Store(0)
	require.Nil(t, computing(), "nobody has computed anything")
	for _, from := range []uint64{1<<31 - 512, 1<<32 - 512} {
		numbers.Store(from)
		m := initialised[int, int](tiny, nil)
		for range 2000 {
			m.Compute(1, func(int, bool) (int, Op) {
				require.Len(t, computing(), 1)
				return 1, Update
			})
		}
		v := lawtest.Violation(t, func() error {
			m.Compute(1, func(int, bool) (int, Op) { m.Store(1, 1); return 1, Update })
			return nil
		})
		require.ErrorIs(t, v, safety.ErrWaitCycle)
	}
}

// Two computations that wait for each other: one is told, the other one goes on.
func TestComputationsThatWaitForEachOther(t *testing.T) {
	m := New[int, int]()
	var both sync.WaitGroup
	ready := make(chan struct{}, 2)
	var mu sync.Mutex
	var told []error
	for k := range 2 {
		both.Go(func() {
			err := lawtest.Failure(func() error {
				m.Compute(k, func(int, bool) (int, Op) {
					ready <- struct{}{}
					for len(ready) < 2 {
						runtime.Gosched()
					}
					m.Store(1-k, 7)
					return 1, Update
				})
				return nil
			})
			mu.Lock()
			told = append(told, err)
			mu.Unlock()
		})
	}
	both.Wait()
	require.Len(t, told, 2)
	require.True(t, (told[0] == nil) != (told[1] == nil), told)
	require.ErrorIs(t, errors.Join(told...), safety.ErrWaitCycle)
	require.Equal(t, 2, m.Len(), "one has stored both")
}

// Keys whose hashes mean something else where hashes are kept are keys as others are.
func TestHashesThatMeanSomething(t *testing.T) {
	for _, s := range []sizes{usual, tiny} {
		words, smalls := initialised[int, int](s, nil), initialised[int, int](s, same{})
		keys := []int{int(words.words.hash.Key(none)), int(words.words.hash.Key(closed)), int(words.words.hash.Key(1)), 5}
		for _, h := range []uint64{none, closed} {
			smalls.smalls.boxes.hash = func(int) uint64 { return h }
			smalls.Store(int(h>>1), 3)
			require.True(t, smalls.Contains(int(h>>1)))
		}
		for i, k := range keys {
			require.False(t, words.Contains(k))
			words.Store(k, i)
		}
		for i := range 100 {
			words.Store(i, -1)
		}
		want := map[int]int{}
		for i := range 100 {
			want[i] = -1
		}
		for i, k := range keys {
			words.Store(k, i)
			want[k] = i
		}
		require.Equal(t, want, maps.Collect(words.All()))
		words.Delete(keys[0])
		words.Trim()
		require.False(t, words.Contains(keys[0]))
		require.True(t, words.Contains(keys[1]))
		require.Equal(t, len(want)-1, words.Len())
	}
}

// What lies aside is deleted as what does not.
func TestDeleteFuncOfWhatLiesAside(t *testing.T) {
	words, smalls := plainWords(tiny), plainSmalls(tiny, nil)
	for i := range 10 {
		words.Store(i, i)
		smalls.Store(fmt.Sprint(i), i)
	}
	words.DeleteFunc(func(k, v int) bool { return v != 2 && v != 5 })
	smalls.DeleteFunc(func(k string, v int) bool { return v != 2 && v != 5 })
	require.Equal(t, map[int]int{2: 2, 5: 5}, maps.Collect(words.All()))
	require.Equal(t, map[string]int{"2": 2, "5": 5}, maps.Collect(smalls.All()))
}

// caseless is a Hasher that does not tell upper from lower case.
type caseless struct{}

func (caseless) Hash(h *maphash.Hash, k string) { h.WriteString(strings.ToLower(k)) }
func (caseless) Equal(a, b string) bool         { return strings.EqualFold(a, b) }

func TestAHasherOfOnesOwn(t *testing.T) {
	m := NewWith[string, int](caseless{}, safety.Named("folded"))
	m.Store("Key", 1)
	v, ok := m.Load("kEY")
	require.True(t, ok)
	require.Equal(t, 1, v)
	require.Equal(t, 6, m.count("KEY", "key", "Key", "other", "OTHER", "oTHER"))
	require.Equal(t, 2, m.Len())
	bad := lawtest.Violation(t, func() error { NewWith[int, int](nil); return nil })
	require.ErrorIs(t, bad, safety.ErrArgument)
}

// count stores under all keys and returns how many of them are there then.
func (m *Map[K, V]) count(ks ...K) (n int) {
	for _, k := range ks {
		var v V
		m.Store(k, v)
	}
	for _, k := range ks {
		if m.Contains(k) {
			n++
		}
	}
	return n
}

// Keys that follow a pattern do not meet more often than others: no run is long.
func TestStridedKeys(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("the patterns are those of longer numbers")
	}
	if atom.Race {
		t.Skip("one goroutine, and a long time in the detector: it tells nothing of hashes")
	}
	for name, key := range map[string]func(i int) uint64{
		"dense":  func(i int) uint64 { return uint64(i) },
		"shifts": func(i int) uint64 { return uint64(i) << 20 },
		"high":   func(i int) uint64 { return uint64(i) << 44 },
		"cells":  func(i int) uint64 { return uint64(i%100) | uint64(i/100%100)<<21 | uint64(i/10000)<<42 },
		"floats": func(i int) uint64 { return math.Float64bits(float64(i)) },
		"sparse": func(i int) uint64 { return uint64(i) * 0x9e3779b97f4a7c15 },
		"halves": func(i int) uint64 { return uint64(i)<<36 | uint64(i)<<4 },
		"pairs":  func(i int) uint64 { return uint64(i)<<32 | uint64(i) },
		"mirror": func(i int) uint64 { return uint64(i)<<32 | uint64(uint32(-i)) },
	} {
		m := newMap[int, int](usual, fixed, nil)
		const n = 100_000
		for i := range n {
			m.store(int(key(i)), &i)
		}
		tab, sum := m.words.first(), 0
		for i := range n {
			w := m.words.hash.Of(key(i))
			p, _, _ := m.words.find(tab, w)
			at, _ := m.words.spot(tab, w)
			for &tab.blocks[at] != p {
				at = (at + 1) % (len(tab.blocks) - 2)
				sum++
			}
		}
		require.Less(t, float64(sum)/n, 0.6, name) // 0.31 is what to expect
		require.InEpsilon(t, n, tab.head.used.Load(), 0.1, name)
		require.Equal(t, 1<<18, len(tab.blocks)-2, name)
	}
}

func TestGrowAndTrim(t *testing.T) {
	m := New[int, int]()
	m.Grow(1 << 16)
	before := m.words.first()
	for i := range 1 << 16 {
		m.Store(i, i)
	}
	require.Same(t, before, m.words.first(), "room was made")
	m.DeleteFunc(func(k, _ int) bool { return k >= 10 })
	m.Trim()
	require.LessOrEqual(t, len(m.words.first().blocks), 4*usual.spare+2)
	require.Equal(t, 10, m.Len())
	for k, v := range m.All() {
		require.Equal(t, k, v)
	}
	m.Trim()
	require.Equal(t, 10, m.Len())
	for i := range 1 << 12 {
		m.Delete(i)
	}
	m.Grow(1 << 14)
	before = m.words.first()
	for i := range 1 << 14 {
		m.Store(-i, i)
	}
	require.Same(t, before, m.words.first(), "room was made")
	for _, n := range []int{-1, math.MaxInt} {
		v := lawtest.Violation(t, func() error { m.Grow(n); return nil })
		require.ErrorIs(t, v, safety.ErrArgument)
	}
}

// Overwriting small values allocates nothing.
func TestAllocations(t *testing.T) {
	words, smalls := New[int, int](), New[string, int]()
	words.Store(1, 1)
	smalls.Store("a", 1)
	for name, f := range map[string]func(){
		"words": func() {
			words.Store(1, 5)
			words.Load(1)
			words.Swap(1, 3)
			words.CompareAndSwap(1, 3, 4)
			words.LoadOrStore(1, 2)
		},
		"small":   func() { smalls.Store("a", 5); smalls.Load("a"); smalls.Swap("a", 3); smalls.CompareAndSwap("a", 3, 4) },
		"deleted": func() { words.Delete(1); words.Store(1, 1) },
	} {
		require.LessOrEqual(t, testing.AllocsPerRun(1000, f), 0.1, name)
	}
}

// A key that was deleted keeps nothing alive, whatever happens to the table.
func TestDeletedKeysAreGarbage(t *testing.T) {
	smalls, bigs := New[any, int](), New[any, any]()
	var gone sync.WaitGroup
	for range 100 {
		for _, deletes := range []func(k *fuzz.Item){
			func(k *fuzz.Item) { smalls.Store(k, 1); smalls.Delete(k) },
			func(k *fuzz.Item) { bigs.Store(k, k); bigs.Store(k, nil); bigs.Delete(k) },
			func(k *fuzz.Item) { bigs.Compute(k, func(any, bool) (any, Op) { return k, Delete }) },
		} {
			func() {
				k := new(fuzz.Item)
				gone.Add(1)
				runtime.AddCleanup(k, func(*sync.WaitGroup) { gone.Done() }, &gone)
				deletes(k)
			}()
		}
	}
	over := make(chan struct{})
	go func() {
		gone.Wait()
		close(over)
	}()
	for range 1000 {
		runtime.GC()
		select {
		case <-over:
			runtime.KeepAlive(smalls)
			runtime.KeepAlive(bigs)
			return
		case <-time.After(time.Millisecond):
		}
	}
	t.Fatal("some are kept")
}

// A map that was never made and one that was disposed are refused.
func TestRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	var zero Map[int, int]
	require.ErrorIs(t, lawtest.Violation(t, func() error { zero.Load(1); return nil }), safety.ErrUnassigned)
	m := New[int, int]()
	m.Store(1, 1)
	m.Dispose()
	require.True(t, m.Disposed())
	for _, f := range []func(){
		func() { m.Load(1) }, func() { m.Store(1, 1) }, func() { m.Len() }, func() { m.Grow(1) }, m.Trim, m.Clear, m.Dispose,
		func() { m.All()(nil) }, func() { m.Keys()(nil) }, func() { m.Values()(nil) }, func() { m.DeleteFunc(nil) },
	} {
		require.ErrorIs(t, lawtest.Violation(t, func() error { f(); return nil }), safety.ErrDisposed)
	}
}

// Keys whose hashes would say that a slot has none are as others.
func TestKeysWithHashesThatMeanSomethingElse(t *testing.T) {
	m := New[int, [3]int]()
	by := m.bigs.boxes.first().head.seed.Word
	for i, h := range []uint32{none, shut, 1, shut ^ 1} { // each of these is taken for the other of a pair
		k := int(by.Key(unfolded(h)))
		m.Store(k, twin(i))
		m.Store(k, twin(i+10))
		v, ok := m.Load(k)
		require.Equal(t, []any{twin(i + 10), true}, []any{v, ok})
		require.Equal(t, i+1, m.Len())
	}
	for i := range 100 {
		m.Store(i, twin(i))
	}
	for i, h := range []uint32{none, shut, 1, shut ^ 1} {
		v, ok := m.LoadAndDelete(int(by.Key(unfolded(h))))
		require.Equal(t, []any{twin(i + 10), true}, []any{v, ok})
	}
	require.Equal(t, 100, m.Len())
}
