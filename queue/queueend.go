package queue

import (
	"context"

	"example.com/custody/safety"
)

// Dequeue takes the first item, and waits for one. The error is [ErrClosed] if the queue is closed
// and empty, or the cause of the context's end, also if there are items. With an error no item was
// taken. A nil ctx is a violation.
//
// Items go to the goroutines that have waited longest, unless another goroutine takes them first.
//
// Cost: that of TryDequeue if there is an item. A wait with a context that can end allocates.
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
	err = q.notEmpty.await(ctx, func() outcome { return q.take(&v, false) }, q.count)
	return v, err
}

// Clear takes out the items that are there, as DequeueInto does. Items that other goroutines put in
// meanwhile may stay.
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

// Close makes the queue take no more items. The items in it can still be taken out. Goroutines that
// wait while it is empty get [ErrClosed]. A second Close does nothing.
func (q *Queue[T]) Close() {
	q.guard.CheckShared()
	q.notEmpty.wakeable(everyWaiter)
	q.close()
}

//go:norace
func (q *Queue[T]) close() {
	q.mu.Lock()
	var l pauses
	for ; q.jobs > 0; q.mu.Lock() { // a job that was not there when Close began
		q.mu.Unlock()
		q.guard.CheckShared()
		l.pause()
	}
	if q.closed.Load() == 0 {
		q.shutDown()
		q.closed.Store(1)
	}
	q.mu.Unlock()
	q.notEmpty.call(everyWaiter)
}

// shutDown gives the last segment the mark final. If that segment has no place left, it adds one
// without places that has the mark.
func (q *Queue[T]) shutDown() {
	for {
		s := q.last()
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

// Closed reports whether the queue was closed.
func (q *Queue[T]) Closed() bool {
	q.guard.CheckLook()
	return q.closed.Load() != 0
}

// Dispose ends the queue and drops its items. Every later use is a violation, and so is a Dispose
// while a job that is not completed holds the queue. Goroutines that wait get [ErrClosed].
func (q *Queue[T]) Dispose() {
	q.notEmpty.wakeable(everyWaiter)
	q.guard.Dispose()
	q.drop()
}

// DisposeAfter is Dispose for a queue that jobs hold: it ends the queue when the job of h is
// completed. From now on every use is a violation, except by that job and the jobs that it runs
// after. If another job holds the queue DisposeAfter is a violation and changes nothing.
func (q *Queue[T]) DisposeAfter(h safety.Handle) { q.guard.DisposeAfter(h, q.drop) }

func (q *Queue[T]) drop() {
	defer q.lanes.Trim()
	defer q.clear() // also if the call to the consumers panics
	q.close()
}

// Disposed reports whether the queue was disposed.
func (q *Queue[T]) Disposed() bool { return q.guard.Disposed() }
