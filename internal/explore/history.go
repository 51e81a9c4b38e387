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
//
// The operation counts as called at its first scheduling point, not when Do is: between the two nothing
// happens that others could see, and the shorter the operation the more precedes it or follows it. Were it called
// at once, it would always seem to overlap with what others do after the task's operation before.
func (h *History[I, O]) Do(task int, in I, f func() O) O {
	op := h.begin(task)
	out := f()
	op.end(in, out)
	return out
}

// Note is Do for operations that are known only when they are over.
func (h *History[I, O]) Note(task int, f func() (I, O)) O {
	op := h.begin(task)
	in, out := f()
	op.end(in, out)
	return out
}

// begun is an operation that has not returned.
type begun[I, O any] linear.Op[I, O]

func (h *History[I, O]) begin(task int) *begun[I, O] {
	l := &h.tasks[task]
	*l = append(*l, linear.Op[I, O]{Task: task, Return: linear.Pending})
	op := &(*l)[len(*l)-1]
	sched.Stamp(&op.Call)
	return (*begun[I, O])(op)
}

func (o *begun[I, O]) end(in I, out O) {
	sched.Stamp(nil)
	if o.Call == 0 { // it passed no scheduling point
		o.Call = sched.Now()
	}
	o.In, o.Out, o.Return = in, out, sched.Now()
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
