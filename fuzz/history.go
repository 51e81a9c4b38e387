package fuzz

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// Histories are short and many: on few processors operations overlap seldom, and long histories take long to
// judge. The time grows with the number of items that were put in beside each other and are still there, so
// histories of queues are shorter than others, and the queues stay short.
const (
	historyOps    = 64 // of a history
	queueOps      = 40
	queueItems    = 4 // from so many on nothing more is put in
	queueCapacity = 8 // at most, where there is a choice
	historyTasks  = 4
	histories     = 300
	judgeTimeout  = 5 * time.Second
	historyKeys   = 3
	historyValues = 3 // of a map, so that a compare-and-swap succeeds now and then
)

// history is what goroutines asked and were answered. Times are those of one clock that every call and every
// return advances.
type history[I, O any] struct {
	clock    atomic.Int64
	tasks    [][]linear.Op[I, O]
	explored *explore.History[I, O] // instead of both, where the explorer chooses the schedule
}

// actor does one operation of a task, chosen by r, on the container that it was made for.
type actor[I, O any] func(c *crew, h *history[I, O], task int, r *rand.Rand)

// queueHistory is a history of queues.
type queueHistory = history[spec.QueueIn, spec.QueueOut]

// do does an operation, notes it, and returns its answer.
func (h *history[I, O]) do(task int, in I, f func() O) O {
	return h.note(task, func() (I, O) { return in, f() })
}

// note is do for operations that are known only when they are over.
func (h *history[I, O]) note(task int, f func() (I, O)) O {
	if h.explored != nil {
		return h.explored.Note(task, f)
	}
	call := h.clock.Add(1)
	in, out := f()
	h.tasks[task] = append(h.tasks[task], linear.Op[I, O]{Task: task, Call: call, Return: h.clock.Add(1), In: in, Out: out})
	return out
}

// judged runs tasks beside each other, each with some operations, and judges what they were answered.
func judged[S comparable, I, O any](t testing.TB, s *settings, seed uint64, sp *linear.Spec[S, I, O], tasks, ops int, act actor[I, O]) {
	t.Helper()
	h := &history[I, O]{tasks: make([][]linear.Op[I, O], tasks)}
	var members []member
	for task := range tasks {
		members = append(members, func(c *crew, r *rand.Rand) {
			for range ops / tasks {
				act(c, h, task, r)
				c.jitter(r)
			}
		})
	}
	s.together(t, seed, members...)
	all := slices.Concat(h.tasks...)
	slices.SortFunc(all, func(a, b linear.Op[I, O]) int { return int(a.Call - b.Call) })
	judge(t, sp, all, judgeTimeout)
}

// linearizable judges histories of a queue.
func (q *queueSuite) linearizable(t testing.TB) {
	t.Helper()
	small := q.small()
	seed := q.drawn(t)
	for round := range q.rounds(histories) {
		capacity := small[round%len(small)]
		q.history(t, seed+uint64(round), capacity)
		if t.Failed() {
			return
		}
	}
}

// small returns the capacities for short histories.
func (q *queueSuite) small() []int {
	small := slices.DeleteFunc(slices.Clone(q.capacities), func(c int) bool { return c > queueCapacity })
	if len(small) == 0 {
		small = q.capacities[:1]
	}
	return small
}

// scheduled is the part of the suite where the explorer chooses the schedules.
func (q *queueSuite) scheduled() func(t testing.TB) {
	most, small := mostTasks, q.small()
	if q.has(SPSC) {
		most = 2
	}
	return scheduled(&q.settings, most, func(size int) *linear.Spec[spec.Line, spec.QueueIn, spec.QueueOut] {
		return q.sequential(small[size%len(small)])
	}, func(size, tasks int) actor[spec.QueueIn, spec.QueueOut] {
		return q.actor(small[size%len(small)], tasks)
	})
}

// history judges one history of a queue of some capacity.
func (q *queueSuite) history(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	tasks, ops := historyTasks, queueOps
	if q.has(SPSC) {
		tasks = 2
	}
	if q.like.EnqueueAll != nil || q.like.DequeueInto != nil {
		ops /= 2 // a batch counts as its items
	}
	judged(t, &q.settings, seed, q.sequential(capacity), tasks, ops, q.actor(capacity, tasks))
}

