package queue

import (
	"context"

	"example.com/custody/safety"
)

// Producer is the end of an [SPSC] that puts items in. It is one goroutine's at a time, and must not be copied.
type Producer[T any] struct{ end[T] }

// Consumer is the end of an [SPSC] that takes items out. It is one goroutine's at a time, and must not be copied.
type Consumer[T any] struct{ end[T] }

// room returns for how many items there is room, at least as many as are wanted if there is.
func (p *Producer[T]) room(want int) int {
	if p.left() < want && p.others != nil { // nil where there is no queue
		p.seen = p.others.Load() &^ spscFlags
		p.limit = next(p.seen, len(p.items))
	}
	return p.left()
}

// more fetches the next places, and says whether there are any (I6).
func (p *Producer[T]) more() bool {
	n := min(p.room(1), p.fetch)
	if n > 1 && p.line > 0 && p.count.Load() == p.mine { // it is open, and nobody else has put items in
		a, b := p.places(n)
		own(a, p.line)
		own(b, p.line)
	}
	p.near = next(p.mine, n)
	return n > 0
}

// TryEnqueue puts v behind the last item. False says that the queue was full, or closed.
func (p *Producer[T]) TryEnqueue(v T) bool {
	if safety.Strict {
		p.enter("producer")
		defer p.leave()
	}
	return p.push(v, true)
}

// push is TryEnqueue for who has entered: now, or before a wait, in which the queue may end.
func (p *Producer[T]) push(v T, now bool) bool {
	was := p.mine
	if was == p.near && !p.more() {
		if now {
			p.exists()
		}
		return false
	}
	p.items[p.at] = v
	if !p.count.CompareAndSwap(was, was+spscUnit) && p.move(was, 1, "producer") != done {
		p.empty(1)
		if now {
			p.exists()
		}
		return false
	}
	p.one(was)
	return true
}

// put is push that says why not.
func (p *Producer[T]) put(v *T, now bool) outcome {
	switch {
	case p.push(*v, now):
		return done
	case p.count.Load()&spscClosed != 0:
		return over
	}
	return blocked
}

// publish makes n items known that lie in the next places, at one moment, unless the queue was closed.
func (p *Producer[T]) publish(n int) outcome {
	if p.move(p.mine, n, "producer") != done {
		p.empty(n)
		p.exists()
		return over
	}
	p.step(n)
	return done
}

// EnqueueAll puts the first items of vs behind the last item, in their order, as many as there is room for, and returns
// how many: fewer than all means that the queue was full, or closed, at a moment of the call.
//
// Cost: that of one TryEnqueue and a copy, as often as there is room again.
func (p *Producer[T]) EnqueueAll(vs []T) (n int) {
	if safety.Strict {
		p.enter("producer")
		defer p.leave()
	}
	for n < len(vs) {
		m := min(len(vs)-n, p.room(len(vs)-n))
		if m == 0 {
			p.exists()
			break
		}
		a, b := p.places(m)
		copy(b, vs[n+copy(a, vs[n:]):])
		if p.publish(m) != done {
			break
		}
		n += m
	}
	return n
}

// Enqueue puts v behind the last item, and waits for room. The error is [ErrClosed], or the cause of the context's end; then
// v was not put in. A context that has ended is that error also when there is room. A nil ctx is a violation.
//
// Cost while there is room: that of TryEnqueue. A wait with a context that can end allocates.
func (p *Producer[T]) Enqueue(ctx context.Context, v T) error {
	if safety.Strict {
		p.enter("producer")
		defer p.leave()
	}
	if err := expired(ctx); err != nil {
		p.exists()
		return err
	}
	if o := p.put(&v, true); o != blocked {
		return o.err()
	}
	return p.awaitRoom(ctx, v)
}

func (p *Producer[T]) awaitRoom(ctx context.Context, v T) error {
	return p.await(ctx, func() outcome { return p.put(&v, false) }, func() int { return p.room(len(p.items)) })
}

// there returns how many items there are, at least as many as are wanted if there are.
func (c *Consumer[T]) there(want int) int {
	if c.left() < want && c.others != nil {
		c.seen = c.others.Load() &^ spscFlags
		c.limit = c.seen
	}
	return c.left()
}

// more fetches the next items, and says whether there are any (I6).
func (c *Consumer[T]) more() bool {
	n := min(c.there(1), c.fetch)
	if n > 1 && c.line > 0 {
		a, b := c.places(n)
		see(a, c.line)
		see(b, c.line)
	}
	c.near = next(c.mine, n)
	return n > 0
}

// TryDequeue takes the first item. False says that the queue was empty.
func (c *Consumer[T]) TryDequeue() (v T, ok bool) {
	if safety.Strict {
		c.enter("consumer")
		defer c.leave()
	}
	return c.pop(true)
}

// pop is TryDequeue for who has entered: now, or before a wait.
func (c *Consumer[T]) pop(now bool) (v T, ok bool) {
	was := c.mine
	if was == c.near && !c.more() {
		if now {
			c.exists()
		}
		return v, false
	}
	at := &c.items[c.at]
	v = *at
	if c.holds {
		var none T
		*at = none
	}
	if !c.count.CompareAndSwap(was, was+spscUnit) {
		c.move(was, 1, "consumer")
	}
	c.one(was)
	return v, true
}

// take is pop that says why not.
func (c *Consumer[T]) take(v *T, now bool) outcome {
	var ok bool
	switch *v, ok = c.pop(now); {
	case ok:
		return done
	case c.others.Load() == c.mine|spscClosed:
		return over
	}
	return blocked
}

// release gives back the places of the next n items.
func (c *Consumer[T]) release(n int) {
	c.empty(n)
	c.move(c.mine, n, "consumer")
	c.step(n)
}

// DequeueInto takes the first items, as many as there are and as dst has room for, puts them into dst in their order and
// returns how many: fewer than len(dst) means that the queue was empty at a moment of the call.
//
// Cost: that of one TryDequeue and a copy, as often as there are items again.
func (c *Consumer[T]) DequeueInto(dst []T) (n int) {
	if safety.Strict {
		c.enter("consumer")
		defer c.leave()
	}
	for n < len(dst) {
		m := min(len(dst)-n, c.there(len(dst)-n))
		if m == 0 {
			c.exists()
			break
		}
		a, b := c.places(m)
		n += copy(dst[n:], a)
		n += copy(dst[n:], b)
		c.release(m)
	}
	return n
}

// Dequeue takes the first item, and waits for one. The error is [ErrClosed] when the queue is closed and empty, or the cause
// of the context's end; then nothing was taken. A context that has ended is that error also when there are items. A nil ctx is a violation.
//
// Cost while there are items: that of TryDequeue. A wait with a context that can end allocates.
func (c *Consumer[T]) Dequeue(ctx context.Context) (v T, err error) {
	if safety.Strict {
		c.enter("consumer")
		defer c.leave()
	}
	if err := expired(ctx); err != nil {
		c.exists()
		return v, err
	}
	if o := c.take(&v, true); o != blocked {
		return v, o.err()
	}
	return c.awaitItem(ctx)
}

func (c *Consumer[T]) awaitItem(ctx context.Context) (v T, err error) {
	err = c.await(ctx, func() outcome { return c.take(&v, false) }, func() int { return c.there(len(c.items)) })
	return v, err
}

// Peek returns the first item and leaves it there. False says that the queue was empty.
func (c *Consumer[T]) Peek() (v T, ok bool) {
	if safety.Strict {
		c.enter("consumer")
		defer c.leave()
	}
	c.exists()
	if c.there(1) == 0 {
		return v, false
	}
	return c.items[c.at], true
}
