package hashmap

import (
	"fmt"
	"iter"
	"maps"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/word"
)

// subject is a map of numbers.
type subject interface {
	Load(k int) (int, bool)
	Store(k, v int)
	LoadOrStore(k, v int) (int, bool)
	LoadAndDelete(k int) (int, bool)
	Swap(k, v int) (int, bool)
	CompareAndSwap(k, old, new int) bool
	CompareAndDelete(k, old int) bool
	Compute(k int, f func(old int, loaded bool) (int, Op)) (int, bool)
	LoadOrCompute(k int, f func() (v int, cancel bool)) (int, bool)
	All() iter.Seq2[int, int]
	Delete(k int)
	Len() int
	Clear()
	Dispose()
	Grow(n int)
	Trim()
	DeleteFunc(f func(k, v int) bool) int
}

// texts is a map whose keys are texts of numbers.
type texts struct{ Map *Map[string, int] }

func (m texts) Len() int   { return m.Map.Len() }
func (m texts) Clear()     { m.Map.Clear() }
func (m texts) Dispose()   { m.Map.Dispose() }
func (m texts) Grow(n int) { m.Map.Grow(n) }
func (m texts) Trim()      { m.Map.Trim() }

func (m texts) Load(k int) (int, bool)           { return m.Map.Load(strconv.Itoa(k)) }
func (m texts) Store(k, v int)                   { m.Map.Store(strconv.Itoa(k), v) }
func (m texts) LoadOrStore(k, v int) (int, bool) { return m.Map.LoadOrStore(strconv.Itoa(k), v) }
func (m texts) LoadAndDelete(k int) (int, bool)  { return m.Map.LoadAndDelete(strconv.Itoa(k)) }
func (m texts) Delete(k int)                     { m.Map.Delete(strconv.Itoa(k)) }
func (m texts) Swap(k, v int) (int, bool)        { return m.Map.Swap(strconv.Itoa(k), v) }
func (m texts) CompareAndSwap(k, old, new int) bool {
	return m.Map.CompareAndSwap(strconv.Itoa(k), old, new)
}
func (m texts) CompareAndDelete(k, old int) bool { return m.Map.CompareAndDelete(strconv.Itoa(k), old) }
func (m texts) Compute(k int, f func(old int, loaded bool) (int, Op)) (int, bool) {
	return m.Map.Compute(strconv.Itoa(k), f)
}
func (m texts) LoadOrCompute(k int, f func() (int, bool)) (int, bool) {
	return m.Map.LoadOrCompute(strconv.Itoa(k), f)
}
func (m texts) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		m.Map.All()(func(k string, v int) bool { return yield(digits(k), v) })
	}
}

func (m texts) DeleteFunc(f func(k, v int) bool) int {
	return m.Map.DeleteFunc(func(k string, v int) bool { return f(digits(k), v) })
}

// larges is a map of texts, and values that are texts as well.
type larges struct{ Map *Map[string, string] }

func (m larges) Len() int   { return m.Map.Len() }
func (m larges) Clear()     { m.Map.Clear() }
func (m larges) Dispose()   { m.Map.Dispose() }
func (m larges) Grow(n int) { m.Map.Grow(n) }
func (m larges) Trim()      { m.Map.Trim() }

func (m larges) one(v string, ok bool) (int, bool) { return digits(v), ok }

func (m larges) Load(k int) (int, bool) { return m.one(m.Map.Load(strconv.Itoa(k))) }
func (m larges) Store(k, v int)         { m.Map.Store(strconv.Itoa(k), strconv.Itoa(v)) }
func (m larges) LoadOrStore(k, v int) (int, bool) {
	return m.one(m.Map.LoadOrStore(strconv.Itoa(k), strconv.Itoa(v)))
}
func (m larges) LoadAndDelete(k int) (int, bool) { return m.one(m.Map.LoadAndDelete(strconv.Itoa(k))) }
func (m larges) Delete(k int)                    { m.Map.Delete(strconv.Itoa(k)) }
func (m larges) Swap(k, v int) (int, bool) {
	return m.one(m.Map.Swap(strconv.Itoa(k), strconv.Itoa(v)))
}
func (m larges) CompareAndSwap(k, old, new int) bool {
	return m.Map.CompareAndSwap(strconv.Itoa(k), strconv.Itoa(old), strconv.Itoa(new))
}
func (m larges) CompareAndDelete(k, old int) bool {
	return m.Map.CompareAndDelete(strconv.Itoa(k), strconv.Itoa(old))
}
func (m larges) Compute(k int, f func(old int, loaded bool) (int, Op)) (int, bool) {
	return m.one(m.Map.Compute(strconv.Itoa(k), func(old string, loaded bool) (string, Op) {
		v, op := f(digits(old), loaded)
		return strconv.Itoa(v), op
	}))
}
func (m larges) LoadOrCompute(k int, f func() (int, bool)) (int, bool) {
	return m.one(m.Map.LoadOrCompute(strconv.Itoa(k), func() (string, bool) {
		v, cancel := f()
		return strconv.Itoa(v), cancel
	}))
}
func (m larges) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		m.Map.All()(func(k, v string) bool { return yield(digits(k), digits(v)) })
	}
}

