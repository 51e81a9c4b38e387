package hashmap

import (
	"errors"
	"maps"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

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
			is(0, false)(m.Compute(1, op(7, Delete)))
			require.Zero(t, m.Len())
			for _, v := range []int{0, 1, 2, 100} { // the first three lie aside in the one
				is(v, true)(m.Compute(1, op(v, Update)))
				is(v, true)(m.Compute(1, op(9, Keep)))
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

// Two goroutines that want the same value computed at the same time have it computed once.
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

// A function that computes a value may do anything but change that key: it is told, and nothing is
// held up.
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
	lawtest.Watchdog(t)
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
