package hashmap

import (
	"errors"
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/safety"
)

// held does something while a job holds a view.
func held[V any](view V, do func()) func() {
	return func() {
		h := parallelfor.ScheduleSingle(holder[V]{View: view})
		defer h.Complete()
		do()
	}
}

// cities returns a multimap with some countries' cities.
func cities() *MultiMap[string, string] {
	m := NewMulti[string, string](safety.Named("cities"))
	m.AddAll("de", []string{"Berlin", "Bonn"})
	m.Add("fr", "Paris")
	m.AddAll("it", []string{"Rome", "Milan", "Turin"})
	return m
}

// copyOf returns a copy where vet would not like one.
func copyOf[T any](p *T) T { return *p }

var nilMulti *MultiMap[int, int]

var multiMisuses = []fuzz.Misuse{
	{Name: "zero multimap", Want: safety.ErrUnassigned, Do: func() { new(MultiMap[int, int]).Add(1, 1) }},
	{Name: "nil hasher", Want: safety.ErrArgument, Do: func() { NewMultiWith[int, int](nil) }},
	{Name: "reader of nil", Want: safety.ErrUnassigned, Do: func() { parallelfor.Do(nilMulti.Reader(), func(*MultiReader[int, int]) {}) }},
	{Name: "writer of nil", Want: safety.ErrUnassigned, Do: func() { parallelfor.Do(nilMulti.Writer(), func(*MultiWriter[int, int]) {}) }},
	{Name: "parallel writer of nil", Want: safety.ErrUnassigned, Do: func() {
		parallelfor.Do(nilMulti.ParallelWriter(), func(*MultiParallelWriter[int, int]) {})
	}},
	{Name: "shared of nil", Want: safety.ErrUnassigned, Do: func() { parallelfor.Do(nilMulti.Shared(), func(*MultiShared[int, int]) {}) }},
	{Name: "add while a job reads", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.Reader(), func() { m.Add("fr", "Nice") })() }},
	{Name: "delete while a job reads", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.Reader(), func() { m.Delete("fr") })() }},
	{Name: "clear while a job reads", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.Reader(), m.Clear)() }},
	{Name: "look while a job reads is allowed", Do: func() {
		m := cities()
		held(m.Reader(), func() {
			if m.Count("it") != 3 || len(m.Values("it")) != 3 || m.Len() != 6 || m.LenKeys() != 3 || !m.Contains("de") {
				panic("wrong")
			}
			for k := range m.Keys() {
				_ = k
			}
		})()
	}},
	{Name: "look while a job writes", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.Writer(), func() { m.Count("fr") })() }},
	{Name: "iterate while a job writes", Want: safety.ErrInFlight, Do: func() {
		m := cities()
		held(m.Writer(), func() {
			for range m.All() {
			}
		})()
	}},
	{Name: "a job writes while the owner iterates", Want: safety.ErrInFlight, Do: func() {
		m := cities()
		h := parallelfor.Handle{}
		defer func() { h.Complete() }()
		for range m.Keys() {
			h.Complete()
			h = parallelfor.ScheduleSingle(holder[MultiWriter[string, string]]{View: m.Writer()})
		}
	}},
	{Name: "add while a job adds", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.ParallelWriter(), func() { m.Add("fr", "Nice") })() }},
	{Name: "look while a job adds", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.ParallelWriter(), func() { m.Values("fr") })() }},
	{Name: "dispose while a job adds", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.ParallelWriter(), m.Dispose)() }},
	{Name: "everything beside a job that shares is allowed", Do: func() {
		m := cities()
		held(m.Shared(), func() {
			m.Add("fr", "Nice")
			m.Replace("de", []string{"Kiel"})
			m.DeleteValue("it", "Milan")
			m.Values("it")
			m.Clear()
		})()
	}},
	{Name: "two jobs that add", Want: safety.ErrConflict, Do: func() {
		m := cities()
		held(m.ParallelWriter(), held(m.ParallelWriter(), func() {}))()
	}},
	{Name: "key beyond the last", Want: safety.ErrIndex, Do: func() {
		m := cities()
		parallelfor.Do(m.Reader(), func(r *MultiReader[string, string]) { r.At(3) })
	}},
	{Name: "key before the first", Want: safety.ErrIndex, Do: func() {
		m := cities()
		parallelfor.Do(m.Writer(), func(r *MultiWriter[string, string]) { r.At(-1) })
	}},
	{Name: "another cell's key", Want: safety.ErrWriteRange, Do: func() {
		m := cities()
		parallelfor.For(3, m.Writer(), func(w *MultiWriter[string, string], i int) { w.At((i + 1) % 3) }, parallelfor.Batch(1))
	}},
	{Name: "reader outside its job", Want: safety.ErrStaleView, Do: func() { r := cities().Reader(); r.Values("fr") }},
	{Name: "length of a reader outside its job", Want: safety.ErrStaleView, Do: func() { r := cities().Reader(); r.Len() }},
	{Name: "writer outside its job", Want: safety.ErrStaleView, Do: func() { w := cities().Writer(); w.At(0) }},
	{Name: "length of a writer outside its job", Want: safety.ErrStaleView, Do: func() { w := cities().Writer(); w.Len() }},
	{Name: "parallel writer outside its job", Want: safety.ErrStaleView, Do: func() { w := cities().ParallelWriter(); w.Add("fr", "Nice") }},
	{Name: "nothing, by a parallel writer outside its job", Want: safety.ErrStaleView, Do: func() { w := cities().ParallelWriter(); w.AddAll("fr", nil) }},
	{Name: "shared outside its job", Want: safety.ErrStaleView, Do: func() { s := cities().Shared(); s.Len() }},
	{Name: "a view that was never assigned", Want: safety.ErrStaleView, Do: func() { new(MultiReader[int, int]).At(0) }},
	{Name: "trim while a job adds", Want: safety.ErrInFlight, Do: func() { m := cities(); held(m.ParallelWriter(), m.Trim)() }},
	{Name: "use after Dispose", Want: safety.ErrDisposed, Do: func() { m := cities(); m.Dispose(); m.Add("fr", "Nice") }},
	{Name: "job after Dispose", Want: safety.ErrDisposed, Do: func() { m := cities(); m.Dispose(); held(m.Reader(), func() {})() }},
	{Name: "second Dispose", Want: safety.ErrDisposed, Do: func() { m := cities(); m.Dispose(); m.Dispose() }},
	{Name: "dispose after the job that uses it", Do: func() {
		m := cities()
		h := parallelfor.ScheduleSingle(holder[MultiReader[string, string]]{View: m.Reader()})
		m.DisposeAfter(h)
		h.Complete()
		if !m.Disposed() {
			panic("not disposed")
		}
	}},
}

