package fuzz

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
)

// conservation runs the laws of a queue that goroutines use at the same time.
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
				for k := range uint64(5) { // it is short, and there is one moment of closing in each
					q.closing(t, n+k<<32, capacity)
				}
			}
		}
	}
}

// roles returns how many producers and consumers there may be.
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

// passing is a flow of items from producers to consumers.
type passing struct {
	*queueSuite
	QueueOf
	capacity int
	items    []Item
	each     int            // how many items a producer has
	seen     []atomic.Int32 // how often each item came out
	busy     atomic.Int32   // producers that are not done
}

// flow passes items from producers to consumers: all of them come out once, and those of a producer in
// order; meanwhile Len stays within its bounds.
func (q *queueSuite) flow(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	producers, consumers := q.roles()
	p := &passing{queueSuite: q, QueueOf: q.fresh(capacity), capacity: capacity, each: 600}
	p.items = make([]Item, producers*p.each)
	p.seen = make([]atomic.Int32, len(p.items))
	p.busy.Store(int32(producers))
	var members []member
	for i := range producers {
		members = append(members, func(c *crew, r *rand.Rand) { p.produce(c, r, i*p.each) })
	}
	for range consumers {
		members = append(members, p.consume)
	}
	if p.Len != nil {
		members = append(members, p.watch)
	}
	q.together(t, seed, members...)
	for { // nobody else is left, so false means empty
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

// produce puts one producer's items in.
func (p *passing) produce(c *crew, r *rand.Rand, first int) {
	defer p.busy.Add(-1)
	batch := make([]*Item, 0, 8)
	named := first
	item := func(k int) *Item {
		for ; named <= k; named++ {
			p.items[named].ID = named // just before, and once: the race detector sees a queue that does not order it
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

// consume takes items out until the producers are done and the queue says that it is empty.
func (p *passing) consume(c *crew, r *rand.Rand) {
	latest := make([]int, len(p.items)/p.each)
	for i := range latest {
		latest[i] = -1
	}
	alone := p.has(OneConsumer)
	batch := make([]*Item, 8)
	for c.going() {
		c.jitter(r)
		done := p.busy.Load() == 0
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

// ours says whether x is one of the items that are passed.
func (p *passing) ours(x *Item) bool {
	return x != nil && x.ID >= 0 && x.ID < len(p.items) && &p.items[x.ID] == x
}

// came notes an item that came out. latest is the newest of each producer that this consumer got.
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

// watch looks at Len while the others work.
func (p *passing) watch(c *crew, _ *rand.Rand) {
	most := len(p.items)
	if p.has(Bounded) {
		most = p.capacity
	}
	for p.busy.Load() > 0 && c.pause() {
		if n := p.Len(); n < 0 || n > most {
			c.failf("Len is %d in a queue that can hold %d", n, most)
		}
	}
}

// fill lets producers put items in until none fits: the queue takes as many as its capacity says.
func (q *queueSuite) fill(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	of := q.fresh(capacity)
	producers, _ := q.roles()
	var taken atomic.Int64
	var members []member
	for range producers {
		members = append(members, func(c *crew, _ *rand.Rand) {
			for c.going() && of.TryEnqueue(new(Item)) {
				if taken.Add(1) > int64(capacity) {
					c.failf("a queue of capacity %d took %d items", capacity, taken.Load())
				}
			}
		})
	}
	q.together(t, seed, members...)
	for of.TryEnqueue(new(Item)) { // false may have been bad luck
		if q.has(Linearizable) || taken.Load() > int64(capacity) {
			t.Fatalf("capacity %d: TryEnqueue said full after %d items", capacity, taken.Load())
		}
		taken.Add(1)
	}
	if taken.Load() != int64(capacity) {
		t.Fatalf("a queue of capacity %d took %d items", capacity, taken.Load())
	}
}

// supply lets producers put in what there is room for, and then consumers take it: as there is room for
// all of them and enough for all of them, nobody is refused.
func (q *queueSuite) supply(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	producers, consumers := q.roles()
	each := 64
	if q.has(Bounded) {
		each = capacity / (producers * consumers)
	}
	of := q.fresh(capacity)
	var in, out []member
	for range producers {
		in = append(in, func(c *crew, r *rand.Rand) {
			for k := range each * consumers {
				c.jitter(r)
				if !of.put(new(Item)) {
					c.failf("capacity %d: TryEnqueue said full to %d producers of %d items each, at item %d", capacity, producers, each*consumers, k)
				}
			}
		})
	}
	for range consumers {
		out = append(out, func(c *crew, r *rand.Rand) {
			for k := range each * producers {
				c.jitter(r)
				if _, ok := of.TryDequeue(); !ok {
					c.failf("TryDequeue said empty to %d consumers of %d items each, at item %d, and all were there", consumers, each*producers, k)
				}
			}
		})
	}
	q.together(t, seed, in...)
	q.together(t, seed, out...)
}

// pairs lets goroutines put in one item and take out one, again and again. There is always an item for who
// has put one in, and room while there are fewer goroutines than places.
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
	var members []member
	for range workers {
		members = append(members, func(c *crew, r *rand.Rand) {
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
		})
	}
	q.together(t, seed, members...)
}

// closing closes a queue while producers put items in: what was accepted comes out, nothing is accepted
// after Close, and once it is empty it stays so.
func (q *queueSuite) closing(t testing.TB, seed uint64, capacity int) {
	t.Helper()
	of := q.fresh(capacity)
	producers, _ := q.roles()
	var accepted, out atomic.Int64
	var closed atomic.Bool
	var members []member
	for range producers {
		members = append(members, func(c *crew, r *rand.Rand) {
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
	}
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
