//go:build custody_explore && !race

package fuzz_test

import (
	"fmt"
	"slices"
	"testing"

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
	}, dump: func(r C) string { return fmt.Sprint(r.Closed(), items(r)) }}
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
	}, dump: func(q C) string { return fmt.Sprint(q.Closed(), items(q)) }}
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
		{"EnqueueAll", func(q C) any { return q.Producer().EnqueueAll([]int{7, 8, 9}) }},
		{"Reserve and Commit", func(q C) any {
			w := q.Producer().Reserve(3)
			for i := range w.Len() {
				*w.Ptr(i) = i
			}
			return both(w.Len(), q.Producer().Commit(w.Len()))
		}},
		{"TryDequeue", func(q C) any { return both(q.Consumer().TryDequeue()) }},
		{"DequeueInto", func(q C) any { dst := make([]int, 3); return both(q.Consumer().DequeueInto(dst), dst) }},
		{"Peek", func(q C) any { return both(q.Consumer().Peek()) }},
		{"Look", func(q C) any { w := q.Consumer().Look(3); return both(w.Slices()) }},
		{"Look and Release", func(q C) any {
			w := q.Consumer().Look(3)
			q.Consumer().Release(w.Len())
			return w.Len()
		}},
		{"Len", func(q C) any { return q.Len() }},
		{"Cap", func(q C) any { return q.Cap() }},
		{"Closed", func(q C) any { return q.Closed() }},
		{"Close", func(q C) any { q.Close(); return nil }},
		{"Disposed", func(q C) any { return q.Disposed() }},
		{"String", func(q C) any { return q.String() }},
	}, roles: map[string]role{
		"TryEnqueue": producer, "EnqueueAll": producer, "Reserve and Commit": producer, "TryDequeue": consumer,
		"DequeueInto": consumer, "Peek": consumer, "Look": consumer, "Look and Release": consumer,
	}, dump: func(q C) string { return fmt.Sprint(q.Closed(), items(q.Consumer())) }}
}
