package fuzz

import (
	"math"
	"testing"
	"weak"
)

// retention dequeues items in every possible way. They must become garbage while the queue lives
// on.
func (q *queueSuite) retention(t testing.TB) {
	t.Helper()
	for _, capacity := range q.capacities {
		n := 100
		if q.has(Bounded) {
			n = capacity
		}
		of := q.fresh(capacity)
		forgotten(t, "TryDequeue", passThrough(&of, n, func(n int) {
			for range n {
				of.TryDequeue()
			}
		}), of)
		if of.Peek != nil {
			forgotten(t, "Peek and TryDequeue", passThrough(&of, n, func(n int) {
				for range n {
					of.Peek()
					of.TryDequeue()
				}
			}), of)
		}
		if of.DequeueInto != nil {
			forgotten(t, "DequeueInto", passThrough(&of, n, func(n int) { of.DequeueInto(make([]*Item, n)) }), of)
		}
		if of.Clear != nil {
			forgotten(t, "Clear", passThrough(&of, n, func(int) { of.Clear() }), of)
		}
		if of.Dispose != nil {
			forgotten(t, "Dispose", passThrough(&of, n, func(int) { of.Dispose() }), of)
		}
	}
}

// passThrough enqueues n items, calls take to dequeue them, and returns weak pointers to them. It
// first enqueues and dequeues one item, so that the n items of a bounded queue lie partly at the
// end of its memory and partly at its beginning.
//
//go:noinline
func passThrough(of *QueueOf, n int, take func(n int)) []weak.Pointer[Item] {
	of.put(new(Item))
	of.TryDequeue()
	items := make([]weak.Pointer[Item], n)
	for i := range items {
		x := &Item{ID: i}
		items[i] = weak.Make(x)
		of.put(x)
	}
	take(n)
	return items
}

// ownMisuse tries odd and forbidden uses.
func (q *queueSuite) ownMisuse(t testing.TB) {
	t.Helper()
	capacity := q.capacities[len(q.capacities)-1]
	of := q.fresh(capacity)
	for _, x := range []*Item{nil, {}} {
		of.put(x)
		if got, ok := of.TryDequeue(); !ok || got != x {
			t.Errorf("%v was put in, and (%v, %v) came out", x, got, ok)
		}
	}
	for range 3 {
		if x, ok := of.TryDequeue(); ok {
			t.Errorf("an empty queue gave %v", x)
		}
	}
	if of.EnqueueAll != nil && of.EnqueueAll(nil) != 0 {
		t.Error("EnqueueAll of nothing is not 0")
	}
	of.put(new(Item))
	if of.DequeueInto != nil && of.DequeueInto(nil) != 0 {
		t.Error("DequeueInto of nothing is not 0")
	}
	if of.Clear != nil {
		of.Clear()
		of.Clear()
		if x, ok := of.TryDequeue(); ok {
			t.Errorf("a queue that was cleared gave %v", x)
		}
		of.put(new(Item))
	}
	if of.Close != nil {
		of.Close()
		of.Close()
		if of.TryEnqueue != nil && of.TryEnqueue(new(Item)) {
			t.Error("a closed queue took an item")
		}
		if of.EnqueueAll != nil && of.EnqueueAll(make([]*Item, 3)) != 0 {
			t.Error("a closed queue took items")
		}
		if _, ok := of.TryDequeue(); !ok {
			t.Error("a closed queue does not give its item")
		}
	}
	if q.has(Bounded) {
		q.oddCapacities(t)
	}
	of = q.fresh(capacity)
	of.put(new(Item))
	disposed(t, of.Dispose, of.calls())
}

// oddCapacities makes queues of capacities that make no sense. Negative capacities must be refused.
// A capacity of 0, or beyond the memory, may be refused; otherwise the queue must work.
func (q *queueSuite) oddCapacities(t testing.TB) {
	t.Helper()
	for _, capacity := range []int{-1, math.MinInt} {
		if failure(func() { q.fresh(capacity) }) == nil {
			t.Errorf("a queue of capacity %d was made: making one of less than no room must panic, or fail in the function that is given to fuzz.Queue", capacity)
		}
	}
	for _, capacity := range append(hugeCapacities, 0) {
		var of QueueOf
		if failure(func() { of = q.fresh(capacity) }) != nil {
			continue
		}
		x := &Item{ID: 1}
		if err := failure(func() {
			if !of.TryEnqueue(x) {
				if capacity > 0 {
					t.Errorf("a queue of capacity %d takes nothing", capacity)
				}
				return
			}
			if got, ok := of.TryDequeue(); !ok || got != x {
				t.Errorf("a queue of capacity %d gave (%v, %v), expected %v", capacity, got, ok, x)
			}
		}); err != nil {
			t.Errorf("a queue of capacity %d: %v", capacity, err)
		}
	}
}
