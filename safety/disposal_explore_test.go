//go:build custody_explore

package safety_test

import (
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/safety"
)

// A schedule that is refused because one of its containers was disposed takes none of the others,
// whichever it was and whenever that happened.
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
