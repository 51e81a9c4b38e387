package speclaw

import (
	"math/rand/v2"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// Queue returns the kind of queues with a specification and with room for capacity items; 0 means
// unbounded.
func Queue[S comparable](name string, s *linear.Spec[S, spec.QueueIn, spec.QueueOut], capacity int) Kind[S, spec.QueueIn, spec.QueueOut] {
	return Kind[S, spec.QueueIn, spec.QueueOut]{
		Name: name,
		Spec: s,
		New:  func() func(spec.QueueIn) spec.QueueOut { return (&queue{capacity: capacity}).do },
		Draw: drawQueue,
		Spoil: func(r *rand.Rand, in spec.QueueIn, out *spec.QueueOut) {
			switch in.Op {
			case spec.All, spec.DequeueInto:
				items := out.Batch.Values()
				if len(items) > 0 && r.IntN(2) == 0 {
					items = items[1:]
				} else {
					items = append(items, r.IntN(4))
				}
				out.Batch = spec.BatchOf(items...)
			case spec.EnqueueAll, spec.Len:
				out.N += one(r, -1, 1)
			default:
				if out.OK && r.IntN(2) == 0 {
					out.Value = r.IntN(4)
				} else {
					out.OK = !out.OK
				}
			}
		},
	}
}

func drawQueue(r *rand.Rand) spec.QueueIn {
	in := spec.QueueIn{Op: one(r, spec.TryEnqueue, spec.TryEnqueue, spec.TryEnqueue, spec.TryEnqueue, spec.TryDequeue,
		spec.TryDequeue, spec.TryDequeue, spec.TryDequeue, spec.Peek, spec.Len, spec.All, spec.EnqueueAll, spec.DequeueInto, spec.Clear)}
	switch in.Op {
	case spec.TryEnqueue:
		in.Value = r.IntN(4)
		if r.IntN(24) == 0 {
			in = spec.QueueIn{Op: spec.Close}
		}
	case spec.EnqueueAll:
		items := make([]int, r.IntN(4))
		for i := range items {
			items[i] = r.IntN(4)
		}
		in.Batch = spec.BatchOf(items...)
	case spec.DequeueInto:
		in.Value = r.IntN(4)
	}
	return in
}

// queue is the model of a queue.
type queue struct {
	items    []int
	capacity int // 0: unbounded
	closed   bool
}

func (q *queue) put(v int) bool {
	if q.closed || q.capacity > 0 && len(q.items) == q.capacity {
		return false
	}
	q.items = append(q.items, v)
	return true
}

func (q *queue) take(n int) []int {
	n = min(n, len(q.items))
	taken := q.items[:n:n]
	q.items = q.items[n:]
	return taken
}

// do executes an operation. It never waits: an Enqueue or Dequeue that would have to wait fails.
func (q *queue) do(in spec.QueueIn) (out spec.QueueOut) {
	switch in.Op {
	case spec.TryEnqueue, spec.Enqueue:
		out.OK = q.put(in.Value)
	case spec.TryDequeue, spec.Dequeue:
		if taken := q.take(1); len(taken) > 0 {
			out = spec.QueueOut{OK: true, Value: taken[0]}
		}
	case spec.Peek:
		if len(q.items) > 0 {
			out = spec.QueueOut{OK: true, Value: q.items[0]}
		}
	case spec.Len:
		out.N = len(q.items)
	case spec.All:
		out.Batch = spec.BatchOf(q.items...)
	case spec.EnqueueAll:
		for out.N < in.Batch.Len() && q.put(in.Batch.At(out.N)) {
			out.N++
		}
	case spec.DequeueInto:
		out.Batch = spec.BatchOf(q.take(in.Value)...)
	case spec.Clear:
		q.items = nil
	case spec.Close:
		q.closed = true
	}
	return out
}
