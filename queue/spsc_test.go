package queue_test

import (
	"testing"

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
