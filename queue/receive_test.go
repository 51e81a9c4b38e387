package queue_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// A range over a queue waits for items, and ends with the queue or the context.
func TestReceiveWaitsUntilTheQueueIsClosed(t *testing.T) {
	lawtest.Watchdog(t)
	q, r, s := queue.New[int](), queue.NewRing[int](2), queue.NewSPSC[int](2)
	ctx := context.Background()
	for name, c := range map[string]struct {
		items func(ctx context.Context) func(yield func(int) bool)
		put   func(v int) error
		end   func()
	}{
		"Queue": {func(ctx context.Context) func(func(int) bool) { return queue.Receive(ctx, q) }, func(v int) error { q.Enqueue(v); return nil }, func() { q.Close() }},
		"Ring":  {func(ctx context.Context) func(func(int) bool) { return queue.Receive(ctx, r) }, func(v int) error { return r.Enqueue(ctx, v) }, func() { r.Close() }},
		"SPSC": {func(ctx context.Context) func(func(int) bool) { return queue.Receive(ctx, s.Consumer()) },
			func(v int) error { return s.Producer().Enqueue(ctx, v) }, func() { s.Close() }},
	} {
		require.NoError(t, c.put(1), name)
		require.NoError(t, c.put(2), name)
		for v := range c.items(ctx) {
			require.Equal(t, 1, v, name)
			break // 2 stays
		}
		over, cancel := context.WithCancel(ctx)
		cancel()
		require.Empty(t, slices.Collect(c.items(over)), name)
		go func() {
			for i := range 100 {
				if c.put(3+i) != nil {
					panic(name + " was closed")
				}
			}
			c.end()
		}()
		got := slices.Collect(c.items(ctx))
		require.Len(t, got, 101, name)
		require.Equal(t, 2, got[0], name)
		require.True(t, slices.IsSorted(got), name)
	}
	v := lawtest.Violation(t, func() error {
		var none context.Context
		_ = slices.Collect(queue.Receive(none, queue.New[int]()))
		return nil
	})
	require.ErrorIs(t, v, safety.ErrArgument)
}

// No result of a loop waits for the next item of a queue.
func TestASourceSaysWhenItWaits(t *testing.T) {
	lawtest.Watchdog(t)
	q := queue.New[int]()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	double := func(i int) (int, error) { return 2 * i, nil }
	q.Enqueue(0)
	next := 0
	var last error
	for v, err := range parallelfor.MapSeqErr(context.Background(), queue.Source(ctx, q), double) {
		if last = err; err != nil {
			continue
		}
		require.Equal(t, 2*next, v)
		if next++; next < 100 {
			q.Enqueue(next) // only now
		} else {
			cancel(errEnds)
		}
	}
	require.Equal(t, 100, next)
	require.ErrorIs(t, last, errEnds)

	q.EnqueueAll([]int{1, 2, 3})
	q.Close()
	var items []int
	for v, err := range queue.Source(context.Background(), q) {
		if err == nil {
			items = append(items, v)
		}
		if v == 2 {
			break
		}
	}
	require.Equal(t, []int{1, 2}, items)
	flushes := 0
	for v, err := range queue.Source(context.Background(), q) { // until it is closed and empty
		if err != nil {
			flushes++
			continue
		}
		require.Equal(t, 3, v)
	}
	require.Equal(t, 1, flushes)
	for _, err := range queue.Source(context.Background(), queue.New[int]()) {
		require.Equal(t, parallelfor.Flush, err)
		break
	}
}

var errEnds = errors.New("the context ends")
