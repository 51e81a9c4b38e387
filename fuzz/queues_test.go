package fuzz_test

import (
	"testing"

	"example.com/custody/fuzz"
	"example.com/custody/queue"
)

// The library's queues; their suites are in package queue.

func FuzzQueue(f *testing.F) {
	fuzz.Queue(f, func(int) fuzz.QueueOf {
		q := queue.New[*fuzz.Item]()
		return fuzz.QueueOf{
			TryEnqueue: q.Enqueue, TryDequeue: q.TryDequeue, Peek: q.Peek, Len: q.Len, All: q.All,
			EnqueueAll: q.EnqueueAll, DequeueInto: q.DequeueInto, Clear: q.Clear, Close: q.Close, Dispose: q.Dispose,
		}
	})
}

func FuzzRing(f *testing.F) {
	fuzz.Queue(f, func(capacity int) fuzz.QueueOf {
		r := queue.NewRing[*fuzz.Item](capacity)
		return fuzz.QueueOf{
			TryEnqueue: r.TryEnqueue, TryDequeue: r.TryDequeue, Peek: r.Peek, Len: r.Len, All: r.All,
			EnqueueAll: r.EnqueueAll, DequeueInto: r.DequeueInto, Clear: r.Clear, Close: r.Close, Dispose: r.Dispose,
		}
	}, fuzz.Bounded)
}

func FuzzSPSC(f *testing.F) {
	fuzz.Queue(f, func(capacity int) fuzz.QueueOf {
		q := queue.NewSPSC[*fuzz.Item](capacity)
		p, c := q.Producer(), q.Consumer()
		return fuzz.QueueOf{
			TryEnqueue: p.TryEnqueue, TryDequeue: c.TryDequeue, Peek: c.Peek, Len: q.Len,
			EnqueueAll: p.EnqueueAll, DequeueInto: c.DequeueInto, Close: q.Close, Dispose: q.Dispose,
		}
	}, fuzz.Bounded, fuzz.SPSC)
}