// sequential returns what a queue of that capacity does.
func (q *queueSuite) sequential(capacity int) *linear.Spec[spec.Line, spec.QueueIn, spec.QueueOut] {
	options := []spec.QueueOption{spec.ItemByItem()}
	if q.has(Bounded) {
		options = append(options, spec.Capacity(capacity))
	}
	return spec.Queue(options...)
}

// actor returns what tasks do on a fresh queue.
func (q *queueSuite) actor(capacity, tasks int) actor[spec.QueueIn, spec.QueueOut] {
	of := q.fresh(capacity)
	ids := make([]int, tasks)
	var there atomic.Int32 // the items in the queue, about
	return func(c *crew, h *queueHistory, task int, r *rand.Rand) {
		puts, takes := q.role(task, tasks)
		full := h.explored == nil && there.Load() >= queueItems // explored histories are short, and nothing is to order their tasks
		n := 0
		switch {
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

// role says what a task may do.
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

// recordLen does a Len, if there is one.
func (q *QueueOf) recordLen(h *queueHistory, task int) {
	if q.Len != nil {
		h.do(task, spec.QueueIn{Op: spec.Len}, func() spec.QueueOut { return spec.QueueOut{N: q.Len()} })
	}
}

// recordPut does one of the operations of producers, and returns how many items it put in.
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

// number returns what stands for an item in a history.
func number(x *Item) int {
	if x == nil {
		return -1 // which nobody put in
	}
	return x.ID
}

func got(x *Item, ok bool) (out spec.QueueOut) {
	if ok {
		out = spec.QueueOut{OK: true, Value: number(x)}
	}
	return out
}

// recordTake does one of the operations of consumers, and returns how many items it took out.
func (q *QueueOf) recordTake(c *crew, h *queueHistory, task int, r *rand.Rand) int {
	switch {
	case q.Len != nil && r.IntN(8) == 0:
		q.recordLen(h, task)
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
			ids := make([]int, n)
			for i := range ids {
				ids[i] = number(xs[i])
			}
			return spec.QueueOut{Batch: spec.BatchOf(ids...)}
		}).Batch.Len()
	default:
		if h.do(task, spec.QueueIn{Op: spec.TryDequeue}, func() spec.QueueOut { return got(q.TryDequeue()) }).OK {
			return 1
		}
	}
	return 0
}

// linearizable judges histories of a counter.
func (c *counterSuite) linearizable(t testing.TB) {
	t.Helper()
	sp := c.sequential()
	seed := c.drawn(t)
	for round := range c.rounds(histories) {
		judged(t, &c.settings, seed+uint64(round), sp, historyTasks, historyOps/2, c.actor(round))
		if t.Failed() {
			return
		}
	}
}

// sequential returns what a counter does.
func (c *counterSuite) sequential() *linear.Spec[int64, spec.CounterIn, spec.CounterOut] {
	if c.has(Linearizable) {
		return spec.Counter()
	}
	return spec.Counter(spec.Cells())
}

// actor returns what tasks do on a fresh counter; only on every other do they set it, unless setting it is
// linearizable.
func (c *counterSuite) actor(round int) actor[spec.CounterIn, spec.CounterOut] {
	of := c.fresh()
	sets := c.has(Linearizable) || round%2 == 0
	return func(_ *crew, h *history[spec.CounterIn, spec.CounterOut], task int, r *rand.Rand) {
		of.record(h, task, r, sets)
	}
}

// record does one of the operations of counters.
func (c *CounterOf) record(h *history[spec.CounterIn, spec.CounterOut], task int, r *rand.Rand, sets bool) {
	d := int64(1) << r.IntN(6)
	switch n := r.IntN(16); {
	case n == 0 && sets && c.Set != nil:
		h.do(task, spec.CounterIn{Op: spec.Set, Value: d}, func() (out spec.CounterOut) { c.Set(d); return out })
	case n == 1 && sets && c.Reset != nil:
		h.do(task, spec.CounterIn{Op: spec.Reset}, func() (out spec.CounterOut) { c.Reset(); return out })
	case n <= 3 && sets && c.Swap != nil:
		h.do(task, spec.CounterIn{Op: spec.Swap, Value: d}, func() spec.CounterOut { return spec.CounterOut{Value: c.Swap(d)} })
	case n <= 8:
		h.do(task, spec.CounterIn{Op: spec.Value}, func() spec.CounterOut { return spec.CounterOut{Value: c.Value()} })
	default:
		h.do(task, spec.CounterIn{Op: spec.Add, Value: d}, func() (out spec.CounterOut) { c.Add(d); return out })
	}
}
