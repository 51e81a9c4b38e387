//go:build custody_explore

package explore_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/explore"
	"example.com/custody/internal/sched"
)

// A wake-up that is lost between the last look and the sleep is found by all plans, also where a
// bounded wait comes before the sleep.
func TestASpinHidesNoLostWakeUp(t *testing.T) {
	lost := func(p *explore.Program) {
		var done, sleeps atom.Bool
		wake := atom.NewParker()
		p.Go("sleeper", func() {
			for s := (atom.Spin{}); !done.Load() && s.More(); {
			}
			if !done.Load() {
				sleeps.Store(true) // too late, if the other has looked already
				wake.Park()
			}
		})
		p.Go("waker", func() {
			done.Store(true)
			if sleeps.Load() {
				wake.Unpark()
			}
		})
	}
	for name, plan := range map[string]explore.Plan{
		"exhaustive": explore.Exhaustive(2, 10_000), "PCT": explore.PCTTo(2, 1e-9), "random": explore.Random(2000),
	} {
		f, stats := explore.Find(explore.Options{}, lost, plan)
		require.NotNil(t, f, "%s: %v", name, stats)
		require.Equal(t, sched.Deadlock, f.Failure.Kind)
	}
}
