// Package queue has FIFO queues. They are generic, store items in place, move batches, and can be
// closed and waited for.
//
//	Queue[T]  unbounded, for any number of producers and consumers
//	Ring[T]   bounded, for any number of producers and consumers
//	SPSC[T]   bounded, for one producer and one consumer
//
// An operation returns false only if the queue was full, or empty, at a moment of the call. It
// never fails because another goroutine was faster.
//
// Outside jobs any goroutine may use a Queue or a Ring at any time. Jobs carry views:
//
//	Reader             reads the items by position; position 0 is the next to leave
//	Writer             reads and writes the items at the positions that the batch owns
//	ParallelWriter     puts items into a Queue, in the order of the sequential loop
//	Shared, RingShared the linearizable operations, in any order
//
// Operations that wait take a context. When the last producer has returned, Close the queue: each
// Dequeue takes what is left, and then returns [ErrClosed]. [Receive] is a range that ends then.
// Views have none, because a body must not wait for another batch. While a job holds the queue by
// position, goroutines that wait for items or room sleep on. One that is woken before the job is
// completed, by the end of its context, panics.
//
// A goroutine that waits in a bubble of testing/synctest waits durably, wherever the queue was
// made. It must be woken from that bubble. An operation outside every bubble that would wake it is
// a violation and changes nothing. If the wait began while the operation ran, the operation takes
// effect and panics, and an item that it has taken out is lost. The end of a job and DisposeAfter
// take effect and panic too. If the operation is in another bubble, the runtime ends the program.
// See docs/synctest.md.
//
// Guarantees of the functions (consistency, progress, cost, allocations; docs/consistency.md):
//
//	New               new           wait-free           O(1)         the container, a segment
//	NewRing, NewSPSC  new           wait-free           O(capacity)  the room
//	Receive, Source   linearizable  waits: for an item  O(1)         if it waits
//
// Map: queue.go Queue, with queuebatch.go, queuelook.go, queueend.go and queuephase.go, segment.go
// its memory, parallelwriter.go; ring.go Ring, with ringbatch.go, ringlook.go, ringend.go and
// ringphase.go; receive.go; shared.go; positions.go the views by position, stretch.go their items;
// spsc.go SPSC, spscends.go its ends, spscend.go what they have in common, cursor.go their
// positions, fetch.go the cache lines that they fetch, window.go; outcome.go how operations end;
// waiters.go the goroutines that sleep, backoff.go when they poll, bubble.go which of them may be
// woken; observer.go the goroutine that reads items in their places; stats.go, string.go.
package queue
