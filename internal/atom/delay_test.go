package atom_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// The compiler has not left the work out: a hundred times the delay takes far longer.
func TestDelayTakesTime(t *testing.T) {
	atom.Delay(-1)
	shortest := func(ns int) time.Duration {
		best := time.Hour
		for range 50 {
			begin := time.Now()
			atom.Delay(ns)
			best = min(best, time.Since(begin))
		}
		return best
	}
	require.Greater(t, shortest(1_000_000), 20*shortest(10_000))
	require.Zero(t, testing.AllocsPerRun(10, func() { atom.Delay(10) }))
}
