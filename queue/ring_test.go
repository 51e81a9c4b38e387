package queue_test

import (
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/queue"
)

func newRing(capacity int) fuzz.QueueOf {
	r := queue.NewRing[*fuzz.Item](capacity)
	return fuzz.QueueOf{
		TryEnqueue: r.TryEnqueue, TryDequeue: r.TryDequeue, Peek: r.Peek, Len: r.Len, All: r.All,
		EnqueueAll: r.EnqueueAll, DequeueInto: r.DequeueInto, Clear: r.Clear, Close: r.Close, Dispose: r.Dispose,
	}
}

func TestRing(t *testing.T) {
	fuzz.Queue(t, newRing, fuzz.Bounded|fuzz.Linearizable, fuzz.Misuses(misuses...))
}
