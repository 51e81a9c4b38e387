package queue

import "context"

// Enqueue puts v behind the last item, and waits for room. The error is [ErrClosed], or the cause of the context's end;
// then v was not put in. A context that has ended is that error also when there is room. A nil ctx is a violation.
//
// Of several that wait those that came first are called first, but whoever comes when there is room takes it. Cost while
// there is room: that of TryEnqueue. A wait with a context that can end allocates.
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
	return await(ctx, &r.givers, func() outcome { return r.put(&v, false) }, r.room)
}

// Dequeue takes the first item, and waits for one. The error is [ErrClosed] when the ring is closed and empty, or the
// cause of the context's end; then nothing was taken. A context that has ended is that error also when there are items. A nil ctx is a violation.
//
// Of several that wait those that came first are called first, but whoever comes when there is an item takes it. Cost
// while there are items: that of TryDequeue. A wait with a context that can end allocates.
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
	err = await(ctx, &r.takers, func() outcome { return r.take(&v, false) }, r.count)
	return v, err
}

// room returns for how many more items there is room.
func (r *Ring[T]) room() int { return len(r.slots) - r.count() }
