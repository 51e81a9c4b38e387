package fuzz

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// passing is a flow of items from producers to consumers.
type passing struct {
	*queueSuite
	QueueOf
	capacity int
	items    []Item
	each     int            // the number of items of a producer
	seen     []atomic.Int32 // by item, the number of times that it was dequeued
	busy     busy           // producers
}

// flow passes items from producers to consumers. Each item must be dequeued once, and those of a
// producer in order. Meanwhile Len must stay within its bounds.
func (q *queueSuite) flow(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	producers, consumers := q.roles()
	p := &passing{queueSuite: q, QueueOf: q.fresh(capacity), capacity: capacity, each: 600}
	p.items = make([]Item, producers*p.each)
	p.seen = make([]atomic.Int32, len(p.items))
	members := p.busy.members(producers, p.produce)
	for range consumers {
		members = append(members, p.consume)
	}
	if p.Len != nil {
		members = append(members, p.watch)
	}
	q.together(t, seed, members...)
	for { // no other goroutine is left, so false means empty
		x, ok := p.TryDequeue()
		if !ok {
			break
		}
		c := new(crew)
		if p.came(c, x, nil); !c.going() {
			t.Fatal(*c.first.Load())
		}
	}
	for i := range p.seen {
		if p.seen[i].Load() == 0 {
			t.Fatalf("capacity %d: item %d of producer %d was put in and never came out", capacity, i%p.each, i/p.each)
		}
	}
	if p.Len != nil && p.Len() != 0 {
		t.Fatalf("capacity %d: Len is %d after all items came out", capacity, p.Len())
	}
}

// produce enqueues the items of one producer.
func (p *passing) produce(c *crew, r *rand.Rand, number int) {
	first := number * p.each
	batch := make([]*Item, 0, 8)
	named := first
	item := func(k int) *Item {
		for ; named <= k; named++ {
			p.items[named].ID = named // just before its enqueue: a race if the queue does not order
		}
		return &p.items[k]
	}
	for i := first; i < first+p.each; {
		c.jitter(r)
		if p.EnqueueAll == nil || r.IntN(4) > 0 {
			for !p.put(item(i)) {
				if !c.pause() {
					return
				}
			}
			i++
			continue
		}
		batch = batch[:0]
		for k := i; k < min(i+8, first+p.each); k++ {
			batch = append(batch, item(k))
		}
		n := p.EnqueueAll(batch)
		if n < 0 || n > len(batch) {
			c.failf("EnqueueAll of %d is %d", len(batch), n)
		}
		if i += n; n == 0 && !c.pause() || !c.going() {
			return
		}
	}
}

// consume dequeues items until the producers are done and the queue reports that it is empty.
func (p *passing) consume(c *crew, r *rand.Rand) {
	latest := make([]int, len(p.items)/p.each)
	for i := range latest {
		latest[i] = -1
	}
	alone := p.has(OneConsumer)
	batch := make([]*Item, 8)
	for c.going() {
		c.jitter(r)
		done := p.busy.over()
		if p.DequeueInto != nil && r.IntN(4) == 0 {
			n := p.DequeueInto(batch)
			if n < 0 || n > len(batch) {
				c.failf("DequeueInto of %d is %d", len(batch), n)
				return
			}
			for _, x := range batch[:n] {
				p.came(c, x, latest)
			}
			continue
		}
		there := alone && p.has(Linearizable) && p.Len != nil && p.Len() > 0
		var next *Item
		peeked := false
		if p.Peek != nil && r.IntN(2) == 0 {
			if next, peeked = p.Peek(); peeked && !p.ours(next) {
				c.failf("Peek gave %v, which nobody put in", next)
				return
			}
		}
		x, ok := p.TryDequeue()
		switch {
		case ok:
			if alone && peeked && x != next {
				c.failf("the only consumer peeked at %v and then got %v", next, x)
			}
			p.came(c, x, latest)
		case there:
			c.failf("Len was above 0, and the only consumer got nothing")
		case alone && peeked:
			c.failf("the only consumer peeked at %v and then got nothing", next)
		case done:
			return
		default:
			c.pause()
		}
	}
}

// ours reports whether x is one of the items of the flow.
func (p *passing) ours(x *Item) bool {
	return x != nil && x.ID >= 0 && x.ID < len(p.items) && &p.items[x.ID] == x
}

// came records that an item was dequeued. It stops the crew if the item is not one of the flow's,
// came before, or came after a newer item of its producer. latest has the index of the newest item
// of each producer that this consumer got, or -1. If latest is nil, came does not check the order.
func (p *passing) came(c *crew, x *Item, latest []int) {
	if !p.ours(x) {
		c.failf("capacity %d: %v came out, which nobody put in", p.capacity, x)
		return
	}
	by, at := x.ID/p.each, x.ID%p.each
	if p.seen[x.ID].Add(1) > 1 {
		c.failf("capacity %d: item %d of producer %d came out twice", p.capacity, at, by)
	}
	if latest == nil || p.has(Unordered) {
		return
	}
	if latest[by] > at {
		c.failf("capacity %d: item %d of producer %d came out after its item %d", p.capacity, at, by, latest[by])
	}
	latest[by] = at
}

// watch checks Len while the producers work.
func (p *passing) watch(c *crew, _ *rand.Rand) {
	most := len(p.items)
	if p.has(Bounded) {
		most = p.capacity
	}
	for p.busy.pause(c) {
		if n := p.Len(); n < 0 || n > most {
			c.failf("Len is %d in a queue that can hold %d", n, most)
		}
	}
}
