//go:build custody_explore

package safety_test

import (
	"fmt"
	"testing"

	"example.com/custody/internal/explore"
	"example.com/custody/safety"
)

// Jobs on two containers with the same adopted memory exclude each other as jobs on one container
// do, whatever else they hold, in every order of schedules and completions. No schedule waits for
// ever, and the list of held containers is empty at the end.
func TestExploreAdoptedMemory(t *testing.T) {
	w, r := safety.Write, safety.Read
	for _, modes := range [][]safety.Mode{{w, w}, {r, w}, {w, r, r}, {r, w, w}} {
		t.Run(fmt.Sprint(modes), func(t *testing.T) {
			explore.Run(t, explore.Options{Coarse: true}, func(p *explore.Program) {
				stacks := [3]*stack{newStack(1), newStack(1), newStack(1)}
				stacks[0].guard.Adopts(100, 200)
				stacks[1].guard.Adopts(150, 250)
				stacks[2].guard.Adopts(250, 300) // no memory in common with the others
				var held crowd
				var admitted note
				for i, m := range modes {
					p.Go(fmt.Sprint("job ", i), func() {
						claims := []safety.Claim{stacks[i%2].claim(m, "A"), stacks[2].claim(r, "B")}
						if i%2 == 1 {
							claims[0], claims[1] = claims[1], claims[0]
						}
						k := newTicket("J", nil, claims...)
						if err := open(k); err != nil {
							must(err, safety.ErrConflict)
							return
						}
						admitted.set(admitted.get() + 1)
						held.enter(m)
						finished(k)
						held.leave(m)
						k.Return()
					})
				}
				p.Then(func() {
					if admitted.get() == 0 {
						panic("no job was admitted")
					}
					if n, _ := safety.Adopted(); n != 0 {
						panic(fmt.Sprint(n, " containers are listed that no job holds"))
					}
				})
			}, around...)
		})
	}
}
