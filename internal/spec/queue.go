package spec

import (
	"fmt"
	"math"
	"strconv"

	"example.com/custody/internal/linear"
)

// QueueIn is what is asked of a queue.
type QueueIn struct {
	Op    Op
	Value int   // of TryEnqueue and Enqueue; the room of DequeueInto
	Batch Batch // of EnqueueAll
}

// QueueOut is what a queue answers.
type QueueOut struct {
	OK    bool
	Value int   // of TryDequeue, Dequeue and Peek that are OK
	N     int   // of Len and EnqueueAll
	Batch Batch // of DequeueInto and All
}

// QueueOption says how a queue differs from one that is unbounded and exact, and whose batches are atomic.
type QueueOption func(q *queue)

// queue is what the options say.
type queue struct {
	capacity     int
	itemByItem   bool
	shortBatches bool
	weakLen      bool
}

// Capacity says that the queue is full when it has n items, of 1 or more.
func Capacity(n int) QueueOption {
	if n < 1 {
		panic(fmt.Sprintf("spec: Capacity(%d): a queue has room for one item", n))
	}
	return func(q *queue) { q.capacity = n }
}

// ItemByItem says that a batch is not moved at one moment: each item is, one after the other, and between
// them others may come. What follows a batch that ended early is a moment at which the queue was full,
// or empty.
func ItemByItem() QueueOption { return func(q *queue) { q.itemByItem = true } }

// ShortBatches says that a batch may move fewer items than it could, but not none.
func ShortBatches() QueueOption { return func(q *queue) { q.shortBatches = true } }

// WeakLen says that Len is weakly consistent: it counts the items that were there during all of it, and any
// of the items that were there at some moment of it. It is never negative nor above the capacity.
func WeakLen() QueueOption { return func(q *queue) { q.weakLen = true } }

// Queue is the specification of a FIFO queue that many use. Operations that wait until they can answer have
// no Try in their name, so that false of theirs means only that the queue is closed.
//
//	TryEnqueue   puts Value behind the last item. OK false: the queue was full, or closed
//	Enqueue      a TryEnqueue that waits for room. OK false: the queue was closed
//	TryDequeue   takes the first item, the answer's Value. OK false: the queue was empty
//	Dequeue      a TryDequeue that waits for an item. OK false: the queue was empty and closed
//	Peek         answers the first item's Value and leaves it. OK false: the queue was empty
//	Len          answers the number of items, N; with WeakLen it is weakly consistent
//	All          answers all items, Batch, and leaves them
//	EnqueueAll   puts as many of Batch behind the last item as there is room for, and answers how many, N;
//	             none when the queue was closed
//	DequeueInto  takes at most Value items, the answer's Batch
//	Clear        takes all items, at one moment; no answer
//	Close        makes the queue take no more; what is in it stays; no answer
//
// Its states are strings of items, so each enqueue that is tried allocates one.
func Queue(options ...QueueOption) *linear.Spec[Line, QueueIn, QueueOut] {
	return specQueue[Line](options)
}

// ShortQueue is [Queue] for histories in which at most 15 items are ever in the queue, in whatever order
// the operations are tried: so 15 enqueues in all, or a capacity of at most 15. Values are 0 to 255. It
// does not allocate, and panics when there is no room.
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

// queueReads says that the answer was that nothing changed.
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

// queueText writes an operation of a queue.
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

// valueText writes an answer that may say that there is nothing.
func valueText(v int, ok bool) string {
	if !ok {
		return "false"
	}
	return strconv.Itoa(v)
}
