package safety_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/safety"
)

// A body makes a container that adopts memory which its job holds. A job on it is refused, except
// if both jobs read or both share, whatever the order of the claims. So is a job that also holds
// the body's own view. Jobs on other memory are admitted.
func TestABodysContainerOnMemoryOfItsJob(t *testing.T) {
	lawtest.CheckedOnly(t)
	for _, outer := range modes {
		for _, inner := range modes {
			t.Run(fmt.Sprint(outer, " ", inner), func(t *testing.T) {
				s := newStack(1, safety.Named("outer"))
				s.guard.Adopts(100, 200)
				b := enter(t, "J", newStack(1).view(safety.Read), s.view(outer))
				b.do(func() {
					beside, own := newStack(1), newStack(1, safety.Named("inner"))
					beside.guard.Adopts(200, 300)
					own.guard.Adopts(199, 300)
					completed(opened(t, "K", nil, beside.claim(inner, "A"), held(b.views[1], "B")))
					lent, made := []safety.Claim{held(b.views[1], "Lent")}, own.claim(inner, "Made")
					if outer == inner && (inner == safety.Read || inner == safety.Shared) {
						completed(opened(t, "K", nil, made))
						completed(opened(t, "K", nil, append(lent, made)...))
						return
					}
					v := refused(t, "K", nil, newStack(1).claim(safety.Read, "Other"), made)
					lawtest.Equal(t, safety.Violation{
						Kind: safety.ErrNotLent, Container: `safety_test.stack "inner"`, Made: "overlapnested_test.go",
						Job: "K", Field: "Made", OtherJob: "J", OtherField: "Outer",
					}, v)
					require.ErrorContains(t, v, verbs[inner]+` safety_test.stack "inner",`)
					require.ErrorContains(t, v, `adopted memory of safety_test.stack "outer"`)
					require.ErrorContains(t, v, "which job J (field Outer) "+verbs[outer])
					require.ErrorIs(t, refused(t, "K", nil, append(lent, made)...), safety.ErrAliased)
				})
				b.leave()
				requireFree(t, s)
				held, _ := safety.Adopted()
				require.Zero(t, held)
			})
		}
	}
}
