package hashmap

import (
	"errors"
	"fmt"
	"hash/maphash"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// prying is a Hasher that calls hash and equal, if not nil. All keys have one hash.
type prying struct{ hash, equal *func() }

func newPrying() prying { return prying{new(func()), new(func())} }

func (p prying) Hash(*maphash.Hash, int) {
	if f := *p.hash; f != nil {
		f()
	}
}

func (p prying) Equal(a, b int) bool {
	if f := *p.equal; f != nil {
		f()
	}
	return a == b
}

// uses are the calls that a callback can make of a map, by method.
var uses = map[string]func(m *Map[int, int]){
	"Load":        func(m *Map[int, int]) { m.Load(2) },
	"Store":       func(m *Map[int, int]) { m.Store(2, 1) },
	"LoadOrStore": func(m *Map[int, int]) { m.LoadOrStore(2, 1) }, "Swap": func(m *Map[int, int]) { m.Swap(2, 1) },
	"CompareAndSwap": func(m *Map[int, int]) { m.CompareAndSwap(2, 1, 2) }, "CompareAndDelete": func(m *Map[int, int]) { m.CompareAndDelete(2, 1) },
	"Delete": func(m *Map[int, int]) { m.Delete(2) }, "LoadAndDelete": func(m *Map[int, int]) { m.LoadAndDelete(2) },
	"Compute":       func(m *Map[int, int]) { m.Compute(2, func(int, bool) (int, Op) { return 1, Update }) },
	"LoadOrCompute": func(m *Map[int, int]) { m.LoadOrCompute(4, func() (int, bool) { return 1, false }) },
	"DeleteFunc":    func(m *Map[int, int]) { m.DeleteFunc(func(k, _ int) bool { return k == 2 }) },
	"Len":           func(m *Map[int, int]) { m.Len() }, "Clear": (*Map[int, int]).Clear, "Trim": (*Map[int, int]).Trim,
	"Grow": func(m *Map[int, int]) { m.Grow(5000) }, "Clone": func(m *Map[int, int]) { m.Clone() },
	"All":   func(m *Map[int, int]) { amid(once(m.All()), func() {}) },
	"Stats": func(m *Map[int, int]) { m.Stats() }, "String": func(m *Map[int, int]) { _ = m.String() }, "Disposed": func(m *Map[int, int]) { m.Disposed() },
	"Dispose": (*Map[int, int]).Dispose, "DisposeAfter": func(m *Map[int, int]) { m.DisposeAfter(parallelfor.Handle{}) },
	"Reader": func(m *Map[int, int]) {
		parallelfor.For(2, m.Reader(), func(r *Reader[int, int], i int) { r.Load(2) }, parallelfor.Batch(1))
	},
	"Writer": func(m *Map[int, int]) {
		parallelfor.For(2, m.Writer(), func(w *Writer[int, int], i int) { w.Len() }, parallelfor.Batch(1))
	},
	"ParallelWriter": func(m *Map[int, int]) {
		parallelfor.For(2, m.ParallelWriter(), func(w *ParallelWriter[int, int], i int) { w.Set(2, i) }, parallelfor.Batch(1))
	},
	"ParallelMerger": func(m *Map[int, int]) {
		parallelfor.For(2, m.ParallelMerger(sum), func(w *ParallelMerger[int, int], i int) { w.Merge(2, i) }, parallelfor.Batch(1))
	},
	"Shared": func(m *Map[int, int]) {
		parallelfor.For(2, m.Shared(), func(s *Shared[int, int], i int) { s.Store(2, i) }, parallelfor.Batch(1))
	},
}

// multiUses are those of a multimap.
var multiUses = map[string]func(m *MultiMap[int, int]){
	"Add": func(m *MultiMap[int, int]) { m.Add(2, 1) }, "AddAll": func(m *MultiMap[int, int]) { m.AddAll(2, []int{1, 2}) },
	"Values": func(m *MultiMap[int, int]) { m.Values(2) }, "AppendValues": func(m *MultiMap[int, int]) { m.AppendValues(nil, 2) },
	"Count": func(m *MultiMap[int, int]) { m.Count(2) },
	"Len":   func(m *MultiMap[int, int]) { m.Len() }, "LenKeys": func(m *MultiMap[int, int]) { m.LenKeys() },
	"Delete": func(m *MultiMap[int, int]) { m.Delete(2) }, "DeleteValue": func(m *MultiMap[int, int]) { m.DeleteValue(2, 1) },
	"Replace": func(m *MultiMap[int, int]) { m.Replace(2, []int{3}) }, "Clear": (*MultiMap[int, int]).Clear, "Trim": (*MultiMap[int, int]).Trim,
	"All":    func(m *MultiMap[int, int]) { amid(once(m.All()), func() {}) },
	"Groups": func(m *MultiMap[int, int]) { amid(once(m.Groups()), func() {}) },
	"Stats":  func(m *MultiMap[int, int]) { m.Stats() }, "String": func(m *MultiMap[int, int]) { _ = m.String() },
	"Disposed": func(m *MultiMap[int, int]) { m.Disposed() },
	"Dispose":  (*MultiMap[int, int]).Dispose, "DisposeAfter": func(m *MultiMap[int, int]) { m.DisposeAfter(parallelfor.Handle{}) },
	"Reader": func(m *MultiMap[int, int]) {
		parallelfor.For(2, m.Reader(), func(r *MultiReader[int, int], i int) { r.Values(2) }, parallelfor.Batch(1))
	},
	"Writer": func(m *MultiMap[int, int]) {
		parallelfor.For(2, m.Writer(), func(w *MultiWriter[int, int], i int) { w.Len() }, parallelfor.Batch(1))
	},
	"ParallelWriter": func(m *MultiMap[int, int]) {
		parallelfor.For(2, m.ParallelWriter(), func(w *MultiParallelWriter[int, int], i int) { w.Add(2, i) }, parallelfor.Batch(1))
	},
	"Shared": func(m *MultiMap[int, int]) {
		parallelfor.For(2, m.Shared(), func(s *MultiShared[int, int], i int) { s.Add(2, i) }, parallelfor.Batch(1))
	},
}

// uses and multiUses have every method.
func TestTheTablesOfUsesAreComplete(t *testing.T) {
	complete(t, reflect.TypeFor[*Map[int, int]](), uses)
	complete(t, reflect.TypeFor[*MultiMap[int, int]](), multiUses)
}

func complete[F any](t *testing.T, of reflect.Type, table map[string]F) {
	for m := range of.Methods() {
		name := m.Name
		_, there := table[name]
		require.True(t, there, "%s of %s", name, of)
	}
}

// stage is a map and a callback of it: call makes the map call f, once.
type stage struct {
	m    *Map[int, int]
	call func(f func())
	// may has the kind of violation of a use of m in f, by method; "" is for all others, nil for
	// none.
	may map[string]error
}

var (
	walking = map[string]error{"Writer": safety.ErrBorrowed, "ParallelWriter": safety.ErrBorrowed, "ParallelMerger": safety.ErrBorrowed,
		"Dispose": safety.ErrDisposed, "DisposeAfter": safety.ErrDisposed}
	reckoning = map[string]error{"DeleteFunc": safety.ErrWaitCycle, "Dispose": safety.ErrDisposed, "DisposeAfter": safety.ErrDisposed}
	disposing = map[string]error{"Dispose": safety.ErrDisposed, "DisposeAfter": safety.ErrDisposed}
	folding   = map[string]error{"": safety.ErrInFlight, "Reader": safety.ErrConflict, "Writer": safety.ErrConflict, "ParallelWriter": safety.ErrConflict,
		"ParallelMerger": safety.ErrConflict, "Shared": safety.ErrConflict, "String": nil, "Disposed": nil}
)

// stages are the callbacks of a Map.
var stages = map[string]func() stage{
	"Compute": func() stage {
		m := filled(nil)
		return stage{m, func(f func()) { m.Compute(1, func(int, bool) (int, Op) { f(); return 1, Update }) }, reckoning}
	},
	"LoadOrCompute": func() stage {
		m := filled(nil)
		return stage{m, func(f func()) { m.LoadOrCompute(9, func() (int, bool) { f(); return 1, false }) }, disposing}
	},
	"Compute, of boxes": func() stage {
		m := filled(newPrying())
		return stage{m, func(f func()) { m.Compute(1, func(int, bool) (int, Op) { f(); return 1, Update }) }, reckoning}
	},
	"DeleteFunc": func() stage {
		m := filled(nil)
		return stage{m, func(f func()) { m.DeleteFunc(func(int, int) bool { f(); return false }) }, walking}
	},
	"All": func() stage { m := filled(nil); return stage{m, func(f func()) { amid(once(m.All()), f) }, walking} },
	"fold": func() stage {
		m := filled(nil)
		return stage{m, func(f func()) {
			parallelfor.Do(m.ParallelMerger(func(old, v int) int { f(); return v }), func(w *ParallelMerger[int, int]) { w.Merge(1, 1) }, parallelfor.Name("merges"))
		}, folding}
	},
	"fold of a value that lies aside": func() stage {
		m := filled(newPrying())
		m.in.salt = 0 // so value 1 looks like a mark
		m.Store(1, 1)
		return stage{m, func(f func()) {
			parallelfor.Do(m.ParallelMerger(func(old, v int) int { f(); return v }), func(w *ParallelMerger[int, int]) { w.Merge(1, 1) }, parallelfor.Name("merges"))
		}, folding}
	},
}

func filled(h Hasher[int]) *Map[int, int] {
	m := initialised[int, int](sizes{least: 8, chunk: 8, stripes: 1, spare: 8, crowd: 64, few: 100}, h)
	for k := 1; k <= 3; k++ {
		m.Store(k, k+4)
	}
	return m
}

// Every use in every callback succeeds or is a violation, ends, and leaves the map whole.
func TestEveryUseOfAMapInEveryCallback(t *testing.T) {
	lawtest.CheckedOnly(t)
	for callback, set := range stages {
		for name, use := range uses {
			for _, own := range []bool{true, false} {
				what := fmt.Sprint(callback, ", ", name, ", own ", own)
				s := set()
				of := s.m
				if !own {
					of = filled(nil)
				}
				called := false
				v := endsWith(t, what, func() {
					s.call(func() {
						if !called { // fold may be called again
							called = true
							use(of)
						}
					})
				})
				require.True(t, called, what)
				want, told := s.may[name]
				if !told {
					want = s.may[""]
				}
				if !own {
					want = nil
				}
				judge(t, what, want, v)
				usable(t, what, s.m)
				usable(t, what, of)
			}
		}
	}
}

// judge fails the test unless v is a violation of the kind want, or nil if want is nil.
func judge(t *testing.T, what string, want error, v any) {
	if want == nil {
		require.Nil(t, v, what)
		return
	}
	err, _ := v.(error)
	require.ErrorIs(t, err, want, what)
	var told *safety.Violation
	require.True(t, errors.As(err, &told), what)
}

// usable fails the test unless the map can be used or was disposed.
func usable(t *testing.T, what string, m *Map[int, int]) {
	if m.Disposed() {
		return
	}
	require.Nil(t, endsWith(t, what, func() {
		m.Store(100, 3)
		m.Compute(101, func(int, bool) (int, Op) { return 4, Update })
		n := 0
		for range m.All() {
			n++
		}
		if v, ok := m.Load(100); v != 3 || !ok || m.Len() != n {
			panic(fmt.Sprint(v, ok, m.Len(), n))
		}
		m.Delete(100)
	}), what)
}

// A use of a map by its own Hasher ends. If it would not, it is a violation that names the method
// it called and the method that called the Hasher.
func TestEveryUseOfAMapInItsHasher(t *testing.T) {
	for _, asked := range []string{"Hash", "Equal", "Equal of many keys", "Equal under a lock"} {
		for name, use := range uses {
			by := newPrying()
			m := filled(by)
			for k := 10; k < 40 && asked == "Equal of many keys"; k++ {
				m.Store(k, 1)
			}
			pry := func() {
				if asked == "Equal under a lock" {
					*by.equal = nil
				}
				use(m)
			}
			arm := func() { *by.equal = pry }
			if asked == "Hash" {
				arm = func() { *by.hash = pry }
			}
			v := endsWith(t, asked+", "+name, func() {
				if asked != "Equal under a lock" {
					arm()
					m.Store(3, 1)
					return
				}
				m.Compute(2, func(int, bool) (int, Op) {
					m.Compute(3, func(int, bool) (int, Op) {
						arm() // Equal is called for the records of both keys
						return 1, Update
					})
					return 1, Update
				})
			})
			*by.hash, *by.equal = nil, nil
			endsAsAHasher(t, asked+", "+name, name, v, uses)
			usable(t, asked+", "+name, m)
		}
	}
}

// endsAsAHasher fails the test unless v is nil or a violation that such a use may end in.
func endsAsAHasher[F any](t *testing.T, what, name string, v any, uses map[string]F) {
	if v == nil {
		return
	}
	err, _ := v.(error)
	require.Error(t, err, what)
	if errors.Is(err, safety.ErrWaitCycle) && safety.Enabled {
		require.Regexp(t, `(Hash|Equal) of a Hasher, which \w+\.\w+ had called, called (\w+\.\w+|an iterator) of hashmap`, err.Error(), what)
		return
	}
	var told *safety.Violation
	require.True(t, errors.As(err, &told), "%s: %v", what, err)
}

func TestEveryUseOfAMultiMapInItsHasher(t *testing.T) {
	for _, asked := range []string{"Hash", "Equal"} {
		for name, use := range multiUses {
			by := newPrying()
			m := NewMultiWith[int, int](by)
			for i := range 4 {
				m.Add(i, i)
			}
			pry := func() { use(m) }
			what := asked + ", " + name
			v := endsWith(t, what, func() {
				if asked == "Hash" {
					*by.hash = pry
				} else {
					*by.equal = pry
				}
				m.Add(3, 1)
			})
			*by.hash, *by.equal = nil, nil
			endsAsAHasher(t, what, name, v, multiUses)
			if m.Disposed() {
				continue
			}
			require.Nil(t, endsWith(t, what, func() {
				m.Add(7, 1)
				if m.Count(7) != 1 || m.Len() < 1 {
					panic("not there")
				}
				m.Clear()
			}), what)
		}
	}
}

// Every use of a MultiMap in a range over it ends, or is a violation.
func TestEveryUseOfAMultiMapInARange(t *testing.T) {
	lawtest.CheckedOnly(t)
	for name, use := range multiUses {
		for i, walk := range []func(m *MultiMap[int, int], f func()){
			func(m *MultiMap[int, int], f func()) { amid(once(m.All()), f) },
			func(m *MultiMap[int, int], f func()) { amid(once(m.Groups()), f) },
		} {
			m := NewMulti[int, int]()
			for i := range 4 {
				m.AddAll(i, []int{i, i})
			}
			what := fmt.Sprint(name, ", ", i)
			judge(t, what, walking[name], endsWith(t, what, func() { walk(m, func() { use(m) }) }))
		}
	}
}
