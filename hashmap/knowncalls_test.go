package hashmap

import (
	"iter"
	"math"
	"runtime"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// A function is called once for a key, however often its caller has to begin anew because keys are
// moved.
func TestAFunctionIsNotCalledTwiceWhileTheTableGrows(t *testing.T) {
	const keys = 60
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for range lawtest.Rounds(30) {
			m := fresh()
			var calls, loads [keys]int // for one at a time: others wait
			together(t, alike(func(w int) {
				for k := range keys {
					m.LoadOrCompute(k, func() (int, bool) { loads[k]++; return 7, false })
					m.Compute(k, func(old int, _ bool) (int, Op) { calls[k]++; return old + 1, Update })
				}
			})...)
			want := map[int]int{}
			for k := range keys {
				require.Equal(t, []int{1, several}, []int{loads[k], calls[k]}, k)
				want[k] = 7 + several
			}
			agree(t, m, want)
		}
	})
}

// The value that a function returns with Delete or Keep is not stored.
func TestComputeReturnsNothingForWhatIsNotThere(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		m := fresh()
		for _, op := range []Op{Keep, Delete} {
			v, ok := m.Compute(1, func(old int, loaded bool) (int, Op) {
				require.Equal(t, []any{0, false}, []any{old, loaded})
				return 9, op
			})
			require.Equal(t, []any{0, false}, []any{v, ok}, op)
		}
		v, loaded := m.LoadOrCompute(1, func() (int, bool) { return 9, true })
		require.Equal(t, []any{0, false}, []any{v, loaded})
		agree(t, m, map[int]int{})
		m.Store(1, 5)
		v, ok := m.Compute(1, func(int, bool) (int, Op) { return 9, Keep })
		require.Equal(t, []any{5, true}, []any{v, ok})
		agree(t, m, map[int]int{1: 5})
		v, ok = m.Compute(1, func(int, bool) (int, Op) { return 9, Delete })
		require.Equal(t, []any{0, false}, []any{v, ok})
		agree(t, m, map[int]int{})
	})
}

// ends are the ways of a function not to return.
var ends = map[string]func(){
	"panic":   func() { panic("no") },
	"Goexit":  runtime.Goexit,
	"FailNow": func() { new(testing.T).FailNow() },
}

// calling has all methods that call a function that may use the map, by name. The map has key 1,
// and not key 2.
func calling(m subject, f func()) map[string]func() {
	return map[string]func(){
		"Compute":           func() { m.Compute(1, func(int, bool) (int, Op) { f(); return 0, Keep }) },
		"Compute, absent":   func() { m.Compute(2, func(int, bool) (int, Op) { f(); return 0, Keep }) },
		"LoadOrCompute":     func() { m.LoadOrCompute(2, func() (int, bool) { f(); return 0, true }) },
		"DeleteFunc":        func() { m.DeleteFunc(func(int, int) bool { f(); return false }) },
		"All":               func() { m.All()(func(int, int) bool { f(); return true }) },
		"Compute, nested":   func() { m.Compute(3, func(int, bool) (int, Op) { calling(m, f)["Compute"](); return 0, Keep }) },
		"Compute, from All": func() { m.All()(func(int, int) bool { calling(m, f)["Compute"](); return false }) },
	}
}

// ordered has a map know the order of its keys, as jobs do.
func ordered(m subject) {
	switch m := m.(type) {
	case *Map[int, int]:
		m.in.arrange()
	case texts:
		m.Map.in.arrange()
	case pairs:
		m.Map.in.arrange()
	}
}

// everything does all to a map that another goroutine might wait for.
func everything(m subject, from int) {
	for k := from; k < from+40; k++ {
		m.Store(k, 1)
		m.LoadOrStore(k, 2)
		m.Swap(k, 3)
		m.CompareAndSwap(k, 3, 4)
		m.Compute(k, func(old int, _ bool) (int, Op) { return old + 1, Update })
		m.CompareAndDelete(k, 5)
		m.LoadOrCompute(k, func() (int, bool) { return 6, false })
		if v, _ := m.Load(k); v != 6 {
			fail("key %d gives %d", k, v)
		}
		m.LoadAndDelete(k)
	}
	m.Grow(100)
	m.Trim()
	m.Len()
	for range m.All() {
		continue
	}
}

