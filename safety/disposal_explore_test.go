//go:build custody_explore

package safety_test

import (
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/safety"
)

// A pair is disposed as a whole, or lent to a job that holds both of its guards: neither waits for the other.
func TestExploreDisposalOfAPairBesideAJobOfBoth(t *testing.T) {
	explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
		c := newPair()
		var lent, gone bool
		k := newTicket("J", nil, c.claim(safety.Read), c.claim(safety.Write))
		p.Go("job", func() {
			err := open(k)
			must(err, nil, safety.ErrDisposed)
			lent = err == nil
		})
		p.Go("owner", func() {
			err := kind(func() { c.choice.Dispose(&c.guards[0], &c.guards[1]) })
			must(err, nil, safety.ErrInFlight)
			gone = err == nil
		})
		p.Then(func() {
			if lent == gone || gone != c.guards[0].Disposed() || gone != c.guards[1].Disposed() {
				panic("both, neither or half")
			}
			if lent {
				completed(k)
			}
		})
	}, around...)
}

// A schedule that is refused because one of its containers was disposed takes none of the others, whichever it
// was and whenever that happened.
func TestExploreAScheduleThatMeetsADisposalTakesNothing(t *testing.T) {
	for which := range 3 {
		t.Run(fmt.Sprint("container ", which), func(t *testing.T) {
			explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
				stacks := [3]*stack{newStack(1), newStack(1), newStack(1)}
				k := newTicket("J", nil, stacks[0].claim(safety.Read, "A"), stacks[1].claim(safety.Write, "B"), stacks[2].claim(safety.Append, "C"))
				var lent, gone bool
				p.Go("job", func() {
					err := open(k)
					must(err, nil, safety.ErrDisposed)
					lent = err == nil
				})
				p.Go("owner", func() {
					err := kind(stacks[which].guard.Dispose)
					must(err, nil, safety.ErrInFlight)
					gone = err == nil
				})
				p.Then(func() {
					if lent == gone {
						panic("both or neither")
					}
					if lent {
						completed(k)
					}
					for i, s := range stacks {
						if i != which {
							must(kind(s.guard.CheckWrite), nil)
						}
					}
				})
			}, around...)
		})
	}
}
