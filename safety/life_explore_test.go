//go:build custody_explore

package safety_test

import (
	"fmt"
	"testing"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/safety"
)

// certain searches a small scenario, and where the environment's CUSTODY_PCT says 2 or 3 so often
// that a fault of that depth is missed with a probability of one in 10^9 at most.
func certain() []explore.Plan {
	return append([]explore.Plan{explore.Exhaustive(1, 30_000), explore.PCT(3, 10_000), explore.Random(5000)}, explore.Guarantees()...)
}

// holding opens a job and completes it, and reports whether it was admitted. Meanwhile it is in the
// crowd.
func holding(in *crowd, m safety.Mode, claims ...safety.Claim) (admitted bool) {
	k := newTicket(m.String(), nil, claims...)
	if err := open(k); err != nil {
		must(err, safety.ErrConflict, safety.ErrDisposed, safety.ErrSplit)
		return false
	}
	in.enter(m)
	finished(k)
	in.leave(m)
	k.Return()
	return true
}

// A container is scheduled, completed, changed and disposed from three sides: a job that is
// admitted has it in its mode, and once it is disposed none is.
func TestExploreLife(t *testing.T) {
	for _, m := range [][2]safety.Mode{{safety.Write, safety.Read}, {safety.Read, safety.Read}, {safety.Append, safety.Shared}, {safety.Shared, safety.Shared}} {
		t.Run(fmt.Sprint(m), func(t *testing.T) {
			explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
				s := newStack(1)
				s.guard.Growable()
				var held crowd
				var over note
				for i, m := range m {
					p.Go(fmt.Sprint("job ", i), func() {
						late := over.get() != 0
						if holding(&held, m, s.claim(m, "S")) && late {
							panic("lent after its end")
						}
					})
				}
				p.Go("owner", func() {
					var borrow safety.Borrow
					err := kind(func() { borrow = s.guard.Borrow("a slice", 0) })
					must(err, nil, safety.ErrInFlight)
					if err == nil {
						s.guard.Bump("was changed")
						must(kind(borrow.Check), safety.ErrBorrowed)
					}
					err = kind(s.guard.Dispose)
					must(err, nil, safety.ErrInFlight)
					if err == nil {
						if held.total() != 0 {
							panic("disposed while it was held")
						}
						over.set(1)
					}
				})
				p.Then(func() {
					if s.guard.Disposed() != (over.get() != 0) {
						panic("disposed or not")
					}
					if !s.guard.Disposed() {
						must(kind(s.guard.CheckWrite), nil)
					}
				})
			}, certain()...)
		})
	}
}

// A container is split while others want it whole, and its parts are lent while it is joined: whole
// and parts are never in use together.
func TestExploreDivision(t *testing.T) {
	explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
		whole := newStack(2)
		parts := [2]*stack{newStack(1), newStack(1)}
		var d safety.Division
		var held crowd // of the whole
		var lent [2]crowd
		var split note
		var ready atom.Uint32 // the parts are there: no goroutine has them before
		p.Go("splits", func() {
			if err := kind(func() { d.Divide(&whole.guard, []*safety.Guard{&parts[1].guard, &parts[0].guard}, 0) }); err != nil {
				must(err, safety.ErrInFlight)
				return
			}
			if held.total() != 0 {
				panic("split while it was held")
			}
			split.set(1)
			ready.Store(1)
			holding(&lent[0], safety.Write, parts[0].claim(safety.Write, "P"))
			if err := kind(d.Join); err != nil {
				must(err, safety.ErrInFlight) // the other part is lent
				return
			}
			if lent[0].total()+lent[1].total() != 0 {
				panic("joined while a part was held")
			}
			split.set(2)
			for _, part := range parts {
				must(kind(part.guard.CheckRead), safety.ErrDisposed)
			}
		})
		p.Go("uses the whole", func() {
			k := newTicket("W", nil, whole.claim(safety.Read, "W"))
			if err := open(k); err != nil {
				must(err, safety.ErrSplit)
				return
			}
			held.enter(safety.Read)
			for range 2 { // before and after it has run
				if split.get() == 1 {
					panic("lent while it was split")
				}
				if !safety.Sealed(k) {
					finished(k)
				}
			}
			held.leave(safety.Read)
			k.Return()
		})
		p.Go("uses a part", func() {
			if ready.Load() == 0 {
				return
			}
			joined := split.get() == 2
			if holding(&lent[1], safety.Shared, parts[1].claim(safety.Shared, "P")) && joined {
				panic("a part was lent after the join")
			}
		})
		p.Then(func() {
			if split.get() == 1 {
				d.Join()
			}
			must(kind(whole.guard.CheckWrite), nil)
			if split.get() != 0 {
				must(kind(d.Join), safety.ErrDisposed)
			}
		})
	}, certain()...)
}

// A container is left to a job while that is completed, and while others schedule and dispose: its
// data is let go of once, when no job has it.
func TestExploreDisposeAfter(t *testing.T) {
	explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
		s := newStack(1)
		k := newTicket("J", nil, s.claim(safety.Write, "S"))
		must(open(k), nil)
		var held crowd
		held.enter(safety.Write)
		var over, released, won note
		release := func() {
			if held.total() != 0 {
				panic("released while it was held")
			}
			released.set(released.get() + 1)
		}
		p.Go("completes", func() {
			finished(k)
			held.leave(safety.Write)
			k.Return()
		})
		p.Go("disposes after", func() {
			err := kind(func() { s.guard.DisposeAfter(handle{k}, release) })
			must(err, nil, safety.ErrInFlight, safety.ErrConflict, safety.ErrDisposed)
			if err == nil {
				over.set(1)
				won.set(won.get() + 1)
			}
		})
		p.Go("others", func() {
			late := over.get() != 0
			if holding(&held, safety.Read, s.claim(safety.Read, "S")) && late {
				panic("lent after its end")
			}
			err := kind(s.guard.Dispose)
			must(err, nil, safety.ErrInFlight, safety.ErrDisposed)
			if err == nil {
				won.set(won.get() + 1)
				release()
			}
		})
		p.Then(func() {
			if won.get() > 1 || released.get() != won.get() || s.guard.Disposed() != (won.get() == 1) {
				panic(fmt.Sprint("disposed ", won.get(), " times, released ", released.get()))
			}
		})
	}, certain()...)
}
