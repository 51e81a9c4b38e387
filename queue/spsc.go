package queue

import (
	"example.com/custody/internal/amount"
	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// SPSC is a bounded FIFO queue between one producer and one consumer.
//
// Use it between two stages, each of which is one goroutine. For more on either side take a [Ring].
//
// Its two ends are in the custody of one goroutine each: what puts items in is done by
// [SPSC.Producer], and what takes them out by [SPSC.Consumer]. A goroutine hands its end on by any
// means that order it before the other one: a channel, a lock, a WaitGroup. Two goroutines that use
// one end at the same time are a violation. Strict builds find it before the second goroutine has
// done anything. Checked builds find it if one goroutine has put in or taken out items since the
// other began to: the other panics. By then it may have written to places that the other calls
// have used since it began. Items that were put in there, by calls that returned true, may be lost.
// What is taken out instead is the item of the call that panicked, the zero value, or a mixture.
// The second of two goroutines that wait panics too. If no goroutine panics, every item comes once,
// as if the two had taken turns. Unchecked builds promise nothing. The other methods may be called
// by any goroutine at any time. Jobs do not hold an SPSC. It must not be copied; pass on the
// pointer that [NewSPSC] returned.
//
// Consistency: linearizable. What happens before an item is put in happens before what follows its being taken out, and
// what happens before it is taken out before what follows the use of its place for another item.
//
// Progress: wait-free at the ends, but for Enqueue and Dequeue, which wait for room and for items; when a look for some
// microseconds has brought none, they use no processor until there is. Len and Close are lock-free.
//
// A goroutine that waits in a bubble of testing/synctest must be woken from that bubble. An
// operation outside every bubble that would wake it panics and changes nothing, unless the
// operation began before the wait. If the operation is in another bubble, the runtime ends the
// program. See the package documentation.
//
// Cost: an atomic operation an item, or a batch, and now and then a look at the other end. Small items come from the other
// processor many cache lines at a time (see fetch.go). Memory: that of the items.
//
// It is Leslie Lamport's queue (1983), in which each end keeps what it saw last of the other, as in John Giacomoni, Tipp
// Moseley and Manish Vachharajani's FastForward (2008) and in many after it.
//
// Invariants:
//
//	(I1) tail is the position behind the last item and head that of the first. The tail is never
//	     before the head, nor more than the capacity behind it. Only the producer moves the tail,
//	     and only the consumer the head. An operation at an end reads its position once, at its
//	     beginning. It ends with a CompareAndSwap from that position, and the end stores the new
//	     position only after that. So an operation that finds another position in its tail, or
//	     head, is not alone at the end, and of two operations that begin at the same position one
//	     finds that.
//	(I2) The places of items that were put in and not taken out are the consumer's, and the others the producer's.
//	(I3) The producer's places hold the zero value, but for those that it has reserved and not committed, if items may keep
//	     something alive.
//	(I4) closed is a flag of the tail, so an item is put in before the close, or refused. Who disposes of the queue closes it
//	     and takes out what is left, so neither end moves any more without looking at the guard.
//	(I5) An end that waits sets a flag in the count that the other end moves, and parks. Whoever takes the flag out, the other
//	     end with its next move, a close, or the end of the context, unparks it, once. So nothing is looked at for those who
//	     wait as long as nobody does, and nobody sleeps beside what it waits for: the flag is set only in a count that says
//	     that there is none.
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

// NewSPSC returns an empty queue with room for so many items. A capacity below 1, or beyond what memory can hold, is a
// violation.
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

// Producer returns the end that puts items in: the same one every time.
func (q *SPSC[T]) Producer() *Producer[T] {
	q.guard.CheckExists()
	return &q.producer
}

// Consumer returns the end that takes items out: the same one every time.
func (q *SPSC[T]) Consumer() *Consumer[T] {
	q.guard.CheckExists()
	return &q.consumer
}

// Len returns how many items there are, exactly, at a moment of the call; what the ends have put in and taken out since is not counted. Any goroutine may call it,
// at any time. After Dispose it is a violation.
func (q *SPSC[T]) Len() int {
	q.guard.CheckExists()
	return q.count()
}

func (q *SPSC[T]) count() int {
	for {
		t := q.tail.Load() &^ spscFlags
		h := q.head.Load() &^ spscFlags
		if q.tail.Load()&^spscFlags == t { // it was that when the head was h
			return q.producer.between(h, t)
		}
	}
}

// Cap returns for how many items there is room.
func (q *SPSC[T]) Cap() int {
	q.guard.CheckExists()
	return len(q.producer.items)
}

// Close makes the queue take no more items: those that are in it can still be taken out. Who waits for room gets [ErrClosed]
// now, and who waits for an item when there is none. To close again does nothing. Any goroutine may close.
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
	defer q.producer.rouse() // also if rouse of the consumer panics
	q.consumer.rouse()
}

// Closed says whether the queue was closed.
func (q *SPSC[T]) Closed() bool {
	q.guard.CheckExists()
	return q.tail.Load()&spscClosed != 0
}

// Dispose ends the queue: every later use is a violation, and so is to dispose of it twice. It takes out what is left, so
// it is an operation of the consumer's end. A producer that waits gets [ErrClosed].
//
// There is no DisposeAfter, since no job holds an SPSC: the goroutine that has the consumer's end disposes of it.
func (q *SPSC[T]) Dispose() {
	if safety.Strict {
		q.consumer.enter()
		defer q.consumer.leave()
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

// Disposed says whether the queue was disposed.
func (q *SPSC[T]) Disposed() bool { return q.guard.Disposed() }
