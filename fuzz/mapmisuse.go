package fuzz

import (
	"testing"
	"weak"
)

// retention removes values in every possible way. They must become garbage while the map lives on.
func (s *mapSuite) retention(t testing.TB) {
	t.Helper()
	retained(t, s.fresh, func(of *MapOf, k int, v *Item) { of.Store(k, v) }, []removal[MapOf]{
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
		{"Clear", s.like.Clear != nil, func(of *MapOf, k int) { once(k, of.Clear) }},
		{"Dispose", s.like.Dispose != nil, func(of *MapOf, k int) { once(k, of.Dispose) }},
	})
}

// removal is a way to remove values from a map or a multimap.
type removal[C any] struct {
	name   string
	has    bool // whether the container has it
	remove func(of *C, k int)
}

// once calls all for key 0 only. all removes the values of all keys.
func once(k int, all func()) {
	if k == 0 {
		all()
	}
}

// retained stores items in a fresh container for each way, and removes them. They must become
// garbage.
func retained[C any](t testing.TB, fresh func() C, store func(of *C, k int, v *Item), ways []removal[C]) {
	t.Helper()
	const keys = 200
	for _, w := range ways {
		if !w.has {
			continue
		}
		of := fresh()
		items := storeAndRemove(func(k int, v *Item) { store(&of, k, v) }, keys, func(k int) { w.remove(&of, k) })
		forgotten(t, w.name, items, of)
	}
}

// storeAndRemove stores items, removes them, and returns weak pointers to them.
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

// ownMisuse tries odd and forbidden uses.
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
	disposed(t, of.Dispose, of.calls())
}
