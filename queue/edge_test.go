package queue_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// edged is a queue with room for two items, and the operations that wake goroutines.
type edged struct {
	enqueue func(context.Context, *int) error
	dequeue func(context.Context) (*int, error)
	len     func() int
	closed  func() bool
	puts    map[string]func() // wake consumers
	takes   map[string]func() // wake producers
	ends    map[string]func() // wake both
}

var anItem = new(int)

func edgedRing() edged {
	r := queue.NewRing[*int](2)
	return edged{r.Enqueue, r.Dequeue, r.Len, r.Closed,
		map[string]func(){
			"TryEnqueue": func() { r.TryEnqueue(anItem) },
			"Enqueue":    func() { _ = r.Enqueue(ctx, anItem) },
			"EnqueueAll": func() { r.EnqueueAll([]*int{anItem, anItem}) },
		},
		map[string]func(){
			"TryDequeue":  func() { r.TryDequeue() },
			"Dequeue":     func() { _, _ = r.Dequeue(ctx) },
			"DequeueInto": func() { r.DequeueInto(make([]*int, 1)) },
			"Clear":       r.Clear,
		},
		map[string]func(){"Close": r.Close, "Dispose": r.Dispose},
	}
}

func edgedQueue() edged {
	q := queue.New[*int]()
	put := func(_ context.Context, v *int) error { q.Enqueue(v); return nil }
	return edged{put, q.Dequeue, q.Len, q.Closed,
		map[string]func(){
			"Enqueue":    func() { q.Enqueue(anItem) },
			"EnqueueAll": func() { q.EnqueueAll(make([]*int, 1000)) },
		},
		nil, map[string]func(){"Close": q.Close, "Dispose": q.Dispose},
	}
}

func edgedSPSC() edged {
	q := queue.NewSPSC[*int](2)
	p, c := q.Producer(), q.Consumer()
	return edged{p.Enqueue, c.Dequeue, q.Len, q.Closed,
		map[string]func(){
			"TryEnqueue": func() { p.TryEnqueue(anItem) },
			"Enqueue":    func() { _ = p.Enqueue(ctx, anItem) },
			"EnqueueAll": func() { p.EnqueueAll([]*int{anItem, anItem}) },
			"Commit":     func() { p.Reserve(1); p.Commit(1) },
		},
		map[string]func(){
			"TryDequeue":  func() { c.TryDequeue() },
			"Dequeue":     func() { _, _ = c.Dequeue(ctx) },
			"DequeueInto": func() { c.DequeueInto(make([]*int, 1)) },
			"Release":     func() { c.Look(1); c.Release(1) },
		},
		map[string]func(){"Close": q.Close, "Dispose": q.Dispose},
	}
}

// refusedOutside runs op on a goroutine outside of every bubble while a goroutine in a bubble, on
// which wait runs, waits. It asserts that op is refused, and runs after in the bubble.
func refusedOutside(t *testing.T, op func(), wait func() error, after func(t *testing.T)) {
	t.Helper()
	begin, refused := make(chan bool), make(chan any)
	go func() {
		<-begin
		refused <- panicOf(op)
	}()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		go func() { ended <- wait() }()
		synctest.Wait()
		close(begin)
		v, is := (<-refused).(*safety.Violation)
		require.True(t, is)
		require.ErrorIs(t, v, safety.ErrConflict)
		require.Empty(t, ended)
		after(t)
		require.NoError(t, <-ended)
	})
}

// An operation outside a bubble that would wake a goroutine in the bubble panics and changes
// nothing. No item is put in, taken out or lost, and the queue is neither closed nor disposed.
func TestAnOperationThatIsRefusedAtTheEdgeOfABubbleChangesNothing(t *testing.T) {
	for kind, fresh := range map[string]func() edged{"Ring": edgedRing, "Queue": edgedQueue, "SPSC": edgedSPSC} {
		each := func(ops func(e edged) map[string]func(), test func(t *testing.T, e edged, op func())) {
			for name := range ops(fresh()) {
				e := fresh()
				t.Run(kind+"."+name, func(t *testing.T) { test(t, e, ops(e)[name]) })
			}
		}
		consumerWaits := func(t *testing.T, e edged, op func()) {
			item := new(int)
			var got *int
			refusedOutside(t, op, func() (err error) {
				got, err = e.dequeue(ctx)
				return err
			}, func(t *testing.T) {
				require.Zero(t, e.len())
				require.False(t, e.closed())
				require.NoError(t, e.enqueue(ctx, item))
			})
			require.Same(t, item, got)
			require.Zero(t, e.len())
		}
		producerWaits := func(t *testing.T, e edged, op func()) {
			items := []*int{new(int), new(int), new(int)}
			require.NoError(t, e.enqueue(ctx, items[0]))
			require.NoError(t, e.enqueue(ctx, items[1]))
			refusedOutside(t, op, func() error { return e.enqueue(ctx, items[2]) }, func(t *testing.T) {
				require.Equal(t, 2, e.len())
				require.False(t, e.closed())
				for _, want := range items {
					got, err := e.dequeue(ctx)
					require.NoError(t, err)
					require.Same(t, want, got)
				}
			})
		}
		each(func(e edged) map[string]func() { return e.puts }, consumerWaits)
		each(func(e edged) map[string]func() { return e.ends }, consumerWaits)
		if kind == "Queue" {
			continue // its producers do not wait
		}
		each(func(e edged) map[string]func() { return e.takes }, producerWaits)
		each(func(e edged) map[string]func() { return e.ends }, producerWaits)
	}
}

