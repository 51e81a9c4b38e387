package explore

import (
	"slices"

	"example.com/custody/internal/linear"
	"example.com/custody/internal/sched"
)

// History holds the operations and answers of an execution, in a list for each task. Make one for
// the test and Reset it for every execution.
type History[I, O any] struct {
	tasks [][]linear.Op[I, O]
	all   []linear.Op[I, O]
}

// Reset empties the history and makes room for n tasks.
func (h *History[I, O]) Reset(n int) {
	for len(h.tasks) < n {
		h.tasks = append(h.tasks, nil)
	}
	for i := range h.tasks {
		h.tasks[i] = h.tasks[i][:0]
	}
}

// Do executes an operation of a task and records it. Operations with the same task number must not
// overlap.
//
// The operation counts as called at its first scheduling point. Other tasks cannot observe anything
// between the call of Do and that point. If the operation counted as called at once, it would seem
// to overlap with everything that others do after the task's previous operation, and fewer
// operations would precede it.
func (h *History[I, O]) Do(task int, in I, f func() O) O {
	op := h.begin(task)
	out := f()
	op.end(in, out)
	return out
}

// Note is Do for an operation whose operands are known only when it is over.
func (h *History[I, O]) Note(task int, f func() (I, O)) O {
	op := h.begin(task)
	in, out := f()
	op.end(in, out)
	return out
}

// begun is an operation of a history that has not returned.
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
	if o.Call == 0 { // the operation passed no scheduling point
		o.Call = sched.Now()
	}
	o.In, o.Out, o.Return = in, out, sched.Now()
}

// Ops returns the operations in the order of their calls. The slice is valid until the next Reset.
func (h *History[I, O]) Ops() []linear.Op[I, O] {
	h.all = h.all[:0]
	for _, t := range h.tasks {
		h.all = append(h.all, t...)
	}
	slices.SortFunc(h.all, func(a, b linear.Op[I, O]) int { return int(a.Call - b.Call) })
	return h.all
}
