package fuzz

import (
	"iter"
	"slices"
	"testing"

	"example.com/custody/internal/atom"
)

// QueueOf is a queue as the suite sees it: its operations as functions. Only TryDequeue and one of
// TryEnqueue and Enqueue must be there; what is nil the suite leaves out, and says so.
type QueueOf struct {
	// TryEnqueue puts an item in at the end. False says that the queue is full or closed.
	TryEnqueue func(x *Item) bool
	// Enqueue puts an item in at the end of a queue without bound. It is not called after Close.
	Enqueue func(x *Item)
	// TryDequeue takes the item at the head. False says that the queue is empty.
	TryDequeue func() (*Item, bool)
	// Peek returns the item at the head and leaves it there.
	Peek func() (*Item, bool)
	// Len returns how many items there are.
	Len func() int
	// EnqueueAll puts items in, in their order and as many as there is room for, and returns how many.
	EnqueueAll func(xs []*Item) int
	// DequeueInto takes as many items as there are and xs has room for, and returns how many.
	DequeueInto func(xs []*Item) int
	// All iterates from the head to the end and leaves the items there. With Linearizable they are those of one moment.
	All func() iter.Seq[*Item]
	// Clear takes all items out.
	Clear func()
	// Close makes the queue refuse items from now on. Those that are in it can still be taken.
	Close func()
	// Dispose ends the queue: every use afterwards panics with an error that is safety.ErrDisposed.
	Dispose func()
}

// operations lists all of them.
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

// put puts an item in, by Enqueue only where there is no TryEnqueue. It says whether there was room.
func (q *QueueOf) put(x *Item) bool {
	if q.TryEnqueue == nil {
		q.Enqueue(x)
		return true
	}
	return q.TryEnqueue(x)
}

// Queue tests queues that fresh returns. The argument of fresh is the capacity of a [Bounded] queue, 0
// for others; for a negative capacity it must panic. The subtests:
//
//	model         drawn programs of one goroutine, against a slice; a failure is the smallest program
//	conservation  goroutines beside each other: nothing is lost and nothing comes twice, the items of a
//	              producer come in order, Len is within its bounds, the capacity is honoured, what a
//	              goroutine put in somebody can take out
//	linearizable  2000 histories of 64 operations of goroutines beside each other, Close and All among them, judged
//	              against the sequential queue; with Linearizable
//	retention     items that were taken out become garbage
//	misuse        nil and zero items, empty batches, odd capacities, use after Close and Dispose, and the
//	              cases of Misuses
//
// In a fuzz target, where t is a *testing.F, Queue reads inputs as programs of one goroutine instead
// and runs them as the subtest model does. The first byte chooses the capacity.
//
// Cost: about a second for each queue, a few with the race detector.
func Queue(t testing.TB, fresh func(capacity int) QueueOf, opts ...Option) {
	t.Helper()
	if f, ok := t.(*testing.F); ok {
		newQueueSuite(f, fresh, settingsOf(opts)).script().fuzz(f)
		return
	}
	runQueue(tested{testOf(t)}, fresh, settingsOf(opts))
}

// queueSuite is the suite for one kind of queue.
type queueSuite struct {
	settings
	fresh func(capacity int) QueueOf
	like  QueueOf // one of the queues, for what operations it has
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
