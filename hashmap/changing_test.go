package hashmap

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// shelf is a map or a multimap of texts that is filled with keys that change, which is an error of
// the program.
type shelf struct {
	put   func(k string, v int)
	loop  func(n int, key func(i int) string) // puts in i at key(i)
	get   func(k string) (int, bool)
	del   func(k string)
	count func() int // by an iteration
	len   func() int
	clear func()
}

func shelfOf(m *Map[string, int]) shelf {
	return shelf{
		put: m.Store,
		loop: func(n int, key func(i int) string) {
			parallelfor.For(n, m.ParallelWriter(), func(w *ParallelWriter[string, int], i int) { w.Set(key(i), i) })
		},
		get: m.Load, del: m.Delete, len: m.Len, clear: m.Clear,
		count: func() (n int) {
			for range m.All() {
				n++
			}
			return n
		},
	}
}

func multiShelfOf(m *MultiMap[string, int]) shelf {
	return shelf{
		put: m.Add,
		loop: func(n int, key func(i int) string) {
			parallelfor.For(n, m.ParallelWriter(), func(w *MultiParallelWriter[string, int], i int) { w.Add(key(i), i) })
		},
		get: func(k string) (v int, ok bool) {
			vals := m.Values(k)
			if ok = len(vals) > 0; ok {
				v = vals[len(vals)-1]
			}
			return v, ok
		},
		del: func(k string) { m.Delete(k) }, len: m.LenKeys, clear: m.Clear,
		count: func() (n int) {
			for range m.Groups() {
				n++
			}
			return n
		},
	}
}

// fickle is a Hasher that gives keys that begin with c another hash when they have turned.
type fickle struct{ turned *bool }

func (f fickle) Hash(h *maphash.Hash, k string) {
	_, _ = h.WriteString(k)
	if *f.turned && k[0] == 'c' {
		_ = h.WriteByte(1)
	}
}

func (fickle) Equal(a, b string) bool { return a == b }

// Keys that change while they are in a map are lost, and nothing else is: no operation hangs, other
// keys are found, and Clear removes all.
func TestKeysThatChangeWhileTheyAreInAMap(t *testing.T) {
	turned := false
	for name, fresh := range map[string]func() shelf{
		"Map":                        func() shelf { return shelfOf(New[string, int]()) },
		"Map, small tables":          func() shelf { return shelfOf(initialised[string, int](tiny, nil)) },
		"Map that changes its seed":  func() shelf { return shelfOf(crowded[int](usual.soon(), zero)) },
		"Map with a Hasher":          func() shelf { return shelfOf(NewWith[string, int](fickle{&turned})) },
		"MultiMap":                   func() shelf { return multiShelfOf(NewMulti[string, int]()) },
		"MultiMap, small parts":      func() shelf { return multiShelfOf(multi[string, int](tinyMulti, nil)) },
		"MultiMap with equal hashes": func() shelf { return multiShelfOf(multi[string, int](tinyMulti, bad{1})) },
		"MultiMap with a Hasher":     func() shelf { return multiShelfOf(NewMultiWith[string, int](fickle{&turned})) },
	} {
		turned = false
		require.Nil(t, endsWith(t, name, func() { changesKeys(t, name, fresh(), func() { turned = true }) }), name)
	}
}

func changesKeys(t *testing.T, name string, s shelf, turn func()) {
	const steady, changing, more = 600, 50, 1500
	other := func(i int) string { return "o" + strconv.Itoa(i) }
	holds := func(n int) {
		for i := range n {
			if v, ok := s.get(other(i)); !ok || v != i {
				panic(fmt.Sprintf("%s: key %d of %d gives %d, %t", name, i, n, v, ok))
			}
		}
	}
	var texts [changing][]byte
	for i := range steady {
		s.put(other(i), i)
		if i < changing {
			texts[i] = fmt.Appendf(nil, "c%03d", i)
			s.put(unsafe.String(&texts[i][0], len(texts[i])), i)
		}
	}
	for i := range texts {
		if copy(texts[i], "xxxx"); i%2 == 0 { // the others are all alike
			copy(texts[i], fmt.Sprintf("y%03d", i))
		}
	}
	turn()
	holds(steady)
	require.Equal(t, steady+changing, s.len(), name)
	for i := range steady { // has keys moved
		s.put(other(steady+i), steady+i)
	}
	s.loop(more, other)
	holds(more)
	require.Equal(t, more+changing, s.len(), name)
	require.Equal(t, more+changing, s.count(), name)
	for i := range changing { // those that they were, and those that they are
		s.put(fmt.Sprintf("c%03d", i), -1)
		s.put("xxxx", -1)
		s.del(fmt.Sprintf("y%03d", i))
		s.del(fmt.Sprintf("c%03d", i))
		s.del("xxxx")
	}
	holds(more)
	require.Equal(t, s.count(), s.len(), name)
	for i := range more {
		s.del(other(i))
	}
	require.Equal(t, s.count(), s.len(), name)
	require.LessOrEqual(t, s.len(), changing, name)
	s.clear()
	require.Zero(t, s.len(), name)
	require.Zero(t, s.count(), name)
	s.loop(steady, other)
	holds(steady)
	require.Equal(t, steady, s.len(), name)
}
