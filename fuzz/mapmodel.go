package fuzz

import (
	"fmt"
	"math"
)

// mapModel is a map with the Go map that models it.
type mapModel struct {
	minting
	MapOf
	want map[int]*Item
}

// keyOf converts an operand to a key. Half of the operands give one of 8 keys, so that programs use
// keys again. The others give keys that poor hashes put close together.
func keyOf(x int) int {
	if x < 128 {
		return x % 8
	}
	switch x % 4 {
	case 0:
		return x << 20
	case 1:
		return -x
	case 2:
		return math.MinInt + x
	}
	return x
}

// script returns the sequential contract of a map.
func (s *mapSuite) script() *script[*mapModel] {
	c := &script[*mapModel]{make: func(int) *mapModel { return &mapModel{MapOf: s.fresh(), want: map[int]*Item{}} }}
	c.add(true, 4, "Load", 1, (*mapModel).load)
	c.add(true, 4, "Store", 2, func(m *mapModel, x, y int) string {
		k, v := keyOf(x), m.item(y)
		m.Store(k, v)
		m.want[k] = v
		return ""
	})
	c.add(true, 1, "Stores", 2, (*mapModel).stores)
	c.add(s.like.LoadOrStore != nil, 2, "LoadOrStore", 2, (*mapModel).loadOrStore)
	c.add(s.like.LoadOrCompute != nil, 2, "LoadOrCompute", 2, (*mapModel).loadOrCompute)
	c.add(s.like.LoadAndDelete != nil, 2, "LoadAndDelete", 1, func(m *mapModel, x, _ int) string {
		k := keyOf(x)
		v, ok := m.LoadAndDelete(k)
		wrong := m.was("LoadAndDelete", k, v, ok)
		delete(m.want, k)
		return wrong
	})
	c.add(s.like.Delete != nil, 2, "Delete", 1, func(m *mapModel, x, _ int) string {
		m.Delete(keyOf(x))
		delete(m.want, keyOf(x))
		return ""
	})
	c.add(s.like.Swap != nil, 2, "Swap", 2, func(m *mapModel, x, y int) string {
		k, v := keyOf(x), m.item(y)
		old, ok := m.Swap(k, v)
		wrong := m.was("Swap", k, old, ok)
		m.want[k] = v
		return wrong
	})
	c.add(s.like.CompareAndSwap != nil, 2, "CompareAndSwap", 2, (*mapModel).compareAndSwap)
	c.add(s.like.CompareAndDelete != nil, 2, "CompareAndDelete", 2, (*mapModel).compareAndDelete)
	c.add(s.like.Compute != nil, 2, "Compute", 2, (*mapModel).compute)
	c.add(s.like.All != nil, 1, "All", 1, (*mapModel).all)
	c.add(s.like.Len != nil, 1, "Len", 0, (*mapModel).length)
	c.add(s.like.Clear != nil, 1, "Clear", 1, func(m *mapModel, x, _ int) string {
		if x < 128 {
			m.Clear()
			clear(m.want)
		}
		return ""
	})
	c.end = (*mapModel).last
	return c
}

// was returns what is wrong with an answer that must be the value of k.
func (m *mapModel) was(what string, k int, v *Item, ok bool) string {
	want, there := m.want[k]
	if ok != there || v != want {
		return fmt.Sprintf("%s(%d) gave (%v, %v), expected (%v, %v) with %d keys", what, k, v, ok, want, there, len(m.want))
	}
	return ""
}

func (m *mapModel) load(x, _ int) string {
	v, ok := m.Load(keyOf(x))
	return m.was("Load", keyOf(x), v, ok)
}

// stores stores many keys in a row, so that the map grows within a program.
func (m *mapModel) stores(x, y int) string {
	for i := range y {
		k, v := 1000+x+i, m.item(0)
		m.Store(k, v)
		m.want[k] = v
	}
	return ""
}

func (m *mapModel) loadOrStore(x, y int) string {
	k, v := keyOf(x), m.item(y)
	if _, there := m.want[k]; there {
		actual, loaded := m.LoadOrStore(k, v)
		return m.was("LoadOrStore", k, actual, loaded)
	}
	if actual, loaded := m.LoadOrStore(k, v); loaded || actual != v {
		return fmt.Sprintf("LoadOrStore(%d, %v) gave (%v, %v), and there was none", k, v, actual, loaded)
	}
	m.want[k] = v
	return ""
}

