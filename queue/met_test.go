package queue_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/queue"
)

// Goroutines that meet all the time, because their items take long to copy, lose none.
func TestEnqueuersThatMeetAllTheTime(t *testing.T) {
	const each, several = 200, 3
	q := queue.New[[1 << 13]int64]()
	var wg sync.WaitGroup
	for g := range several {
		wg.Go(func() {
			var item [1 << 13]int64
			for i := range each {
				item[0], item[len(item)-1] = int64(g), int64(i)
				q.Enqueue(item)
			}
		})
	}
	next := [several]int64{}
	for taken := 0; taken < each*several; {
		item, ok := q.TryDequeue()
		if !ok {
			continue
		}
		g := item[0]
		require.Equal(t, next[g], item[len(item)-1])
		next[g]++
		taken++
	}
	wg.Wait()
	require.Zero(t, q.Len())
}
