package atom

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of many goroutines that want one thing done, one does it, and the others do not have the lock.
func TestLockUnless(t *testing.T) {
	for range 100 {
		var mu Mutex
		var done atomic.Bool
		var all sync.WaitGroup
		did := 0 // under mu
		for range 16 {
			all.Go(func() {
				if LockUnless(&mu, done.Load) {
					did++
					done.Store(true)
					mu.Unlock()
				}
			})
		}
		all.Wait()
		require.Equal(t, 1, did)
		require.True(t, mu.TryLock())
	}
}

// Without a condition each goroutine gets the lock, however long another one has it.
func TestLockUnlessNothing(t *testing.T) {
	var mu Mutex
	var all sync.WaitGroup
	n := 0 // under mu
	mu.Lock()
	for range 16 {
		all.Go(func() {
			require.True(t, LockUnless(&mu, nil))
			n++
			mu.Unlock()
		})
	}
	for range 100 {
		Delay(mostDelay) // longer than goroutines try
	}
	mu.Unlock()
	all.Wait()
	require.Equal(t, 16, n)
}