func (m larges) DeleteFunc(f func(k, v int) bool) int {
	return m.Map.DeleteFunc(func(k, v string) bool { return f(digits(k), digits(v)) })
}

// pairs is a map of values that are too large for a word.
type pairs struct{ Map *Map[int, [3]int] }

func (m pairs) Len() int   { return m.Map.Len() }
func (m pairs) Clear()     { m.Map.Clear() }
func (m pairs) Dispose()   { m.Map.Dispose() }
func (m pairs) Grow(n int) { m.Map.Grow(n) }
func (m pairs) Trim()      { m.Map.Trim() }

func twin(v int) [3]int { return [3]int{v, -v, v} }

func (m pairs) one(v [3]int, ok bool) (int, bool) {
	if v[1] != -v[0] {
		panic("a torn value")
	}
	return v[0], ok
}

func (m pairs) Load(k int) (int, bool)           { return m.one(m.Map.Load(k)) }
func (m pairs) Store(k, v int)                   { m.Map.Store(k, twin(v)) }
func (m pairs) LoadOrStore(k, v int) (int, bool) { return m.one(m.Map.LoadOrStore(k, twin(v))) }
func (m pairs) Delete(k int)                     { m.Map.Delete(k) }
func (m pairs) LoadAndDelete(k int) (int, bool)  { return m.one(m.Map.LoadAndDelete(k)) }
func (m pairs) Swap(k, v int) (int, bool)        { return m.one(m.Map.Swap(k, twin(v))) }
func (m pairs) CompareAndSwap(k, old, new int) bool {
	return m.Map.CompareAndSwap(k, twin(old), twin(new))
}
func (m pairs) CompareAndDelete(k, old int) bool { return m.Map.CompareAndDelete(k, twin(old)) }
func (m pairs) Compute(k int, f func(old int, loaded bool) (int, Op)) (int, bool) {
	return m.one(m.Map.Compute(k, func(old [3]int, loaded bool) ([3]int, Op) {
		v, op := f(old[0], loaded)
		return twin(v), op
	}))
}
func (m pairs) LoadOrCompute(k int, f func() (int, bool)) (int, bool) {
	return m.one(m.Map.LoadOrCompute(k, func() ([3]int, bool) {
		v, cancel := f()
		return twin(v), cancel
	}))
}
func (m pairs) All() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		m.Map.All()(func(k int, v [3]int) bool {
			first, _ := m.one(v, true)
			return yield(k, first)
		})
	}
}

func (m pairs) DeleteFunc(f func(k, v int) bool) int {
	return m.Map.DeleteFunc(func(k int, v [3]int) bool { return f(k, v[0]) })
}

// kinds are the kinds of maps, with hashes that meet and with values that are marks as well.
var kinds = []struct {
	name  string
	fresh func(s sizes) subject
}{
	{"words", func(s sizes) subject { return initialised[int, int](s, nil) }},
	{"words like marks", func(s sizes) subject { return plainWords(s) }},
	{"small values", func(s sizes) subject { return texts{initialised[string, int](s, nil)} }},
	{"small values like marks, equal hashes", func(s sizes) subject {
		return texts{plainSmalls(s, bad{1})}
	}},
	{"small values like marks, equal hashes at first", func(s sizes) subject {
		return texts{crowded[int](s.soon(), zero)}
	}},
	{"large values", func(s sizes) subject { return pairs{initialised[int, [3]int](s, nil)} }},
	{"large values, equal hashes", func(s sizes) subject { return pairs{initialised[int, [3]int](s, same{})} }},
}

