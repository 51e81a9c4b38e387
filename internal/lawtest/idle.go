//go:build unix

package lawtest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/atom"
)

// One of several windows of time must be idle. In the others the process may do something
// unrelated, such as a garbage collection.
const (
	idleWindow  = 300 * time.Millisecond
	idleWindows = 5
	idleShare   = 0.04 // of a processor
)

// Idle fails the test unless the process uses hardly any processor time while it has nothing to do.
func Idle(t testing.TB) {
	t.Helper()
	idle(t, func() { atom.Sleep(idleWindow) })
}

// idle is Idle with windows that end when wait returns, which must take at least idleWindow.
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

// computed returns the processor time that the process has used.
func computed(t testing.TB) time.Duration {
	t.Helper()
	d, known := computedBy()
	require.True(t, known)
	return d
}
