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
//	Writer             reads and writes the items at the positions that the batch owns
//	ParallelWriter     puts items into a Queue from all batches, in the order of the sequential loop
//	Shared, RingShared the linearizable operations, in whatever order they come
//
// Operations that wait take a context. A body must not wait for what another batch does, so views have none. A wait that is
// under way when a job takes the queue by position sleeps on; woken before the job was completed, it is refused.
//
// A wait in a bubble of testing/synctest is durable, wherever the queue was made. An operation
// outside every bubble that would end the wait is a violation and changes nothing. If the wait
// began after the operation, the operation takes effect and panics, and an item that it has taken
// out is lost. The end of a job and DisposeAfter take effect and panic too. An operation in another
// bubble that would end the wait is a fatal error of the runtime. See docs/synctest.md.
//
// What each method guarantees, whom it may wait for and what it allocates: docs/consistency.md#queue.
//
// Map: queue.go Queue, with queuebatch.go, queuedrain.go, queuelook.go, queueend.go, queuephase.go
// and queueviews.go, segment.go the pieces of its memory; ring.go Ring, with ringbatch.go,
// ringwait.go, ringlook.go, ringend.go, ringphase.go and ringshared.go; spsc.go SPSC, spscends.go
// its ends, spscend.go the common part of the ends, course.go their positions, fetch.go the cache
// lines that an end fetches, window.go windows of places; reader.go and writer.go the views by
// position, stretch.go the items of these; outcome.go how operations end; await.go the waits,
// patience.go how long a goroutine looks before it sleeps, waiters.go the goroutines that sleep,
// bubble.go the check of a caller that is going to wake them; watch.go the goroutines that look at
// items; flag.go flags in positions; bodies.go what is inlined where queues are used; stats.go and
// string.go statistics and texts.
package queue
