package fuzz

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// The time to judge a history grows with the number of items that were enqueued concurrently and
// are still in the queue, so queues stay short.
const (
	queueItems     = 4    // items at which tasks stop enqueueing if the queue is unbounded
	queueCapacity  = 8    // the largest capacity, if there is a choice
	queueHistories = 2000 // for all capacities together
	closing        = 128  // one of so many operations is a Close
)

type (
	queueHistory = history[spec.QueueIn, spec.QueueOut]
	queueActor   = actor[spec.QueueIn, spec.QueueOut]
	queueSpec    = linear.Spec[spec.Line, spec.QueueIn, spec.QueueOut]
)

// linearizable judges histories of a queue.
func (q *queueSuite) linearizable(t testing.TB) {
	t.Helper()
	tasks, small := historyTasks, q.small()
	if q.has(SPSC) {
		tasks = 2
	}
	judged(t, &q.settings, q.drawn(t), q.rounds(q.histories), tasks, historyOps, func(round int) (*queueSpec, queueActor) {
		capacity := small[round%len(small)]
		return q.sequential(capacity), q.actor(capacity, tasks)
	})
}

// small returns the capacities for short histories.
func (q *queueSuite) small() []int {
	small := slices.DeleteFunc(slices.Clone(q.capacities), func(c int) bool { return c > queueCapacity })
	if len(small) == 0 {
		small = q.capacities[:1]
	}
	return small
}

// scheduled returns the subtest in which the explorer chooses the schedules.
func (q *queueSuite) scheduled() func(t testing.TB) {
	most, small := mostTasks, q.small()
	if q.has(SPSC) {
		most = 2
	}
	return scheduled(&q.settings, most, func(size int) *queueSpec {
		return q.sequential(small[size%len(small)])
	}, func(size, tasks int) queueActor {
		return q.actor(small[size%len(small)], tasks)
	})
}

// sequential returns the specification of a queue of that capacity.
func (q *queueSuite) sequential(capacity int) *queueSpec {
	options := []spec.QueueOption{spec.ItemByItem()}
	if q.has(Bounded) {
		options = append(options, spec.Capacity(capacity))
	}
	return spec.Queue(options...)
}

// actor returns an actor on a fresh queue.
func (q *queueSuite) actor(capacity, tasks int) queueActor {
	of := q.fresh(capacity)
	ids := make([]int, tasks)
	var there atomic.Int32 // about the number of items in the queue
	return func(c *crew, h *queueHistory, task int, r *rand.Rand) {
		puts, takes := q.role(task, tasks)
		// An explored history is short, and the atomic there must not order its tasks.
		full := h.explored == nil && !q.has(Bounded) && there.Load() >= queueItems
		closes := closing
		if h.explored != nil {
			closes /= 8
		}
		n := 0
		switch {
		case of.Close != nil && of.TryEnqueue != nil && r.IntN(closes) == 0:
			h.do(task, spec.QueueIn{Op: spec.Close}, func() (out spec.QueueOut) { of.Close(); return out })
		case puts && (!takes || r.IntN(2) == 0) && !full:
			n = of.recordPut(h, task, r, func() *Item {
				ids[task]++
				return &Item{ID: task + tasks*ids[task]}
			})
		case takes:
			n = -of.recordTake(c, h, task, r)
		default:
			of.recordLen(h, task)
		}
		if h.explored == nil {
			there.Add(int32(n))
		}
	}
}

// role reports whether a task enqueues and whether it dequeues.
func (q *queueSuite) role(task, tasks int) (puts, takes bool) {
	switch {
	case q.has(SPSC):
		return task == 0, task == 1
	case q.has(OneProducer):
		return task == 0, task > 0
	case q.has(OneConsumer):
		return task < tasks-1, task == tasks-1
	}
	return true, true
}

// recordLen does and records a Len, if the queue has it.
func (q *QueueOf) recordLen(h *queueHistory, task int) {
	if q.Len != nil {
		h.do(task, spec.QueueIn{Op: spec.Len}, func() spec.QueueOut { return spec.QueueOut{N: q.Len()} })
	}
}

// recordPut does and records one of the operations of producers, and returns the number of items
// that it enqueued.
func (q *QueueOf) recordPut(h *queueHistory, task int, r *rand.Rand, item func() *Item) int {
	if q.Len != nil && r.IntN(8) == 0 {
		q.recordLen(h, task)
		return 0
	}
	x := item()
	if q.EnqueueAll != nil && r.IntN(4) == 0 {
		y := item()
		return h.do(task, spec.QueueIn{Op: spec.EnqueueAll, Batch: spec.BatchOf(x.ID, y.ID)}, func() spec.QueueOut {
			return spec.QueueOut{N: q.EnqueueAll([]*Item{x, y})}
		}).N
	}
	op := spec.TryEnqueue
	if q.TryEnqueue == nil {
		op = spec.Enqueue
	}
	if h.do(task, spec.QueueIn{Op: op, Value: x.ID}, func() spec.QueueOut { return spec.QueueOut{OK: q.put(x)} }).OK {
		return 1
	}
	return 0
}

// number returns the value that stands for an item in a history.
func number(x *Item) int {
	if x == nil {
		return -1 // stands for no enqueued item
	}
	return x.ID
}

func numbers(xs []*Item) spec.Batch {
	ids := make([]int, len(xs))
	for i, x := range xs {
		ids[i] = number(x)
	}
	return spec.BatchOf(ids...)
}

func got(x *Item, ok bool) (out spec.QueueOut) {
	if ok {
		out = spec.QueueOut{OK: true, Value: number(x)}
	}
	return out
}

// recordTake does and records one of the operations of consumers, and returns the number of items
// that it dequeued.
func (q *QueueOf) recordTake(c *crew, h *queueHistory, task int, r *rand.Rand) int {
	switch {
	case q.Len != nil && r.IntN(8) == 0:
		q.recordLen(h, task)
	case q.All != nil && r.IntN(8) == 0:
		h.do(task, spec.QueueIn{Op: spec.All}, func() spec.QueueOut { return spec.QueueOut{Batch: numbers(slices.Collect(q.All()))} })
	case q.Peek != nil && r.IntN(4) == 0:
		h.do(task, spec.QueueIn{Op: spec.Peek}, func() spec.QueueOut { return got(q.Peek()) })
	case q.DequeueInto != nil && r.IntN(4) == 0:
		return h.do(task, spec.QueueIn{Op: spec.DequeueInto, Value: 2}, func() spec.QueueOut {
			xs := make([]*Item, 2)
			n := q.DequeueInto(xs)
			if n < 0 || n > len(xs) {
				c.failf("DequeueInto of %d is %d", len(xs), n)
				n = 0
			}
			return spec.QueueOut{Batch: numbers(xs[:n])}
		}).Batch.Len()
	default:
		if h.do(task, spec.QueueIn{Op: spec.TryDequeue}, func() spec.QueueOut { return got(q.TryDequeue()) }).OK {
			return 1
		}
	}
	return 0
}
