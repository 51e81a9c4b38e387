package hashmap

import (
	"errors"
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// cities returns a multimap with some countries' cities.
func cities() *MultiMap[any, any] {
	m := NewMulti[any, any](safety.Named("cities"))
	m.AddAll("de", []any{"Berlin", "Bonn"})
	m.Add("fr", "Paris")
	m.AddAll("it", []any{"Rome", "Milan", "Turin"})
	return m
}

// uncomparable is a key that cannot be compared, and so cannot be one.
var uncomparable any = []int{1}

func TestKeysThatCannotBeComparedAreRefusedAndChangeNothing(t *testing.T) {
	m := NewMulti[any, any]()
	m.Add(1, 1)
	require.Panics(t, func() { m.Add(uncomparable, 2) })
	require.Panics(t, func() { m.Values(uncomparable) })
	require.Panics(t, func() {
		parallelfor.For(3, m.ParallelWriter(), func(w *MultiParallelWriter[any, any], i int) {
			w.Add("x", i)
			if i == 1 {
				w.Add(uncomparable, 3)
			}
		})
	})
	require.Equal(t, []any{0, 1}, m.Values("x"))
	m.Add(1, 4)
	require.Equal(t, 4, m.Len())

	of := NewMulti[any, any]()
	of.AddAll(1, []any{2, []int{3}, 4})
	require.Panics(t, func() { of.DeleteValue(1, []int{3}) })
	require.True(t, of.DeleteValue(1, 2))
	require.Panics(t, func() { of.DeleteValue(1, []int(nil)) })
	require.Equal(t, 2, of.Count(1))
}

// angry is a Hasher whose Equal panics.
type angry struct{ now *bool }

func (a angry) Hash(*maphash.Hash, int) {}
func (a angry) Equal(x, y int) bool {
	if *a.now {
		panic(errors.New("no"))
	}
	return x == y
}

func TestAPanicInEqualLeavesNoLock(t *testing.T) {
	now := false
	m := NewMultiWith[int, int](angry{&now})
	m.Add(1, 1)
	now = true
	for _, f := range []func(){
		func() { m.Add(2, 2) }, func() { m.AddAll(2, []int{2}) }, func() { m.Values(2) }, func() { m.Count(2) }, func() { m.Delete(2) },
		func() { m.DeleteValue(2, 2) }, func() { m.Replace(2, []int{3}) }, func() { m.Delete(1) },
	} {
		require.Panics(t, f)
	}
	now = false
	m.Add(1, 2)
	require.Equal(t, []int{1, 2}, m.Values(1))
}

func TestZerosNaNsAndKeysOfAHasher(t *testing.T) {
	m := NewMulti[float64, int]()
	parallelfor.For(4, m.ParallelWriter(), func(w *MultiParallelWriter[float64, int], i int) {
		w.Add([]float64{math.Copysign(0, -1), math.NaN(), 0, math.NaN()}[i], i)
	})
	var keys []float64
	for k := range m.Groups() {
		keys = append(keys, k)
	}
	require.Len(t, keys, 3)
	require.True(t, math.Signbit(keys[0]) && keys[0] == 0, "the first of equal keys is kept")
	require.True(t, math.IsNaN(keys[1]) && math.IsNaN(keys[2]))
	require.Equal(t, []int{0, 2}, m.Values(0))
	require.Empty(t, m.Values(math.NaN()))
	require.Zero(t, m.Delete(math.NaN()))
	m.Clear()
	require.Zero(t, m.LenKeys())

	words := NewMultiWith[string, int](caseless{})
	parallelfor.For(3, words.ParallelWriter(), func(w *MultiParallelWriter[string, int], i int) { w.Add([]string{"Go", "GO", "go"}[i], i) })
	require.Equal(t, []int{0, 1, 2}, words.Values("gO"))
	require.Equal(t, []string{"Go"}, keysOf(words.Groups()))
}

// What a job has added and was deleted becomes garbage, while other keys' values that lie beside it
// stay.
func TestWhatJobsHaveAddedBecomesGarbage(t *testing.T) {
	type item = fuzz.Item
	const n = 3000
	m := NewMulti[any, any]()
	var weaks [n]weak.Pointer[item]
	parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[any, any], i int) {
		v := new(item)
		weaks[i] = weak.Make(v)
		w.Add(strconv.Itoa(i%700), v)
	})
	gone := func(i int) bool { return i%700%7 != 0 }
	for i := range 700 {
		k := strconv.Itoa(i)
		switch {
		case i%7 == 0:
		case i%7 == 1:
			m.Replace(k, []any{nil})
		case i%7 == 2:
			for _, v := range m.Values(k) {
				m.DeleteValue(k, v)
			}
		default:
			m.Delete(k)
		}
	}
	for i := range 700 { // and those that stay move elsewhere
		if i%7 == 0 {
			m.Add(strconv.Itoa(i), nil)
		}
	}
	runtime.GC()
	runtime.GC()
	for i := range weaks {
		if alive := weaks[i].Value() != nil; alive == gone(i) {
			t.Fatalf("the value of index %d is alive: %v", i, alive)
		}
	}
	runtime.KeepAlive(m)
}

