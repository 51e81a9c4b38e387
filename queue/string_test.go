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

// What a queue and a ring have is known as long as they may be looked at; the numbers are those of one moment each.
func TestStatsOfQueues(t *testing.T) {
	q, r := queue.New[int](), queue.NewRing[int](100)
	require.Equal(t, queue.Stats{Cap: q.Stats().Cap, Segments: 1}, q.Stats())
	require.Positive(t, q.Stats().Cap)
	for i := range 1000 {
		q.Enqueue(i)
		r.TryEnqueue(i)
	}
	s := q.Stats()
	require.Equal(t, 1000, s.Len)
	require.Greater(t, s.Segments, 1)
	require.GreaterOrEqual(t, s.Cap, s.Len)
	require.Equal(t, queue.Stats{Len: 100, Cap: 100, Segments: 1}, r.Stats())
	for range 1000 {
		q.TryDequeue()
	}
	s = q.Stats()
	require.Zero(t, s.Len)
	require.Equal(t, 1, s.Segments)
	q.Close()
	require.Zero(t, q.Stats().Cap, "a closed queue takes no more")
}

// What an SPSC has any goroutine may ask, whoever uses its ends, also when it is closed.
func TestStatsOfAnSPSC(t *testing.T) {
	q := queue.NewSPSC[int](8)
	require.Equal(t, queue.Stats{Cap: 8, Segments: 1}, q.Stats())
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
		if s := q.Stats(); s.Len < 0 || s.Len > 8 || s.Cap != 8 || s.Segments != 1 {
			t.Errorf("%+v", s)
		}
	}
	group.Wait()
	require.Equal(t, queue.Stats{Len: 5, Cap: 8, Segments: 1}, q.Stats())
	q.Close()
	require.Equal(t, queue.Stats{Len: 5, Cap: 8, Segments: 1}, q.Stats(), "what is in it can be taken out")
}
