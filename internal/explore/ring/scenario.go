package ring

import (
	"fmt"

	"example.com/custody/internal/explore"
	"example.com/custody/internal/linear"
	"example.com/custody/internal/spec"
)

// Scenario is a few tasks that use a ring.
type Scenario struct {
	Name     string
	Capacity int
	Laps     uint64      // the number of laps after which positions wrap around
	Filled   int         // the number of initial items
	Tasks    [][]spec.Op // TryEnqueue, TryDequeue and Len
	Watched  bool        // (I1) is checked after every step
}

// Short names of the operations.
const (
	enq = spec.TryEnqueue
	deq = spec.TryDequeue
	cnt = spec.Len
)

// Scenarios are the scenarios for every ring.
var Scenarios = []Scenario{
	{Name: "two producers, one consumer", Capacity: 2, Tasks: [][]spec.Op{{enq, enq}, {enq}, {deq, deq}}},
	{Name: "one producer, two consumers", Capacity: 2, Filled: 1, Tasks: [][]spec.Op{{enq, enq}, {deq}, {deq, deq}}},
	{Name: "capacity 1", Capacity: 1, Tasks: [][]spec.Op{{enq, deq}, {enq, deq}, {deq, enq}}},
	{Name: "wrap-around", Capacity: 3, Laps: 1, Filled: 2, Tasks: [][]spec.Op{{enq, enq}, {deq, deq}, {enq, deq}}},
	{Name: "full", Capacity: 2, Filled: 2, Tasks: [][]spec.Op{{deq, enq}, {enq, deq}, {enq}}, Watched: true},
	{Name: "Len beside both", Capacity: 2, Filled: 1, Tasks: [][]spec.Op{{cnt}, {enq, enq}, {deq, deq}}},
	{Name: "Len of one slot", Capacity: 1, Tasks: [][]spec.Op{{cnt, cnt}, {enq, deq}, {enq, deq}}, Watched: true},
	{Name: "two tasks, capacity 1, wrap-around", Capacity: 1, Laps: 1, Filled: 1, Tasks: [][]spec.Op{{deq, enq, cnt}, {enq, deq, enq}}},
}

// Program returns a function that sets up the scenario with a ring that has a fault. The function
// is for one exploration at a time, because all executions share everything except the tasks.
func (s Scenario) Program(f Fault) func(*explore.Program) {
	r := New(s.Capacity, f)
	queue := spec.ShortQueue(spec.Capacity(s.Capacity))
	for i := range s.Filled {
		queue.Init, _ = queue.Step(queue.Init, spec.QueueIn{Op: enq, Value: i + 1}, spec.QueueOut{OK: true})
	}
	checker := linear.NewChecker(queue)
	u := &user{ring: r, next: make([]int, len(s.Tasks))}
	bodies := make([]func(), len(s.Tasks))
	names := make([]string, len(s.Tasks))
	for i, ops := range s.Tasks {
		names[i] = fmt.Sprint("task ", i)
		bodies[i] = func() {
			for _, op := range ops {
				u.do(i, op)
			}
		}
	}
	drain := func() {
		for i := 0; u.do(len(s.Tasks), deq).OK; i++ {
			if i > s.Capacity {
				panic("ring: it does not run empty")
			}
		}
	}
	judge := func() error {
		if err := checker.Check(u.history.Ops()); err != nil {
			return err
		}
		if v := r.Kept(); v != 0 {
			return fmt.Errorf("ring: the empty ring keeps %d", v)
		}
		return r.Broken()
	}
	return func(p *explore.Program) {
		r.Reset(s.Laps)
		u.history.Reset(len(s.Tasks) + 1)
		for i := range s.Filled {
			r.TryEnqueue(i + 1)
		}
		for i, body := range bodies {
			u.next[i] = 16 * (i + 1)
			p.Go(names[i], body)
		}
		p.Then(drain)
		p.Judge(judge)
		if s.Watched {
			p.Check(r.Broken)
		}
	}
}

// user executes operations on a ring and records them.
type user struct {
	ring    *Ring
	history explore.History[spec.QueueIn, spec.QueueOut]
	next    []int // by task, the value of its next enqueue
}

// do executes an operation of a task.
func (u *user) do(task int, op spec.Op) spec.QueueOut {
	in := spec.QueueIn{Op: op}
	if op == enq {
		in.Value = u.next[task]
		u.next[task]++
	}
	return u.history.Do(task, in, func() (out spec.QueueOut) {
		switch op {
		case enq:
			out.OK = u.ring.TryEnqueue(in.Value)
		case deq:
			out.Value, out.OK = u.ring.TryDequeue()
		case cnt:
			out.N = u.ring.Len()
		}
		return out
	})
}
