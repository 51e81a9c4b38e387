package fuzz

import (
	"errors"
	"iter"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"example.com/custody/safety"
)

// toyQueue is a queue that is right, save for the fault that it is given.
type toyQueue struct {
	toy
	items    []*Item
	capacity int // 0 for none
	closed   bool
	count    atomic.Int64 // for the fault of Len
	held     *Item
}

var errCapacity = errors.New("toy: capacity below 1")

func newToyQueue(capacity int, bounded bool, fault string) *toyQueue {
	if bounded && capacity < 1 && fault != "takes any capacity" {
		panic(errCapacity)
	}
	if bounded && capacity == 1 && fault == "wrong at capacity 1" {
		capacity = 2
	}
	if bounded && capacity&(capacity-1) != 0 && fault == "rounds up" {
		capacity = 1 << bits.Len(uint(capacity))
	}
	q := &toyQueue{toy: toy{fault: fault}}
	if bounded {
		q.capacity = capacity
	}
	return q
}

// lock locks the queue, and reports whether another goroutine had it meanwhile.
func (q *toyQueue) lock() (met bool) {
	met = q.toy.lock()
	if rand.IntN(4) == 0 {
		runtime.Gosched() // so that others meet it
	}
	return met
}

func (q *toyQueue) every(n int) bool { return q.calls%n == n-1 }

func (q *toyQueue) tryEnqueue(x *Item) bool {
	closed := false
	if q.fault == "late close" {
		q.mu.Lock()
		closed = q.closed
		q.mu.Unlock()
		runtime.Gosched()
	}
	met := q.lock()
	defer q.mu.Unlock()
	if q.fault != "late close" {
		closed = q.closed
	}
	if closed && q.fault != "open after close" {
		return false
	}
	room := q.capacity
	if q.fault == "one too many" {
		room++
	}
	if room > 0 && len(q.items) >= room {
		return q.fault == "drops when full"
	}
	switch {
	case q.fault == "false full" && met, q.fault == "stuck" && q.every(30):
		return false
	case q.fault == "drops" && q.every(50), q.fault == "drops when met" && met && q.every(3):
		return true
	case q.fault == "duplicates" && q.every(50) && (q.capacity == 0 || len(q.items)+2 <= q.capacity):
		q.items = append(q.items, x)
	case q.fault == "reorders" && q.every(40) && len(q.items) > 0, q.fault == "reorders when met" && met && len(q.items) > 0:
		q.items = append([]*Item{x}, q.items...)
		return true
	case q.fault == "panics" && q.every(60):
		panic("toy")
	}
	q.items = append(q.items, x)
	if q.fault == "negative Len" {
		q.mu.Unlock()
		runtime.Gosched()
		q.count.Add(1)
		q.mu.Lock()
		return true
	}
	q.count.Add(1)
	return true
}

func (q *toyQueue) tryDequeue() (*Item, bool) {
	met := q.lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 || q.fault == "false empty" && met {
		return nil, false
	}
	x := q.items[0]
	if q.fault == "nil is empty" && x == nil {
		return nil, false
	}
	q.count.Add(-1)
	if q.fault == "twice when met" && met && q.every(3) {
		return x, true
	}
	q.items = slices.Delete(q.items, 0, 1)
	if q.fault == "retains" {
		q.held = x
	}
	return x, true
}

func (q *toyQueue) peek() (*Item, bool) {
	q.lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil, false
	}
	if q.fault == "peeks behind" && len(q.items) > 1 {
		return q.items[1], true
	}
	return q.items[0], true
}

func (q *toyQueue) len() int {
	q.lock()
	defer q.mu.Unlock()
	if q.fault == "negative Len" {
		return int(q.count.Load())
	}
	return len(q.items)
}

func (q *toyQueue) enqueueAll(xs []*Item) (n int) {
	q.lock()
	defer q.mu.Unlock()
	if q.closed {
		return 0
	}
	n = len(xs)
	if q.capacity > 0 {
		n = min(n, q.capacity-len(q.items))
	}
	if q.fault == "reverses batches" {
		xs = slices.Clone(xs)
		slices.Reverse(xs)
	}
	q.items = append(q.items, xs[:n]...)
	if q.fault == "miscounts batches" {
		return len(xs)
	}
	return n
}

func (q *toyQueue) dequeueInto(xs []*Item) int {
	q.lock()
	defer q.mu.Unlock()
	n := copy(xs, q.items)
	q.items = slices.Delete(q.items, 0, n)
	return n
}

func (q *toyQueue) all() iter.Seq[*Item] {
	q.lock()
	items := slices.Clone(q.items)
	q.mu.Unlock()
	if q.fault == "weak All" {
		runtime.Gosched()
		q.lock()
		items = append(items[:min(1, len(items))], q.items[min(1, len(q.items)):]...)
		q.mu.Unlock()
	}
	return slices.Values(items)
}

func (q *toyQueue) clear() {
	q.lock()
	defer q.mu.Unlock()
	if q.fault == "clear keeps" {
		q.items = q.items[:0]
		return
	}
	q.items = nil
}

func (q *toyQueue) close() {
	q.lock()
	defer q.mu.Unlock()
	q.closed = true
}

