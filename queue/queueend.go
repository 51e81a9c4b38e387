package queue

import (
	"context"

	"example.com/custody/safety"
)

// Dequeue takes the first item, and waits for one. The error is [ErrClosed] when the queue is closed and empty, or the
// cause of the context's end; then nothing was taken. A context that has ended is that error also when there are items. A nil ctx is a violation.
//
// Of several that wait those that came first are called first, but whoever comes when there is an item takes it. Cost
// while there are items: that of TryDequeue. A wait with a context that can end allocates.
func (q *Queue[T]) Dequeue(ctx context.Context) (v T, err error) {
	if err := expired(ctx); err != nil {
		q.guard.CheckShared()
		return v, err
	}
	if o := q.take(&v, true); o != blocked {
		return v, o.err()
	}
	return q.awaitItem(ctx)
}

func (q *Queue[T]) awaitItem(ctx context.Context) (v T, err error) {
	err = await(ctx, &q.takers, func() outcome { return q.take(&v, false) }, q.count)
	return v, err
}

// Clear takes out the items that are there, as DequeueInto does: what others put in meanwhile may stay.
func (q *Queue[T]) Clear() {
	q.guard.CheckShared()
	q.clear()
}

func (q *Queue[T]) clear() {
	for n := q.count(); n > 0; {
		s, k, m, o := q.claim(n)
		if o != done {
			return
		}
		q.empty(s, k, m)
		n -= m
	}
}

// Close makes the queue take no more items: those that are in it can still be taken out. Who waits for an item when there is
// none gets [ErrClosed]. To close again does nothing.
func (q *Queue[T]) Close() {
	q.guard.CheckShared()
	q.takers.wakeable(everybody)
	q.close()
}

//go:norace
func (q *Queue[T]) close() {
	q.mu.Lock()
	var l looks
	for ; q.jobs > 0; q.mu.Lock() { // it was not there when this began
		q.mu.Unlock()
		q.guard.CheckShared()
		l.pause()
	}
	if q.closed.Load() == 0 {
		q.shutDown()
		q.closed.Store(1)
	}
	q.mu.Unlock()
	q.takers.call(everybody)
}

// shutDown marks the last segment as the last.
func (q *Queue[T]) shutDown() {
	for {
		s := q.ultimate()
		t := s.tail.Load()
		if !s.none(t) {
			if s.tail.CompareAndSwap(t, mark(t, final)) {
				return
			}
			continue
		}
		end := &segment[T]{base: s.base + uint64(len(s.items))}
		end.tail.Store(final)
		if s.next.CompareAndSwap(nil, end) {
			return
		}
	}
}

// Closed says whether the queue was closed.
func (q *Queue[T]) Closed() bool {
	q.guard.CheckLook()
	return q.closed.Load() != 0
}

// Dispose ends the queue: every later use is a violation. It is one itself while a job that was not completed holds the queue,
// and the second time. Who waits gets [ErrClosed], and the items are let go of.
func (q *Queue[T]) Dispose() {
	q.takers.wakeable(everybody)
	q.guard.Dispose()
	q.drop()
}

// DisposeAfter is Dispose for a queue that jobs hold: every use from now on is a violation, but that of the handle's job and
// of those that it runs after. Another job that holds it is a violation; then nothing changes.
func (q *Queue[T]) DisposeAfter(h safety.Handle) { q.guard.DisposeAfter(h, q.drop) }

func (q *Queue[T]) drop() {
	defer q.lanes.Trim()
	defer q.clear() // also if the call to the consumers panics
	q.close()
}

// Disposed says whether the queue was disposed.
func (q *Queue[T]) Disposed() bool { return q.guard.Disposed() }
