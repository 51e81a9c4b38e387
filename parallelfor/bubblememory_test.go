package parallelfor

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// The memory of a job of a pool in a bubble is not used again (B2): a worker goroutine of the
// bubble may still have an offer of the job, and would join a job of another bubble by it.
func TestTheMemoryOfABubblesJobsIsNotUsedAgain(t *testing.T) {
	if atom.Explored {
		t.Skip("explored builds have no bubbles")
	}
	type views struct{}
	run := func(p *Pool) *work {
		For(3, views{}, func(*views, int) {}, On(p), Workers(2))
		return planFor(planOf((*views)(nil))).takeSpare()
	}
	outside := NewPool(1)
	defer outside.Close()
	if w := run(outside); reuse && !atom.Race {
		require.NotNil(t, w, "outside of bubbles it is")
	}
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(1)
		require.Nil(t, run(p))
		p.Close()
	})
}
