package fuzz

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
)

// conservation checks the laws of a counter that several goroutines use.
func (c *counterSuite) conservation(t testing.TB) {
	t.Helper()
	seed := c.drawn(t)
	for round := range c.rounds(30) {
		n := seed + uint64(round)*10
		c.sum(t, n, false)
		c.sum(t, n+1, true)
		if c.like.Swap != nil {
			c.swaps(t, n+2)
		}
	}
}

// adder returns a function that adds, sometimes by a handle, and a function that ends its use.
func (c *counterSuite) adder(of *CounterOf, r *rand.Rand) (add func(d int64), end func()) {
	if of.Local == nil || r.IntN(2) == 0 {
		return of.Add, func() {}
	}
	l := of.Local()
	if l.Close == nil {
		return l.Add, func() {}
	}
	return l.Add, l.Close
}

// sum runs goroutines that add positive numbers while another calls Value. Value must be at least
// the sum whose addition had ended before its call, and at most the sum whose addition had begun
// before its return. With change, GOMAXPROCS changes meanwhile.
func (c *counterSuite) sum(t testing.TB, seed uint64, change bool) {
	t.Helper()
	const workers, each = 4, 800
	of := c.fresh()
	var begun, added atomic.Int64
	var adding busy
	members := adding.members(workers, func(crew *crew, r *rand.Rand, _ int) {
		add, end := c.adder(&of, r)
		for k := range each {
			if crew.jitter(r); !crew.going() {
				break
			}
			d := 1 + r.Int64N(9)
			begun.Add(d)
			add(d)
			added.Add(d)
			if k == each/2 {
				end()
				add, end = c.adder(&of, r)
			}
		}
		end()
	})
	members = append(members, func(crew *crew, _ *rand.Rand) {
		for adding.pause(crew) {
			least := added.Load()
			v := of.Value()
			if most := begun.Load(); v < least || v > most {
				crew.failf("Value is %d, when %d had been added before it and %d until its end", v, least, most)
			}
		}
	})
	if change {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		members = append(members, func(crew *crew, r *rand.Rand) {
			for adding.pause(crew) {
				runtime.GOMAXPROCS(1 + r.IntN(8))
			}
		})
	}
	c.together(t, seed, members...)
	if v := of.Value(); v != added.Load() {
		t.Fatalf("Value is %d after %d was added", v, added.Load())
	}
}

// swaps runs goroutines that add while others call Swap. Together the results of Swap and the count
// contain every Add once.
func (c *counterSuite) swaps(t testing.TB, seed uint64) {
	t.Helper()
	const workers, each = 3, 600
	of := c.fresh()
	var added, taken atomic.Int64
	var adding busy
	members := adding.members(workers, func(crew *crew, r *rand.Rand, _ int) {
		add, end := c.adder(&of, r)
		defer end()
		for range each {
			crew.jitter(r)
			d := r.Int64N(2000) - 1000
			add(d)
			added.Add(d)
		}
	})
	swappers := alike(2, func(crew *crew, r *rand.Rand, _ int) {
		for adding.pause(crew) {
			left := r.Int64N(100) // the next Swap returns what this one sets
			taken.Add(of.Swap(left) - left)
		}
	})
	c.together(t, seed, append(members, swappers...)...)
	if sum := taken.Load() + of.Value(); sum != added.Load() {
		t.Fatalf("what Swaps gave and what was left are %d together, and %d was added", sum, added.Load())
	}
}
