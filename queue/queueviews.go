package queue

import (
	"example.com/custody/lane"
	"example.com/custody/safety"
)

// Reader returns a view that reads the items by position. While a job that was not completed holds one, nobody may put
// items in or take some out; to look at them with Peek, Len and All is allowed.
func (q *Queue[T]) Reader() Reader[T] {
	if q == nil {
		return Reader[T]{}
	}
	return Reader[T]{hold: q.guard.Hold(safety.Read, (*readerKind[T])(nil)), of: q}
}

// Writer returns a view that reads and writes the items by position, in place. A loop may have any number of indices; those
// beyond the items own nothing, and parallelfor.LengthOf(q.Reader()) has the loop begin with as many as there are items
// then. While a job that was not completed holds one, the queue is nobody else's.
func (q *Queue[T]) Writer() Writer[T] {
	if q == nil {
		return Writer[T]{}
	}
	return Writer[T]{hold: q.guard.Hold(safety.Write, (*writerKind[T])(nil)), of: q}
}

// ParallelWriter is a view that puts items into a queue from all batches of a parallel loop: when the job was sealed they are
// the last items, at one moment, in the order in which the sequential loop puts them in, at any number of workers. It works
// only inside the job that carries it.
type ParallelWriter[T any] struct {
	hold
	lane *lane.Lane[T] // nil while the view is not bound
}

// ParallelWriter returns a view that puts items in. While a job that was not completed holds one, the queue is nobody
// else's. A job that adds to a closed queue is a violation.
//
// Cost: that of an append to a slice for each item. When the job is sealed the memory with the items is linked in; only
// what lies in small pieces is copied.
func (q *Queue[T]) ParallelWriter() ParallelWriter[T] {
	if q == nil {
		return ParallelWriter[T]{}
	}
	return ParallelWriter[T]{hold: q.guard.Hold(safety.Append, (*parallelWriterKind[T])(nil))}
}

// Enqueue puts v behind what the sequential loop has put in before.
func (w *ParallelWriter[T]) Enqueue(v T) { w.lane.Append(&w.hold, v) }

// EnqueueAll puts all of vs in, in their order.
func (w *ParallelWriter[T]) EnqueueAll(vs []T) { w.lane.AppendAll(&w.hold, vs) }

// parallelWriterKind is the kind of ParallelWriters.
type parallelWriterKind[T any] ParallelWriter[T]

// Of implements safety.ViewKind.
func (*parallelWriterKind[T]) Of(view any) safety.Binder {
	return (*parallelWriterKind[T])(view.(*ParallelWriter[T]))
}

// Claim completes the claim.
func (w *parallelWriterKind[T]) Claim(c *safety.Claim) {
	c.Into = w.lane
}

// Bind implements safety.Binder.
func (w *parallelWriterKind[T]) Bind(b safety.Binding) {
	w.hold.Bind(b)
	w.lane = lane.Of[T](b)
}

// BeginSpan implements safety.SpanView.
func (w *parallelWriterKind[T]) BeginSpan(batch int) { w.lane.BeginSpan(batch) }

// Shared is a view through which the bodies of a job use a queue as any goroutines do: what they do is linearizable, and in
// no other order. Any number of jobs may hold Shareds of one queue together, and beside them the queue's own methods may be
// used. It works only inside the job that carries it.
//
// There is no operation that waits: a body that waits for another one's item may wait for a batch that its own worker has yet
// to run.
type Shared[T any] struct {
	hold
	of *Queue[T]
}

// Shared returns a view for linearizable operations. Which items a body gets then depends on how the loop was run.
func (q *Queue[T]) Shared() Shared[T] {
	if q == nil {
		return Shared[T]{}
	}
	return Shared[T]{hold: q.guard.Hold(safety.Shared, nil), of: q}
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

// queue returns the queue of a view that may be used now.
func (v *Shared[T]) queue() *Queue[T] {
	v.hold.Check()
	if !v.hold.Bound() { // unchecked builds
		panic(v.hold.Stale())
	}
	return v.of
}
