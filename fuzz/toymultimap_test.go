package fuzz

import (
	"iter"
	"maps"
	"slices"
	"testing"

	"example.com/custody/safety"
)

// toyMultiMap is a multimap that is right, save for the fault that it is given.
type toyMultiMap struct {
	toy
	m    map[int][]*Item
	held []*Item
}

func newToyMultiMap(fault string) *toyMultiMap {
	return &toyMultiMap{toy: toy{fault: fault}, m: map[int][]*Item{}}
}

func (m *toyMultiMap) add(k int, v *Item) {
	m.lock()
	defer m.mu.Unlock()
	old := m.m[k]
	switch {
	case m.fault == "loses" && m.calls%50 == 49:
		return
	case m.fault == "loses when met" && m.calls%8 == 7:
		old = slices.Clone(old)
		m.gap()
	case m.fault == "reorders" && len(old) > 2 && m.calls%8 == 7:
		m.m[k] = slices.Insert(old, 0, v)
		return
	case m.fault == "merges equals" && slices.Contains(old, v):
		return
	}
	m.m[k] = append(old, v)
}

func (m *toyMultiMap) addAll(k int, vs []*Item) {
	m.lock()
	defer m.mu.Unlock()
	for i, v := range vs {
		if m.fault == "adds in two steps" && i > 0 {
			m.gap()
		}
		m.m[k] = append(m.m[k], v)
	}
}

func (m *toyMultiMap) replace(k int, vs []*Item) int {
	m.lock()
	defer m.mu.Unlock()
	old := m.m[k]
	delete(m.m, k)
	switch m.fault {
	case "replaces in two steps":
		m.gap()
	case "retains what was replaced":
		m.held = append(m.held, old...)
	}
	if m.fault != "replaces by the slice itself" {
		vs = slices.Clone(vs)
	}
	if len(vs) > 0 {
		m.m[k] = vs
	}
	return len(old)
}

func (m *toyMultiMap) values(k int) []*Item {
	m.lock()
	defer m.mu.Unlock()
	return slices.Clone(m.m[k])
}

func (m *toyMultiMap) count(k int) int {
	m.lock()
	defer m.mu.Unlock()
	n := len(m.m[k])
	if m.fault == "counts wrongly" && n > 1 {
		n--
	}
	return n
}

func (m *toyMultiMap) delete(k int) int {
	m.lock()
	defer m.mu.Unlock()
	n := len(m.m[k])
	if m.fault == "deletes in two steps" {
		m.gap()
	}
	if m.fault == "retains" {
		m.held = append(m.held, m.m[k]...)
	}
	delete(m.m, k)
	return n
}

func (m *toyMultiMap) deleteValue(k int, v *Item) bool {
	m.lock()
	defer m.mu.Unlock()
	i := slices.Index(m.m[k], v)
	if i < 0 {
		return false
	}
	if m.fault == "deleted twice" {
		m.gap()
		if i = slices.Index(m.m[k], v); i < 0 {
			return true
		}
	}
	left := slices.Delete(slices.Clone(m.m[k]), i, i+1)
	if m.m[k] = left; len(left) == 0 && m.fault != "keeps empty keys" {
		delete(m.m, k)
	}
	return true
}

func (m *toyMultiMap) all() iter.Seq2[int, *Item] {
	m.lock()
	defer m.mu.Unlock()
	entries := maps.Clone(m.m)
	return func(yield func(int, *Item) bool) {
		for k, vs := range entries {
			for _, v := range vs {
				if !yield(k, v) {
					return
				}
			}
		}
	}
}

func (m *toyMultiMap) len() (n int) {
	for range m.all() {
		n++
	}
	return n
}

func (m *toyMultiMap) of() MultiMapOf {
	return MultiMapOf{
		Add: m.add, AddAll: m.addAll, Values: m.values, Count: m.count, Delete: m.delete, DeleteValue: m.deleteValue, Replace: m.replace,
		Keys: func() iter.Seq[int] {
			m.lock()
			defer m.mu.Unlock()
			return slices.Values(slices.Collect(maps.Keys(m.m)))
		},
		All: m.all, Len: m.len,
		Clear:   func() { m.lock(); clear(m.m); m.mu.Unlock() },
		Dispose: func() { m.disposed, m.m, m.held = true, nil, nil },
	}
}

func multiMapSuiteOf(fault string, opts ...Option) func(h host) {
	return func(h host) {
		runMultiMap(h, func() MultiMapOf { return newToyMultiMap(fault).of() }, impatient(opts...))
	}
}

func TestMultiMapAcceptsWhatIsRight(t *testing.T) {
	passes(t, multiMapSuiteOf("", Linearizable))
	passes(t, multiMapSuiteOf("reorders", Linearizable, Unordered))
	passes(t, func(h host) {
		runMultiMap(h, func() MultiMapOf {
			m := newToyMultiMap("")
			return MultiMapOf{Add: m.add, Values: m.values}
		}, impatient())
	})
}

func TestMultiMapCatchesFaults(t *testing.T) {
	elsewhere(t)
	catchesAll(t, func(fault string) func(h host) { return multiMapSuiteOf(fault, Linearizable) }, []noticed{
		{"loses", []string{"model", "conservation", "~linearizable", "~retention"}},
		{"loses when met", []string{"conservation", "linearizable"}},
		{"reorders", []string{"model", "conservation", "linearizable"}},
		{"merges equals", []string{"model", "linearizable"}},
		{"adds in two steps", []string{"linearizable"}},
		{"replaces in two steps", []string{"linearizable"}},
		{"replaces by the slice itself", []string{"model"}},
		{"counts wrongly", []string{"model", "conservation", "linearizable"}},
		{"deletes in two steps", []string{"conservation", "linearizable"}},
		{"deleted twice", []string{"conservation", "linearizable"}},
		{"keeps empty keys", []string{"model"}},
		{"retains what was replaced", []string{"retention"}},
		{"retains", []string{"retention"}},
	})
	if safety.Enabled {
		catches(t, multiMapSuiteOf("lives on"), "~", "misuse")
	}
}