// A put into an SPSC that is refused at the edge of a bubble keeps no item alive.
func TestAPutThatIsRefusedAtTheEdgeOfABubbleKeepsNothingAlive(t *testing.T) {
	for name, put := range map[string]func(p *queue.Producer[*int]){
		"TryEnqueue": func(p *queue.Producer[*int]) { p.TryEnqueue(anItem) },
		"EnqueueAll": func(p *queue.Producer[*int]) { p.EnqueueAll([]*int{anItem, anItem}) },
	} {
		q := queue.NewSPSC[*int](2)
		p := q.Producer()
		refusedOutside(t, func() { put(p) }, func() error { _, err := q.Consumer().Dequeue(ctx); return err }, func(t *testing.T) {
			w := p.Reserve(2)
			require.Nil(t, *w.Ptr(0), name)
			require.Nil(t, *w.Ptr(1), name)
			require.True(t, p.TryEnqueue(anItem))
		})
	}
}

// A put into an SPSC that is refused at the edge of a bubble leaves a window, and the items in it.
func TestAPutThatIsRefusedAtTheEdgeOfABubbleLeavesTheWindow(t *testing.T) {
	for name, put := range map[string]func(p *queue.Producer[*int]){
		"Commit":     func(p *queue.Producer[*int]) { p.Commit(2) },
		"TryEnqueue": func(p *queue.Producer[*int]) { p.TryEnqueue(new(int)) },
		"EnqueueAll": func(p *queue.Producer[*int]) { p.EnqueueAll([]*int{new(int), new(int)}) },
	} {
		q := queue.NewSPSC[*int](2)
		p := q.Producer()
		w := p.Reserve(2)
		*w.Ptr(0) = anItem
		*w.Ptr(1) = anItem
		var got *int
		refusedOutside(t, func() { put(p) }, func() (err error) {
			got, err = q.Consumer().Dequeue(ctx)
			return err
		}, func(t *testing.T) {
			require.Same(t, anItem, *w.Ptr(0), name)
			require.Same(t, anItem, *w.Ptr(1), name)
			require.True(t, p.Commit(2))
		})
		require.Same(t, anItem, got)
		require.Equal(t, 1, q.Len())
	}
}

// An operation outside a bubble that moves nothing wakes no goroutine in the bubble, and is not
// refused.
func TestAnOperationOfNothingIsNotRefusedAtTheEdgeOfABubble(t *testing.T) {
	outside := func(op func()) func() any { // op runs on a goroutine that no bubble has
		begin, done := make(chan bool), make(chan any)
		go func() {
			<-begin
			done <- panicOf(op)
		}()
		return func() any {
			close(begin)
			return <-done
		}
	}
	q := queue.NewSPSC[*int](2)
	p, c := q.Producer(), q.Consumer()
	commits := outside(func() {
		p.Reserve(1)
		require.True(t, p.Commit(0))
		require.Zero(t, p.EnqueueAll(nil))
	})
	synctest.Test(t, func(t *testing.T) {
		got := make(chan *int, 1)
		go func() {
			v, _ := c.Dequeue(ctx)
			got <- v
		}()
		synctest.Wait()
		require.Nil(t, commits())
		require.True(t, p.TryEnqueue(anItem))
		require.Same(t, anItem, <-got)
	})
	require.Equal(t, 2, p.EnqueueAll([]*int{anItem, anItem}))
	releases := outside(func() {
		c.Look(1)
		c.Release(0)
		require.Zero(t, c.DequeueInto(nil))
	})
	synctest.Test(t, func(t *testing.T) {
		put := make(chan error, 1)
		go func() { put <- p.Enqueue(ctx, anItem) }()
		synctest.Wait()
		require.Nil(t, releases())
		c.TryDequeue()
		require.NoError(t, <-put)
	})
	require.Equal(t, 2, q.Len())
}

// A job outside a bubble that adds items has added them when its return, which would wake a
// goroutine in the bubble, panics.
func TestAJobWhoseReturnIsRefusedAtTheEdgeOfABubbleHasAddedItsItems(t *testing.T) {
	q := queue.New[*int]()
	add := func(w *queue.ParallelWriter[*int], _ int) { w.Enqueue(anItem) }
	refusedOutside(t, func() { parallelfor.For(3, q.ParallelWriter(), add) }, func() error {
		_, err := q.Dequeue(ctx)
		return err
	}, func(t *testing.T) {
		require.Equal(t, 3, q.Len())
		require.True(t, q.Enqueue(anItem)) // wakes the goroutine
	})
	require.Equal(t, 3, q.Len())
}
