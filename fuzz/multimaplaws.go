package fuzz

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// conservation runs the laws of a multimap that goroutines use at the same time.
func (s *multiMapSuite) conservation(t testing.TB) {
	t.Helper()
	seed := s.drawn(t)
	for round := range s.rounds(20) {
		n := seed + uint64(round)*10
		s.adds(t, n, 3)
		s.adds(t, n+1, 200)
		if s.like.DeleteValue != nil {
			s.deletes(t, n+2)
		}
		if s.like.Delete != nil {
			s.drops(t, n+3)
		}
	}
}

// adds lets goroutines add to the same keys: all values are there, once, and those of one goroutine in
// order.
func (s *multiMapSuite) adds(t testing.TB, seed uint64, keys int) {
	t.Helper()
	of := s.fresh()
	items := make([]Item, mapWorkers*mapKeys)
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		for i := range mapKeys {
			c.jitter(r)
			v := &items[w*mapKeys+i]
			v.ID = w*mapKeys + i
			k := i % keys
			of.Add(k, v)
			if r.IntN(16) == 0 {
				if got := of.Values(k); !holds(got, v) {
					c.failf("key %d has %v, without %v that was added", k, got, v)
				}
			}
		}
	})
	seen := make([]bool, len(items))
	there := 0
	for k := range keys {
		latest := [mapWorkers]int{-1, -1, -1}
		values := of.Values(k)
		if of.Count != nil && of.Count(k) != len(values) {
			t.Fatalf("Count(%d) is %d, and Values has %d", k, of.Count(k), len(values))
		}
		for _, v := range values {
			if v == nil || v.ID < 0 || v.ID >= len(items) || v.ID%mapKeys%keys != k || seen[v.ID] {
				t.Fatalf("key %d has %v, which was not added to it, or is there twice", k, v)
			}
			seen[v.ID] = true
			there++
			w, i := v.ID/mapKeys, v.ID%mapKeys
			if latest[w] > i && !s.has(Unordered) {
				t.Fatalf("key %d has value %d of goroutine %d behind its value %d", k, i, w, latest[w])
			}
			latest[w] = i
		}
	}
	if there != len(items) {
		t.Fatalf("of %d values that were added to %d keys %d are there", len(items), keys, there)
	}
	if of.Len != nil && of.Len() != there {
		t.Fatalf("Len is %d with %d values", of.Len(), there)
	}
}

func holds(values []*Item, v *Item) bool {
	for _, x := range values {
		if x == v {
			return true
		}
	}
	return false
}

// deletes lets goroutines delete the same values while one adds others: each is deleted by one of them.
func (s *multiMapSuite) deletes(t testing.TB, seed uint64) {
	t.Helper()
	const keys = 7
	of := s.fresh()
	items := make([]Item, mapKeys)
	for i := range items {
		of.Add(i%keys, &items[i])
	}
	var deleted [mapKeys]atomic.Int32
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		if w == 0 {
			for i := range mapKeys {
				c.jitter(r)
				of.Add(i%keys, new(Item))
			}
			return
		}
		for i := range items {
			c.jitter(r)
			if of.DeleteValue(i%keys, &items[i]) && deleted[i].Add(1) > 1 {
				c.failf("two goroutines deleted one value of key %d", i%keys)
			}
		}
	})
	for i := range deleted {
		if deleted[i].Load() != 1 {
			t.Fatalf("nobody deleted a value of key %d that was there", i%keys)
		}
	}
	left := 0
	for k := range keys {
		left += len(of.Values(k))
	}
	if left != mapKeys {
		t.Fatalf("%d values are left of %d that nobody deleted", left, mapKeys)
	}
}

// drops lets goroutines add values to a key while another deletes the key: each value is in one Delete, or
// left.
func (s *multiMapSuite) drops(t testing.TB, seed uint64) {
	t.Helper()
	of := s.fresh()
	var busy, dropped atomic.Int32
	busy.Store(mapWorkers - 1)
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		if w > 0 {
			defer busy.Add(-1)
			for range mapKeys {
				c.jitter(r)
				of.Add(3, new(Item))
			}
			return
		}
		for busy.Load() > 0 && c.pause() {
			dropped.Add(int32(of.Delete(3)))
		}
	})
	if n := int(dropped.Load()) + len(of.Values(3)); n != (mapWorkers-1)*mapKeys {
		t.Fatalf("what Deletes removed and what is left are %d values, and %d were added", n, (mapWorkers-1)*mapKeys)
	}
}

// retention removes values in every way that there is: they become garbage while the multimap lives on.
func (s *multiMapSuite) retention(t testing.TB) {
	t.Helper()
	const keys = 200
	type way struct {
		name   string
		has    bool
		remove func(of *MultiMapOf, k int)
	}
	for _, w := range []way{
		{"Delete", s.like.Delete != nil, func(of *MultiMapOf, k int) {
			if k < 20 {
				of.Delete(k)
			}
		}},
		{"DeleteValue", s.like.DeleteValue != nil, func(of *MultiMapOf, k int) {
			if values := of.Values(k % 20); len(values) > 0 {
				of.DeleteValue(k%20, values[0])
			}
		}},
		{"Clear", s.like.Clear != nil, func(of *MultiMapOf, k int) {
			if k == 0 {
				of.Clear()
			}
		}},
		{"Dispose", s.like.Dispose != nil, func(of *MultiMapOf, k int) {
			if k == 0 {
				of.Dispose()
			}
		}},
	} {
		if w.has {
			of := s.fresh()
			add := func(k int, v *Item) { of.Add(k%20, v) }
			forgotten(t, w.name, storeAndRemove(add, keys, func(k int) { w.remove(&of, k) }), of)
		}
	}
}

// ownMisuse tries what is odd, and what is forbidden.
func (s *multiMapSuite) ownMisuse(t testing.TB) {
	t.Helper()
	of := s.fresh()
	for _, v := range []*Item{nil, {}} {
		of.Add(0, v)
	}
	if got := of.Values(0); len(got) != 2 || !s.has(Unordered) && got[0] != nil {
		t.Errorf("nil and a zero item were added, and Values gives %v", got)
	}
	if got := of.Values(-5); len(got) != 0 {
		t.Errorf("a key that has no values has %v", got)
	}
	if of.Clear != nil {
		of.Clear()
		of.Clear()
		if got := of.Values(0); len(got) != 0 {
			t.Errorf("a multimap that was cleared gives %v", got)
		}
		of.Add(1, new(Item))
	}
	calls := []call{{"Add", func() { of.Add(1, nil) }}, {"Values", func() { of.Values(1) }}}
	if of.Count != nil {
		calls = append(calls, call{"Count", func() { of.Count(1) }})
	}
	if of.Delete != nil {
		calls = append(calls, call{"Delete", func() { of.Delete(1) }})
	}
	if of.DeleteValue != nil {
		calls = append(calls, call{"DeleteValue", func() { of.DeleteValue(1, nil) }})
	}
	if of.Keys != nil {
		calls = append(calls, call{"Keys", func() {
			for range of.Keys() {
			}
		}})
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