// A function that panics, or ends its goroutine, leaves the map as it was and nothing locked, for
// each method that calls functions.
func TestAFunctionThatDoesNotReturnLeavesNothingLocked(t *testing.T) {
	for name, end := range ends {
		for _, arranged := range []bool{false, true} {
			t.Run(name+", ordered "+strconv.FormatBool(arranged), func(t *testing.T) {
				eachKind(t, func(t *testing.T, fresh func() subject) {
					for caller := range calling(nil, nil) {
						m, ended := fresh(), false
						m.Store(1, 1)
						if arranged {
							ordered(m)
						}
						together(t, func() {
							defer func() { ended = recover() != nil || name != "panic" }()
							calling(m, end)[caller]()
							fail("it returned")
						})
						require.True(t, ended, caller)
						agree(t, m, map[int]int{1: 1})
						together(t, alike(func(w int) { everything(m, 100*(w+1)) })...)
						together(t, func() { everything(m, 0); m.DeleteFunc(func(int, int) bool { return true }) })
						agree(t, m, map[int]int{})
						together(t, m.Clear)
					}
				})
			})
		}
	}
}

// So does one that merges large values, or ends its goroutine as a test does. See also
// TestFoldsThatFail.
func TestAFoldThatDoesNotReturnLeavesNothingLocked(t *testing.T) {
	for name, end := range ends {
		m := New[string, string]()
		m.Store("a", "x")
		err := lawtest.Failure(func() error {
			parallelfor.For(5000, m.ParallelMerger(func(old, v string) string { end(); return v }), func(w *ParallelMerger[string, string], i int) {
				w.Merge([]string{"a", "b", "c"}[i%3], "y")
			})
			return nil
		})
		require.Error(t, err, name)
		together(t, alike(func(w int) {
			k := strconv.Itoa(w)
			m.Store(k, k)
			m.Compute("a", func(old string, _ bool) (string, Op) { return old, Update })
			m.Delete(k)
		})...)
		v, _ := m.Load("a")
		require.Equal(t, "x", v, name)
	}
}

// A function may do anything to other keys, for each method that calls functions.
func TestAFunctionThatUsesTheMapDoesNotHang(t *testing.T) {
	for _, arranged := range []bool{false, true} {
		eachKind(t, func(t *testing.T, fresh func() subject) {
			for caller := range calling(nil, nil) {
				m := fresh()
				m.Store(1, 1)
				if arranged {
					ordered(m)
				}
				together(t, func() {
					calling(m, func() { everything(m, 10) })[caller]()
				})
				agree(t, m, map[int]int{1: 1})
			}
		})
	}
}

// An iteration that is left holds nothing, and one that continues after a Clear ends.
func TestAnIterationThatStopsHoldsNothing(t *testing.T) {
	for _, arranged := range []bool{false, true} {
		eachKind(t, func(t *testing.T, fresh func() subject) {
			m := fresh()
			for k := range 10 {
				m.Store(k, k)
			}
			if arranged {
				ordered(m)
			}
			for range m.All() {
				break
			}
			next, stop := iter.Pull2(m.All())
			defer stop()
			_, _, ok := next()
			require.True(t, ok)
			together(t, alike(func(w int) { everything(m, 100*(w+1)) })...)
			m.Clear()
			m.Store(1000, 1)
			seen := map[int]bool{}
			for k, _, ok := next(); ok; k, _, ok = next() { // it may still come upon what was cleared
				require.False(t, seen[k], k)
				seen[k] = true
			}
			agree(t, m, map[int]int{1000: 1})
		})
	}
}

// A Clear while a value is computed comes before or after it. It does not wait, and Len is right.
func TestAClearInsideAFunctionDoesNotHang(t *testing.T) {
	eachKind(t, func(t *testing.T, fresh func() subject) {
		for caller := range calling(nil, nil) {
			m := fresh()
			m.Store(1, 1)
			together(t, func() { calling(m, func() { m.Clear(); m.Store(5, 5) })[caller]() })
			together(t, func() { everything(m, 10); m.LoadAndDelete(1); m.LoadAndDelete(2); m.LoadAndDelete(3) })
			agree(t, m, map[int]int{5: 5})
		}
	})
}