// The bodies of a loop may share a multimap.
func TestBodiesShareAMultiMap(t *testing.T) {
	defer fuzz.HandOut(4)()
	m := NewMulti[int, int]()
	parallelfor.For(1000, m.Shared(), func(s *MultiShared[int, int], i int) { s.Add(i%10, i) })
	parallelfor.For(1000, m.Shared(), func(s *MultiShared[int, int], i int) {
		s.AddAll(i%10, []int{i, i})
		if s.Count(i%10) < 100 || len(s.Values(i%10)) < 100 || s.Len() < 1000 || s.LenKeys() < 10 {
			panic("wrong")
		}
		s.DeleteValue(i%10, i)
		s.AppendValues(nil, i)
		s.Replace(1000+i, []int{i})
		s.Add(1000+i, i)
		s.Delete(1000 + i)
	})
	require.Equal(t, 2000, m.Len())
	require.Equal(t, 10, m.LenKeys())
	parallelfor.Do(m.Shared(), func(s *MultiShared[int, int]) { require.Equal(t, []int{2000, 10}, []int{s.Len(), s.LenKeys()}) })
}

// Values are deleted by a condition in both ways of the doc: the first beside goroutines that add,
// the second while none does.
func TestValuesAreDeletedByACondition(t *testing.T) {
	const keys, each = 20, 30
	odd := func(v int) bool { return v%2 == 1 }
	m := NewMulti[int, int]()
	add := func(from, to int) {
		for v := from; v < to; v++ {
			for k := range keys {
				m.Add(k, v)
			}
		}
	}
	want := func(end int, left func(v int) bool) {
		for k := range keys {
			var is []int
			for v := range end {
				if left(v) {
					is = append(is, v)
				}
			}
			require.Equal(t, is, m.Values(k))
		}
	}
	add(0, each)
	var deleted atom.Int64
	tasks := alike(func(int) {
		for k, v := range m.All() {
			if odd(v) && v < each && m.DeleteValue(k, v) {
				deleted.Add(1)
			}
		}
	})
	together(t, append(tasks, func() { add(each, 2*each) })...)
	require.EqualValues(t, keys*each/2, deleted.Load())
	want(2*each, func(v int) bool { return v >= each || !odd(v) })

	for k, vals := range m.Groups() {
		if left := slices.DeleteFunc(vals, func(v int) bool { return odd(v) || k%2 == 1 }); len(left) < len(vals) {
			require.Equal(t, len(vals), m.Replace(k, left))
		}
	}
	require.Equal(t, keys/2, m.LenKeys())
	for k := range keys {
		if k%2 == 1 {
			require.Nil(t, m.Values(k))
			m.AddAll(k, m.Values(0))
		}
	}
	want(2*each, func(v int) bool { return !odd(v) })
}

func TestACopyOfAMultiMapIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := cities()
	c := copyOf(m)
	v := lawtest.Violation(t, func() error { c.Dispose(); return nil })
	require.Error(t, v)
}

// A key that gets one value after the other has them all, in their order.
func TestAKeyWithManyValues(t *testing.T) {
	m := NewMulti[string, int]()
	var want []int
	for v := range 1000 {
		m.Add("a", v)
		want = append(want, v)
	}
	require.Equal(t, want, m.Values("a"))
}
