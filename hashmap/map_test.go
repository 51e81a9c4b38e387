package hashmap

import (
	"fmt"
	"maps"
	"math"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// What lies aside is deleted as what does not.
func TestDeleteFuncOfWhatLiesAside(t *testing.T) {
	words, smalls := plainWords(tiny), plainSmalls(tiny, nil)
	for i := range 10 {
		words.Store(i, i)
		smalls.Store(fmt.Sprint(i), i)
	}
	require.Equal(t, 8, words.DeleteFunc(func(k, v int) bool { return v != 2 && v != 5 }))
	require.Equal(t, 8, smalls.DeleteFunc(func(k string, v int) bool { return v != 2 && v != 5 }))
	require.Equal(t, map[int]int{2: 2, 5: 5}, maps.Collect(words.All()))
	require.Equal(t, map[string]int{"2": 2, "5": 5}, maps.Collect(smalls.All()))
}

// A function that changes its own key each time is reported, and leaves the map whole.
func TestDeleteFuncWhoseFunctionChangesItsKey(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for name, change := range map[string]func(m subject, k, v int){
			"Store":         func(m subject, k, v int) { m.Store(k, v) },
			"Swap":          func(m subject, k, v int) { m.Swap(k, v) },
			"Compute":       func(m subject, k, v int) { m.Compute(k, func(int, bool) (int, Op) { return v, Update }) },
			"LoadAndDelete": func(m subject, k, v int) { m.LoadAndDelete(k); m.Store(k, v) },
		} {
			m, asked := fresh(), 0
			m.Store(1, 1)
			m.Store(2, 2)
			err := lawtest.Violation(t, func() error {
				m.DeleteFunc(func(k, v int) bool {
					if k != 1 {
						return false
					}
					asked++
					change(m, k, v%2+1)
					return true
				})
				return nil
			})
			require.ErrorIs(t, err, safety.ErrWaitCycle, name)
			require.Equal(t, 2, asked, name)
			together(t, func() { m.Store(1, 5) })
			agree(t, m, map[int]int{1: 5, 2: 2})
		}
	})
}

// f is asked once about a key that only moves meanwhile, because the table grows.
func TestDeleteFuncOfKeysThatMove(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		m, next, asked := fresh(), 100, map[int]int{}
		for k := range 4 {
			m.Store(k, k)
		}
		require.Equal(t, 4, m.DeleteFunc(func(k, v int) bool {
			if k >= 4 {
				return false
			}
			asked[k]++
			for range 40 {
				m.Store(next, 0)
				next++
			}
			m.DeleteFunc(func(int, int) bool { return false })
			return true
		}))
		require.Equal(t, map[int]int{0: 1, 1: 1, 2: 1, 3: 1}, asked)
	})
}

// So it is where cells are pointers.
func TestDeleteFuncOfPointersThatMove(t *testing.T) {
	m, next, asked := New[int, *int](), 1, 0
	m.Store(0, new(int))
	require.Equal(t, 1, m.DeleteFunc(func(k int, _ *int) bool {
		if k == 0 {
			for asked++; next < 2000; next++ {
				m.Store(next, nil)
			}
		}
		return k == 0
	}))
	require.Equal(t, 1, asked)
	require.Equal(t, 1999, m.Len())
}

// A key that was deleted, and whose next computation a Hasher has ended, has no value to ask about.
func TestDeleteFuncOfAKeyThatAHasherHasFailed(t *testing.T) {
	by := newPrying()
	m := filled(by)
	m.DeleteFunc(func(k, _ int) bool { return k != 1 })
	*by.equal = func() { // DeleteFunc has found the key, and compares it with itself
		*by.equal = nil
		together(t, func() {
			m.Delete(1)
			require.Panics(t, func() {
				m.Compute(1, func(int, bool) (int, Op) {
					*by.equal = func() { panic("the Hasher fails") }
					return 5, Update
				})
			})
			*by.equal = nil
		})
	}
	require.Zero(t, m.DeleteFunc(func(_, _ int) bool { return true }))
	m.Store(1, 2)
	require.Equal(t, 1, m.Len())
}

// A key that other goroutines change meanwhile is deleted, or kept, as the second call says.
func TestDeleteFuncOfAKeyThatOthersChange(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for _, last := range []bool{true, false} {
			m, asked := fresh(), 0
			m.Store(1, 1)
			n := m.DeleteFunc(func(k, v int) bool {
				if asked++; asked == 2 {
					return last
				}
				together(t, func() { m.Store(1, v%2+1) })
				return true
			})
			require.Equal(t, 2, asked)
			if last {
				require.Equal(t, 1, n)
				agree(t, m, map[int]int{})
			} else {
				require.Zero(t, n)
				agree(t, m, map[int]int{1: 2})
			}
		}
	})
}

