package counter

import (
	"runtime"
	"sync"
	"sync/atomic"

	"example.com/custody/internal/lawtest"
)

// The stripes come with the first collision, so a test makes them; their number must not matter.
func (s *CounterSuite) TestNothingIsLostWhateverCollides() {
	for _, stripes := range []int{0, 1, 2, 4, 128} {
		c := New()
		if stripes > 0 {
			c.stripes.Store(newStripes(stripes))
		}
		adders, each := 8, rounds(20000)
		var group sync.WaitGroup
		for range adders {
			group.Go(func() {
				for range each {
					c.Inc()
				}
			})
		}
		group.Wait()
		s.Equal(int64(adders*each), c.Value(), "%d stripes", stripes)
	}
}

func (s *CounterSuite) TestTheFirstCollisionMakesTheStripes() {
	if runtime.GOMAXPROCS(0) == 1 {
		s.T().Skip("one processor collides with nobody")
	}
	c := New()
	var group sync.WaitGroup
	var added [4]int64
	var over atomic.Bool
	for i := range added {
		group.Go(func() {
			for c.stripes.Load() == nil && !over.Load() {
				for range 1000 {
					c.Inc()
				}
				added[i] += 1000
			}
		})
	}
	defer over.Store(true)
	lawtest.Until(s.T(), "a collision", func() bool { return c.stripes.Load() != nil })
	group.Wait()
	s.Equal(added[0]+added[1]+added[2]+added[3], c.Value())
}

// Swaps race with Adds of all kinds while GOMAXPROCS changes: what was swapped out and what is left
// is what was added.
func (s *CounterSuite) TestSwapsAndAddsConserve() {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	c := New()
	each := rounds(20000)
	var adders, swappers sync.WaitGroup
	for range 4 {
		adders.Go(func() {
			for range each {
				c.Add(3)
			}
		})
		adders.Go(func() {
			l := c.Local()
			for k := range each {
				l.Add(-1)
				if k%64 == 63 {
					l.Close()
					l = c.Local()
				}
			}
			l.Close()
		})
	}
	stop := make(chan struct{})
	var swapped [2]int64
	for i := range swapped {
		swappers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					swapped[i] += c.Swap(0)
					runtime.Gosched()
				}
			}
		})
	}
	swappers.Go(func() {
		for procs := 1; ; procs = procs%8 + 1 {
			select {
			case <-stop:
				return
			default:
				runtime.GOMAXPROCS(procs)
				runtime.Gosched()
			}
		}
	})
	adders.Wait()
	close(stop)
	swappers.Wait()
	s.Equal(int64(4*each*2), swapped[0]+swapped[1]+c.Value())
}

// A count that is on its way from a closed Local to the base is never missed.
func (s *CounterSuite) TestValueSeesWhatHappenedBeforeWhileLocalsClose() {
	c := New()
	var group sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					l := c.Local()
					l.Inc()
					l.Close()
				}
			}
		})
	}
	last := int64(0)
	for range rounds(20000) {
		v := c.Value()
		s.GreaterOrEqual(v, last)
		last = v
	}
	close(stop)
	group.Wait()
}
