package parallelfor_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"example.com/custody/parallelfor"
)

// No goroutine wakes more than a few others, and still all worker goroutines come: those that are
// started, that sleep, and that spin.
func TestLargeCrewsWakeEachOther(t *testing.T) {
	watchdog(t)
	for _, c := range []struct{ size, workers int }{{4, 5}, {4, 9}, {5, 5}, {6, 7}, {24, 23}, {12, 40}, {59, 60}} {
		t.Run(fmt.Sprint(c.workers, " workers, ", "a pool of ", c.size), func(t *testing.T) {
			n := c.workers
			pool := parallelfor.NewPool(c.size)
			defer pool.Close()
			for round := range rounds(16) {
				if round%2 == 0 && !parallelfor.Raced {
					spin(t, "workers to sleep", func() bool {
						idle, count := parallelfor.IdleWorkers(pool)
						return idle == count
					})
				}
				b := newBarrier(n)
				var short atomic.Int32
				body := func(*none, int) {
					if !b.wait() {
						short.Add(1)
					}
				}
				opts := []parallelfor.Option{parallelfor.Workers(n), parallelfor.Batch(1), parallelfor.On(pool)}
				if round%4 < 2 {
					parallelfor.For(n, none{}, body, opts...)
				} else {
					h := scheduleFor(n, none{}, body, opts...)
					spin(t, "a job that no goroutine completes", h.Finished)
					h.Complete()
				}
				require.Zero(t, short.Load(), "bodies waited for workers that never came")
			}
		})
	}
}

// Jobs that come while others wake are worked on too.
func TestLargeCrewsServeManyCallers(t *testing.T) {
	watchdog(t)
	pool := parallelfor.NewPool(12)
	defer pool.Close()
	var ran atomic.Int64
	const callers, loops, n = 6, 40, 64
	done := make(chan struct{})
	for range callers {
		go func() {
			for range rounds(loops) {
				parallelfor.For(n, none{}, func(*none, int) { ran.Add(1) }, parallelfor.On(pool), parallelfor.Batch(1))
			}
			done <- struct{}{}
		}()
	}
	for range callers {
		<-done
	}
	require.EqualValues(t, callers*rounds(loops)*n, ran.Load())
}

// Pools cost what they hold while they live, and nothing after.
func TestTenThousandPoolsLeaveNothing(t *testing.T) {
	watchdog(t)
	running := goleak.IgnoreCurrent()
	var ran atomic.Int64
	n := rounds(10_000)
	for range n {
		pool := parallelfor.NewPool(2)
		parallelfor.For(3, none{}, func(*none, int) { ran.Add(1) }, parallelfor.On(pool), parallelfor.Batch(1), parallelfor.Workers(3))
		pool.Close()
	}
	require.EqualValues(t, 3*n, ran.Load())
	goleak.VerifyNone(t, running)
}
