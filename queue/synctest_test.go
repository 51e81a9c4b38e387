package queue_test

import (
	"bytes"
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/custody/queue"
	"example.com/custody/safety"
)

// inBubble runs f in a bubble for each kind of queue.
func inBubble(t *testing.T, f func(t *testing.T, w *kindOf)) {
	t.Helper()
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { f(t, &w) }) })
	}
}

// A goroutine of a bubble that waits for an item is durably blocked, and gets the item that is put
// in later by the bubble's clock.
func TestAWaitForAnItemInABubble(t *testing.T) {
	inBubble(t, func(t *testing.T, w *kindOf) { waitForAnItem(t, w.fresh(w.capacity)) })
}

// A goroutine of a bubble may wait at a queue that was made outside, and goroutines of several
// bubbles may wait one after the other.
func TestAWaitForAnItemInABubbleAtAQueueFromOutside(t *testing.T) {
	for _, w := range waits {
		q := w.fresh(w.capacity)
		for range 2 {
			synctest.Test(t, func(t *testing.T) { waitForAnItem(t, q) })
			c := later(func() (int, error) { return q.take(ctx) })
			oneSleeps()
			require.NoError(t, q.put(ctx, 1))
			require.Equal(t, answer{1, nil}, <-c)
		}
	}
}

// oneSleeps returns when a goroutine sleeps at a queue.
func oneSleeps() {
	stacks := make([]byte, 1<<20)
	for !bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("atom.Parker.Park(")) {
		runtime.Gosched()
	}
}

func waitForAnItem(t *testing.T, q waiting) {
	t.Helper()
	c := later(func() (int, error) { return q.take(ctx) })
	synctest.Wait()
	require.Empty(t, c)
	start := time.Now()
	go func() {
		time.Sleep(time.Hour)
		_ = q.put(ctx, 7)
	}()
	require.Equal(t, answer{7, nil}, <-c)
	require.Equal(t, time.Hour, time.Since(start))
}

// A goroutine of a bubble that waits for room is durably blocked until there is some.
func TestAWaitForRoomInABubble(t *testing.T) {
	inBubble(t, func(t *testing.T, w *kindOf) {
		if w.capacity == 0 {
			return
		}
		q := w.full(t)
		c := later(func() (int, error) { return 0, q.put(ctx, 7) })
		synctest.Wait()
		require.Empty(t, c)
		start := time.Now()
		time.AfterFunc(time.Hour, func() { _, _ = q.take(ctx) })
		require.Equal(t, answer{0, nil}, <-c)
		require.Equal(t, time.Hour, time.Since(start))
	})
}

// A wait in a bubble ends with the bubble's time when its context has a deadline.
func TestAWaitEndsWithADeadlineInABubble(t *testing.T) {
	inBubble(t, func(t *testing.T, w *kindOf) {
		q := w.fresh(w.capacity)
		start := time.Now()
		ending, end := context.WithTimeout(ctx, time.Minute)
		defer end()
		_, err := q.take(ending)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		if w.capacity > 0 {
			for range w.capacity {
				require.NoError(t, q.put(ctx, 1))
			}
			ending, end := context.WithTimeout(ctx, time.Minute)
			defer end()
			require.ErrorIs(t, q.put(ending, 2), context.DeadlineExceeded)
			start = start.Add(time.Minute)
		}
		require.Equal(t, time.Minute, time.Since(start))
	})
}

// A close in a bubble wakes all goroutines that wait.
func TestACloseWakesAllInABubble(t *testing.T) {
	inBubble(t, func(t *testing.T, w *kindOf) {
		q := w.fresh(w.capacity)
		var all []<-chan answer
		for range w.crowd {
			all = append(all, later(func() (int, error) { return q.take(ctx) }))
		}
		if w.capacity > 0 {
			full := w.full(t)
			for range w.crowd {
				all = append(all, later(func() (int, error) { return 0, full.put(ctx, 1) }))
			}
			time.AfterFunc(time.Second, full.close)
		}
		time.Sleep(time.Second)
		q.close()
		for _, c := range all {
			require.ErrorIs(t, (<-c).err, queue.ErrClosed)
		}
	})
}

// Crowds of producers and consumers pass items to each other in a bubble.
func TestCrowdsInABubble(t *testing.T) {
	inBubble(t, func(t *testing.T, w *kindOf) { w.pass(t, 300) })
}

// EnqueueAll in a bubble wakes a goroutine that waits for an item, and puts all items in.
func TestBatchesInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, q, s := queue.NewRing[int](4), queue.New[int](), queue.NewSPSC[int](4)
		for _, b := range []struct {
			all  func([]int) int
			into func([]int) int
			take func(context.Context) (int, error)
		}{
			{r.EnqueueAll, r.DequeueInto, r.Dequeue},
			{func(vs []int) int { q.EnqueueAll(vs); return len(vs) }, q.DequeueInto, q.Dequeue},
			{s.Producer().EnqueueAll, s.Consumer().DequeueInto, s.Consumer().Dequeue},
		} {
			c := later(func() (int, error) { return b.take(ctx) })
			synctest.Wait()
			require.Equal(t, 3, b.all([]int{1, 2, 3}))
			require.Equal(t, answer{1, nil}, <-c)
			rest := make([]int, 3)
			require.Equal(t, 2, b.into(rest))
			require.Equal(t, []int{2, 3, 0}, rest)
		}
	})
}

// An operation outside a bubble that would end a wait in the bubble is a violation, and the wait
// goes on. Without the violation the runtime would end the program.
func TestAWaitInABubbleIsNotEndedFromOutside(t *testing.T) {
	for _, w := range waits {
		t.Run(w.name, func(t *testing.T) {
			q := w.fresh(w.capacity)
			now, told := make(chan struct{}), make(chan any, 2)
			go func() {
				<-now
				told <- panicOf(func() { _ = q.put(ctx, 1) })
				told <- panicOf(q.close)
			}()
			synctest.Test(t, func(t *testing.T) {
				c := later(func() (int, error) { return q.take(ctx) })
				synctest.Wait()
				close(now)
				for range 2 {
					v, is := (<-told).(*safety.Violation)
					require.True(t, is)
					require.ErrorIs(t, v, safety.ErrConflict)
					require.Contains(t, v.Error(), "synctest bubble")
				}
				q.close()
				<-c
			})
		})
	}
}

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}
