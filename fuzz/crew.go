package fuzz

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"testing"

	"example.com/custody/internal/lawtest"
)

// crew is goroutines that work on one container at the same time. They never end the test themselves:
// the first that finds something wrong says so, and all of them stop.
type crew struct {
	waiting atomic.Int32 // who has not come to the start yet
	ended   atomic.Bool
	first   atomic.Pointer[string]
}

// member is what one goroutine of a crew does.
type member func(c *crew, r *rand.Rand)

// alike returns n members that do the same. Each is told its number, from 0.
func alike(n int, f func(c *crew, r *rand.Rand, number int)) []member {
	members := make([]member, n)
	for k := range members {
		members[k] = func(c *crew, r *rand.Rand) { f(c, r, k) }
	}
	return members
}

// busy is how many members are still at work, for those that go on only as long.
type busy struct{ n atomic.Int32 }

// members is alike, of members that count as busy until they return.
func (b *busy) members(n int, f func(c *crew, r *rand.Rand, number int)) []member {
	b.n.Add(int32(n))
	return alike(n, func(c *crew, r *rand.Rand, number int) {
		defer b.n.Add(-1)
		f(c, r, number)
	})
}

// over says whether nobody is busy any more.
func (b *busy) over() bool { return b.n.Load() == 0 }

// pause lets others run, and says whether to go on: somebody is busy, and nothing is wrong.
func (b *busy) pause(c *crew) bool { return !b.over() && c.pause() }

// failf says what is wrong. Only the first time counts.
func (c *crew) failf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.first.CompareAndSwap(nil, &text)
	c.ended.Store(true)
}

// going says whether nothing is wrong so far.
func (c *crew) going() bool { return !c.ended.Load() }

// pause lets others run, where a goroutine waits for what they do. It says whether to go on.
func (c *crew) pause() bool {
	runtime.Gosched()
	return c.going()
}

// jitter lets others run now and then, between two operations. Without it goroutines on few processors work
// in a fixed order, each until it has to wait.
func (c *crew) jitter(r *rand.Rand) {
	if r.IntN(8) == 0 {
		runtime.Gosched()
	}
}

// together runs all members at the same time, each on its own goroutine with its own randomness, and waits
// for them. It ends the test when one of them found something wrong, panicked, or did not come to an end.
func (s *settings) together(t testing.TB, seed uint64, members ...member) {
	t.Helper()
	if wrong := s.work(seed, members); wrong != "" {
		t.Fatal(wrong)
	}
}

// work is together that returns what is wrong.
func (s *settings) work(seed uint64, members []member) string {
	c := new(crew)
	c.waiting.Store(int32(len(members)))
	done := make(chan struct{}, len(members))
	for i, m := range members {
		go func() {
			defer func() {
				if v := recover(); v != nil {
					c.failf("an operation panicked: %v\n%s", v, debug.Stack())
				}
				done <- struct{}{}
			}()
			c.waiting.Add(-1)
			for c.waiting.Load() > 0 {
				runtime.Gosched()
			}
			m(c, rand.New(rand.NewPCG(seed, uint64(i)+1)))
		}()
	}
	for range members {
		if !lawtest.Ends(done, s.patience, nil) { // the patience begins anew with each goroutine that ends
			stacks := make([]byte, 1<<16)
			c.failf("goroutines did not end within %v of the program's own time:\n%s", s.patience, stacks[:runtime.Stack(stacks, true)])
			return *c.first.Load() // those that are stuck are left behind
		}
	}
	if wrong := c.first.Load(); wrong != nil {
		return *wrong
	}
	return ""
}
