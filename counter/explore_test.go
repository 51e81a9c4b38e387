//go:build custody_explore

package counter

import (
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
)

// scenario runs a small program by all schedules with few preemptions, and by many others.
func scenario(t *testing.T, setup func(p *explore.Program)) {
	explore.Run(t, explore.Options{}, setup, explore.Exhaustive(2, 200_000), explore.PCT(3, 3000), explore.Random(3000))
}

// No Add is lost, whether it meets another at the base or not.
func TestExploreAdds(t *testing.T) {
	for _, stripes := range []int{0, 1} {
		t.Run(fmt.Sprint(stripes, " stripes"), func(t *testing.T) {
			scenario(t, func(p *explore.Program) {
				c := New()
				if stripes > 0 {
					c.stripes.Store(newStripes(stripes))
				}
				for i := range 3 {
					p.Go(fmt.Sprint("adder ", i), func() {
						c.Add(1)
						c.Add(10)
					})
				}
				p.Then(func() {
					if v := c.Value(); v != 33 {
						panic(fmt.Errorf("%d was counted", v))
					}
				})
			})
		})
	}
}

// An Add is in the result of one Swap, or left.
func TestExploreSwap(t *testing.T) {
	scenario(t, func(p *explore.Program) {
		c := New()
		c.stripes.Store(newStripes(1))
		l := c.Local()
		var out [2]int64
		p.Go("adder", func() { c.Add(1) })
		p.Go("local", func() {
			l.Add(10)
			l.Close()
		})
		for i := range out {
			p.Go(fmt.Sprint("swapper ", i), func() { out[i] = c.Swap(0) })
		}
		p.Then(func() {
			if v := c.Value() + out[0] + out[1]; v != 11 {
				panic(fmt.Errorf("%d was counted", v))
			}
		})
	})
}

// What a Local added before is seen once, while the Local closes and others open and close.
func TestExploreValueWhileLocalsClose(t *testing.T) {
	scenario(t, func(p *explore.Program) {
		c := New()
		first, second := c.Local(), c.Local()
		first.Add(1)
		second.Add(10)
		p.Go("first", first.Close)
		p.Go("second", second.Close)
		p.Go("reader", func() {
			for range 2 {
				if v := c.Value(); v != 11 {
					panic(fmt.Errorf("%d was read", v))
				}
			}
		})
	})
}

// A reading is what held at one time: a number with the word that it was observed.
func TestExploreExtremumIsOfOneTime(t *testing.T) {
	scenario(t, func(p *explore.Program) {
		m := NewMax[int]()
		m.Set(1)
		p.Go("writer", func() {
			m.Reset()
			m.Set(2)
		})
		p.Go("reader", func() {
			last := 0
			for range 2 {
				v, ok := m.Value()
				stage := map[bool]int{true: 2 * (v - 1), false: 1}[ok] // 1, nothing, 2
				if ok && v == 0 || !ok && v != 0 || stage < last {
					panic(fmt.Errorf("%d, %t was read in stage %d", v, ok, last))
				}
				last = stage
			}
		})
	})
}

// The largest number stays, whichever goroutine comes first.
func TestExploreObserve(t *testing.T) {
	scenario(t, func(p *explore.Program) {
		m := NewMax[int]()
		for i := range 3 {
			p.Go(fmt.Sprint("observer ", i), func() { m.Observe(i + 1) })
		}
		p.Then(func() {
			if v, ok := m.Value(); v != 3 || !ok {
				panic(fmt.Errorf("%d, %t is left", v, ok))
			}
		})
	})
}
