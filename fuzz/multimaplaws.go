package fuzz

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
)

// conservation checks the laws of a multimap that several goroutines use.
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

// adds runs goroutines that add to the same keys. Every value must be present once, and the values
// of one goroutine in order.
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
	return slices.Contains(values, v)
}

// deletes runs goroutines that delete the same values while one adds others. Only one of them may
// delete each value.
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

// drops runs goroutines that add values to a key while another deletes the key. Each value must be
// counted by one Delete, or remain.
func (s *multiMapSuite) drops(t testing.TB, seed uint64) {
	t.Helper()
	of := s.fresh()
	var adding busy
	var dropped atomic.Int32
	members := adding.members(mapWorkers-1, func(c *crew, r *rand.Rand, _ int) {
		for range mapKeys {
			c.jitter(r)
			of.Add(3, new(Item))
		}
	})
	s.together(t, seed, append(members, func(c *crew, _ *rand.Rand) {
		for adding.pause(c) {
			dropped.Add(int32(of.Delete(3)))
		}
	})...)
	if n := int(dropped.Load()) + len(of.Values(3)); n != (mapWorkers-1)*mapKeys {
		t.Fatalf("what Deletes removed and what is left are %d values, and %d were added", n, (mapWorkers-1)*mapKeys)
	}
}
