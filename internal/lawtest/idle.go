//go:build unix

package lawtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// Of several windows of time one must be idle: what else the process does, as a collection, is not what is tested.
const (
	idleWindow  = 300 * time.Millisecond
	idleWindows = 5
	idleShare   = 0.04 // of a processor
)

// Idle fails the test unless the process uses hardly any processor while nobody has anything to do.
func Idle(t testing.TB) {
	t.Helper()
	idle(t, func() { atom.Sleep(idleWindow) })
}

// idle is Idle with windows that wait waits for, which take idleWindow or longer.
func idle(t testing.TB, wait func()) {
	t.Helper()
	best := 1.0
	for range idleWindows {
		atom.Sleep(5 * time.Millisecond)
		before := computed(t)
		wait()
		best = min(best, float64(computed(t)-before)/float64(idleWindow))
		if best < idleShare {
			return
		}
	}
	t.Errorf("idle, and yet %.0f%% of a processor is used", 100*best)
}

// computed is how long the process has computed.
func computed(t testing.TB) time.Duration {
	t.Helper()
	d, known := computedBy()
	require.True(t, known)
	return d
}
