package queue

import (
	"context"
	"iter"
)

// Receive returns an iterator that takes items of q and waits for them, as a range over a channel
// does:
//
//	for v := range queue.Receive(ctx, q) {
//
// The range ends when q is closed and empty, or ctx ends, as Dequeue says; what it has not taken
// stays in q. q is a [Queue], a [Ring] or the [Consumer] of an [SPSC], and ranges of several
// goroutines share the items of the first two. Each item costs what Dequeue costs.
func Receive[T any](ctx context.Context, q interface {
	Dequeue(context.Context) (T, error)
}) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			v, err := q.Dequeue(ctx)
			if err != nil || !yield(v) {
				return
			}
		}
	}
}
