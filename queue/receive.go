package queue

import (
	"context"
	"iter"

	"example.com/custody/internal/flush"
)

// Receive returns an iterator that takes items of q and waits for them, as a range over a channel
// does:
//
//	for v := range queue.Receive(ctx, q) {
//
// The range ends when q is closed and empty, or ctx ends, as Dequeue says; what it has not taken
// stays in q. q is a [Queue], a [Ring] or the [Consumer] of an [SPSC], and ranges of several
// goroutines share the items of the first two. Each item costs what Dequeue costs. For loops that
// read ahead there is [Source].
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

// Source is [Receive] for parallelfor.MapSeqErr and ForSeqErr: before it waits it yields
// parallelfor.Flush, so that no result waits for the next item. If ctx ends while it waits, the
// cause is the last that it yields.
func Source[T any](ctx context.Context, q interface {
	TryDequeue() (T, bool)
	Dequeue(ctx context.Context) (T, error)
}) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			v, ok := q.TryDequeue()
			if !ok {
				if !yield(v, flush.Err) {
					return
				}
				var err error
				if v, err = q.Dequeue(ctx); err == ErrClosed {
					return
				} else if err != nil {
					yield(v, err)
					return
				}
			}
			if !yield(v, nil) {
				return
			}
		}
	}
}
