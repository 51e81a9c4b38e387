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

// crew is a group of goroutines, its members, that use one container concurrently. They never end
// the test themselves: the first that finds an error records it, and all of them stop.
type crew struct {
	waiting atomic.Int32           // members that have not reached the start
	ended   atomic.Bool            // an error was found
	first   atomic.Pointer[string] // the first error
}

// member is the function of one goroutine of a crew.
type member func(c *crew, r *rand.Rand)

// alike returns n members that call f, each with its number, from 0.
func alike(n int, f func(c *crew, r *rand.Rand, number int)) []member {
	members := make([]member, n)
	for k := range members {
		members[k] = func(c *crew, r *rand.Rand) { f(c, r, k) }
	}
	return members
}

// busy counts the members at work. Other members run until the count is 0.
type busy struct{ n atomic.Int32 }

// members returns n members as alike does. They count as busy until they return.
func (b *busy) members(n int, f func(c *crew, r *rand.Rand, number int)) []member {
	b.n.Add(int32(n))
	return alike(n, func(c *crew, r *rand.Rand, number int) {
		defer b.n.Add(-1)
		f(c, r, number)
	})
}

// over reports whether no member is busy any more.
func (b *busy) over() bool { return b.n.Load() == 0 }

// pause lets other goroutines run. It reports whether a member is busy and no error was found.
func (b *busy) pause(c *crew) bool { return !b.over() && c.pause() }

// failf records an error and stops the crew. Only the first error is kept.
func (c *crew) failf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.first.CompareAndSwap(nil, &text)
	c.ended.Store(true)
}

// going reports whether no error was found so far.
func (c *crew) going() bool { return !c.ended.Load() }

// pause lets other goroutines run, for a goroutine that waits for them. It reports whether no error
// was found so far.
func (c *crew) pause() bool {
	runtime.Gosched()
	return c.going()
}

// jitter sometimes lets other goroutines run between two operations. Without it goroutines on few
// processors run in a fixed order, each until it has to wait.
func (c *crew) jitter(r *rand.Rand) {
	if r.IntN(8) == 0 {
		runtime.Gosched()
	}
}

// together runs all members concurrently, each on a goroutine and with random numbers of its own,
// and waits for them. It ends the test if a member found an error, panicked, or did not return.
func (s *settings) together(t testing.TB, seed uint64, members ...member) {
	t.Helper()
	if wrong := s.work(seed, members); wrong != "" {
		t.Fatal(wrong)
	}
}

// work is together, except that it returns the error as a text.
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
		if !lawtest.Ends(done, s.patience, nil) { // it restarts with each member that ends
			stacks := make([]byte, 1<<16)
			c.failf("goroutines did not end within %v of the program's own time:\n%s", s.patience, stacks[:runtime.Stack(stacks, true)])
			return *c.first.Load() // members that are stuck are left behind
		}
	}
	if wrong := c.first.Load(); wrong != nil {
		return *wrong
	}
	return ""
}