func (q *toyQueue) dispose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.disposed, q.items = true, nil
}

func (q *toyQueue) of() QueueOf {
	return QueueOf{
		TryEnqueue: q.tryEnqueue, TryDequeue: q.tryDequeue, Peek: q.peek, Len: q.len, EnqueueAll: q.enqueueAll, DequeueInto: q.dequeueInto,
		All: q.all, Clear: q.clear, Close: q.close, Dispose: q.dispose,
	}
}

// plain leaves out all but the least, so that a fault is not hidden by what goes with it.
func (q *toyQueue) plain() QueueOf {
	return QueueOf{TryEnqueue: q.tryEnqueue, TryDequeue: q.tryDequeue, Len: q.len}
}

func toyQueues(bounded bool, fault string) func(capacity int) QueueOf {
	return func(capacity int) QueueOf { return newToyQueue(capacity, bounded, fault).of() }
}

func plainQueues(bounded bool, fault string) func(capacity int) QueueOf {
	return func(capacity int) QueueOf { return newToyQueue(capacity, bounded, fault).plain() }
}

func queueSuiteOf(fresh func(capacity int) QueueOf, opts ...Option) func(h host) {
	return func(h host) { runQueue(h, fresh, impatient(opts...)) }
}

func TestQueueAcceptsWhatIsRight(t *testing.T) {
	for _, role := range []Promise{0, SPSC, MPSC, SPMC} {
		passes(t, queueSuiteOf(toyQueues(true, ""), Bounded, Linearizable, role))
	}
	passes(t, queueSuiteOf(plainQueues(false, ""), Linearizable))
	passes(t, queueSuiteOf(func(int) QueueOf {
		q := newToyQueue(0, false, "")
		return QueueOf{Enqueue: func(x *Item) { q.tryEnqueue(x) }, TryDequeue: q.tryDequeue}
	}, Linearizable))
	passes(t, queueSuiteOf(toyQueues(true, ""), Bounded, Capacity(4)))
}

func TestQueueAcceptsWhatIsNotPromised(t *testing.T) {
	elsewhere(t)
	passes(t, queueSuiteOf(plainQueues(true, "false empty"), Bounded))
	passes(t, queueSuiteOf(plainQueues(true, "false full"), Bounded))
	passes(t, queueSuiteOf(plainQueues(true, "reorders when met"), Bounded, Unordered))
	passes(t, queueSuiteOf(plainQueues(false, "reorders"), Unordered))
	passes(t, queueSuiteOf(plainQueues(true, "rounds up"), Bounded, Capacity(1, 4, 64)))
}

func TestQueueCatchesFaults(t *testing.T) {
	elsewhere(t)
	suite := func(queues func(bounded bool, fault string) func(capacity int) QueueOf) func(fault string) func(h host) {
		return func(fault string) func(h host) { return queueSuiteOf(queues(true, fault), Bounded, Linearizable) }
	}
	catchesAll(t, suite(plainQueues), []noticed{
		{"drops", []string{"model", "conservation", "~linearizable", "~retention", "~misuse"}},
		{"drops when full", []string{"model", "conservation", "linearizable", "~misuse"}},
		{"drops when met", []string{"conservation", "linearizable"}},
		{"duplicates", []string{"model", "conservation", "~linearizable", "~retention"}},
		{"twice when met", []string{"conservation", "linearizable"}},
		{"false empty", []string{"conservation", "linearizable"}},
		{"false full", []string{"conservation", "linearizable"}},
		{"reorders", []string{"model", "conservation", "linearizable", "~retention"}},
		{"reorders when met", []string{"conservation", "linearizable"}},
		{"negative Len", []string{"conservation", "linearizable"}},
		{"one too many", []string{"model", "conservation", "linearizable"}},
		{"wrong at capacity 1", []string{"model", "conservation", "linearizable"}},
		{"rounds up", []string{"model", "conservation", "linearizable", "~misuse"}},
		{"retains", []string{"retention"}},
		{"panics", []string{"model", "conservation", "~linearizable", "~retention"}},
		{"stuck", []string{"model", "conservation", "linearizable"}},
		{"nil is empty", []string{"model", "misuse"}},
		{"takes any capacity", []string{"misuse"}},
	})
	catchesAll(t, suite(toyQueues), []noticed{
		{"peeks behind", []string{"model", "linearizable"}},
		{"reverses batches", []string{"model", "conservation", "linearizable"}},
		{"miscounts batches", []string{"model", "conservation", "linearizable"}},
		{"clear keeps", []string{"retention"}},
		{"open after close", []string{"model", "conservation", "linearizable", "misuse"}},
		{"late close", []string{"conservation", "linearizable"}},
		{"weak All", []string{"linearizable"}},
	})
	if safety.Enabled {
		catches(t, queueSuiteOf(toyQueues(true, "lives on"), Bounded), "misuse")
	}
	catches(t, queueSuiteOf(toyQueues(true, "peeks behind"), Bounded, MPSC), "model", "conservation")
}

// FuzzToyQueue is a target as users write them.
func FuzzToyQueue(f *testing.F) { Queue(f, toyQueues(true, ""), Bounded) }
