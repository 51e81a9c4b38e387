package fuzz

import (
	"iter"
	"slices"
	"testing"

	"example.com/custody/internal/atom"
)

// QueueOf has the operations of a queue as functions. TryDequeue and one of TryEnqueue and Enqueue
// are required. The suite leaves out operations that are nil, and logs their names.
type QueueOf struct {
	// TryEnqueue appends an item. False means that the queue is full or closed.
	TryEnqueue func(x *Item) bool
	// Enqueue appends an item to an unbounded queue. It is not called after Close.
	Enqueue func(x *Item)
	// TryDequeue removes and returns the first item. False means that the queue is empty.
	TryDequeue func() (*Item, bool)
	// Peek returns the first item without removing it.
	Peek func() (*Item, bool)
	// Len returns the number of items.
	Len func() int
	// EnqueueAll appends items in their order, as many as there is room for, and returns their
	// number.
	EnqueueAll func(xs []*Item) int
	// DequeueInto moves items to xs, as many as there are and xs has room for, and returns their
	// number.
	DequeueInto func(xs []*Item) int
	// All iterates from the first item to the last without removing them. With Linearizable they
	// are the items of one moment.
	All func() iter.Seq[*Item]
	// Clear removes all items.
	Clear func()
	// Close makes the queue refuse further items. The items in the queue can still be dequeued.
	Close func()
	// Dispose ends the queue. Every later use panics with an error that is safety.ErrDisposed.
	Dispose func()
}

// calls returns all operations.
func (q *QueueOf) calls() []call {
	return []call{
		{"TryEnqueue", q.TryEnqueue != nil, func() { q.TryEnqueue(new(Item)) }},
		{"Enqueue", q.Enqueue != nil, func() { q.Enqueue(new(Item)) }},
		{"TryDequeue", q.TryDequeue != nil, func() { q.TryDequeue() }},
		{"Peek", q.Peek != nil, func() { q.Peek() }},
		{"Len", q.Len != nil, func() { q.Len() }},
		{"EnqueueAll", q.EnqueueAll != nil, func() { q.EnqueueAll(make([]*Item, 2)) }},
		{"DequeueInto", q.DequeueInto != nil, func() { q.DequeueInto(make([]*Item, 2)) }},
		{"All", q.All != nil, func() { _ = slices.Collect(q.All()) }},
		{"Clear", q.Clear != nil, q.Clear},
		{"Close", q.Close != nil, q.Close},
		{"Dispose", q.Dispose != nil, nil},
	}
}

// put enqueues an item, by Enqueue only if there is no TryEnqueue. It reports whether there was
// room.
func (q *QueueOf) put(x *Item) bool {
	if q.TryEnqueue == nil {
		q.Enqueue(x)
		return true
	}
	return q.TryEnqueue(x)
}

// Queue tests the queues that fresh returns. The argument of fresh is the capacity of a [Bounded]
// queue, or 0 for others. For a negative capacity fresh must panic. The subtests are:
//
//	model         random programs of one goroutine, compared with a slice. A failure shows the
//	              smallest program.
//	conservation  concurrent goroutines. No item is lost or duplicated, the items of a producer come
//	              in order, Len is within its bounds, the capacity is kept, and an item that was
//	              enqueued can be dequeued.
//	linearizable  2000 histories of 64 operations of concurrent goroutines, including Close and All,
//	              judged against the sequential queue; with Linearizable
//	retention     dequeued items become garbage
//	misuse        nil and zero items, empty batches, odd capacities, use after Close and Dispose, and
//	              the cases of Misuses
//
// In a fuzz target, where t is a *testing.F, Queue reads inputs as programs of one goroutine
// instead and runs them as the subtest model does. The first byte chooses the capacity.
//
// Cost: about 1 s for each queue, or a few seconds with the race detector.
func Queue(t testing.TB, fresh func(capacity int) QueueOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newQueueSuite(f, fresh, settingsOf(opts)).script().fuzz(f)
		return
	}
	runQueue(tested{testOf(t)}, fresh, settingsOf(opts))
}

// queueSuite is the suite for a kind of queue.
type queueSuite struct {
	settings
	fresh func(capacity int) QueueOf
	like  QueueOf // one of the queues, whose operations the suite tests
}

func newQueueSuite(t testing.TB, fresh func(capacity int) QueueOf, s settings) *queueSuite {
	t.Helper()
	q := &queueSuite{s, fresh, fresh(s.capacities[0])}
	needed(t, "Queue", call{name: "TryDequeue", has: q.like.TryDequeue != nil},
		call{name: "TryEnqueue or Enqueue", has: q.like.TryEnqueue != nil || q.like.Enqueue != nil && !s.has(Bounded)})
	return q
}

func runQueue(t host, fresh func(capacity int) QueueOf, s settings) {
	t.Helper()
	q := newQueueSuite(t, fresh, s)
	runParts(t, lacks(q.like.calls()), []part{
		{"model", true, q.script().model(&q.settings)},
		{"conservation", true, q.conservation},
		{"linearizable", s.has(Linearizable) && !s.has(Unordered), q.linearizable},
		{"schedules", atom.Explored && s.has(Linearizable) && !s.has(Unordered), q.scheduled()},
		{"retention", !s.has(Numbers), q.retention},
		{"misuse", true, q.misuse(q.ownMisuse)},
	})
}
