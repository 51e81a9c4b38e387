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

// Histories are short and many. On few processors operations seldom overlap, and a long history
// takes long to judge.
const (
	historyOps    = 64 // in a history
	historyTasks  = 4
	histories     = 300
	series        = 50 // histories by the same goroutines
	judgeTimeout  = 5 * time.Second
	historyKeys   = 3
	historyValues = 3 // in a map; few, so that CompareAndSwap sometimes succeeds
)

// history has the operations and answers of goroutines. Times are those of one clock that every
// call and every return advances.
type history[I, O any] struct {
	clock    atomic.Int64
	tasks    [][]linear.Op[I, O]
	explored *explore.History[I, O] // replaces clock and tasks if the explorer chooses the schedule
}

// actor does one operation of a task on the actor's container, and records it in h. r chooses the
// operation.
type actor[I, O any] func(c *crew, h *history[I, O], task int, r *rand.Rand)

// do does an operation, records it, and returns its answer.
func (h *history[I, O]) do(task int, in I, f func() O) O {
	return h.note(task, func() (I, O) { return in, f() })
}

// note is do for an operation whose operands are known only when it is over.
func (h *history[I, O]) note(task int, f func() (I, O)) O {
	if h.explored != nil {
		return h.explored.Note(task, f)
	}
	call := h.clock.Add(1)
	in, out := f()
	h.tasks[task] = append(h.tasks[task], linear.Op[I, O]{Task: task, Call: call, Return: h.clock.Add(1), In: in, Out: out})
	return out
}

// judged runs concurrent tasks that make the given number of histories, and judges them. For each
// history fresh returns the specification and an actor, and each task does its share of the
// operations. judged logs how many operations overlapped with others.
//
// The start of a goroutine can take longer than all operations of a task, and then none would be
// concurrent. So the same tasks make many histories, and begin each of them together.
func judged[S comparable, I, O any](t testing.TB, s *settings, seed uint64, rounds, tasks, ops int, fresh func(round int) (*linear.Spec[S, I, O], actor[I, O])) {
	t.Helper()
	type round struct {
		history[I, O]
		spec *linear.Spec[S, I, O]
		act  actor[I, O]
	}
	beside, all := 0, 0
	for first := 0; first < rounds; first += series {
		list := make([]round, min(series, rounds-first))
		for i := range list {
			list[i].tasks = make([][]linear.Op[I, O], tasks)
			list[i].spec, list[i].act = fresh(first + i)
		}
		var arrived atomic.Int32
		s.together(t, seed+uint64(first), alike(tasks, func(c *crew, r *rand.Rand, task int) {
			for i := range list {
				arrived.Add(1)
				for looks := 1; int(arrived.Load()) < tasks*(i+1); looks++ {
					if looks%200 == 0 && !c.pause() { // lets another processor take a task
						return
					}
				}
				for range ops / tasks {
					list[i].act(c, &list[i].history, task, r)
					c.jitter(r)
				}
			}
		})...)
		for i := range list {
			h := slices.Concat(list[i].tasks...)
			slices.SortFunc(h, func(a, b linear.Op[I, O]) int { return int(a.Call - b.Call) })
			if judge(t, list[i].spec, h, judgeTimeout); t.Failed() {
				return
			}
			beside += overlapping(h)
			all += len(h)
		}
	}
	t.Logf("%d histories of %d operations are linearizable; %d%% of the operations began beside another one", rounds, ops, 100*beside/max(all, 1))
}

// overlapping returns the number of operations that were called before an earlier one returned. h
// is in the order of the calls.
func overlapping[I, O any](h []linear.Op[I, O]) (n int) {
	last := int64(0)
	for i := range h {
		if h[i].Call < last {
			n++
		}
		last = max(last, h[i].Return)
	}
	return n
}

// linearizable judges histories of a counter.
func (c *counterSuite) linearizable(t testing.TB) {
	t.Helper()
	sp := c.sequential()
	judged(t, &c.settings, c.drawn(t), c.rounds(histories), historyTasks, historyOps/2, func(round int) (*linear.Spec[int64, spec.CounterIn, spec.CounterOut], actor[spec.CounterIn, spec.CounterOut]) {
		return sp, c.actor(round)
	})
}

// sequential returns the specification of the counter.
func (c *counterSuite) sequential() *linear.Spec[int64, spec.CounterIn, spec.CounterOut] {
	if c.has(Linearizable) {
		return spec.Counter()
	}
	return spec.Counter(spec.Cells())
}

// actor returns an actor on a fresh counter. Without Linearizable, tasks set, reset and swap only
// the counters of even rounds.
func (c *counterSuite) actor(round int) actor[spec.CounterIn, spec.CounterOut] {
	of := c.fresh()
	sets := c.has(Linearizable) || round%2 == 0
	return func(_ *crew, h *history[spec.CounterIn, spec.CounterOut], task int, r *rand.Rand) {
		of.record(h, task, r, sets)
	}
}

// record does and records a random operation of a counter.
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
