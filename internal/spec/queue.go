package spec

import (
	"fmt"
	"math"
	"strconv"

	"example.com/custody/internal/linear"
)

// QueueIn is an operation of a queue.
type QueueIn struct {
	Op    Op
	Value int   // of TryEnqueue and Enqueue; the length of the slice of DequeueInto
	Batch Batch // of EnqueueAll
}

// QueueOut is the answer of a queue.
type QueueOut struct {
	OK    bool
	Value int   // of TryDequeue, Dequeue and Peek whose OK is true
	N     int   // of Len and EnqueueAll
	Batch Batch // of DequeueInto and All
}

// QueueOption is a difference from an unbounded queue whose operations and batches are
// linearizable.
type QueueOption func(q *queue)

// queue is the sum of the options.
type queue struct {
	capacity     int
	itemByItem   bool
	shortBatches bool
	weakLen      bool
}

// Capacity is the option of a queue that is full when it has n items. n must be at least 1.
func Capacity(n int) QueueOption {
	if n < 1 {
		panic(fmt.Sprintf("spec: Capacity(%d): a queue has room for one item", n))
	}
	return func(q *queue) { q.capacity = n }
}

// ItemByItem is the option of a queue that moves the items of a batch one after the other, so that
// other operations can come between them. If a batch ended early, the queue was full or empty at a
// moment after its last item.
func ItemByItem() QueueOption { return func(q *queue) { q.itemByItem = true } }

// ShortBatches is the option of a queue whose batches may move fewer items than possible, but at
// least one.
func ShortBatches() QueueOption { return func(q *queue) { q.shortBatches = true } }

// WeakLen is the option of a queue whose Len is weakly consistent. Len counts each item that is
// present for its whole interval, and any of the items that are present for part of it. It is never
// negative and never above the capacity.
func WeakLen() QueueOption { return func(q *queue) { q.weakLen = true } }

// Queue is the specification of a FIFO queue. An operation without Try in its name waits until it
// can answer, so its false means only that the queue is closed.
//
//	TryEnqueue   appends Value. OK false: the queue was full or closed
//	Enqueue      is a TryEnqueue that waits for room. OK false: the queue was closed
//	TryDequeue   removes the first item and answers its Value. OK false: the queue was empty
//	Dequeue      is a TryDequeue that waits for an item. OK false: the queue was empty and closed
//	Peek         answers the first item's Value without removing it. OK false: the queue was empty
//	Len          answers the number of items, N
//	All          answers all items, Batch, without removing them
//	EnqueueAll   appends as many items of Batch as there is room for, and answers their number, N; 0
//	             if the queue was closed
//	DequeueInto  removes at most Value items and answers them, Batch
//	Clear        removes all items at one moment; no answer
//	Close        ends enqueueing and leaves the items; no answer
//
// The states are strings of items, so each enqueue that is tried allocates one.
func Queue(options ...QueueOption) *linear.Spec[Line, QueueIn, QueueOut] {
	return specQueue[Line](options)
}

// ShortQueue is [Queue] for histories in which the queue never has more than 15 items, in whatever
// order the operations are tried. At most 15 enqueued items in all are enough for that, and so is a
// capacity of at most 15. Values are 0 to 255. ShortQueue does not allocate, and panics if a value
// or an item has no room.
func ShortQueue(options ...QueueOption) *linear.Spec[ShortLine, QueueIn, QueueOut] {
	return specQueue[ShortLine](options)
}

func specQueue[S line[S]](options []QueueOption) *linear.Spec[S, QueueIn, QueueOut] {
	q := queue{capacity: math.MaxInt}
	for _, o := range options {
		o(&q)
	}
	s := &linear.Spec[S, QueueIn, QueueOut]{
		Step:  stepper[S](q).step,
		Next:  stepper[S](q).next,
		Reads: queueReads,
		Text:  queueText,
	}
	if q.itemByItem {
		s.Split = q.split
	}
	if q.weakLen {
		s.Weak = func(in QueueIn) bool { return in.Op == Len }
		s.Bounds = q.bounds
	}
	return s
}

// queueReads reports whether the answer means that nothing changed.
func queueReads(in QueueIn, out QueueOut) bool {
	switch in.Op {
	case All, Peek, Len:
		return true
	case EnqueueAll:
		return out.N == 0
	case DequeueInto:
		return out.Batch == ""
	}
	return !out.OK && in.Op != Clear && in.Op != Close
}

// queueText returns the text of an operation and its answer.
func queueText(in QueueIn, out QueueOut) string {
	switch in.Op {
	case TryEnqueue, Enqueue:
		return fmt.Sprintf("%v(%d) = %t", in.Op, in.Value, out.OK)
	case TryDequeue, Dequeue, Peek:
		return fmt.Sprintf("%v() = %s", in.Op, valueText(out.Value, out.OK))
	case Len:
		return fmt.Sprintf("Len() = %d", out.N)
	case EnqueueAll:
		return fmt.Sprintf("EnqueueAll(%v) = %d", in.Batch, out.N)
	case All:
		return fmt.Sprintf("All() = %v", out.Batch)
	case DequeueInto:
		return fmt.Sprintf("DequeueInto(%d) = %v", in.Value, out.Batch)
	}
	return in.Op.String() + "()"
}

// valueText returns the text of a value that may be missing.
func valueText(v int, ok bool) string {
	if !ok {
		return "false"
	}
	return strconv.Itoa(v)
}
