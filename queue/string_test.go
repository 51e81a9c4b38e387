package queue_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/internal/lawtest"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// What a container says is true, and is said whatever jobs run.
func TestContainersSayWhatTheyAre(t *testing.T) {
	const reads, appends, shares = "job job reads it and has not finished", "job job appends to it and has not finished", "job job shares it and has not finished"
	named := safety.Named("work")
	q, r, s := queue.New[int](named), queue.NewRing[int](4, named), queue.NewSPSC[int](2, named)
	q.EnqueueAll([]int{1, 2})
	r.TryEnqueue(1)
	r.Close()
	for _, c := range []lawtest.Says{
		{
			Of: q, Dispose: q.Dispose, Free: `queue.Queue[int] "work": 2 items`, Ended: `queue.Queue[int] "work": disposed`,
			Held: map[string]safety.View{
				`queue.Queue[int] "work": 2 items; ` + reads:  new(q.Reader()),
				`queue.Queue[int] "work": 2 items; ` + shares: new(q.Shared()),
				`queue.Queue[int] "work": ` + appends:         new(q.ParallelWriter()),
			},
			Zero: map[string]fmt.Stringer{"<nil>": (*queue.Queue[int])(nil), "queue.Queue[int]: never made": new(queue.Queue[int])},
		},
		{
			Of: r, Dispose: r.Dispose, Free: `queue.Ring[int] "work": 1 item of 4, closed`, Ended: `queue.Ring[int] "work": disposed`,
			Held: map[string]safety.View{`queue.Ring[int] "work": 1 item of 4, closed; ` + reads: new(r.Reader())},
			Zero: map[string]fmt.Stringer{"<nil>": (*queue.Ring[int])(nil), "queue.Ring[int]: never made": new(queue.Ring[int])},
		},
		{
			Of: s, Dispose: s.Dispose, Free: `queue.SPSC[int] "work": 0 items of 2`, Ended: `queue.SPSC[int] "work": disposed`,
			Zero: map[string]fmt.Stringer{"<nil>": (*queue.SPSC[int])(nil), "queue.SPSC[int]: never made": new(queue.SPSC[int])},
		},
	} {
		c.Check(t)
	}
}

// The statistics of a queue are known while its items may be looked at. Each is of one moment.
func TestStatsOfQueues(t *testing.T) {
	q := queue.New[int]()
	require.Equal(t, queue.Stats{Cap: q.Stats().Cap, Segments: 1}, q.Stats())
	require.Positive(t, q.Stats().Cap)
	for i := range 1000 {
		q.Enqueue(i)
	}
	s := q.Stats()
	require.Equal(t, 1000, s.Len)
	require.Greater(t, s.Segments, 1)
	require.GreaterOrEqual(t, s.Cap, s.Len)
	for range 1000 {
		q.TryDequeue()
	}
	s = q.Stats()
	require.Zero(t, s.Len)
	require.Equal(t, 1, s.Segments)
	q.Close()
	require.Zero(t, q.Stats().Cap, "a closed queue takes no more")
}

// Any goroutine may ask for the length of an SPSC while others use its ends, also after Close.
func TestLenOfAnSPSC(t *testing.T) {
	q := queue.NewSPSC[int](8)
	require.Zero(t, q.Len())
	p, c := q.Producer(), q.Consumer()
	n := lawtest.Rounds(2000)
	var group sync.WaitGroup
	group.Go(func() {
		for i := range n {
			if p.Enqueue(t.Context(), i) != nil {
				t.Error("the queue is open")
			}
		}
	})
	group.Go(func() {
		for i := range n - 5 {
			if v, err := c.Dequeue(t.Context()); v != i || err != nil {
				t.Errorf("%d in place of %d: %v", v, i, err)
			}
		}
	})
	for range n {
		if n := q.Len(); n < 0 || n > 8 {
			t.Errorf("%d items", n)
		}
	}
	group.Wait()
	require.Equal(t, 5, q.Len())
	q.Close()
	require.Equal(t, 5, q.Len(), "what is in it can be taken out")
}
