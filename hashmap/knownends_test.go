package hashmap

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
)

// A value is compared and deleted, or not: one that came meanwhile is never deleted instead of it.
func TestNoNewerValueIsDeleted(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(4) {
			m, over := fresh(), atom.Bool{}
			const last = 300
			var missing [last + 1]bool
			var deleted [last + 1]bool
			together(t, func() {
				defer over.Store(true)
				for v := 1; v <= last; v++ {
					if was, there := m.Swap(7, v); there && was != v-1 {
						fail("%d was there, after %d was put", was, v-1)
					} else {
						missing[v-1] = !there
					}
				}
			}, func() {
				for !over.Load() {
					v, ok := m.Load(7)
					if ok && m.CompareAndDelete(7, v) {
						deleted[v] = true
					}
				}
			}, func() {
				for !over.Load() {
					m.DeleteFunc(func(_, v int) bool { return v%5 == 3 })
					m.Store(100, 1) // so that keys are moved
					m.LoadAndDelete(100)
					m.Trim()
				}
			})
			for v := 1; v < last; v++ {
				if v%5 == 3 {
					require.False(t, deleted[v] && !missing[v], v)
				} else {
					require.Equal(t, deleted[v], missing[v], v)
				}
			}
		}
	})
}

// Values stored before a Clear do not come back after it, values stored after it stay, and no
// operation waits for ever.
func TestClearBesideStoresNeitherHangsNorBringsBack(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(30) {
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
					m.Store(w, n)
					m.Store(several+several*n+w, n) // so that keys are moved
					v, ok := m.Load(w)
					if ok && v != n || !ok && before == 20 {
						fail("key %d gives %d, %t after %d was stored", w, v, ok, n)
					}
				}
			})...)
			m.Clear()
			agree(t, m, map[int]int{})
			m.Store(1, 1)
			agree(t, m, map[int]int{1: 1})
		}
	})
}

// Len is never below zero, nor further from what is there than keys come and go while it counts.
func TestLenStaysNearTheNumberOfKeys(t *testing.T) {
	const stay = 20
	eachKind(t, func(t *testing.T, fresh func() subject) {
		m, busy := fresh(), atom.Int64{}
		busy.Store(several - 1)
		var changes atom.Int64 // begun
		for k := range stay {
			m.Store(k, k)
		}
		together(t, alike(func(w int) {
			if w > 0 {
				defer busy.Add(-1)
				for range lawtest.Rounds(4000) {
					changes.Add(1)
					m.Store(stay+w, w)
					changes.Add(1)
					m.LoadAndDelete(stay + w)
				}
				return
			}
			for busy.Load() > 0 {
				before := changes.Load()
				n := m.Len()
				during := int(changes.Load()-before) + several - 1 // those that were under way
				if n < 0 || n < stay-during || n > stay+several-1+during {
					fail("Len is %d where %d keys stay, and %d changes were made meanwhile", n, stay, during)
				}
			}
		})...)
		require.Equal(t, stay, m.Len())
	})
}

// A key of an interface type that cannot be compared is a panic in each method, changes nothing,
// and leaves nothing locked. A key that holds a NaN is found by no search, and hides no other key.
func TestAKeyThatCannotBeComparedLeavesNothingLocked(t *testing.T) {
	t.Run("small values", func(t *testing.T) {
		oddKeys(t, func() *Map[any, int] { return initialised[any, int](tiny, nil) }, 1, 2)
	})
	t.Run("large values", func(t *testing.T) {
		oddKeys(t, func() *Map[any, any] { return initialised[any, any](tiny, nil) }, any("a"), any("b"))
	})
}

func oddKeys[V any](t *testing.T, fresh func() *Map[any, V], one, two V) {
	m := fresh()
	m.Store(1, one)
	for _, k := range []any{[]int{1}, [1]any{func() {}}, struct{ m map[int]int }{}} {
		for name, f := range map[string]func(){
			"Load":             func() { m.Load(k) },
			"Store":            func() { m.Store(k, two) },
			"LoadOrStore":      func() { m.LoadOrStore(k, two) },
			"LoadOrCompute":    func() { m.LoadOrCompute(k, func() (V, bool) { return two, false }) },
			"Compute":          func() { m.Compute(k, func(V, bool) (V, Op) { return two, Update }) },
			"Swap":             func() { m.Swap(k, two) },
			"CompareAndSwap":   func() { m.CompareAndSwap(k, one, two) },
			"CompareAndDelete": func() { m.CompareAndDelete(k, one) },
			"LoadAndDelete":    func() { m.LoadAndDelete(k) },
			"nested":           func() { m.Compute(2, func(V, bool) (V, Op) { m.Store(k, two); return two, Update }) },
		} {
			require.Panics(t, f, name)
			require.Equal(t, 1, m.Len(), name)
		}
	}
	for range 20 {
		m.Store(math.NaN(), two)
	}
	together(t, alike(func(w int) {
		for k := 10 * w; k < 10*w+10; k++ {
			m.LoadOrStore(k, two)
			m.Compute(k, func(V, bool) (V, Op) { return one, Update })
			if _, ok := m.Load(k); !ok {
				fail("key %d is hidden", k)
			}
		}
	})...)
	require.Equal(t, 20+10*several, m.Len())
	together(t, func() { m.DeleteFunc(func(any, V) bool { return true }) })
	require.Zero(t, m.Len())
}
