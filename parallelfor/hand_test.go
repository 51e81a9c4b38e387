package parallelfor_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
)

// With bodies that do nothing, the workers meet at the same runs all the time.
func TestEveryCellIsHandedOutOnceThoughAllWorkersStealAtOnce(t *testing.T) {
	watchdog(t)
	for _, c := range []struct{ cells, workers int }{{0, 2}, {1, 4}, {7, 3}, {64, 8}, {65, 8}, {200, 4}, {3000, 4}} {
		for range rounds(400) {
			times := make([]atomic.Int32, c.cells)
			parallelfor.HandOut(c.cells, c.workers, func(_, begin, end int) {
				for cell := begin; cell < end; cell++ {
					times[cell].Add(1)
				}
			})
			for cell := range times {
				require.EqualValues(t, 1, times[cell].Load(), "cell %d of %d, %d workers", cell, c.cells, c.workers)
			}
		}
	}
}
