package fuzz

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

const (
	mapWorkers = 3
	mapKeys    = 120 // of each worker
)

// conservation checks the laws of a map that several goroutines use.
func (s *mapSuite) conservation(t testing.TB) {
	t.Helper()
	seed := s.drawn(t)
	for round := range s.rounds(20) {
		n := seed + uint64(round)*10
		s.growth(t, n)
		s.writers(t, n+1)
		if s.like.LoadOrStore != nil {
			s.winners(t, n+2)
		}
		if s.like.LoadAndDelete != nil {
			s.deleters(t, n+3)
		}
		if s.like.Swap != nil {
			s.chain(t, n+4)
		}
		s.updates(t, n+5)
		if s.like.All != nil && s.like.Delete != nil {
			s.steady(t, n+6)
		}
	}
}

// each runs a crew of mapWorkers members that call f.
func (s *settings) each(t testing.TB, seed uint64, f func(c *crew, r *rand.Rand, worker int)) {
	t.Helper()
	s.together(t, seed, alike(mapWorkers, f)...)
}

// growth runs goroutines that store keys of their own while the map grows. Each key must be present
// at once and at the end, except every third, which is deleted again.
func (s *mapSuite) growth(t testing.TB, seed uint64) {
	t.Helper()
	of := s.fresh()
	items := make([]Item, mapWorkers*mapKeys)
	gone := func(k int) bool { return of.Delete != nil && k%3 == 2 }
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		for i := range mapKeys {
			c.jitter(r)
			k := i*mapWorkers + w
			items[k].ID = k
			of.Store(k, &items[k])
			if v, ok := of.Load(k); !ok || v != &items[k] {
				c.failf("key %d gave (%v, %v) to the only goroutine that uses it, which had stored %v", k, v, ok, &items[k])
				return
			}
			if !gone(k) {
				continue
			}
			of.Delete(k)
			if v, ok := of.Load(k); ok {
				c.failf("key %d gave %v to the only goroutine that uses it, which had deleted it", k, v)
				return
			}
		}
	})
	left := 0
	for k := range items {
		v, ok := of.Load(k)
		if want := !gone(k); ok != want || ok && v != &items[k] {
			t.Fatalf("key %d gives (%v, %v) in the end", k, v, ok)
		}
		if ok {
			left++
		}
	}
	s.count(t, &of, left)
}

// count checks Len and All without concurrent operations.
func (s *mapSuite) count(t testing.TB, of *MapOf, want int) {
	t.Helper()
	if of.Len != nil {
		if n := of.Len(); n != want {
			t.Fatalf("Len is %d with %d keys", n, want)
		}
	}
	if of.All != nil {
		seen := map[int]bool{}
		for k := range of.All() {
			if seen[k] {
				t.Fatalf("All gave key %d twice", k)
			}
			seen[k] = true
		}
		if len(seen) != want {
			t.Fatalf("All gave %d of %d keys", len(seen), want)
		}
	}
}

// writers runs goroutines that store the same keys. The final value of a key must be the last value
// of one of them.
func (s *mapSuite) writers(t testing.TB, seed uint64) {
	t.Helper()
	const keys, times = 41, 5
	of := s.fresh()
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		for n := range times {
			for _, k := range r.Perm(keys) {
				c.jitter(r)
				of.Store(k, &Item{ID: (k*times+n)*mapWorkers + w})
			}
		}
	})
	for k := range keys {
		v, ok := of.Load(k)
		if !ok || v == nil || v.ID/mapWorkers != k*times+times-1 {
			t.Fatalf("key %d gives (%v, %v), and the last values that its writers stored are #%d to #%d",
				k, v, ok, (k*times+times-1)*mapWorkers, (k*times+times)*mapWorkers-1)
		}
	}
	s.count(t, &of, keys)
}

// winners runs goroutines that call LoadOrStore with the same keys. Only one of them may store each
// key, and all must get its value.
func (s *mapSuite) winners(t testing.TB, seed uint64) {
	t.Helper()
	const keys = mapKeys
	of := s.fresh()
	var got [mapWorkers][keys]*Item
	var stored [keys]atomic.Int32
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		for k := range keys {
			c.jitter(r)
			v := &Item{ID: k*mapWorkers + w}
			actual, loaded := of.LoadOrStore(k, v)
			if !loaded && actual != v {
				c.failf("LoadOrStore stored %v and gave %v", v, actual)
			}
			if !loaded {
				stored[k].Add(1)
			}
			got[w][k] = actual
		}
	})
	for k := range keys {
		if n := stored[k].Load(); n != 1 {
			t.Fatalf("%d goroutines stored key %d with LoadOrStore", n, k)
		}
		v, ok := of.Load(k)
		for w := range mapWorkers {
			if !ok || got[w][k] != v {
				t.Fatalf("key %d gave %v to a LoadOrStore and gives (%v, %v) now", k, got[w][k], v, ok)
			}
		}
	}
}

// filled returns a map with an item at each of the keys below keys.
func (s *mapSuite) filled(keys int) (of MapOf, items []Item) {
	of, items = s.fresh(), make([]Item, keys)
	for k := range items {
		of.Store(k, &items[k])
	}
	return of, items
}

