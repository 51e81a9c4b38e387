package queue

import (
	"example.com/custody/internal/quiet"
	"example.com/custody/safety"
)

// Shared is a view through which the bodies of a job use a queue as any goroutines do. Its
// operations are linearizable, and have no other order. Any number of jobs may hold Shareds of one
// queue together, and other goroutines may use the queue's own methods at the same time. It works
// only inside the job that carries it.
//
// No operation waits: a body that waited for an item from another body might wait for a batch that
// its own worker has yet to run.
// Each method: shared; as of Queue; as of Queue; allocates as of Queue.
type Shared[T any] struct {
	hold `custody:"part"`
	of   *Queue[T]
}

// RingShared is [Shared] for a [Ring].
// Each method: shared; as of Ring; as of Ring; allocates as of Ring.
type RingShared[T any] struct {
	hold `custody:"part"`
	of   *Ring[T]
}

// Shared returns a view for linearizable operations. What a body gets depends on how a loop runs.
func (q *Queue[T]) Shared() (s Shared[T]) {
	if s.of = q; q != nil {
		quiet.Set(&s.hold, &q.guard, safety.Shared, nil)
	}
	return s
}

// Shared returns a view for linearizable operations. What a body gets depends on how a loop runs.
func (r *Ring[T]) Shared() (s RingShared[T]) {
	if s.of = r; r != nil {
		quiet.Set(&s.hold, &r.guard, safety.Shared, nil)
	}
	return s
}

// queue returns the queue. It panics unless the view may be used now.
func (v *Shared[T]) queue() *Queue[T] {
	quiet.MustBeUsable(quiet.Of(&v.hold))
	return v.of
}

// ring returns the ring. It panics unless the view may be used now.
func (v *RingShared[T]) ring() *Ring[T] {
	quiet.MustBeUsable(quiet.Of(&v.hold))
	return v.of
}

// Enqueue is [Queue.Enqueue].
func (v *Shared[T]) Enqueue(x T) bool { return v.queue().put(&x, false) == done }

// TryDequeue is [Queue.TryDequeue].
func (v *Shared[T]) TryDequeue() (x T, ok bool) {
	ok = v.queue().take(&x, false) == done
	return x, ok
}

// EnqueueAll is [Queue.EnqueueAll].
func (v *Shared[T]) EnqueueAll(xs []T) int { return v.queue().putAll(xs) }

// DequeueInto is [Queue.DequeueInto].
func (v *Shared[T]) DequeueInto(dst []T) int { return v.queue().takeInto(dst) }

// Len is [Queue.Len].
func (v *Shared[T]) Len() int { return v.queue().count() }

// TryEnqueue is [Ring.TryEnqueue].
func (v *RingShared[T]) TryEnqueue(x T) bool { return v.ring().put(&x, false) == done }

// TryDequeue is [Ring.TryDequeue].
func (v *RingShared[T]) TryDequeue() (x T, ok bool) {
	ok = v.ring().take(&x, false) == done
	return x, ok
}

// EnqueueAll is [Ring.EnqueueAll].
func (v *RingShared[T]) EnqueueAll(xs []T) int { return v.ring().putAll(xs) }

// DequeueInto is [Ring.DequeueInto].
func (v *RingShared[T]) DequeueInto(dst []T) int { return v.ring().takeInto(dst) }

// Len is [Ring.Len].
func (v *RingShared[T]) Len() int { return v.ring().count() }
