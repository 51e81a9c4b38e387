package parallelfor_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// With bodies that do nothing, the workers meet at the same runs all the time.
func TestEveryBatchIsHandedOutOnceThoughAllWorkersStealAtOnce(t *testing.T) {
	watchdog(t)
	for _, c := range []struct{ batches, workers int }{{0, 2}, {1, 4}, {7, 3}, {64, 8}, {65, 8}, {200, 4}, {3000, 4}} {
		for range rounds(400) {
			times := make([]atomic.Int32, c.batches)
			parallelfor.HandOut(c.batches, c.workers, func(_, begin, end int) {
				for batch := begin; batch < end; batch++ {
					times[batch].Add(1)
				}
			})
			for batch := range times {
				require.EqualValues(t, 1, times[batch].Load(), "batch %d of %d, %d workers", batch, c.batches, c.workers)
			}
		}
	}
}
