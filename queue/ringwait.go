package queue

import "context"

// Enqueue puts v behind the last item, and waits for room. The error is [ErrClosed], or the cause of the context's end;
// then v was not put in. A context that has ended is that error also when there is room.
//
// Of several that wait those that came first are called first, but whoever comes when there is room takes it. Cost while
// there is room: that of TryEnqueue. A wait with a context that can end allocates.
func (r *Ring[T]) Enqueue(ctx context.Context, v T) error {
	r.guard.CheckShared()
	if err := expired(ctx); err != nil {
		return err
	}
	o := r.put(v)
	if o == blocked {
		_, err := await(ctx, &r.givers, func() (struct{}, outcome) { return struct{}{}, r.put(v) })
		return err
	}
	return o.err()
}

// Dequeue takes the first item, and waits for one. The error is [ErrClosed] when the ring is closed and empty, or the
// cause of the context's end; then nothing was taken. A context that has ended is that error also when there are items.
//
// Of several that wait those that came first are called first, but whoever comes when there is an item takes it. Cost
// while there are items: that of TryDequeue. A wait with a context that can end allocates.
func (r *Ring[T]) Dequeue(ctx context.Context) (v T, err error) {
	r.guard.CheckShared()
	if err := expired(ctx); err != nil {
		return v, err
	}
	v, o := r.take()
	if o == blocked {
		return await(ctx, &r.takers, r.take)
	}
	return v, o.err()
}
