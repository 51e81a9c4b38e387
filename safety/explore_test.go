//go:build custody_explore

package safety_test

import (
	"errors"
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/safety"
)

// around are the plans of a scenario that is small enough to be searched.
var around = []explore.Plan{explore.Exhaustive(2, 300_000), explore.PCT(3, 5000), explore.PCT(4, 5000), explore.Random(5000)}

// kind returns what a function panicked with, if it was a violation.
func kind(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = v.(*safety.Violation)
		}
	}()
	f()
	return nil
}

// must panics unless err is one of the kinds; nil is one too.
func must(err error, kinds ...error) {
	for _, k := range kinds {
		if err == k || err != nil && k != nil && errors.Is(err, k) {
			return
		}
	}
	panic(fmt.Sprintf("got %v, want one of %v", err, kinds))
}

// open opens a ticket and returns the violation as an error.
func open(t *safety.Ticket) error {
	if v := t.Open(safety.CurrentScope(), 0, false); v != nil {
		return v
	}
	return nil
}

// note is a number that tasks tell each other without being ordered by it: they take turns, and the
// race detector does not see it.
type note struct{ n int }

//go:norace
func (n *note) get() int { return n.n }

//go:norace
func (n *note) set(k int) { n.n = k }

// crowd counts the holders of a container by mode, as these see it, unseen like a note.
type crowd struct{ in [5]int }

//go:norace
func (c *crowd) enter(m safety.Mode) {
	c.in[m]++
	if together := c.in[safety.Read] == c.total() || c.in[safety.Shared] == c.total() || c.total() == 1; !together {
		panic(fmt.Sprint("held at the same time, by mode: ", c.in))
	}
}

//go:norace
func (c *crowd) leave(m safety.Mode) { c.in[m]-- }

//go:norace
func (c *crowd) total() int {
	n := 0
	for _, k := range c.in {
		n += k
	}
	return n
}

// Jobs that exclude each other are never both admitted, whatever the order in which they name their
// containers, and none waits for ever.
func TestExploreOverlappingSchedules(t *testing.T) {
	w, r, a, s := safety.Write, safety.Read, safety.Append, safety.Shared
	for _, modes := range [][][2]safety.Mode{{{w, w}, {w, w}}, {{r, w}, {w, r}}, {{r, r}, {r, w}, {w, r}}, {{a, r}, {a, r}}, {{s, s}, {s, a}}, {{r, s}, {s, r}}} {
		t.Run(fmt.Sprint(modes), func(t *testing.T) {
			explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
				stacks := [2]*stack{newStack(1), newStack(1)}
				var held [2]crowd
				var admitted note
				for i, m := range modes {
					p.Go(fmt.Sprint("job ", i), func() {
						k := newTicket("J", nil, stacks[i%2].claim(m[0], "A"), stacks[1-i%2].claim(m[1], "B"))
						if err := open(k); err != nil {
							must(err, safety.ErrConflict)
							return
						}
						admitted.set(admitted.get() + 1)
						held[i%2].enter(m[0])
						held[1-i%2].enter(m[1])
						finished(k)
						held[i%2].leave(m[0])
						held[1-i%2].leave(m[1])
						k.Return()
					})
				}
				least := 1 // the first that comes
				if modes[0] == [2]safety.Mode{r, s} {
					least = 2 // they exclude each other nowhere
				}
				p.Then(func() {
					if n := admitted.get(); n < least {
						panic(fmt.Sprint(n, " jobs were admitted"))
					}
					must(kind(stacks[0].guard.CheckWrite), nil)
					must(kind(stacks[1].guard.CheckWrite), nil)
				})
			}, around...)
		})
	}
}