// loadOrCompute computes a value, or cancels.
func (m *mapModel) loadOrCompute(x, y int) string {
	k, v := keyOf(x), m.item(y)
	_, there := m.want[k]
	cancel := y%3 == 0
	calls := 0
	actual, loaded := m.LoadOrCompute(k, func() (*Item, bool) {
		calls++
		return v, cancel
	})
	switch {
	case calls > 1 || there == (calls > 0):
		return fmt.Sprintf("LoadOrCompute(%d) called its function %d times, with (%v, %v)", k, calls, m.want[k], there)
	case there:
		return m.was("LoadOrCompute", k, actual, loaded)
	case cancel:
		v = nil
	default:
		m.want[k] = v
	}
	if loaded || actual != v {
		return fmt.Sprintf("LoadOrCompute(%d) gave (%v, %v), expected (%v, false)", k, actual, loaded, v)
	}
	return m.load(x, 0)
}

// old returns a value to compare with, and reports whether it is that of the key. For every fourth
// operand it is another value.
func (m *mapModel) old(k, y int) (old *Item, is bool) {
	old, is = m.want[k]
	if y%4 == 3 {
		other := &Item{ID: -1}
		return other, false
	}
	return old, is
}

func (m *mapModel) compareAndSwap(x, y int) string {
	k := keyOf(x)
	old, is := m.old(k, y)
	v := m.item(y)
	if did := m.CompareAndSwap(k, old, v); did != is {
		return fmt.Sprintf("CompareAndSwap(%d, %v, %v) is %v, expected %v", k, old, v, did, is)
	}
	if is {
		m.want[k] = v
	}
	return ""
}

func (m *mapModel) compareAndDelete(x, y int) string {
	k := keyOf(x)
	old, is := m.old(k, y)
	if did := m.CompareAndDelete(k, old); did != is {
		return fmt.Sprintf("CompareAndDelete(%d, %v) is %v, expected %v", k, old, did, is)
	}
	if is {
		delete(m.want, k)
	}
	return ""
}

// compute keeps the old value, sets a new one, or removes the key.
func (m *mapModel) compute(x, y int) (wrong string) {
	k, v := keyOf(x), m.item(y)
	keep := y%3 > 0
	calls := 0
	actual, ok := m.Compute(k, func(old *Item, loaded bool) (*Item, bool) {
		calls++
		if bad := m.was("Compute", k, old, loaded); bad != "" {
			wrong = "the function of " + bad
		}
		if y%3 == 2 && loaded {
			return old, true
		}
		return v, keep
	})
	switch {
	case wrong != "":
		return wrong
	case calls == 0:
		return fmt.Sprintf("Compute(%d) did not call its function", k)
	case !keep:
		delete(m.want, k)
	default:
		if _, loaded := m.want[k]; y%3 == 1 || !loaded {
			m.want[k] = v
		}
	}
	return m.was("afterwards Compute", k, actual, ok)
}

// all iterates over x keys, or over all of them.
func (m *mapModel) all(x, _ int) string {
	seen := map[int]bool{}
	for k, v := range m.All() {
		if seen[k] {
			return fmt.Sprintf("All gave the key %d twice", k)
		}
		seen[k] = true
		if wrong := m.was("All", k, v, true); wrong != "" {
			return wrong
		}
		if len(seen) == x {
			return ""
		}
	}
	if len(seen) != len(m.want) {
		return fmt.Sprintf("All gave %d of %d keys", len(seen), len(m.want))
	}
	return ""
}

func (m *mapModel) length(_, _ int) string {
	if n := m.Len(); n != len(m.want) {
		return fmt.Sprintf("Len is %d, expected %d", n, len(m.want))
	}
	return ""
}

// last checks the whole map.
func (m *mapModel) last() string {
	for x := range 256 {
		if wrong := m.load(x, 0); wrong != "" {
			return "at the end " + wrong
		}
	}
	for k := range m.want {
		v, ok := m.Load(k)
		if wrong := m.was("Load", k, v, ok); wrong != "" {
			return "at the end " + wrong
		}
	}
	if m.All != nil {
		if wrong := m.all(0, 0); wrong != "" {
			return "at the end " + wrong
		}
	}
	if m.Len != nil {
		return m.length(0, 0)
	}
	return ""
}