func TestMisuseOfMultiMaps(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, x := range multiMisuses {
		err := lawtest.Failure(func() error { x.Do(); return nil })
		if x.Want == nil {
			require.NoError(t, err, x.Name)
		} else {
			require.ErrorIs(t, err, x.Want, x.Name)
		}
	}
}

// What is said of another cell's key says which key it is.
func TestAKeyOfAnotherCellIsNamed(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := cities()
	v := lawtest.Violation(t, func() error {
		parallelfor.For(3, m.Writer(), func(w *MultiWriter[string, string], i int) {
			if i == 1 {
				w.At(2)
			}
		}, parallelfor.Batch(1), parallelfor.Name("Rename"))
		return nil
	})
	require.ErrorIs(t, v, safety.ErrWriteRange)
	require.Contains(t, v.Error(), "Index 2 is the key \"it\".")
	require.Equal(t, []any{2, 1, 2, 3, "Rename"}, []any{v.Index, v.Min, v.Max, v.Length, v.Job})
	require.Contains(t, v.Container, `"cities"`)
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

// insensitive is a Hasher of strings, whatever case they are in.
type insensitive struct{}

func (insensitive) Hash(h *maphash.Hash, k string) { _, _ = h.WriteString(strings.ToLower(k)) }
func (insensitive) Equal(a, b string) bool         { return strings.EqualFold(a, b) }

func TestZerosNaNsAndKeysOfAHasher(t *testing.T) {
	m := NewMulti[float64, int]()
	parallelfor.For(4, m.ParallelWriter(), func(w *MultiParallelWriter[float64, int], i int) {
		w.Add([]float64{math.Copysign(0, -1), math.NaN(), 0, math.NaN()}[i], i)
	})
	var keys []float64
	for k := range m.Keys() {
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

	words := NewMultiWith[string, int](insensitive{})
	parallelfor.For(3, words.ParallelWriter(), func(w *MultiParallelWriter[string, int], i int) { w.Add([]string{"Go", "GO", "go"}[i], i) })
	require.Equal(t, []int{0, 1, 2}, words.Values("gO"))
	require.Equal(t, []string{"Go"}, slices.Collect(words.Keys()))
}

// What a job has added and was deleted becomes garbage, while other keys' values that lie beside it stay.
func TestWhatJobsHaveAddedBecomesGarbage(t *testing.T) {
	type item = fuzz.Item
	const n = 3000
	m := NewMulti[string, *item]()
	var weaks [n]weak.Pointer[item]
	parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[string, *item], i int) {
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
			m.Replace(k, []*item{nil})
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
		if s.Count(i%10) < 100 || !s.Contains(i%10) || len(s.Values(i%10)) < 100 || s.Len() < 1000 {
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
}

func TestACopyOfAMultiMapIsRefused(t *testing.T) {
	lawtest.CheckedOnly(t)
	m := cities()
	c := copyOf(m)
	v := lawtest.Violation(t, func() error { c.Dispose(); return nil })
	require.Error(t, v)
}
