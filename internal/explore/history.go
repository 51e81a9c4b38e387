package explore

import (
	"slices"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/sched"
)

// History is what the tasks of an execution asked and were answered, each task with a list of its own. Make one
// for the test and Reset it for every execution.
type History[I, O any] struct {
	tasks [][]linear.Op[I, O]
	all   []linear.Op[I, O]
}

// Reset empties the history for n tasks.
func (h *History[I, O]) Reset(n int) {
	for len(h.tasks) < n {
		h.tasks = append(h.tasks, nil)
	}
	for i := range h.tasks {
		h.tasks[i] = h.tasks[i][:0]
	}
}

// Do does an operation of a task and notes it. Operations of one number must not overlap.
func (h *History[I, O]) Do(task int, in I, f func() O) O {
	l := &h.tasks[task]
	*l = append(*l, linear.Op[I, O]{Task: task, Call: sched.Now(), Return: linear.Pending, In: in})
	out := f()
	op := &(*l)[len(*l)-1]
	op.Out, op.Return = out, sched.Now()
	return out
}

// Ops returns the operations in the order of their calls, good until the next Reset.
func (h *History[I, O]) Ops() []linear.Op[I, O] {
	h.all = h.all[:0]
	for _, t := range h.tasks {
		h.all = append(h.all, t...)
	}
	slices.SortFunc(h.all, func(a, b linear.Op[I, O]) int { return int(a.Call - b.Call) })
	return h.all
}