// Of several goroutines that delete a key one counts it: every key was deleted by one, or is there.
func TestDeleteFuncCountsWhatItDeletes(t *testing.T) {
	const each = 40
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(20) {
			m := fresh()
			require.Zero(t, m.DeleteFunc(func(_, _ int) bool { return true }))
			var put, gone atom.Int64
			together(t, alike(func(w int) {
				for i := range each {
					if _, loaded := m.Swap((i*several+w)%each, i); !loaded {
						put.Add(1)
					}
					switch i % 4 {
					case 0:
						gone.Add(int64(m.DeleteFunc(func(k, v int) bool { return v%3 == 0 })))
					case 1:
						m.Compute(i, func(_ int, loaded bool) (int, Op) {
							if !loaded {
								put.Add(1)
							}
							return 3 * i, Update
						})
					case 2:
						gone.Add(int64(m.DeleteFunc(func(k, v int) bool { return k%2 == 0 })))
					default:
						if _, loaded := m.LoadAndDelete(i); loaded {
							gone.Add(1)
						}
					}
				}
			})...)
			require.Equal(t, int(put.Load()-gone.Load()), m.Len())
			left := m.Len()
			var last atom.Int64
			together(t, alike(func(int) { last.Add(int64(m.DeleteFunc(func(_, _ int) bool { return true }))) })...)
			require.Equal(t, left, int(last.Load()))
			agree(t, m, map[int]int{})
		}
	})
}

func TestGrowAndTrim(t *testing.T) {
	m := New[int, int]()
	m.Grow(1 << 16)
	before := m.in.root.Load()
	for i := range 1 << 16 {
		m.Store(i, i)
	}
	require.Same(t, before, m.in.root.Load(), "room was made")
	m.DeleteFunc(func(k, _ int) bool { return k >= 10 })
	m.Trim()
	require.LessOrEqual(t, len(m.in.root.Load().inline), 4*usual.spare+2)
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
	before = m.in.root.Load()
	for i := range 1 << 14 {
		m.Store(-i, i)
	}
	require.Same(t, before, m.in.root.Load(), "room was made")
	for _, n := range []int{-1, math.MaxInt} {
		v := lawtest.Violation(t, func() error { m.Grow(n); return nil })
		require.ErrorIs(t, v, safety.ErrLength)
	}
}

// A map that was cleared comes to its former size in few steps, and not beyond. It takes little
// memory for a few keys; also if it was cleared twice.
func TestAClearedMapGrowsInFewSteps(t *testing.T) {
	for _, keys := range []int{700, 1 << 16} {
		clearedAndFilled(t, keys)
	}
}

func clearedAndFilled(t *testing.T, keys int) {
	m := New[int, int]()
	fill := func() (steps int) {
		for i := range keys {
			before := m.in.root.Load()
			if m.Store(i, i); m.in.root.Load() != before {
				steps++
			}
		}
		return steps
	}
	first := fill()
	places := m.Stats().Places
	m.Clear()
	require.Less(t, fill(), first/2+1)
	require.Equal(t, places, m.Stats().Places)
	for range 2 {
		m.Clear()
	}
	require.Less(t, fill(), first/2+1)
	require.LessOrEqual(t, m.Stats().Places, places)
	m.Clear()
	for i := range 20 {
		m.Store(i, i)
	}
	require.Less(t, m.Stats().Places, 1000)
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
	smalls, bigs, listed := New[any, int](), New[any, any](), New[any, any]()
	var gone atomic.Int32
	const rounds = 100
	for range rounds {
		for _, deletes := range []func(k *fuzz.Item){
			func(k *fuzz.Item) { smalls.Store(k, 1); smalls.Delete(k) },
			func(k *fuzz.Item) { bigs.Store(k, k); bigs.Store(k, nil); bigs.Delete(k) },
			func(k *fuzz.Item) { listed.Store(k, 1); listed.in.index(); listed.Delete(k) },
			func(k *fuzz.Item) { bigs.Compute(k, func(any, bool) (any, Op) { return k, Delete }) },
		} {
			func() {
				k := new(fuzz.Item)
				runtime.AddCleanup(k, func(gone *atomic.Int32) { gone.Add(1) }, &gone)
				deletes(k)
			}()
		}
	}
	require.True(t, lawtest.Comes(func() bool { return gone.Load() == 4*rounds }), "some are kept")
	runtime.KeepAlive(smalls)
	runtime.KeepAlive(bigs)
	runtime.KeepAlive(listed)
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
		func() { m.All()(nil) }, func() { m.DeleteFunc(nil) },
	} {
		require.ErrorIs(t, lawtest.Violation(t, func() error { f(); return nil }), safety.ErrDisposed)
	}
}
