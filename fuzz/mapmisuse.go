package fuzz

import (
	"testing"
	"weak"
)

// retention removes values in every way that there is: they become garbage while the map lives on.
func (s *mapSuite) retention(t testing.TB) {
	t.Helper()
	const keys = 200
	type way struct {
		name   string
		has    bool
		remove func(of *MapOf, k int)
	}
	for _, w := range []way{
		{"Store of another value", true, func(of *MapOf, k int) { of.Store(k, nil) }},
		{"Delete", s.like.Delete != nil, func(of *MapOf, k int) { of.Delete(k) }},
		{"LoadAndDelete", s.like.LoadAndDelete != nil, func(of *MapOf, k int) { of.LoadAndDelete(k) }},
		{"Swap", s.like.Swap != nil, func(of *MapOf, k int) { of.Swap(k, nil) }},
		{"CompareAndSwap", s.like.CompareAndSwap != nil, func(of *MapOf, k int) {
			v, _ := of.Load(k)
			of.CompareAndSwap(k, v, nil)
		}},
		{"CompareAndDelete", s.like.CompareAndDelete != nil, func(of *MapOf, k int) {
			v, _ := of.Load(k)
			of.CompareAndDelete(k, v)
		}},
		{"Compute", s.like.Compute != nil, func(of *MapOf, k int) {
			of.Compute(k, func(*Item, bool) (*Item, bool) { return nil, false })
		}},
		{"Clear", s.like.Clear != nil, func(of *MapOf, k int) {
			if k == 0 {
				of.Clear()
			}
		}},
		{"Dispose", s.like.Dispose != nil, func(of *MapOf, k int) {
			if k == 0 {
				of.Dispose()
			}
		}},
	} {
		if w.has {
			of := s.fresh()
			forgotten(t, w.name, storeAndRemove(of.Store, keys, func(k int) { w.remove(&of, k) }), of)
		}
	}
}

// storeAndRemove stores items, removes them, and returns pointers to them that keep nothing.
//
//go:noinline
func storeAndRemove(store func(k int, v *Item), keys int, remove func(k int)) []weak.Pointer[Item] {
	items := make([]weak.Pointer[Item], keys)
	for k := range items {
		v := &Item{ID: k}
		items[k] = weak.Make(v)
		store(k, v)
	}
	for k := range items {
		remove(k)
	}
	return items
}

// ownMisuse tries what is odd, and what is forbidden.
func (s *mapSuite) ownMisuse(t testing.TB) {
	t.Helper()
	of := s.fresh()
	for _, v := range []*Item{nil, {}} {
		of.Store(0, v)
		if got, ok := of.Load(0); !ok || got != v {
			t.Errorf("%v was stored, and Load gives (%v, %v)", v, got, ok)
		}
	}
	if of.Clear != nil {
		of.Clear()
		of.Clear()
		if v, ok := of.Load(0); ok {
			t.Errorf("a map that was cleared gives %v", v)
		}
		of.Store(1, new(Item))
		s.count(t, &of, 1)
	}
	if of.Delete != nil {
		of.Delete(99)
	}
	calls := []call{{"Load", func() { of.Load(1) }}, {"Store", func() { of.Store(1, nil) }}}
	if of.LoadOrStore != nil {
		calls = append(calls, call{"LoadOrStore", func() { of.LoadOrStore(1, nil) }})
	}
	if of.LoadAndDelete != nil {
		calls = append(calls, call{"LoadAndDelete", func() { of.LoadAndDelete(1) }})
	}
	if of.Delete != nil {
		calls = append(calls, call{"Delete", func() { of.Delete(1) }})
	}
	if of.Swap != nil {
		calls = append(calls, call{"Swap", func() { of.Swap(1, nil) }})
	}
	if of.CompareAndSwap != nil {
		calls = append(calls, call{"CompareAndSwap", func() { of.CompareAndSwap(1, nil, nil) }})
	}
	if of.CompareAndDelete != nil {
		calls = append(calls, call{"CompareAndDelete", func() { of.CompareAndDelete(1, nil) }})
	}
	if of.Compute != nil {
		calls = append(calls, call{"Compute", func() { of.Compute(1, func(v *Item, _ bool) (*Item, bool) { return v, true }) }})
	}
	if of.All != nil {
		calls = append(calls, call{"All", func() {
			for range of.All() {
			}
		}})
	}
	if of.Len != nil {
		calls = append(calls, call{"Len", func() { of.Len() }})
	}
	if of.Clear != nil {
		calls = append(calls, call{"Clear", of.Clear})
	}
	disposed(t, of.Dispose, calls)
}