// A container is disposed once, and while no job holds it, or the disposal is refused; once it is
// disposed nothing is admitted.
func TestExploreDispose(t *testing.T) {
	for _, m := range modes {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
				s := newStack(1)
				var disposed note
				p.Go("job", func() {
					k := newTicket("J", nil, s.claim(m, "A"))
					if err := open(k); err != nil {
						must(err, safety.ErrDisposed)
						return
					}
					for range 2 {
						if disposed.get() != 0 {
							panic("disposed while a job held it")
						}
						must(kind(s.guard.CheckExists), nil)
					}
					finished(k).Return()
				})
				for i := range 2 {
					p.Go(fmt.Sprint("disposer ", i), func() {
						err := kind(s.guard.Dispose)
						must(err, nil, safety.ErrInFlight, safety.ErrDisposed)
						if err == nil {
							if disposed.get() != 0 {
								panic("disposed twice")
							}
							disposed.set(1)
						}
					})
				}
				p.Then(func() {
					want := error(nil)
					if disposed.get() != 0 {
						want = safety.ErrDisposed
					}
					must(kind(s.guard.Dispose), want)
					must(open(newTicket("J", nil, s.claim(m, "A"))), safety.ErrDisposed)
				})
			}, around...)
		})
	}
}

// A goroutine that completes a job, and every one after it, finds its containers and those of all
// that it runs after free, while others complete the same jobs.
func TestExploreReturn(t *testing.T) {
	explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
		a, b := newStack(1), newStack(1)
		first := newTicket("first", nil, a.claim(safety.Write, "A"))
		must(open(first), nil)
		second := newTicket("second", after(first), a.claim(safety.Write, "A"), b.claim(safety.Write, "B"))
		must(open(second), nil)
		third := newTicket("third", after(second), b.claim(safety.Write, "B"))
		must(open(third), nil)
		finished(first)
		finished(second)
		finished(third)
		p.Go("completes first", func() {
			first.Return()
			if !first.Returned() {
				panic("not returned")
			}
		})
		for i := range 2 {
			p.Go(fmt.Sprint("completes third ", i), func() {
				third.Return()
				must(kind(a.guard.CheckWrite), nil)
				must(kind(b.guard.CheckWrite), nil)
			})
		}
	}, around...)
}

// A job that another goroutine completes may be the one before: a job that is scheduled after it is
// admitted whether it has been completed or not.
func TestExploreScheduleAfterWhatIsBeingCompleted(t *testing.T) {
	explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
		a := newStack(1)
		first := newTicket("first", nil, a.claim(safety.Write, "A"))
		must(open(first), nil)
		finished(first)
		p.Go("completes", first.Return)
		p.Go("schedules", func() {
			second := newTicket("second", after(first), a.claim(safety.Write, "A"))
			must(open(second), nil)
			must(kind(a.guard.CheckRead), safety.ErrInFlight)
			finished(second).Return()
			must(kind(a.guard.CheckWrite), nil)
		})
	}, around...)
}

// An ordinary operation that a job's claim excludes is refused from the schedule to the completion,
// and never before or after; one that it does not exclude is never refused.
func TestExploreOrdinaryUse(t *testing.T) {
	for _, m := range modes {
		for i, u := range uses {
			excluded := false
			for _, e := range u.excluded {
				excluded = excluded || e == m
			}
			t.Run(fmt.Sprint(m, " and ", u.op, i), func(t *testing.T) {
				explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
					s := newStack(9)
					const before, during, over = 0, 1, 2
					var phase note // what is certain to a goroutine that looks: it changes within the steps
					p.Go("job", func() {
						k := newTicket("J", nil, s.claim(m, "A"))
						phase.set(-1)
						must(open(k), nil)
						phase.set(during)
						finished(k)
						phase.set(-1)
						k.Return()
						phase.set(over)
					})
					p.Go("user", func() {
						for range 2 {
							was := phase.get()
							err := kind(func() {
								switch i {
								case 0:
									s.guard.CheckRead()
								case 1:
									s.guard.CheckWrite()
								case 2:
									s.guard.CheckShared()
								case 3:
									s.guard.CheckAppend()
								case 4:
									s.guard.CheckExists()
								default:
									s.guard.CheckLook()
								}
							})
							switch {
							case excluded && was == during && phase.get() == during:
								must(err, safety.ErrInFlight)
							case excluded && !(was == before && phase.get() == before) && was != over:
								must(err, nil, safety.ErrInFlight)
							default:
								must(err, nil)
							}
						}
					})
				}, explore.Exhaustive(2, 100_000), explore.Random(2000))
			})
		}
	}
}
