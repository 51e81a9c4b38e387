package queue

import "example.com/custody/safety"

// RingShared is a view through which the bodies of a job use a ring as any goroutines do: what they do is linearizable, and
// in no other order. Any number of jobs may hold RingShareds of one ring together, and beside them the ring's own methods
// may be used. It works only inside the job that carries it.
//
// There are no operations that wait: a body that waits for another one's item may wait for a batch that its own worker has
// yet to run.
type RingShared[T any] struct {
	hold
	of *Ring[T]
}

// Shared returns a view for linearizable operations. Which items a body gets then depends on how the loop was run.
func (r *Ring[T]) Shared() RingShared[T] {
	if r == nil {
		return RingShared[T]{}
	}
	return RingShared[T]{hold: r.guard.Hold(safety.Shared, nil), of: r}
}

// TryEnqueue is [Ring.TryEnqueue].
func (v *RingShared[T]) TryEnqueue(x T) bool {
	return v.ring().put(&x, false) == done
}

// TryDequeue is [Ring.TryDequeue].
func (v *RingShared[T]) TryDequeue() (x T, ok bool) {
	ok = v.ring().take(&x, false) == done
	return x, ok
}

// EnqueueAll is [Ring.EnqueueAll].
func (v *RingShared[T]) EnqueueAll(xs []T) int {
	n, _ := v.ring().putAll(xs)
	return n
}

// DequeueInto is [Ring.DequeueInto].
func (v *RingShared[T]) DequeueInto(dst []T) int {
	n, _ := v.ring().takeInto(dst)
	return n
}

// Len is [Ring.Len].
func (v *RingShared[T]) Len() int {
	return v.ring().count()
}

// ring returns the ring of a view that may be used now.
func (v *RingShared[T]) ring() *Ring[T] {
	v.hold.Check()
	if !v.hold.Bound() { // unchecked builds
		panic(v.hold.Stale())
	}
	return v.of
}
