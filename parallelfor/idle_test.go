//go:build unix

package parallelfor_test

import (
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// cpu is how long the process has computed.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A pool that has worked, and has nothing to do now, does not compute: a pool of which a single resident looked for
// work all the time would take a whole processor.
func TestAnIdlePoolUsesNoProcessor(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(4)
	defer pool.Close()
	for range 100 {
		parallelfor.For(100, none{}, func(*none, int) { runtime.Gosched() }, parallelfor.On(pool), parallelfor.Workers(5))
	}
	const idle = 100 * time.Millisecond
	best := idle
	for range 5 { // what else the process does is not the pool's
		time.Sleep(5 * time.Millisecond)
		before := cpu(t)
		time.Sleep(idle)
		best = min(best, cpu(t)-before)
	}
	require.Less(t, best, idle/10)
}