// Every type of key and value is right in the kind of map that it gets.
func TestKindsOfKeysAndValues(t *testing.T) {
	require.True(t, check(t, func(i int) int { return i - 50 }, func(i int) int { return i }).in.isInline)
	require.Equal(t, asWords, check(t, func(i int) float64 { return float64(i) }, func(i int) int { return i }).in.cells)
	require.Equal(t, asWords, check(t, func(i int) string { return fmt.Sprint(i) }, func(i int) int { return i }).in.cells)
	require.Equal(t, asValues, check(t, func(i int) int { return i }, twin).in.cells)
	require.Equal(t, asValues, check(t, func(i int) any { return i }, func(i int) any { return fmt.Sprint(i) }).in.cells)
	require.Equal(t, asValues, check(t, func(i int) string { return fmt.Sprint(i) }, func(i int) string { return fmt.Sprint(-i) }).in.cells)
	var items [101]fuzz.Item
	require.Equal(t, asPointers, check(t, func(i int) string { return fmt.Sprint(i) }, func(i int) *fuzz.Item { return &items[i] }).in.cells)
	require.Equal(t, asPointers, check(t, func(i int) int { return i }, func(i int) *fuzz.Item { return &items[i] }).in.cells)
	require.Equal(t, asValues, check(t, func(i int) any { return fmt.Sprint(i) }, func(i int) any { return &items[i] }).in.cells)
}

// A nil pointer is a value, and pointers are overwritten in place, in maps of pointers, of maps and
// of functions.
func TestPointersAsValues(t *testing.T) {
	m, x, y := New[string, *int](), new(int), new(int)
	_, ok := m.Load("a")
	require.False(t, ok)
	m.Store("a", nil)
	v, ok := m.Load("a")
	require.Equal(t, []any{(*int)(nil), true}, []any{v, ok})
	v, ok = m.Swap("a", x)
	require.Equal(t, []any{(*int)(nil), true}, []any{v, ok})
	require.False(t, m.CompareAndSwap("a", nil, y))
	require.True(t, m.CompareAndSwap("a", x, nil))
	v, ok = m.LoadOrStore("a", y)
	require.Equal(t, []any{(*int)(nil), true}, []any{v, ok})
	v, ok = m.Compute("a", func(old *int, loaded bool) (*int, Op) { return y, Update })
	require.True(t, ok && v == y)
	v, ok = m.Compute("b", func(old *int, loaded bool) (*int, Op) { return nil, Update })
	require.True(t, ok && v == nil)
	require.Equal(t, map[string]*int{"a": y, "b": nil}, maps.Collect(m.All()))
	require.True(t, m.CompareAndDelete("b", nil))
	require.Equal(t, 1, m.Len())
	if !atom.Explored {
		require.Zero(t, testing.AllocsPerRun(100, func() { m.Store("a", x); m.Store("a", y); m.Swap("a", nil) }))
	}
	functions, ofMaps := New[int, func() int](), New[int, map[int]int]()
	functions.Store(1, func() int { return 7 })
	functions.Store(2, nil)
	ofMaps.Store(1, map[int]int{1: 2})
	f, _ := functions.Load(1)
	require.Equal(t, 7, f())
	f, ok = functions.Load(2)
	require.True(t, ok && f == nil)
	require.Panics(t, func() { functions.CompareAndSwap(1, nil, nil) })
	require.Equal(t, map[int]map[int]int{1: {1: 2}}, maps.Collect(ofMaps.All()))
}

// So are those whose sizes are no powers of two, and which have no pointers, in the kinds of maps
// that they would get.
func TestKeysAndValuesOfOddSizes(t *testing.T) {
	key := func(i int) [3]byte { return [3]byte{byte(i)} }
	require.Equal(t, []bool{false, true, false, false}, []bool{word.Identifies(reflect.TypeFor[[3]byte]()), word.Fits(reflect.TypeFor[byte]()),
		word.Fits(reflect.TypeFor[[7]byte]()), word.Fits(reflect.TypeFor[*fuzz.Item]())})
	require.Equal(t, asWords, check(t, key, func(i int) byte { return byte(i) }).in.cells)
	require.Equal(t, asValues, check(t, key, func(i int) [7]byte { return [7]byte{6: byte(i)} }).in.cells)
}

// check puts in, changes and deletes some keys of a map, and returns it.
func check[K comparable, V any](t *testing.T, key func(int) K, value func(int) V) *Map[K, V] {
	m := New[K, V]()
	want := map[K]V{}
	for i := range 100 {
		m.Store(key(i), value(i+1))
		v, loaded := m.Swap(key(i), value(i))
		require.True(t, loaded)
		require.Equal(t, value(i+1), v)
		want[key(i)] = value(i)
		if i%3 == 0 {
			v, loaded := m.LoadAndDelete(key(i))
			require.True(t, loaded)
			require.Equal(t, value(i), v)
			delete(want, key(i))
		}
	}
	require.Equal(t, 1, m.DeleteFunc(func(k K, _ V) bool { return k == key(1) }))
	require.Zero(t, m.DeleteFunc(func(k K, _ V) bool { return k == key(1) }))
	delete(want, key(1))
	require.Equal(t, want, maps.Collect(m.All()))
	require.Equal(t, len(want), m.Len())
	for range m.All() {
		break
	}
	return m
}