// deleters runs goroutines that delete the same keys. Only one of them may get each value.
func (s *mapSuite) deleters(t testing.TB, seed uint64) {
	t.Helper()
	const keys = mapKeys
	of, items := s.filled(keys)
	var got [keys]atomic.Int32
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		for k := range keys {
			c.jitter(r)
			v, ok := of.LoadAndDelete(k)
			if !ok {
				continue
			}
			if v != &items[k] {
				c.failf("LoadAndDelete(%d) gave %v", k, v)
			}
			if got[k].Add(1) > 1 {
				c.failf("two goroutines got key %d by LoadAndDelete", k)
			}
		}
	})
	for k := range got {
		if got[k].Load() != 1 {
			t.Fatalf("nobody got key %d by LoadAndDelete", k)
		}
	}
	s.count(t, &of, 0)
}

// chain runs goroutines that swap values of one key. Swap must return each value once, except the
// one that remains.
func (s *mapSuite) chain(t testing.TB, seed uint64) {
	t.Helper()
	const times = 200
	of := s.fresh()
	items := make([]Item, mapWorkers*times)
	seen := make([]atomic.Int32, len(items))
	came := func(c *crew, v *Item) {
		if v == nil || v.ID < 0 || v.ID >= len(items) || &items[v.ID] != v {
			c.failf("Swap gave %v, which nobody stored", v)
		} else if seen[v.ID].Add(1) > 1 {
			c.failf("Swap gave %v to two goroutines", v)
		}
	}
	s.each(t, seed, func(c *crew, r *rand.Rand, w int) {
		for n := range times {
			c.jitter(r)
			v := &items[w*times+n]
			v.ID = w*times + n
			if old, loaded := of.Swap(7, v); loaded {
				came(c, old)
			}
		}
	})
	c := new(crew)
	v, _ := of.Load(7)
	if came(c, v); !c.going() {
		t.Fatal("the value that is left: " + *c.first.Load())
	}
	for i := range seen {
		if seen[i].Load() != 1 {
			t.Fatalf("%v was stored by Swap, and no Swap gave it back", &items[i])
		}
	}
}

// updates runs goroutines that increment the values of a few keys, by Compute and by
// CompareAndSwap. No increment may be lost.
func (s *mapSuite) updates(t testing.TB, seed uint64) {
	t.Helper()
	const keys, times = 5, 200
	type way struct {
		name string
		has  bool
		up   func(of *MapOf, c *crew, k int)
	}
	for _, w := range []way{
		{"Compute", s.like.Compute != nil, func(of *MapOf, _ *crew, k int) {
			of.Compute(k, func(old *Item, loaded bool) (*Item, bool) {
				if !loaded {
					return &Item{ID: 1}, true
				}
				return &Item{ID: old.ID + 1}, true
			})
		}},
		{"CompareAndSwap", s.like.CompareAndSwap != nil && s.like.LoadOrStore != nil, func(of *MapOf, c *crew, k int) {
			old, loaded := of.LoadOrStore(k, &Item{ID: 1})
			for loaded && !of.CompareAndSwap(k, old, &Item{ID: old.ID + 1}) {
				if !c.pause() {
					return
				}
				old, _ = of.Load(k)
			}
		}},
	} {
		if !w.has {
			continue
		}
		of := s.fresh()
		s.each(t, seed, func(c *crew, r *rand.Rand, _ int) {
			for range times {
				for k := range keys {
					c.jitter(r)
					w.up(&of, c, k)
				}
			}
		})
		for k := range keys {
			if v, ok := of.Load(k); !ok || v.ID != mapWorkers*times {
				t.Fatalf("key %d was counted up %d times by %s, and gives (%v, %v)", k, mapWorkers*times, w.name, v, ok)
			}
		}
	}
}

// steady iterates while other keys come and go. The iteration must yield each key that stays, once.
func (s *mapSuite) steady(t testing.TB, seed uint64) {
	t.Helper()
	const keys = 100
	of, items := s.filled(keys)
	var changing busy
	members := changing.members(mapWorkers-1, func(c *crew, r *rand.Rand, w int) {
		for i := range 2 * mapKeys {
			c.jitter(r)
			k := keys + i*mapWorkers + w
			of.Store(k, new(Item))
			if i >= mapKeys || i%2 == 0 {
				of.Delete(k)
			}
		}
	})
	s.together(t, seed, append(members, func(c *crew, _ *rand.Rand) {
		for changing.pause(c) {
			seen := map[int]bool{}
			steady := 0
			for k, v := range of.All() {
				if seen[k] {
					c.failf("All gave key %d twice", k)
				}
				seen[k] = true
				if k >= 0 && k < keys {
					steady++
					if v != &items[k] {
						c.failf("All gave %v for key %d, which stays %v", v, k, &items[k])
					}
				}
			}
			if steady != keys {
				c.failf("All gave %d of %d keys that are there all the time", steady, keys)
			}
		}
	})...)
}
