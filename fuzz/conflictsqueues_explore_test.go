//go:build custody_explore && !race

package fuzz_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"example.com/custody/internal/spec"
	"example.com/custody/queue"
)

func ofQueues(t *testing.T) []meeting {
	return slices.Concat(ringSubject().meetings(t), queueSubject().meetings(t), spscSubject().meetings(t))
}

// items takes out what is in a queue.
func items(q interface{ TryDequeue() (int, bool) }) string {
	var all []int
	for v, ok := q.TryDequeue(); ok; v, ok = q.TryDequeue() {
		all = append(all, v)
	}
	return fmt.Sprint(all)
}

// both are two answers.
func both[A, B any](a A, b B) any { return [2]any{a, b} }

// noWait is a context that ends when an operation begins to wait.
type noWait struct {
	context.Context
	ended bool
}

func (*noWait) Done() <-chan struct{} { return make(chan struct{}) }

func (n *noWait) Err() error {
	if n.ended {
		return errWaits
	}
	return nil
}

// AfterFunc is called by a queue whose operation begins to wait.
func (n *noWait) AfterFunc(ends func()) (stop func() bool) {
	n.ended = true
	ends()
	return func() bool { return true }
}

// puts is the answer of an Enqueue that may wait.
func puts(enqueue func(ctx context.Context, v int) error) any {
	err := enqueue(&noWait{Context: context.Background()}, 7)
	if err == errWaits {
		return err
	}
	return err == nil
}

// takes is the answer of a Dequeue that may wait.
func takes(dequeue func(ctx context.Context) (int, error)) any {
	v, err := dequeue(&noWait{Context: context.Background()})
	if err == errWaits {
		return err
	}
	return both(v, err == nil)
}

// queueOperations are the operations of queues in their specification.
var queueOperations = map[string]spec.QueueIn{
	"TryEnqueue": {Op: spec.TryEnqueue, Value: 7}, "Enqueue": {Op: spec.Enqueue, Value: 7},
	"EnqueueAll": {Op: spec.EnqueueAll, Batch: spec.BatchOf(7, 7)}, "Reserve and Commit": {Op: spec.EnqueueAll, Batch: spec.BatchOf(0, 1, 2)},
	"TryDequeue": {Op: spec.TryDequeue}, "Dequeue": {Op: spec.Dequeue}, "DequeueInto": {Op: spec.DequeueInto, Value: 3},
	"Drain": {Op: spec.DequeueInto, Value: 1 << 20}, "Look and Release": {Op: spec.DequeueInto, Value: 3}, "Clear": {Op: spec.Clear},
	"Peek": {Op: spec.Peek}, "All": {Op: spec.All}, "Len": {Op: spec.Len}, "Close": {Op: spec.Close},
}

// queueModel is the specification of a queue that has those items.
func queueModel[C any](there func(c C) (items []int, closed bool), options ...spec.QueueOption) sequential[C] {
	return specified(spec.Queue(options...), func(c C) (given []spec.QueueIn) {
		items, closed := there(c)
		if len(items) > 0 {
			given = append(given, spec.QueueIn{Op: spec.EnqueueAll, Batch: spec.BatchOf(items...)})
		}
		if closed {
			given = append(given, spec.QueueIn{Op: spec.Close})
		}
		return given
	}, func(_ C, name string, answer any) (in spec.QueueIn, out spec.QueueOut, ok bool) {
		if in, ok = queueOperations[name]; !ok {
			return in, out, false
		}
		switch a := answer.(type) {
		case bool:
			out.OK = a
		case int:
			out.N = a
		case []int:
			out.Batch = spec.BatchOf(a...)
		case [2]any:
			switch second := a[1].(type) {
			case bool:
				out.Value, out.OK = a[0].(int), second
			case []int:
				out.Batch = spec.BatchOf(second[:a[0].(int)]...)
			}
		}
		return in, out, ok
	})
}

func ringSubject() *subject[*queue.Ring[int]] {
	with := func(before, n int) func() *queue.Ring[int] {
		return func() *queue.Ring[int] {
			r := queue.NewRing[int](32)
			for i := range before + n {
				r.TryEnqueue(i)
				if i < before {
					r.TryDequeue()
				}
			}
			return r
		}
	}
	type C = *queue.Ring[int]
	return &subject[C]{name: "Ring", states: map[string]func() C{
		"empty": with(0, 0), "16 items": with(0, 16), "16 items wrapped round": with(24, 16), "full": with(0, 32),
		"closed": func() C { r := with(0, 16)(); r.Close(); return r },
	}, ops: []operation[C]{
		{"TryEnqueue", func(r C) any { return r.TryEnqueue(7) }},
		{"Enqueue", func(r C) any { return puts(r.Enqueue) }},
		{"Dequeue", func(r C) any { return takes(r.Dequeue) }},
		disposed[C](),
		{"EnqueueAll", func(r C) any { return r.EnqueueAll([]int{7, 7}) }},
		{"TryDequeue", func(r C) any { return both(r.TryDequeue()) }},
		{"DequeueInto", func(r C) any { dst := make([]int, 3); return both(r.DequeueInto(dst), dst) }},
		{"Clear", func(r C) any { r.Clear(); return nil }},
		{"Peek", func(r C) any { return both(r.Peek()) }},
		{"All", func(r C) any { return slices.Collect(r.All()) }},
		{"Len", func(r C) any { return r.Len() }},
		{"Cap", func(r C) any { return r.Cap() }},
		{"Closed", func(r C) any { return r.Closed() }},
		{"Close", func(r C) any { r.Close(); return nil }},
		{"Disposed", func(r C) any { return r.Disposed() }},
		{"String", func(r C) any { return r.String() }},
	}, dump: func(r C) string { return fmt.Sprint(r.Closed(), items(r)) },
		model: queueModel(func(r C) ([]int, bool) { return slices.Collect(r.All()), r.Closed() }, spec.Capacity(32))}
}

