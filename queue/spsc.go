package queue

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// SPSC is a bounded FIFO queue between one producer and one consumer.
//
// Use it between two stages, each of which is one goroutine. For several goroutines on a side use a
// [Ring].
//
// The end that puts items in is [SPSC.Producer], and the end that takes them out [SPSC.Consumer].
// One goroutine at a time may use an end. A goroutine passes its end on by any means that orders it
// before the next one: a channel, a lock, a WaitGroup. Any goroutine may call the other methods at
// any time. Jobs do not hold an SPSC. It must not be copied; pass on the pointer that [NewSPSC]
// returned.
//
// Two goroutines that use one end at the same time are a violation:
//
//   - Strict builds report it before the second goroutine has done anything.
//   - Checked builds report it if one goroutine has moved items while an operation of the other was
//     under way: that operation panics. Until then it may have written to places that the calls
//     since its beginning have used. Items that were put in there, by calls that returned true, may
//     be lost: the consumer gets the item of the call that panicked, the zero value, or a mixture.
//     The second of two goroutines that wait panics too. If no goroutine panics, every item comes
//     once, as if the goroutines had taken turns.
//   - Unchecked builds promise nothing.
//
// Consistency: linearizable. What happens before an item is put in happens before what follows
// taking it out. What happens before an item is taken out happens before what follows the next use
// of its place.
//
// Progress: the ends are wait-free, except Enqueue and Dequeue, which wait for room and for items:
// they poll for some microseconds and then use no processor. Len and Close are lock-free.
//
// Cost: an atomic operation for an item or a batch, and now and then a read of the other end's
// count. Small items are fetched many cache lines at a time. Memory: that of the items.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Len, Close               linearizable  lock-free  O(1)  never
//	Closed, Disposed         linearizable  wait-free  O(1)  never
//	Cap, Producer, Consumer  constant      wait-free  O(1)  never
//	Dispose                  ledger        lock       O(n)  never
//	String                   glance        lock       O(1)  the text
//
// The algorithm is Leslie Lamport's (1983). Each end caches the other end's count, as in
// FastForward by John Giacomoni, Tipp Moseley and Manish Vachharajani (2008) and many later queues.
//
// Invariants:
//
//	(I1) tail is the position behind the last item, and head that of the first. The tail is never
//	     before the head, nor more than the capacity behind it. Only the producer moves the tail,
//	     and only the consumer the head. An operation at an end reads its position once, at its
//	     beginning. It ends with a CompareAndSwap from that position, and the end stores the new
//	     position only after that. So an operation that finds another position in its tail, or
//	     head, is not alone at the end, and of two operations that begin at the same position one
//	     finds that.
//	(I2) The places of items that were put in and not taken out are the consumer's. The others are
//	     the producer's.
//	(I3) The producer's places hold the zero value, if items may keep memory alive, except places
//	     that are reserved and not committed.
//	(I4) closed is a flag of the tail, so an item is put in before the close, or refused. Dispose
//	     closes the queue and takes out the rest, so later no end moves without checking the guard.
//	(I5) An end that waits sets a flag in the count that the other end moves, and parks. Whichever
//	     operation clears the flag unparks the end, once: the other end's next move, a close, or
//	     the end of the context. So ends check for waiters at no cost while none waits. The flag is
//	     set only in a count that says that there is nothing, so no end sleeps beside an item.
//	(I6) An end moves up to near without reading the other end's count. near and limit are never
//	     beyond the places that the other end's count allowed when some operation at the end read
//	     it. That count only grows, so near and limit are at worst too low, whichever goroutine
//	     stored them. An operation that moves an end by several places sets near to the new
//	     position.
type SPSC[T any] struct {
	guard safety.Guard

	_    pad.Bytes
	tail atom.Uint64 // the position behind the last item, and flags
	_    pad.Bytes
	head atom.Uint64 // the position of the first item, and a flag
	_    pad.Bytes

	producer Producer[T]
	_        pad.Bytes
	consumer Consumer[T]
	_        pad.Bytes
}

// NewSPSC returns an empty queue with room for capacity items. A capacity below 1, or larger than
// memory can hold, is a violation.
func NewSPSC[T any](capacity int, opts ...safety.Option) *SPSC[T] {
	q := &SPSC[T]{}
	q.guard.Init(q, 0, opts...)
	checkCapacity(&q.guard, capacity, amount.Most[T]())
	items := make([]T, capacity)
	q.producer.init(q, items, &q.tail, &q.head)
	q.consumer.init(q, items, &q.head, &q.tail)
	q.producer.lead()
	return q
}

// Producer returns the end that puts items in. It is the same in every call.
func (q *SPSC[T]) Producer() *Producer[T] {
	q.guard.CheckExists()
	return &q.producer
}

// Consumer returns the end that takes items out. It is the same in every call.
func (q *SPSC[T]) Consumer() *Consumer[T] {
	q.guard.CheckExists()
	return &q.consumer
}

// Len returns the exact number of items at a moment of the call. Any goroutine may call it.
func (q *SPSC[T]) Len() int {
	q.guard.CheckExists()
	return q.count()
}

func (q *SPSC[T]) count() int {
	for {
		t := q.tail.Load() &^ spscFlags
		h := q.head.Load() &^ spscFlags
		if q.tail.Load()&^spscFlags == t { // so it was t when the head was h
			return q.producer.between(h, t)
		}
	}
}

// Cap returns the number of items for which the queue has room.
func (q *SPSC[T]) Cap() int {
	q.guard.CheckExists()
	return len(q.producer.items)
}

// Close makes the queue take no more items. The items in it can still be taken out. A producer that
// waits, and a consumer that waits while the queue is empty, get [ErrClosed]. A second Close does
// nothing. Any goroutine may call it at any time.
func (q *SPSC[T]) Close() {
	q.guard.CheckExists()
	q.wakeable()
	q.close()
}

// wakeable panics if an end is asleep that the caller must not wake.
func (q *SPSC[T]) wakeable() {
	if q.tail.Load()&spscAsleep != 0 {
		q.consumer.wakeable()
	}
	if q.head.Load()&spscAsleep != 0 {
		q.producer.wakeable()
	}
}

func (q *SPSC[T]) close() {
	flag(&q.tail, spscClosed)
	defer q.producer.wake() // also if wake of the consumer panics
	q.consumer.wake()
}

// Closed reports whether the queue was closed.
func (q *SPSC[T]) Closed() bool {
	q.guard.CheckExists()
	return q.tail.Load()&spscClosed != 0
}

// Dispose ends the queue. Every later use is a violation. It takes out the remaining items, so it
// is an operation of the consumer's end. A producer that waits gets [ErrClosed].
//
// There is no DisposeAfter, because no job holds an SPSC.
func (q *SPSC[T]) Dispose() {
	if safety.Strict {
		defer q.consumer.enter().leave()
	}
	q.wakeable()
	q.guard.Dispose()
	q.close()
	c := &q.consumer
	was := c.position()
	if n := c.free(was, len(c.items)); n > 0 {
		c.release(was, n)
	}
}

// Disposed reports whether the queue was disposed.
func (q *SPSC[T]) Disposed() bool { return q.guard.Disposed() }
