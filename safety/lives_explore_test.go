//go:build custody_explore

package safety_test

import (
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/safety"
)

// reuser uses a ticket again, as a driver does, and counts how often.
type reuser struct{ ended note }

// Spent implements safety.Spender.
func (r *reuser) Spent(l safety.Life) {
	if l.End() {
		r.ended.set(r.ended.get() + 1)
		fill(l.Ticket(), "another", nil)
	}
}

// A life that several enter and leave while its job is returned ends once, unless it is kept: never under somebody who has entered, nor before.
func TestExploreALife(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		t.Run(fmt.Sprint("kept ", keeps), func(t *testing.T) {
			explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
				var owner reuser
				k := newTicket("J", nil)
				k.Owner = &owner
				must(open(k), nil)
				finished(k)
				l := k.Life()
				var kept note
				p.Go("returns", func() {
					if !l.Enter() {
						panic("it ended before it was returned")
					}
					k.Return()
					l.Leave()
				})
				if keeps {
					p.Go("keeps", func() {
						if l.Keep() {
							kept.set(1)
						}
					})
				} else {
					p.Go("ends", func() {
						if l.End() {
							owner.ended.set(owner.ended.get() + 1)
							fill(k, "another", nil)
						}
					})
				}
				p.Go("looks", func() {
					for range 2 {
						if l.Enter() {
							if l.Ended() || k.Job() != "J" {
								panic("it ended under who has entered it")
							}
							l.Leave()
						}
					}
				})
				p.Then(func() {
					if n := owner.ended.get(); n != 1-kept.get() || l.Ended() != (n == 1) || (k.Job() == "J") != (n == 0) {
						panic(fmt.Sprint("ended ", n, " times, kept ", kept.get()))
					}
				})
			}, around...)
		})
	}
}

// fragile is a container that panics the first time that it comes back.
type fragile struct {
	guard safety.Guard
	came  note
}

// ReturnPhase implements safety.Returner.
func (f *fragile) ReturnPhase(bool) {
	f.came.set(f.came.get() + 1)
	panic("on return")
}

// A container of a job that others run after panics when it comes back, while these are completed: one of those who complete is told, all jobs come
// back, each once, and all lives can end.
func TestExploreReturnOfWhatPanics(t *testing.T) {
	explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
		f, s := new(fragile), newStack(1)
		f.guard.Init(f, 0)
		first := newTicket("first", nil, safety.Claim{Guard: &f.guard, Mode: safety.Write})
		must(open(first), nil)
		second := newTicket("second", after(first), s.claim(safety.Write, "S"))
		must(open(second), nil)
		third := newTicket("third", after(second), s.claim(safety.Write, "S"))
		must(open(third), nil)
		for _, k := range after(first, second, third) {
			finished(k)
		}
		var told note
		for _, k := range after(first, second, third) {
			p.Go("completes "+k.Job(), func() {
				defer func() {
					if recover() != nil {
						told.set(told.get() + 1)
					}
				}()
				k.Return()
			})
		}
		p.Then(func() {
			third.Return()
			if told.get() != 1 || f.came.get() != 1 {
				panic(fmt.Sprint(told.get(), " were told, it came back ", f.came.get(), " times"))
			}
			must(kind(s.guard.CheckWrite), nil)
			must(kind(f.guard.CheckWrite), nil)
			for _, k := range after(first, second, third) {
				if !k.Returned() || !k.Life().End() {
					panic("the life of " + k.Job() + " was not left")
				}
			}
		})
	}, around...)
}