func queueSubject() *subject[*queue.Queue[int]] {
	with := func(before, n int) func() *queue.Queue[int] {
		return func() *queue.Queue[int] {
			q := queue.New[int]()
			for i := range before + n {
				q.Enqueue(i)
				if i < before {
					q.TryDequeue()
				}
			}
			return q
		}
	}
	type C = *queue.Queue[int]
	return &subject[C]{name: "Queue", states: map[string]func() C{
		"empty": with(0, 0), "20 items": with(40, 20), "several segments": with(0, 2000),
		"closed": func() C { q := with(40, 20)(); q.Close(); return q },
	}, ops: []operation[C]{
		{"Enqueue", func(q C) any { return q.Enqueue(7) }},
		{"Dequeue", func(q C) any { return takes(q.Dequeue) }},
		disposed[C](),
		{"EnqueueAll", func(q C) any { return q.EnqueueAll([]int{7, 7}) }},
		{"TryDequeue", func(q C) any { return both(q.TryDequeue()) }},
		{"DequeueInto", func(q C) any { dst := make([]int, 3); return both(q.DequeueInto(dst), dst) }},
		{"Drain", func(q C) any {
			var all []int
			for vs := range q.Drain() {
				all = append(all, vs...)
			}
			return all
		}},
		{"Clear", func(q C) any { q.Clear(); return nil }},
		{"Peek", func(q C) any { return both(q.Peek()) }},
		{"All", func(q C) any { return slices.Collect(q.All()) }},
		{"Len", func(q C) any { return q.Len() }},
		{"Stats", func(q C) any { return q.Stats() }},
		{"Closed", func(q C) any { return q.Closed() }},
		{"Close", func(q C) any { q.Close(); return nil }},
		{"Disposed", func(q C) any { return q.Disposed() }},
		{"String", func(q C) any { return q.String() }},
	}, dump: func(q C) string { return fmt.Sprint(q.Closed(), items(q)) },
		model: queueModel(func(q C) ([]int, bool) { return slices.Collect(q.All()), q.Closed() })}
}

func spscSubject() *subject[*queue.SPSC[int]] {
	with := func(before, n int) func() *queue.SPSC[int] {
		return func() *queue.SPSC[int] {
			q := queue.NewSPSC[int](64)
			for i := range before + n {
				q.Producer().TryEnqueue(i)
				if i < before {
					q.Consumer().TryDequeue()
				}
			}
			return q
		}
	}
	type C = *queue.SPSC[int]
	return &subject[C]{name: "SPSC", states: map[string]func() C{
		"empty": with(0, 0), "half full": with(0, 32), "half full and wrapped round": with(48, 32), "full": with(0, 64),
		"closed": func() C { q := with(0, 32)(); q.Close(); return q },
	}, ops: []operation[C]{
		{"TryEnqueue", func(q C) any { return q.Producer().TryEnqueue(7) }},
		{"Enqueue", func(q C) any { return puts(q.Producer().Enqueue) }},
		{"Dequeue", func(q C) any { return takes(q.Consumer().Dequeue) }},
		disposed[C](),
		{"EnqueueAll", func(q C) any { return q.Producer().EnqueueAll([]int{7, 7}) }},
		{"Reserve and Commit", func(q C) any {
			w := q.Producer().Reserve(3)
			for i := range w.Len() {
				*w.Ptr(i) = i
			}
			if n := w.Len(); q.Producer().Commit(n) {
				return n
			}
			return 0
		}},
		{"TryDequeue", func(q C) any { return both(q.Consumer().TryDequeue()) }},
		{"DequeueInto", func(q C) any { dst := make([]int, 3); return both(q.Consumer().DequeueInto(dst), dst) }},
		{"Peek", func(q C) any { return both(q.Consumer().Peek()) }},
		{"Look", func(q C) any { w := q.Consumer().Look(3); return both(w.Slices()) }},
		{"Look and Release", func(q C) any {
			w := q.Consumer().Look(3)
			first, second := w.Slices()
			all := slices.Concat(first, second)
			q.Consumer().Release(len(all))
			return all
		}},
		{"Len", func(q C) any { return q.Len() }},
		{"Cap", func(q C) any { return q.Cap() }},
		{"Closed", func(q C) any { return q.Closed() }},
		{"Close", func(q C) any { q.Close(); return nil }},
		{"Disposed", func(q C) any { return q.Disposed() }},
		{"String", func(q C) any { return q.String() }},
	}, roles: map[string]role{
		"TryEnqueue": producer, "Enqueue": producer, "EnqueueAll": producer, "Reserve and Commit": producer, "TryDequeue": consumer,
		"Dequeue": consumer, "DequeueInto": consumer, "Peek": consumer, "Look": consumer, "Look and Release": consumer,
	}, dump: func(q C) string { return fmt.Sprint(q.Closed(), items(q.Consumer())) }, model: queueModel(func(q C) ([]int, bool) {
		w := q.Consumer().Look(64)
		return slices.Concat(w.Slices()), q.Closed()
	}, spec.Capacity(64))}
}
