// Package queue holds FIFO queues.
//
//	Queue[T]  unbounded, for any number of producers and consumers
//	Ring[T]   bounded, for any number of producers and consumers
//	SPSC[T]   bounded, for one producer and one consumer
//
// All are generic and store items in place; all can be closed and waited for, and move batches. What false means is the same
// everywhere: the queue was full, or empty, at a moment of the call; never that another goroutine was quicker.
//
// Outside jobs any goroutine may use a Queue or a Ring at any time. Jobs carry views:
//
//	Reader             reads the items by position: 0 is the next to leave
//	Writer             reads and writes in place the items at the positions that the cell owns
//	ParallelWriter     puts items into a Queue from all cells, in the order of the sequential loop
//	Shared, RingShared the linearizable operations, in whatever order they come
//
// Operations that wait take a context. A body must not wait for what another cell does, so views have none.
//
// Map: queue.go Queue, queuelook.go, queuebatch.go, queueend.go, queuephase.go and queueviews.go the rest of it, segment.go
// the pieces of its memory; ring.go Ring, and ringlook.go to ringshared.go in the same way; spsc.go SPSC, spscends.go its
// ends, window.go places of it; reader.go, writer.go the views by position, stretch.go what these work on; outcome.go how
// operations end; waiters.go who waits for items or room; watch.go who looks at items and leaves them; flag.go flags in
// positions.
package queue
