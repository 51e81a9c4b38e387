package hashmap

import (
	"iter"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// eachMulti tests multimaps with the smallest sizes and with two locks, and with equal hashes.
func eachMulti(t *testing.T, f func(t *testing.T, fresh func() *MultiMap[int, int])) {
	two := tinyMulti
	two.stripes = 2
	for name, fresh := range map[string]func() *MultiMap[int, int]{
		"one lock":     func() *MultiMap[int, int] { return multi[int, int](tinyMulti, nil) },
		"two locks":    func() *MultiMap[int, int] { return multi[int, int](two, nil) },
		"equal hashes": func() *MultiMap[int, int] { return multi[int, int](tinyMulti, same{}) },
	} {
		t.Run(name, func(t *testing.T) { f(t, fresh) })
	}
}

// Goroutines that add to the same keys and to others while the parts grow lose nothing, and the
// values of each goroutine are in its order.
func TestNoValueIsLostWhenSeveralAddToAMultiMap(t *testing.T) {
	const keys, each = 5, 120
	eachMulti(t, func(t *testing.T, fresh func() *MultiMap[int, int]) {
		for range lawtest.Rounds(20) {
			m := fresh()
			together(t, alike(func(w int) {
				for i := range each {
					m.Add(i%keys, i*several+w)
					m.AddAll(1000+i*several+w, []int{i, w})
				}
			})...)
			for k := range keys {
				var next [several]int
				for _, v := range m.Values(k) {
					i, w := v/several, v%several
					require.Equal(t, next[w]*keys+k, i)
					next[w]++
				}
				require.Equal(t, [several]int{24, 24, 24, 24}, next)
			}
			require.Equal(t, 3*several*each, m.Len())
			require.Equal(t, keys+several*each, m.LenKeys())
			require.Len(t, keysOf(m.Groups()), keys+several*each)
		}
	})
}

// Goroutines that add values and delete them again leave no key without a value, and none finds
// one.
func TestTheLastValueLeavesNoEmptyKey(t *testing.T) {
	eachMulti(t, func(t *testing.T, fresh func() *MultiMap[int, int]) {
		for range lawtest.Rounds(10) {
			m, busy := fresh(), atom.Int64{}
			busy.Store(several - 1)
			m.Add(9, 9)
			together(t, alike(func(w int) {
				if w > 0 {
					defer busy.Add(-1)
					for i := range 100 {
						k := i % 3
						m.Add(k, w)
						if i%4 == w {
							m.Delete(k)
						} else {
							m.DeleteValue(k, w)
						}
						m.AddAll(k, []int{w, w})
						m.Replace(k, nil)
					}
					return
				}
				for busy.Load() > 0 {
					var seen [10]int
					for k, vals := range m.Groups() {
						if seen[k]++; len(vals) == 0 || seen[k] > 1 {
							fail("key %d came %d times, with %v", k, seen[k], vals)
						}
					}
					if seen[9] != 1 {
						fail("a key that stays did not come")
					}
					if keys, values := m.LenKeys(), m.Len(); keys < 1 || values < 1 {
						fail("%d keys have %d values", keys, values)
					}
				}
			})...)
			for k := range 3 {
				m.Delete(k)
				require.Zero(t, m.Count(k))
				require.Nil(t, m.Values(k))
				require.False(t, m.DeleteValue(k, 1))
			}
			require.Equal(t, []int{1, 1}, []int{m.LenKeys(), m.Len()})
			require.Equal(t, []int{9}, keysOf(m.Groups()))
		}
	})
}

// A range whose body deletes values of its key yields each value that was there, once. Of equal
// values the first is deleted, one at a time.
func TestDeletingValuesWhileTheyAreRangedOverMissesNone(t *testing.T) {
	eachMulti(t, func(t *testing.T, fresh func() *MultiMap[int, int]) {
		m := fresh()
		want := []int{1, 2, 1, 3, 1, 2}
		m.AddAll(1, want)
		m.AddAll(2, want)
		came := map[int][]int{}
		for k, v := range m.All() {
			came[k] = append(came[k], v)
			require.True(t, m.DeleteValue(k, v))
			require.Equal(t, len(came[k]) < len(want), m.Count(k) > 0)
		}
		require.Equal(t, map[int][]int{1: want, 2: want}, came)
		require.Zero(t, m.LenKeys())
		m.AddAll(1, []int{1, 2, 1, 3})
		require.True(t, m.DeleteValue(1, 1))
		require.Equal(t, []int{2, 1, 3}, m.Values(1))
		m.Add(1, 1)
		require.True(t, m.DeleteValue(1, 1))
		require.Equal(t, []int{2, 3, 1}, m.Values(1))
		for k, vals := range m.Groups() {
			m.Delete(k)
			m.AddAll(k, []int{8, 8, 8})
			require.Equal(t, []int{2, 3, 1}, vals, "what was handed out stays")
		}
	})
}

// Of equal values each is deleted by one, however many want to.
func TestNoValueIsDeletedTwice(t *testing.T) {
	const n = 100
	eachMulti(t, func(t *testing.T, fresh func() *MultiMap[int, int]) {
		for range lawtest.Rounds(20) {
			m := fresh()
			var deleted atom.Int64
			for range n {
				m.AddAll(1, []int{7, 8})
			}
			together(t, alike(func(int) {
				for m.DeleteValue(1, 7) {
					deleted.Add(1)
				}
			})...)
			require.EqualValues(t, n, deleted.Load())
			require.Equal(t, n, m.Count(1))
			require.NotContains(t, m.Values(1), 7)
		}
	})
}

// The body of an iteration may use the multimap, and one that does not return leaves nothing
// locked.
func TestTheBodyOfAnIterationHoldsNothing(t *testing.T) {
	uses := func(m *MultiMap[int, int], from int) {
		for k := from; k < from+20; k++ {
			m.Add(k, 1)
			m.AddAll(k, []int{2, 3})
			m.DeleteValue(k, 2)
			m.Replace(k, []int{4})
			if v := m.Values(k); len(v) != 1 || v[0] != 4 || m.Count(k) != 1 {
				fail("key %d has %v", k, v)
			}
			m.Delete(k)
		}
		if s := m.Stats(); s.Len < s.Keys {
			fail("keys without values")
		}
		for range m.All() {
			continue
		}
	}
	eachMulti(t, func(t *testing.T, fresh func() *MultiMap[int, int]) {
		for name, all := range map[string]func(m *MultiMap[int, int], f func()){
			"All":    func(m *MultiMap[int, int], f func()) { m.All()(func(int, int) bool { f(); return true }) },
			"Groups": func(m *MultiMap[int, int], f func()) { m.Groups()(func(int, []int) bool { f(); return true }) },
		} {
			m := fresh()
			m.AddAll(1, []int{1, 2})
			m.Add(2, 3)
			for how, end := range ends {
				together(t, func() {
					defer func() { _ = recover() }()
					all(m, end)
					panic("it returned: " + name + how)
				})
				together(t, alike(func(w int) { uses(m, 100*(w+1)) })...)
			}
			together(t, func() { all(m, func() { uses(m, 10) }) })
			require.Equal(t, []int{3, 2}, []int{m.Len(), m.LenKeys()})
			together(t, func() { all(m, m.Clear) })
			require.Zero(t, m.Len())
		}
		m := fresh()
		m.AddAll(1, []int{1, 2})
		next, stop := iter.Pull2(m.All())
		defer stop()
		_, _, ok := next()
		require.True(t, ok)
		together(t, func() { uses(m, 0) })
		m.Clear()
		require.Zero(t, m.Len())
	})
}

// A Clear beside goroutines that add is at one moment: values added before are gone, and values
// added after it are there.
func TestClearBesideAddsNeitherHangsNorBringsBack(t *testing.T) {
	eachMulti(t, func(t *testing.T, fresh func() *MultiMap[int, int]) {
		for range lawtest.Rounds(20) {
			m, cleared := fresh(), atom.Int64{}
			together(t, alike(func(w int) {
				if w == 0 {
					for n := range 20 {
						m.Clear()
						cleared.Store(int64(n + 1))
					}
					return
				}
				for n := range 100 {
					before := cleared.Load()
					m.Add(w, n)
					m.Add(1000+n*several+w, n)
					vals := m.Values(w)
					for i := 1; i < len(vals); i++ {
						if vals[i] != vals[i-1]+1 { // a gap, or one that came back
							fail("key %d has %v", w, vals)
						}
					}
					if gone := len(vals) == 0; gone && before == 20 || !gone && vals[len(vals)-1] != n {
						fail("key %d has %v after %d was added", w, vals, n)
					}
				}
			})...)
			m.Clear()
			require.Equal(t, []int{0, 0}, []int{m.Len(), m.LenKeys()})
		}
	})
}

// A copy of a multimap is not one: jobs and Dispose refuse it, and the multimap goes on.
func TestACopyOfAMultiMapIsRefusedByJobs(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := NewMulti[int, int]()
	m.Add(1, 1)
	c := copied(m)
	for name, f := range map[string]func(){
		"Dispose":        c.Dispose,
		"Reader":         func() { parallelfor.Do(c.Reader(), func(*MultiReader[int, int]) {}) },
		"Writer":         func() { parallelfor.Do(c.Writer(), func(*MultiWriter[int, int]) {}) },
		"ParallelWriter": func() { parallelfor.Do(c.ParallelWriter(), func(*MultiParallelWriter[int, int]) {}) },
		"Shared":         func() { parallelfor.Do(c.Shared(), func(*MultiShared[int, int]) {}) },
	} {
		v := lawtest.Violation(t, func() error { f(); return nil })
		require.ErrorIs(t, v, safety.ErrCopied, name)
	}
	require.Equal(t, []int{1}, m.Values(1))
}

// Keys and values that were deleted or replaced become garbage, in whatever way, while the maps
// live on and others stay.
func TestNothingThatWasDeletedOrReplacedIsKept(t *testing.T) {
	type large = *fuzz.Item
	small, big, multi := New[any, int](), New[any, any](), NewMulti[any, any]()
	ways := map[string]func(i int, k, v, w large){
		"Delete, small":    func(_ int, k, _, _ large) { small.Store(k, 1); small.Delete(k) },
		"Compute, small":   func(_ int, k, _, _ large) { small.Compute(k, func(int, bool) (int, Op) { return 0, Delete }) },
		"Keep, small":      func(_ int, k, _, _ large) { small.Compute(k, func(int, bool) (int, Op) { return 0, Keep }) },
		"CompareAndDelete": func(_ int, k, v, w large) { big.Store(k, w); big.Store(k, v); big.CompareAndDelete(k, v) },
		"DeleteFunc": func(_ int, k, v, w large) {
			big.Store(k, v)
			big.Store(k, w)
			big.DeleteFunc(func(any, any) bool { return true })
		},
		"Compute, Swap": func(_ int, k, v, w large) {
			big.Compute(k, func(any, bool) (any, Op) { return v, Update })
			big.Swap(k, w)
			big.Delete(k)
		},
		"panic": func(_ int, k, v, _ large) {
			defer func() { _ = recover() }()
			big.Compute(k, func(any, bool) (any, Op) { panic(v) })
		},
		"Clear": func(_ int, k, v, w large) { big.Store(k, v); big.Store(w, k); big.Clear() },
		"overwritten": func(j int, k, v, w large) {
			i := strconv.Itoa(j)
			big.Store(i, k)
			big.Store(i, v)
			big.CompareAndSwap(i, v, w)
			big.Store(i, nil)
		},
		"computed": func(j int, k, v, w large) {
			i := strconv.Itoa(j)
			big.Store(i, k)
			big.Compute(i, func(any, bool) (any, Op) { return v, Update })
			big.Compute(i, func(any, bool) (any, Op) { return w, Delete })
		},
		"multi, Delete": func(_ int, k, v, w large) { multi.AddAll(k, []any{v, w}); multi.Delete(k) },
		"multi, DeleteValue": func(_ int, k, v, w large) {
			multi.AddAll(k, []any{v, w})
			multi.DeleteValue(k, v)
			multi.DeleteValue(k, w)
		},
		"multi, Replace": func(_ int, k, v, w large) { multi.AddAll(nil, []any{k, v, w, nil}); multi.Replace(nil, []any{nil}) },
		"multi, one of some": func(_ int, k, v, w large) {
			multi.AddAll(nil, []any{k, v, w})
			for _, x := range []any{k, v, w} {
				multi.DeleteValue(nil, x)
			}
		},
	}
	for name, way := range ways {
		t.Run(name, func(t *testing.T) {
			var gone sync.WaitGroup
			for i := range 100 {
				func() {
					var all [3]large
					for j := range all {
						all[j] = new(fuzz.Item)
						gone.Add(1)
						runtime.AddCleanup(all[j], func(*sync.WaitGroup) { gone.Done() }, &gone)
					}
					way(i, all[0], all[1], all[2])
				}()
			}
			together(t, gone.Wait, runtime.GC, runtime.GC)
		})
	}
	runtime.KeepAlive([]any{small, big, multi})
}
