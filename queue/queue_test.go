package queue_test

import (
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/queue"
)

func newQueue(int) fuzz.QueueOf {
	q := queue.New[*fuzz.Item]()
	return fuzz.QueueOf{
		TryEnqueue: q.Enqueue, TryDequeue: q.TryDequeue, Peek: q.Peek, Len: q.Len, All: q.All,
		EnqueueAll: q.EnqueueAll, DequeueInto: q.DequeueInto, Clear: q.Clear, Close: q.Close, Dispose: q.Dispose,
	}
}

func TestQueue(t *testing.T) { fuzz.Queue(t, newQueue, fuzz.Linearizable) }
