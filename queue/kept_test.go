package queue

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
)

// The waiters of many goroutines that wait at a queue at the same time are given back to the
// garbage collector, except keptWaiters.
func TestWhatManyWaitsHaveNeededIsGivenBack(t *testing.T) {
	n := 10 * lawtest.Rounds(1000)
	wait := func(q *Queue[int]) {
		var all sync.WaitGroup
		for range n {
			all.Go(func() { _, _ = q.Dequeue(context.Background()) })
		}
		lawtest.Until(t, "all to wait", func() bool { return int(q.notEmpty.n.Load()) == n })
		for i := range n {
			q.Enqueue(i)
		}
		all.Wait()
	}
	wait(New[int]()) // the runtime keeps some memory of the goroutines
	q := New[int]()
	require.Less(t, lawtest.Kept(func() { wait(q) }), 256<<10)
	require.Zero(t, q.Len())
}
