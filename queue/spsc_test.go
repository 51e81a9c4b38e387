package queue_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"example.com/custody/fuzz"
	"example.com/custody/queue"
)

func newSPSC(capacity int) fuzz.QueueOf {
	q := queue.NewSPSC[*fuzz.Item](capacity)
	p, c := q.Producer(), q.Consumer()
	return fuzz.QueueOf{
		TryEnqueue: p.TryEnqueue, TryDequeue: c.TryDequeue, Peek: c.Peek, Len: q.Len,
		EnqueueAll: p.EnqueueAll, DequeueInto: c.DequeueInto, Close: q.Close, Dispose: q.Dispose,
	}
}

func TestSPSC(t *testing.T) { fuzz.Queue(t, newSPSC, fuzz.Bounded|fuzz.Linearizable|fuzz.SPSC) }

// What fetches places in advance leaves those alone that are not the producer's to fill: of a queue
// that was closed, whose window may still be looked at.
func TestAPutThatIsRefusedLeavesTheWindow(t *testing.T) {
	q := queue.NewSPSC[int](100)
	p := q.Producer()
	w := p.Reserve(50)
	for i := range w.Len() {
		*w.Ptr(i) = i
	}
	q.Close()
	require.False(t, p.TryEnqueue(-1))
	for i := 1; i < w.Len(); i++ {
		require.Equal(t, i, *w.Ptr(i))
	}
}
