package queue

import (
	"context"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Producer is the end of an [SPSC] that puts items in. One goroutine at a time may use it. It must
// not be copied.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	TryEnqueue       one end       wait-free        O(1)                    never
//	EnqueueAll       item by item  wait-free        O(n)                    never
//	Enqueue          one end       waits: for room  O(1)                    if it waits
//	Reserve, Commit  one end       wait-free        O(1), O(n) if pointers  never
type Producer[T any] struct{ end[T] }

// Consumer is the end of an [SPSC] that takes items out. One goroutine at a time may use it. It
// must not be copied.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	TryDequeue, Peek, Look  one end       wait-free           O(1)                    never
//	DequeueInto             item by item  wait-free           O(n)                    never
//	Dequeue                 one end       waits: for an item  O(1)                    if it waits
//	Release                 one end       wait-free           O(1), O(n) if pointers  never
type Consumer[T any] struct{ end[T] }

// more reports whether the place at was is free. It sets near and fetches the places up to it (I6).
func (p *Producer[T]) more(was uint64) bool {
	n := p.reach(was, p.fetch)
	if n > 1 && p.line > 0 && p.count.Load() == was { // open, and no other goroutine has moved it
		a, b := p.from(was, n)
		own(a, p.line)
		own(b, p.line)
	}
	return n > 0
}

// TryEnqueue puts v behind the last item. It returns false if the queue was full, or closed.
func (p *Producer[T]) TryEnqueue(v T) bool {
	if safety.Strict {
		defer p.enter().leave()
	}
	return p.push(v, true)
}

// push implements TryEnqueue. If it fails and check is true, it panics if the queue was disposed.
// A producer that waits must get ErrClosed instead, so check is false in a wait.
func (p *Producer[T]) push(v T, check bool) bool {
	was := p.position()
	atom.Reads(&p.near)
	if int64(p.near-was) <= 0 && !p.more(was) {
		if check {
			p.exists()
		}
		return false
	}
	k, to := p.place(was), was+spscUnit
	if k+1 == len(p.items) {
		to += uint64(p.skip)
	}
	if p.held > 0 {
		p.mayMove(p.count.Load()) // a refused call leaves the window as it is
	}
	atom.Writes(&p.items[k])
	p.items[k] = v
	if !p.count.CompareAndSwap(was, to) && p.advance(was, to, 1) != done {
		if check {
			p.exists()
		}
		return false
	}
	p.mine = to
	return true
}

// put is push with an outcome.
func (p *Producer[T]) put(v T, check bool) outcome {
	if p.push(v, check) {
		return done
	}
	if p.count.Load()&spscClosed != 0 {
		return over
	}
	return blocked
}

// advance is move after n items were written to the places from was on. If move fails, or panics
// because the consumer must not be woken, advance empties the places (I3).
func (p *Producer[T]) advance(was, to uint64, n int) (o outcome) {
	o = over
	defer func() {
		if o != done && p.count.Load()&^spscFlags == was {
			p.empty(was, n)
		}
	}()
	return p.move(was, to)
}

// publish puts in the n items that lie in the places from was on, at one moment. If the queue is
// closed it empties the places and returns over. It panics if the queue was disposed.
func (p *Producer[T]) publish(was uint64, n int) outcome {
	to := p.after(was, n)
	if p.advance(was, to, n) != done {
		p.exists()
		return over
	}
	p.got(to)
	return done
}

// EnqueueAll puts the first items of vs behind the last item, in their order, as many as there is
// room for, and returns their number. It returns less than len(vs) if the queue was full, or
// closed, at a moment of the call.
//
// Cost: that of one TryEnqueue and a copy, as often as there is room again.
func (p *Producer[T]) EnqueueAll(vs []T) (n int) {
	if safety.Strict {
		defer p.enter().leave()
	}
	for n < len(vs) {
		was := p.position()
		m := min(len(vs)-n, p.free(was, len(vs)-n))
		if m < 1 {
			p.exists()
			break
		}
		p.mayMove(p.count.Load()) // as in push
		a, b := p.from(was, m)
		atom.WritesAll(a)
		atom.WritesAll(b)
		copy(b, vs[n+copy(a, vs[n:]):])
		if p.publish(was, m) != done {
			break
		}
		n += m
	}
	return n
}

// Enqueue puts v behind the last item, and waits for room, as [Ring.Enqueue] does.
func (p *Producer[T]) Enqueue(ctx context.Context, v T) error {
	if safety.Strict {
		defer p.enter().leave()
	}
	if err := expired(ctx); err != nil {
		p.exists()
		return err
	}
	if o := p.put(v, true); o != blocked {
		return o.err()
	}
	return p.awaitRoom(ctx, v)
}

func (p *Producer[T]) awaitRoom(ctx context.Context, v T) error {
	return p.await(ctx, func() outcome { return p.put(v, false) }, p.left)
}

// get fetches the cache lines of the n items from was on (I6).
func (c *Consumer[T]) get(was uint64, n int) {
	if c.line > 0 {
		a, b := c.from(was, n)
		see(a, c.line)
		see(b, c.line)
	}
}

// TryDequeue takes the first item. It returns false if the queue was empty.
func (c *Consumer[T]) TryDequeue() (v T, ok bool) {
	if safety.Strict {
		defer c.enter().leave()
	}
	return c.pop(true)
}

// pop implements TryDequeue. check is as in push.
func (c *Consumer[T]) pop(check bool) (v T, ok bool) {
	was := c.position()
	atom.Reads(&c.near)
	if int64(c.near-was) <= 0 {
		n := c.reach(was, c.fetch)
		if n > 1 {
			c.get(was, n)
		}
		if n == 0 {
			if check {
				c.exists()
			}
			return v, false
		}
	}
	k, to := c.place(was), was+spscUnit
	if k+1 == len(c.items) {
		to += uint64(c.skip)
	}
	at := &c.items[k]
	atom.Reads(at)
	v = *at
	if c.holds {
		var none T
		atom.Writes(at)
		*at = none
	}
	if !c.count.CompareAndSwap(was, to) {
		c.moveAwake(was, to, v)
	}
	c.mine = to
	return v, true
}

// take is pop with an outcome.
func (c *Consumer[T]) take(check bool) (T, outcome) {
	v, ok := c.pop(check)
	switch {
	case ok:
		return v, done
	case c.others.Load() == c.mine|spscClosed:
		return v, over
	}
	return v, blocked
}

// moveAwake is the move of pop if the producer may be asleep. pop has emptied the place of the item
// v. If move panics because the producer must not be woken, moveAwake puts v back.
func (c *Consumer[T]) moveAwake(was, to uint64, v T) {
	defer func() {
		if c.count.Load()&^spscFlags == was {
			c.items[c.place(was)] = v
		}
	}()
	c.move(was, to)
}

// release takes out the n items from was on. It panics first if the producer must not be woken.
func (c *Consumer[T]) release(was uint64, n int) {
	if n > 0 {
		c.mayMove(c.count.Load()) // a refused call leaves the items in their places
	}
	c.empty(was, n)
	to := c.after(was, n)
	c.move(was, to)
	c.got(to)
}

// DequeueInto takes the first items, as many as there are and fit into dst, copies them to dst in
// their order and returns their number. It returns less than len(dst) if the queue was empty at a
// moment of the call.
//
// Cost: that of one TryDequeue and a copy, as often as there are items again.
func (c *Consumer[T]) DequeueInto(dst []T) (n int) {
	if safety.Strict {
		defer c.enter().leave()
	}
	for n < len(dst) {
		was := c.position()
		m := min(len(dst)-n, c.free(was, len(dst)-n))
		if m < 1 {
			c.exists()
			break
		}
		a, b := c.from(was, m)
		atom.ReadsAll(a)
		atom.ReadsAll(b)
		copy(dst[n+copy(dst[n:], a):], b)
		c.release(was, m)
		n += m
	}
	return n
}

// Dequeue takes the first item, and waits for one, as [Queue.Dequeue] does.
func (c *Consumer[T]) Dequeue(ctx context.Context) (T, error) {
	if safety.Strict {
		defer c.enter().leave()
	}
	if err := expired(ctx); err != nil {
		c.exists()
		var none T
		return none, err
	}
	if v, o := c.take(true); o != blocked {
		return v, o.err()
	}
	return c.awaitItem(ctx)
}

func (c *Consumer[T]) awaitItem(ctx context.Context) (v T, err error) {
	err = c.await(ctx, func() (o outcome) { v, o = c.take(false); return o }, c.left)
	return v, err
}

// Peek returns the first item and leaves it in the queue. It returns false if the queue was empty.
func (c *Consumer[T]) Peek() (v T, ok bool) {
	if safety.Strict {
		defer c.enter().leave()
	}
	c.exists()
	was := c.position()
	if c.free(was, 1) < 1 {
		return v, false
	}
	return c.items[c.place(was)], true
}
