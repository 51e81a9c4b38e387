package queue

import (
	"context"
)

// Producer is the end of an [SPSC] that puts items in. It is one goroutine's at a time, and must not be copied.
type Producer[T any] struct{ end[T] }

// Consumer is the end of an [SPSC] that takes items out. It is one goroutine's at a time, and must not be copied.
type Consumer[T any] struct{ end[T] }

// room returns for how many items there is room, at least as many as are wanted if there is.
func (p *Producer[T]) room(want int) int {
	if p.left < want {
		p.left = len(p.items) - int((p.mine-p.of.head.Load())/spscUnit)
	}
	return p.left
}

// TryEnqueue puts v behind the last item. False says that the queue was full, or closed.
func (p *Producer[T]) TryEnqueue(v T) bool {
	p.enter("producer")
	o := blocked
	if p.left > 0 || p.room(1) > 0 {
		p.items[p.at] = v
		o = p.publish(1)
	}
	p.leave()
	return o == done
}

// publish makes n items known that lie in the next places, unless the queue was closed.
func (p *Producer[T]) publish(n int) outcome {
	q := p.of
	next := p.mine + uint64(n)*spscUnit
	if !q.tail.CompareAndSwap(p.mine, next) {
		p.refused(n)
		return over
	}
	p.step(next, n)
	if q.takers.any() {
		q.takers.call(1)
	}
	return done
}

// refused empties the places of n items that were not put in because the queue was closed. It panics when it was not.
func (p *Producer[T]) refused(n int) {
	if p.of.tail.Load() != p.mine|spscClosed {
		panic(p.alone("producer"))
	}
	if p.of.holds {
		a, b := p.places(n)
		clear(a)
		clear(b)
	}
}

// put is TryEnqueue for who has entered, and says why there is no room.
func (p *Producer[T]) put(v T) outcome {
	if p.left > 0 || p.room(1) > 0 {
		p.items[p.at] = v
		return p.publish(1)
	}
	if p.of.tail.Load()&spscClosed != 0 {
		return over
	}
	return blocked
}

// EnqueueAll puts the first items of vs behind the last item, in their order, as many as there is room for, and returns
// how many: fewer than all means that the queue was full, or closed, at a moment of the call.
//
// Cost: that of one TryEnqueue and a copy, as often as there is room again.
func (p *Producer[T]) EnqueueAll(vs []T) (n int) {
	p.enter("producer")
	for n < len(vs) {
		m := min(len(vs)-n, p.room(len(vs)-n))
		if m == 0 {
			break
		}
		a, b := p.places(m)
		copy(b, vs[n+copy(a, vs[n:]):])
		if p.publish(m) != done {
			break
		}
		n += m
	}
	p.leave()
	return n
}

// Enqueue puts v behind the last item, and waits for room. The error is [ErrClosed], or the cause of the context's end; then
// v was not put in. A context that has ended is that error also when there is room.
func (p *Producer[T]) Enqueue(ctx context.Context, v T) error {
	p.enter("producer")
	defer p.leave()
	if err := expired(ctx); err != nil {
		return err
	}
	o := p.put(v)
	if o == blocked {
		_, err := await(ctx, &p.of.givers, func() (struct{}, outcome) { return struct{}{}, p.put(v) })
		return err
	}
	return o.err()
}

// there returns how many items there are, at least as many as are wanted if there are.
func (c *Consumer[T]) there(want int) int {
	if c.left < want {
		c.left = int((c.of.tail.Load()&^spscClosed - c.mine) / spscUnit)
	}
	return c.left
}

// release gives back the places of the next n items.
func (c *Consumer[T]) release(n int) {
	q := c.of
	if q.holds {
		a, b := c.places(n)
		clear(a)
		clear(b)
	}
	next := c.mine + uint64(n)*spscUnit
	if !q.head.CompareAndSwap(c.mine, next) {
		panic(c.alone("consumer"))
	}
	c.step(next, n)
	if q.givers.any() {
		q.givers.call(1)
	}
}

// TryDequeue takes the first item. False says that the queue was empty.
func (c *Consumer[T]) TryDequeue() (v T, ok bool) {
	c.enter("consumer")
	if ok = c.left > 0 || c.there(1) > 0; ok {
		v = c.items[c.at]
		c.release(1)
	}
	c.leave()
	return v, ok
}

// take is TryDequeue for who has entered, and says why there is no item.
func (c *Consumer[T]) take() (v T, o outcome) {
	if c.left > 0 || c.there(1) > 0 {
		v = c.items[c.at]
		c.release(1)
		return v, done
	}
	if c.of.tail.Load() == c.mine|spscClosed {
		return v, over
	}
	return v, blocked
}

// DequeueInto takes the first items, as many as there are and as dst has room for, puts them into dst in their order and
// returns how many: fewer than len(dst) means that the queue was empty at a moment of the call.
//
// Cost: that of one TryDequeue and a copy, as often as there are items again.
func (c *Consumer[T]) DequeueInto(dst []T) (n int) {
	c.enter("consumer")
	for n < len(dst) {
		m := min(len(dst)-n, c.there(len(dst)-n))
		if m == 0 {
			break
		}
		a, b := c.places(m)
		n += copy(dst[n:], a)
		n += copy(dst[n:], b)
		c.release(m)
	}
	c.leave()
	return n
}

// Dequeue takes the first item, and waits for one. The error is [ErrClosed] when the queue is closed and empty, or the cause
// of the context's end; then nothing was taken. A context that has ended is that error also when there are items.
func (c *Consumer[T]) Dequeue(ctx context.Context) (v T, err error) {
	c.enter("consumer")
	defer c.leave()
	if err := expired(ctx); err != nil {
		return v, err
	}
	v, o := c.take()
	if o == blocked {
		return await(ctx, &c.of.takers, c.take)
	}
	return v, o.err()
}

// Peek returns the first item and leaves it there. False says that the queue was empty.
func (c *Consumer[T]) Peek() (v T, ok bool) {
	c.enter("consumer")
	if ok = c.there(1) > 0; ok {
		v = c.items[c.at]
	}
	c.leave()
	return v, ok
}
