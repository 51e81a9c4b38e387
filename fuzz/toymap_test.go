package fuzz

import (
	"iter"
	"maps"
	"math/rand/v2"
	"testing"

	"example.com/custody/safety"
)

// toyMap is a map that is right, save for the fault that it is given.
type toyMap struct {
	toy
	m    map[int]*Item
	held []*Item
}

func newToyMap(fault string) *toyMap { return &toyMap{toy: toy{fault: fault}, m: map[int]*Item{}} }

func (m *toyMap) load(k int) (*Item, bool) {
	m.lock()
	defer m.mu.Unlock()
	v, ok := m.m[k]
	if m.fault == "nil is nothing" && v == nil {
		return nil, false
	}
	return v, ok
}

func (m *toyMap) store(k int, v *Item) { m.swap(k, v) }

func (m *toyMap) swap(k int, v *Item) (*Item, bool) {
	m.lock()
	defer m.mu.Unlock()
	old, ok := m.m[k]
	n := len(m.m)
	if !ok && n >= 8 && n&(n-1) == 0 { // time to grow
		switch m.fault {
		case "loses a key on growth":
			for k := range m.m {
				delete(m.m, k)
				break
			}
		case "loses stores beside growth":
			table := maps.Clone(m.m)
			m.gap()
			m.m = table
		}
	}
	if m.fault == "swap in two steps" {
		m.gap()
	}
	if m.fault == "retains" {
		m.held = append(m.held, old)
	}
	m.m[k] = v
	return old, ok
}

func (m *toyMap) loadOrStore(k int, v *Item) (*Item, bool) {
	m.lock()
	defer m.mu.Unlock()
	if old, ok := m.m[k]; ok {
		return old, true
	}
	if m.fault == "two winners" {
		m.gap()
	}
	m.m[k] = v
	return v, false
}

func (m *toyMap) loadOrCompute(k int, f func() (*Item, bool)) (*Item, bool) {
	m.lock()
	defer m.mu.Unlock()
	old, ok := m.m[k]
	if ok && m.fault != "computes what is there" {
		return old, true
	}
	v, cancel := f()
	if m.fault == "computes beside others" {
		m.gap()
	}
	if ok {
		return old, true
	}
	if cancel && m.fault != "keeps what was cancelled" {
		return nil, false
	}
	m.m[k] = v
	return v, false
}

func (m *toyMap) loadAndDelete(k int) (*Item, bool) {
	m.lock()
	defer m.mu.Unlock()
	v, ok := m.m[k]
	if m.fault == "deleted twice" {
		m.gap()
	}
	delete(m.m, k)
	return v, ok
}

func (m *toyMap) compareAndSwap(k int, old, v *Item) bool {
	m.lock()
	defer m.mu.Unlock()
	now, ok := m.m[k]
	if !ok || now != old {
		return false
	}
	if m.fault == "compares and then swaps" {
		m.gap()
	}
	m.m[k] = v
	return true
}

func (m *toyMap) compareAndDelete(k int, old *Item) bool {
	m.lock()
	defer m.mu.Unlock()
	if now, ok := m.m[k]; !ok || now != old {
		return m.fault == "deletes what is not there"
	}
	if m.fault == "compares and then deletes" {
		m.gap()
	}
	delete(m.m, k)
	return true
}

func (m *toyMap) compute(k int, f func(*Item, bool) (*Item, bool)) (*Item, bool) {
	m.lock()
	defer m.mu.Unlock()
	old, ok := m.m[k]
	v, keep := f(old, ok)
	if m.fault == "computes without a lock" {
		m.gap()
	}
	if !keep {
		delete(m.m, k)
		return nil, false
	}
	m.m[k] = v
	return v, true
}

func (m *toyMap) all() iter.Seq2[int, *Item] {
	m.lock()
	defer m.mu.Unlock()
	entries := maps.Clone(m.m)
	return func(yield func(int, *Item) bool) {
		for k, v := range entries {
			if m.fault == "iterates twice" && k%50 == 7 && !yield(k, v) {
				return
			}
			if m.fault == "iterates past" && rand.IntN(200) == 0 {
				continue
			}
			if !yield(k, v) {
				return
			}
		}
	}
}

func (m *toyMap) len() int {
	m.lock()
	defer m.mu.Unlock()
	if m.fault == "counts wrongly" {
		return len(m.m) &^ 1
	}
	return len(m.m)
}

func (m *toyMap) of() MapOf {
	return MapOf{
		Load: m.load, Store: m.store, LoadOrStore: m.loadOrStore, LoadOrCompute: m.loadOrCompute, LoadAndDelete: m.loadAndDelete,
		Delete: func(k int) { m.loadAndDelete(k) }, Swap: m.swap, CompareAndSwap: m.compareAndSwap, CompareAndDelete: m.compareAndDelete,
		Compute: m.compute, All: m.all, Len: m.len,
		Clear:   func() { m.lock(); clear(m.m); m.held = nil; m.mu.Unlock() },
		Dispose: func() { m.disposed, m.m, m.held = true, nil, nil },
	}
}

func mapSuiteOf(fault string, opts ...Option) func(h host) {
	return func(h host) { runMap(h, func() MapOf { return newToyMap(fault).of() }, impatient(opts...)) }
}

func TestMapAcceptsWhatIsRight(t *testing.T) {
	passes(t, mapSuiteOf("", Linearizable))
	passes(t, func(h host) {
		runMap(h, func() MapOf {
			m := newToyMap("")
			return MapOf{Load: m.load, Store: m.store}
		}, impatient())
	})
}

func TestMapCatchesFaults(t *testing.T) {
	elsewhere(t)
	catchesAll(t, func(fault string) func(h host) { return mapSuiteOf(fault, Linearizable) }, []noticed{
		{"loses a key on growth", []string{"model", "conservation"}},
		{"loses stores beside growth", []string{"conservation"}},
		{"nil is nothing", []string{"model", "misuse"}},
		{"swap in two steps", []string{"conservation", "linearizable"}},
		{"two winners", []string{"conservation", "linearizable"}},
		{"computes what is there", []string{"model"}},
		{"keeps what was cancelled", []string{"model"}},
		{"computes beside others", []string{"linearizable"}},
		{"deleted twice", []string{"conservation", "linearizable"}},
		{"compares and then swaps", []string{"conservation", "linearizable"}},
		{"deletes what is not there", []string{"model", "linearizable"}},
		{"compares and then deletes", []string{"linearizable"}},
		{"computes without a lock", []string{"conservation", "linearizable"}},
		{"iterates twice", []string{"model", "conservation"}},
		{"iterates past", []string{"model", "conservation", "~misuse"}},
		{"counts wrongly", []string{"model", "conservation", "misuse"}},
		{"retains", []string{"retention"}},
	})
	if safety.Enabled {
		catches(t, mapSuiteOf("lives on"), "~", "misuse")
	}
}
