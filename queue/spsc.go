package queue

import (
	"reflect"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/kind"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// SPSC is a bounded FIFO queue between one producer and one consumer.
//
// Use it between two stages, each of which is one goroutine. For more on either side take a [Ring].
//
// Its two ends are in the custody of one goroutine each: what puts items in is done by [SPSC.Producer], and what takes
// them out by [SPSC.Consumer]. A goroutine hands its end on by any means that order it before the other one: a channel, a
// lock, a WaitGroup. When two goroutines use one end at the same time, that is a violation: checked builds find it when both
// make known what they have done, strict builds before the second has done anything; unchecked builds promise nothing. The
// other methods may be called by any goroutine at any time. Jobs do not hold an SPSC. It must not be copied; pass on the
// pointer that [NewSPSC] returned.
//
// Consistency: linearizable. What happens before an item is put in happens before what follows its being taken out, and
// what happens before it is taken out before what follows the use of its place for another item.
//
// Progress: wait-free, but for Enqueue and Dequeue, which wait for room and for items, and use no processor while they do.
//
// Cost: an atomic operation an item, or a batch, and now and then a look at the other end. Memory: that of the items.
//
// It is Leslie Lamport's queue (1983), in which each end keeps what it saw last of the other, as in John Giacomoni, Tipp
// Moseley and Manish Vachharajani's FastForward (2008) and in many after it.
//
// Invariants:
//
//	(I1) tail counts the items that were put in and head those that were taken out; the head is never before the tail, nor more
//	     than the capacity behind. Only the producer counts up the tail, and only the consumer the head: whoever finds
//	     another number there than he left is not alone.
//	(I2) The places of items that were put in and not taken out are the consumer's, and the others the producer's.
//	(I3) The producer's places hold the zero value, but for those that it has reserved, if items may keep something alive.
//	(I4) closed is a flag of the tail, so an item is put in before the close, or refused.
type SPSC[T any] struct {
	guard safety.Guard
	items []T
	holds bool

	_    pad.Bytes
	tail atom.Uint64 // and spscClosed
	_    pad.Bytes
	head atom.Uint64
	_    pad.Bytes

	producer Producer[T]
	_        pad.Bytes
	consumer Consumer[T]
	_        pad.Bytes
	takers   waiters
	givers   waiters
}

// Counts are even numbers; the lowest bit of the tail is a flag.
const (
	spscClosed = 1
	spscUnit   = 2
)

// end is what the two ends have in common.
type end[T any] struct {
	of    *SPSC[T]
	items []T    // the queue's
	mine  uint64 // how many items were moved here
	left  int    // how many more can be, by what was seen of the other end when it was looked at last
	at    int    // the place of the next item
	turn  uint64 // counts what ends windows
	held  int    // how many places the last window has
	since uint64 // the turn in which it was given out
	busy  atom.HiddenUint64
}

// NewSPSC returns an empty queue with room for so many items. A capacity below 1, or beyond what memory can hold, is a
// violation.
func NewSPSC[T any](capacity int, opts ...safety.Option) *SPSC[T] {
	size := max(1, int(reflect.TypeFor[T]().Size()))
	if capacity < 1 || capacity > mostBytes/size {
		panic(badCapacity("a queue", capacity, mostBytes/size))
	}
	q := &SPSC[T]{items: make([]T, capacity), holds: kind.Holds(reflect.TypeFor[T]())}
	q.producer.of, q.consumer.of = q, q
	q.producer.items, q.consumer.items = q.items, q.items
	q.producer.left = capacity
	q.guard.Init(q, 0, opts...)
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

// Len returns how many items there are.
func (q *SPSC[T]) Len() int {
	q.guard.CheckExists()
	for {
		t := q.tail.Load() &^ spscClosed
		h := q.head.Load()
		if q.tail.Load()&^spscClosed == t { // it was that when the head was h
			return int(t-h) / spscUnit
		}
	}
}

// Cap returns for how many items there is room.
func (q *SPSC[T]) Cap() int {
	q.guard.CheckExists()
	return len(q.items)
}

// Close makes the queue take no more items: those that are in it can still be taken out. Who waits for room gets [ErrClosed]
// now, and who waits for an item when there is none. To close again does nothing. Any goroutine may close.
func (q *SPSC[T]) Close() {
	q.guard.CheckExists()
	q.close()
}

func (q *SPSC[T]) close() {
	for {
		t := q.tail.Load()
		if t&spscClosed != 0 {
			return
		}
		if q.tail.CompareAndSwap(t, t|spscClosed) {
			break
		}
	}
	q.givers.call(everybody)
	q.takers.call(everybody)
}

// Closed says whether the queue was closed.
func (q *SPSC[T]) Closed() bool {
	q.guard.CheckExists()
	return q.tail.Load()&spscClosed != 0
}

// Dispose ends the queue: every later use is a violation, and so is to dispose of it twice. Who waits gets [ErrClosed].
// It takes out what is left, so that it is the consumer's.
func (q *SPSC[T]) Dispose() {
	q.guard.Dispose()
	q.close()
	if n := q.consumer.there(len(q.items)); n > 0 {
		q.consumer.release(n)
	}
}

// Disposed says whether the queue was disposed.
func (q *SPSC[T]) Disposed() bool { return q.guard.Disposed() }

// enter begins an operation at an end. In strict builds it panics when another one is under way.
func (e *end[T]) enter(who string) {
	e.of.guard.CheckExists()
	if safety.Strict {
		e.hold(who)
	}
}

func (e *end[T]) hold(who string) {
	if !e.busy.CompareAndSwap(0, 1) {
		panic(e.alone(who))
	}
}

// leave ends it.
func (e *end[T]) leave() {
	if safety.Strict {
		e.busy.Store(0)
	}
}

// alone is the violation of using an end from two goroutines at the same time.
func (e *end[T]) alone(who string) *safety.Violation {
	g := &e.of.guard
	return g.Violation(safety.ErrConflict, g.Container()+" was used by two "+who+"s at the same time",
		"Each end is one goroutine's at a time. Order the two, by a channel or a lock, or take a Ring.")
}

// step goes on n places, behind which the count of items is next.
func (e *end[T]) step(next uint64, n int) {
	e.mine = next
	e.left -= n
	e.turn++
	if e.at += n; e.at >= len(e.items) {
		e.at -= len(e.items)
	}
}

// places returns n places from the current one on.
func (e *end[T]) places(n int) (a, b []T) {
	all := e.items
	if over := e.at + n - len(all); over > 0 {
		return all[e.at:], all[:over:over]
	}
	return all[e.at : e.at+n : e.at+n], nil
}