// A copy of a map is not one: jobs and Dispose refuse it, and the map goes on.
func TestACopyIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := New[int, int](safety.Named("m"))
	m.Store(1, 1)
	c := copied(m)
	for name, f := range map[string]func(){
		"Dispose":        c.Dispose,
		"Reader":         func() { parallelfor.Do(c.Reader(), func(*Reader[int, int]) {}) },
		"Writer":         func() { parallelfor.Do(c.Writer(), func(*Writer[int, int]) {}) },
		"ParallelWriter": func() { parallelfor.Do(c.ParallelWriter(), func(*ParallelWriter[int, int]) {}) },
		"Shared":         func() { parallelfor.Do(c.Shared(), func(*Shared[int, int]) {}) },
	} {
		v := lawtest.Violation(t, func() error { f(); return nil })
		require.ErrorIs(t, v, safety.ErrCopied, name)
	}
	agree(t, m, map[int]int{1: 1})
}

// copied returns a copy where vet would not like one.
func copied[T any](p *T) *T {
	c := *p
	return &c
}

// A nil is a value as others are, and what cannot be compared is a panic where it would have to be,
// and leaves nothing locked.
func TestComparingNilAndWhatCannotBeCompared(t *testing.T) {
	type pack struct{ x any }
	m := New[any, any]()
	require.False(t, m.CompareAndSwap(1, nil, 2), "a missing key is not nil")
	require.False(t, m.CompareAndDelete(1, nil))
	require.Zero(t, m.Len())
	m.Store(1, nil)
	require.False(t, m.CompareAndSwap(1, 0, 2))
	require.True(t, m.CompareAndSwap(1, nil, []int{1}))
	require.False(t, m.CompareAndSwap(1, nil, 2))
	require.False(t, m.CompareAndDelete(1, "x"), "of another type")
	require.Panics(t, func() { m.CompareAndSwap(1, []int{1}, 2) })
	m.Store(1, pack{[]int{1}})
	for range 2 { // the second time it lies aside
		require.Panics(t, func() { m.CompareAndDelete(1, pack{[]int{1}}) })
		require.False(t, m.CompareAndSwap(1, pack{1}, 2))
		m.Compute(1, func(old any, _ bool) (any, Op) {
			require.Panics(t, func() { m.CompareAndSwap(2, pack{func() {}}, 2) })
			return old, Keep
		})
	}
	together(t, func() { m.Store(1, 7); m.Delete(1) })
	var p *fuzz.Item
	require.False(t, m.CompareAndSwap("a", p, new(fuzz.Item)))
	m.Store("a", p)
	require.False(t, m.CompareAndSwap("a", nil, p), "a nil of another type")
	require.True(t, m.CompareAndSwap("a", p, new(fuzz.Item)))
	require.False(t, m.CompareAndDelete("a", p))
	words := New[int, int]()
	require.False(t, words.CompareAndSwap(1, 0, 2), "a missing key is not zero")
	require.Zero(t, words.Len())
}

// Keys whose hashes are equal, in all bits or in some, never get each other's values.
func TestKeysWithEqualHashesKeepTheirOwnValues(t *testing.T) {
	for name, hash := range map[string]func(k string) uint64{
		"equal":        zero,
		"all ones":     func(string) uint64 { return math.MaxUint64 },
		"the last bit": func(k string) uint64 { return uint64(digits(k) & 1) },
		"lower half":   func(k string) uint64 { return uint64(digits(k)) },
		"upper half":   func(k string) uint64 { return uint64(digits(k)) << 32 },
		"two upper":    func(k string) uint64 { return uint64(digits(k)) << 62 },
	} {
		for _, s := range []sizes{usual, tiny} {
			for kind, m := range map[string]interface {
				Load(k int) (int, bool)
				Store(k, v int)
				LoadAndDelete(k int) (int, bool)
				All() iter.Seq2[int, int]
			}{"small": texts{crowded[int](s, hash)}, "large": larges{crowded[string](s, hash)}} {
				t.Run(name+" "+kind, func(t *testing.T) {
					together(t, alike(func(w int) {
						for i := range 200 {
							k := (i*7+w)%50*several + w
							m.Store(k, k)
							if v, ok := m.Load(k); !ok || v != k {
								fail("key %d gives %d, %t", k, v, ok)
							}
							if v, ok := m.Load(k ^ 1); ok && v != k^1 {
								fail("key %d gives %d", k^1, v)
							}
							if i%3 == 0 {
								if v, ok := m.LoadAndDelete(k); !ok || v != k {
									fail("key %d gave %d, %t", k, v, ok)
								}
							}
						}
					})...)
					for k, v := range m.All() {
						require.Equal(t, k, v)
					}
				})
			}
		}
	}
}
