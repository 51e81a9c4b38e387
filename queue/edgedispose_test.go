package queue_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/stretchr/testify/require"

	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

type block [100]int // an item that has memory of its own

// heldUntil is a job that holds a queue until a gate opens.
type heldUntil[V any] struct {
	View V
	Gate chan bool `custody:"unguarded"`
}

func (j *heldUntil[V]) Execute() { <-j.Gate }

// DisposeAfter, when it must not wake a goroutine in a bubble, lets go of the items before it
// panics.
func TestADisposalThatIsRefusedAtTheEdgeOfABubbleLetsGoOfTheItems(t *testing.T) {
	if !safety.Enabled {
		t.Skip("unchecked builds do not know when the job has returned")
	}
	disposed := func(t *testing.T, h func(gate chan bool) parallelfor.Handle, after func(safety.Handle), wait func(context.Context) error, gone weak.Pointer[block]) {
		begin, refused := make(chan bool), make(chan any)
		go func() {
			<-begin
			gate := make(chan bool)
			refused <- panicOf(func() {
				h := h(gate)
				after(h)
				close(gate)
				h.Complete()
			})
		}()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- wait(ctx) }()
			synctest.Wait()
			close(begin)
			require.ErrorIs(t, (<-refused).(error), safety.ErrConflict)
			runtime.GC()
			require.Nil(t, gone.Value())
			cancel()
			<-ended
		})
	}
	t.Run("Ring", func(t *testing.T) {
		r := queue.NewRing[*block](1)
		item := new(block)
		gone := weak.Make(item)
		require.True(t, r.TryEnqueue(item))
		disposed(t, func(gate chan bool) parallelfor.Handle {
			return parallelfor.ScheduleDo(heldUntil[queue.Reader[*block]]{r.Reader(), gate}, (*heldUntil[queue.Reader[*block]]).Execute)
		}, r.DisposeAfter, func(ctx context.Context) error { return r.Enqueue(ctx, new(block)) }, gone)
		require.True(t, r.Disposed())
	})
	t.Run("Queue", func(t *testing.T) {
		q := queue.New[*block]()
		item := new(block)
		gone := weak.Make(item)
		disposed(t, func(gate chan bool) parallelfor.Handle {
			w := q.ParallelWriter()
			added := parallelfor.Schedule(1, addingOne{w, item, gate}, (*addingOne).Execute)
			item = nil
			return added
		}, q.DisposeAfter, func(ctx context.Context) error { _, err := q.Dequeue(ctx); return err }, gone)
		require.True(t, q.Disposed())
	})
}

// addingOne is a job that puts an item into a queue when a gate opens.
type addingOne struct {
	To   queue.ParallelWriter[*block]
	Item *block    `custody:"unguarded"`
	Gate chan bool `custody:"unguarded"`
}

func (j *addingOne) Execute(int) {
	<-j.Gate
	j.To.Enqueue(j.Item)
}
