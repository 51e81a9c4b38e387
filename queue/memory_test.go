package queue_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/queue"
)

// No operation of a queue with a bound allocates, one that could wait and need not included.
func TestOperationsOfBoundedQueuesAllocateNothing(t *testing.T) {
	ending, end := context.WithCancel(ctx)
	defer end()
	r, s := queue.NewRing[item64](64), queue.NewSPSC[item64](64)
	p, c := s.Producer(), s.Consumer()
	some := make([]item64, 48)
	for name, use := range map[string]func(){
		"ring: one": func() { r.TryEnqueue(item64{}); r.Peek(); r.Len(); r.TryDequeue() },
		"ring: one, and could wait": func() {
			for _, until := range []context.Context{ctx, ending} {
				_ = r.Enqueue(until, item64{})
				_, _ = r.Dequeue(until)
			}
		},
		"ring: batches": func() { r.EnqueueAll(some); r.DequeueInto(some) },
		"ring: Clear":   func() { r.EnqueueAll(some); r.Clear() },
		"spsc: one":     func() { p.TryEnqueue(item64{}); c.Peek(); s.Len(); c.TryDequeue() },
		"spsc: one, and could wait": func() {
			for _, until := range []context.Context{ctx, ending} {
				_ = p.Enqueue(until, item64{})
				_, _ = c.Dequeue(until)
			}
		},
		"spsc: batches": func() { p.EnqueueAll(some); c.DequeueInto(some) },
		"spsc: windows": func() {
			w := p.Reserve(48)
			*w.Ptr(47) = item64{}
			p.Commit(48)
			w = c.Look(48)
			w.Slices()
			c.Release(48)
		},
	} {
		require.Zero(t, testing.AllocsPerRun(200, use), name)
		require.Zero(t, r.Len()+s.Len(), name)
	}
}

// An unbounded queue allocates a piece of memory for many items, whether it grows or moves on.
func TestAQueueAllocatesForManyItemsAtOnce(t *testing.T) {
	n := lawtest.Rounds(100_000)
	some := make([]int, 100)
	for name, use := range map[string]func(q *queue.Queue[int]){
		"grows": func(q *queue.Queue[int]) {
			for i := range n {
				q.Enqueue(i)
			}
			for range n {
				q.TryDequeue()
			}
		},
		"moves on": func(q *queue.Queue[int]) {
			for i := range n {
				q.Enqueue(i)
				q.Len()
				q.Peek()
				_, _ = q.Dequeue(ctx)
			}
		},
		"batches": func(q *queue.Queue[int]) {
			for range n / len(some) {
				q.EnqueueAll(some)
				q.DequeueInto(some)
			}
		},
	} {
		q := queue.New[int]()
		require.Less(t, testing.AllocsPerRun(1, func() { use(q) })/float64(n), 0.01, name)
		require.Zero(t, q.Len(), name)
	}
}

// A goroutine that waits again and again, with a context that cannot end, allocates for the first
// time only.
func TestWaitsWithoutAnEndAllocateNothing(t *testing.T) {
	for _, w := range waits {
		there, back := w.fresh(w.capacity), w.fresh(w.capacity)
		go func() {
			for v, err := there.take(ctx); err == nil; v, err = there.take(ctx) {
				_ = back.put(ctx, v)
			}
		}()
		const turns = 1000
		allocated := testing.AllocsPerRun(1, func() {
			for range turns {
				_ = there.put(ctx, 1)
				_, _ = back.take(ctx)
			}
		})
		require.Less(t, allocated/turns, 0.02, w.name)
		there.close()
	}
}

// heap is how much memory is used when what is garbage was collected.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A queue that was full of items and is empty again holds no more memory than before.
func TestAnEmptyQueueHoldsNoMemory(t *testing.T) {
	all := lawtest.Rounds(1_000_000)
	n := all
	some := make([]item64, 1000)
	for name, drain := range map[string]func(q *queue.Queue[item64]){
		"one by one": func(q *queue.Queue[item64]) {
			for range n {
				q.TryDequeue()
			}
		},
		"in batches": func(q *queue.Queue[item64]) {
			for q.DequeueInto(some) > 0 {
			}
		},
		"Clear":   (*queue.Queue[item64]).Clear,
		"Dispose": (*queue.Queue[item64]).Dispose,
	} {
		if n = all; name != "one by one" {
			n = all / 5
		}
		q := queue.New[item64]()
		before := heap()
		for i := range n {
			q.Enqueue(item64{int64(i)})
		}
		require.Greater(t, heap(), before+uint64(n)*64, name)
		drain(q)
		require.LessOrEqual(t, heap(), before+before/20+128<<10, name)
		runtime.KeepAlive(q)
	}
	runtime.KeepAlive(some)
}
