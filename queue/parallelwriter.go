package queue

import (
	"example.com/custody/internal/lanes"
	"example.com/custody/internal/quiet"
)

// ParallelWriter is a view that puts items into a queue from all batches of a parallel loop. When
// the job is sealed they become the last items, at one moment and in the order of the sequential
// loop, at any number of workers. It works only inside the job that carries it.
// Each method: lane; wait-free; O(items); allocates chunks.
type ParallelWriter[T any] struct {
	_    [0]*T // ParallelWriters of other types do not convert
	hold `custody:"part"`
	lane *lanes.Lane // nil while the view is not bound
}

// ParallelWriter returns a view that puts items in. It excludes all other uses of the queue until
// the job is completed. A job that adds to a closed queue is a violation.
//
// Cost: that of an append to a slice for each item. When the job is sealed the queue links in the
// memory of the items, and copies only small pieces.
func (q *Queue[T]) ParallelWriter() ParallelWriter[T] {
	if q == nil {
		return ParallelWriter[T]{}
	}
	return ParallelWriter[T]{hold: quiet.Appending(&q.guard)}
}

// Enqueue puts v behind the items that the sequential loop has put in before.
func (w *ParallelWriter[T]) Enqueue(v T) { lanes.Append(w.lane, quiet.Of(&w.hold), v) }

// EnqueueAll puts all of vs in, in their order.
func (w *ParallelWriter[T]) EnqueueAll(vs []T) { lanes.AppendAll(w.lane, quiet.Of(&w.hold), vs) }
