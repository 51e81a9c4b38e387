//go:build unix

package queue_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/queue"
)

// A goroutine that waits, for an item or for room, with a context that can end and with one that
// cannot, sleeps: one that looked again and again would take a processor.
func TestWhoWaitsUsesNoProcessor(t *testing.T) {
	ending, end := context.WithCancel(ctx)
	defer end()
	var all sync.WaitGroup
	var back atomic.Int32
	var closes []func()
	for _, w := range waits {
		for _, until := range []context.Context{ctx, ending} {
			empty, full := w.fresh(w.capacity), w.full(t)
			for range w.crowd {
				all.Go(func() { _, _ = empty.take(until); back.Add(1) })
				if w.capacity > 0 {
					all.Go(func() { _ = full.put(until, -1); back.Add(1) })
				}
			}
			closes = append(closes, empty.close, full.close)
		}
	}
	lawtest.Idle(t)
	require.Zero(t, back.Load(), "somebody did not wait")
	for _, c := range closes {
		c()
	}
	all.Wait()
}

// An end of an SPSC sleeps again after a context that panicked when it was asked for its end.
func TestAnEndSleepsAfterAContextThatPanicked(t *testing.T) {
	q := queue.NewSPSC[int](1)
	require.Panics(t, func() { _, _ = q.Consumer().Dequeue(&panics{ctx}) })
	a := later(func() (int, error) { return q.Consumer().Dequeue(ctx) })
	lawtest.Idle(t)
	q.Producer().TryEnqueue(7)
	require.Equal(t, answer{7, nil}, <-a)
}
