package fuzz

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// conservation checks the laws of a queue that several goroutines use.
func (q *queueSuite) conservation(t testing.TB) {
	t.Helper()
	seed := q.drawn(t)
	for round := range q.rounds(10) {
		for i, capacity := range q.capacities {
			n := seed + uint64(round*100+i)
			q.flow(t, n, capacity)
			if q.has(Bounded) {
				q.fill(t, n, capacity)
			}
			if q.has(Linearizable) {
				q.supply(t, n, capacity)
				q.pairs(t, n, capacity)
			}
			if q.like.Close != nil && q.like.TryEnqueue != nil {
				for k := range uint64(5) { // it is short, and has only one Close
					q.closing(t, n+k<<32, capacity)
				}
			}
		}
	}
}

// roles returns the numbers of producers and consumers that the queue permits.
func (q *queueSuite) roles() (producers, consumers int) {
	producers, consumers = 2, 2
	if q.has(OneProducer) {
		producers = 1
	}
	if q.has(OneConsumer) {
		consumers = 1
	}
	return producers, consumers
}

// fill runs producers that enqueue until the queue is full. It must accept exactly as many items as
// its capacity.
func (q *queueSuite) fill(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	of := q.fresh(capacity)
	producers, _ := q.roles()
	var taken atomic.Int64
	q.together(t, seed, alike(producers, func(c *crew, _ *rand.Rand, _ int) {
		for c.going() && of.TryEnqueue(new(Item)) {
			if taken.Add(1) > int64(capacity) {
				c.failf("a queue of capacity %d took %d items", capacity, taken.Load())
			}
		}
	})...)
	for of.TryEnqueue(new(Item)) { // an earlier false may have been due to contention
		if q.has(Linearizable) || taken.Load() > int64(capacity) {
			t.Fatalf("capacity %d: TryEnqueue said full after %d items", capacity, taken.Load())
		}
		taken.Add(1)
	}
	if taken.Load() != int64(capacity) {
		t.Fatalf("a queue of capacity %d took %d items", capacity, taken.Load())
	}
}

// supply runs producers that enqueue items, and then consumers that dequeue all of them. A bounded
// queue gets as many items as its capacity, rounded down to equal shares. No operation may fail,
// because there is room and there are items for all of them.
func (q *queueSuite) supply(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	producers, consumers := q.roles()
	each := 64
	if q.has(Bounded) {
		each = capacity / (producers * consumers)
	}
	of := q.fresh(capacity)
	q.together(t, seed, alike(producers, func(c *crew, r *rand.Rand, _ int) {
		for k := range each * consumers {
			c.jitter(r)
			if !of.put(new(Item)) {
				c.failf("capacity %d: TryEnqueue said full to %d producers of %d items each, at item %d", capacity, producers, each*consumers, k)
			}
		}
	})...)
	q.together(t, seed, alike(consumers, func(c *crew, r *rand.Rand, _ int) {
		for k := range each * producers {
			c.jitter(r)
			if _, ok := of.TryDequeue(); !ok {
				c.failf("TryDequeue said empty to %d consumers of %d items each, at item %d, and all were there", consumers, each*producers, k)
			}
		}
	})...)
}

// pairs runs goroutines that enqueue one item and dequeue one, again and again. No operation may
// fail: a goroutine that has enqueued an item finds one, and there is room as long as there are no
// more goroutines than places.
func (q *queueSuite) pairs(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	workers := 3
	if q.has(OneProducer) || q.has(OneConsumer) {
		workers = 1
	}
	if q.has(Bounded) {
		workers = min(workers, capacity)
	}
	of := q.fresh(capacity)
	q.together(t, seed, alike(workers, func(c *crew, r *rand.Rand, _ int) {
		for range 300 {
			if c.jitter(r); !c.going() {
				return
			}
			if !of.put(new(Item)) {
				c.failf("TryEnqueue said full to one of %d goroutines with one item each, at capacity %d", workers, capacity)
				return
			}
			if _, ok := of.TryDequeue(); !ok {
				c.failf("TryDequeue said empty to a goroutine that had put an item in and taken none")
			}
		}
	})...)
}

// closing closes a queue while producers enqueue. Every accepted item must be dequeued, and no item
// may be accepted after Close. With Linearizable, once TryDequeue has returned false in the closed
// queue, it must not return an item.
func (q *queueSuite) closing(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	of := q.fresh(capacity)
	producers, _ := q.roles()
	var accepted, out atomic.Int64
	var closed atomic.Bool
	members := alike(producers, func(c *crew, r *rand.Rand, _ int) {
		for range 100 {
			c.jitter(r)
			after := closed.Load()
			ok := of.TryEnqueue(new(Item))
			if ok {
				accepted.Add(1)
			}
			if ok && after {
				c.failf("TryEnqueue accepted an item after Close")
			}
			if !ok && !c.pause() {
				return
			}
		}
	})
	members = append(members, func(c *crew, _ *rand.Rand) {
		for c.pause() {
			after := closed.Load()
			if _, ok := of.TryDequeue(); ok {
				out.Add(1)
			} else if after {
				return
			}
		}
	}, func(c *crew, r *rand.Rand) {
		for range r.IntN(40) {
			c.pause()
		}
		of.Close()
		closed.Store(true)
	})
	q.together(t, seed, members...)
	if of.TryEnqueue(new(Item)) {
		t.Fatalf("capacity %d: TryEnqueue accepted an item after Close", capacity)
	}
	for {
		x, ok := of.TryDequeue()
		if !ok {
			break
		}
		if q.has(Linearizable) {
			t.Fatalf("capacity %d: after Close TryDequeue said empty, and then gave %v", capacity, x)
		}
		out.Add(1)
	}
	if out.Load() != accepted.Load() {
		t.Fatalf("capacity %d: a queue accepted %d items until it was closed, and gave %d", capacity, accepted.Load(), out.Load())
	}
}
