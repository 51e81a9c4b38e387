package queue

import (
	"context"

	"example.com/custody/safety"
)

// Enqueue puts v behind the last item, and waits for room. The error is [ErrClosed], or the cause
// of the context's end, also if there is room. With an error v was not put in. A nil ctx is a
// violation.
//
// Room goes to the goroutines that have waited longest, unless another goroutine uses it first.
//
// Cost: that of TryEnqueue if there is room. A wait with a context that can end allocates.
func (r *Ring[T]) Enqueue(ctx context.Context, v T) error {
	if err := expired(ctx); err != nil {
		r.guard.CheckShared()
		return err
	}
	if o := r.put(&v, true); o != blocked {
		return o.err()
	}
	return r.awaitRoom(ctx, v)
}

func (r *Ring[T]) awaitRoom(ctx context.Context, v T) error {
	return r.notFull.await(ctx, func() outcome { return r.put(&v, false) }, r.room)
}

// Dequeue takes the first item, and waits for one, as [Queue.Dequeue] does.
func (r *Ring[T]) Dequeue(ctx context.Context) (v T, err error) {
	if err := expired(ctx); err != nil {
		r.guard.CheckShared()
		return v, err
	}
	if o := r.take(&v, true); o != blocked {
		return v, o.err()
	}
	return r.awaitItem(ctx)
}

func (r *Ring[T]) awaitItem(ctx context.Context) (v T, err error) {
	err = r.notEmpty.await(ctx, func() outcome { return r.take(&v, false) }, r.count)
	return v, err
}

// room returns the number of items for which there is room.
func (r *Ring[T]) room() int { return len(r.slots) - r.count() }

// Clear takes out the items that are there, as DequeueInto does. Items that other goroutines put in
// meanwhile may stay.
func (r *Ring[T]) Clear() {
	r.guard.CheckShared()
	r.notFull.wakeable(r.count())
	r.clear()
}

func (r *Ring[T]) clear() {
	for n := r.count(); n > 0; {
		h, k, m := r.claim(n)
		if m == 0 {
			return
		}
		r.empty(h, k, m)
		n -= m
	}
}

// Close makes the ring take no more items. The items in it can still be taken out. Goroutines that
// wait for room, or for an item while there is none, get [ErrClosed]. A second Close does nothing.
// Close is lock-free while no goroutine waits.
func (r *Ring[T]) Close() {
	r.guard.CheckShared()
	r.wakeable()
	r.close()
}

func (r *Ring[T]) close() {
	flag(&r.tail, closed)
	defer r.notEmpty.call(everyWaiter) // also if the call to the producers panics
	r.notFull.call(everyWaiter)
}

// wakeable panics if a goroutine waits at the ring that the caller must not wake.
func (r *Ring[T]) wakeable() {
	r.notFull.wakeable(everyWaiter)
	r.notEmpty.wakeable(everyWaiter)
}

// Closed reports whether the ring was closed.
func (r *Ring[T]) Closed() bool {
	r.guard.CheckLook()
	return r.tail.Load()&closed != 0
}

// Dispose ends the ring and drops its items, as [Queue.Dispose] does.
func (r *Ring[T]) Dispose() {
	r.wakeable()
	r.guard.Dispose()
	r.drop()
}

// DisposeAfter is Dispose for a ring that jobs hold; see [Queue.DisposeAfter].
func (r *Ring[T]) DisposeAfter(h safety.Handle) { r.guard.DisposeAfter(h, r.drop) }

func (r *Ring[T]) drop() {
	defer r.clear() // also if a call to the goroutines that wait panics
	r.close()
}

// Disposed reports whether the ring was disposed.
func (r *Ring[T]) Disposed() bool { return r.guard.Disposed() }
