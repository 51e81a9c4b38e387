package queue_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/queue"
)

// page is an item that takes long to copy, and more than a segment of its own.
type page [1 << 16]byte

// Goroutines that meet all the time, because their items take long to copy, lose none.
func TestEnqueuersThatMeetAllTheTime(t *testing.T) {
	const each, several = 200, 3
	q := queue.New[page]()
	var wg sync.WaitGroup
	for g := range several {
		wg.Go(func() {
			var item page
			for i := range each {
				item[0], item[len(item)-1] = byte(g), byte(i)
				q.Enqueue(item)
			}
		})
	}
	next := [several]byte{}
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
