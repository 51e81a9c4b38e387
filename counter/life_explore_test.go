//go:build custody_explore

package counter

import (
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// attempt returns the violation that f panics with, as an error.
func attempt(f func()) error { return lawtest.Failure(func() error { f(); return nil }) }

// ordinary is a container with a view that appends, and the operations that any goroutine may do
// outside of jobs.
type ordinary struct {
	view    safety.View
	add     func()       // adds 1
	value   func() int64 // how often add was done; nil where nothing counts that
	dispose func()
}

var containers = map[string]func() ordinary{
	"Counter": func() ordinary {
		c := New()
		w := c.ParallelWriter()
		return ordinary{&w, c.Inc, c.Value, c.Dispose}
	},
	"Sum": func() ordinary {
		s := NewSum[int64]()
		w := s.ParallelWriter()
		return ordinary{&w, func() { s.Add(1) }, s.Value, s.Dispose}
	},
	"Max": func() ordinary {
		m := NewMax[int64]()
		w := m.ParallelWriter()
		return ordinary{&w, func() { m.Observe(1) }, nil, m.Dispose}
	},
	"Histogram": func() ordinary {
		h := NewHistogram(2)
		w := h.ParallelWriter()
		return ordinary{&w, func() { h.Add(1, 1) }, func() int64 { return h.Counts(nil)[1] }, h.Dispose}
	},
}

// Additions are made or refused while a job holds the container; none that was made is lost, and
// none that was refused is there.
func TestExploreLife(t *testing.T) {
	for name, fresh := range containers {
		if fresh().value == nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				o := fresh()
				var job error
				added := [2]int64{}
				var wrong [2]error
				p.Go("job", func() { job = lawtest.Held(o.view, 2, func() {}) })
				for i := range added {
					p.Go(fmt.Sprint("adder ", i), func() {
						for range 2 {
							switch err := attempt(o.add); {
							case err == nil:
								added[i]++
							case !errors.Is(err, safety.ErrInFlight) && !errors.Is(err, safety.ErrDisposed):
								wrong[i] = err
							}
						}
					})
				}
				var left int64
				var value, end error
				p.Then(func() {
					value = attempt(func() { left = o.value() })
					end = attempt(o.dispose)
				})
				p.Judge(func() error {
					return errors.Join(job, wrong[0], wrong[1], value, end, func() error {
						if left != added[0]+added[1] {
							return fmt.Errorf("%d is left of %v", left, added)
						}
						return nil
					}())
				})
			}, explore.PCT(2, 3000), explore.PCT(3, 3000), explore.Random(6000))
		})
	}
}

// A disposal beside a job and an addition is made or refused as a whole.
func TestExploreLifeEnds(t *testing.T) {
	for name, fresh := range containers {
		t.Run(name, func(t *testing.T) {
			explore.Run(t, explore.Options{}, func(p *explore.Program) {
				o := fresh()
				var job, add, first, second error
				p.Go("job", func() { job = lawtest.Held(o.view, 2, func() {}) })
				p.Go("adder", func() { add = attempt(o.add) })
				p.Go("first", func() { first = attempt(o.dispose) })
				p.Then(func() { second = attempt(o.dispose) })
				p.Judge(func() error {
					if (first == nil) == (second == nil) {
						return fmt.Errorf("disposed twice or never: %v, %v", first, second)
					}
					for _, err := range []error{job, add, first, second} {
						if err != nil && !errors.Is(err, safety.ErrInFlight) && !errors.Is(err, safety.ErrDisposed) {
							return err
						}
					}
					if job != nil && first != nil {
						return fmt.Errorf("neither the job nor the disposal came through: %v, %v", job, first)
					}
					return nil
				})
			}, explore.Exhaustive(2, 100_000), explore.PCT(3, 3000), explore.Random(3000))
		})
	}
}
