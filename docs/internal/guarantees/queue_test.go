//go:build !race && !custody_explore

package guarantees_test

import (
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
)

// countQueues counts the rows of package queue.
func countQueues(c *counted) {
	vs := ints()
	r := queue.NewRing[int](many)
	of := c.of("queue.Ring")
	of("TryEnqueue, TryDequeue, Peek, Len", func() { used(r.TryEnqueue(1)); r.Peek(); used(r.Len()); r.TryDequeue() })
	of("EnqueueAll, DequeueInto", func() { used(r.EnqueueAll(vs)); used(r.DequeueInto(vs)) })
	of("Clear", func() { used(r.EnqueueAll(vs)); r.Clear() })
	of("Closed, Cap", func() { used(r.Closed()); used(r.Cap()) })
	of("Reader, Writer, Shared", func() { used(r.Reader()); used(r.Writer()); used(r.Shared()) })
	of("Disposed", func() { used(r.Disposed()) })
	fresh := func() *queue.Ring[int] { return queue.NewRing[int](many) }
	of("Close", each(fresh, func(r *queue.Ring[int]) { r.Close() }))
	of("Dispose", each(fresh, func(r *queue.Ring[int]) { r.Dispose() }))

	q := queue.New[int]()
	q.EnqueueAll(vs)
	of = c.of("queue.Queue")
	of("Peek, Len", func() { q.Peek(); used(q.Len()) })
	of("Closed", func() { used(q.Closed()) })
	of("Reader, Writer, Shared, ParallelWriter", func() { used(q.Reader()); used(q.Writer()); used(q.Shared()); used(q.ParallelWriter()) })
	of("Disposed", func() { used(q.Disposed()) })
	of("Stats", func() { used(q.Stats()) })
	filled := func() *queue.Queue[int] {
		q := queue.New[int]()
		for range 30 { // of several segments
			used(q.EnqueueAll(vs))
		}
		return q
	}
	of("TryDequeue", each(filled, func(q *queue.Queue[int]) {
		for range 30 * many {
			q.TryDequeue()
		}
	}))
	of("DequeueInto", each(filled, func(q *queue.Queue[int]) {
		for q.DequeueInto(vs) > 0 {
		}
	}))
	of("Clear", each(filled, func(q *queue.Queue[int]) { q.Clear() }))
	of("Drain", each(filled, func(q *queue.Queue[int]) {
		for range q.Drain() {
		}
	}))
	of("Dispose", each(filled, func(q *queue.Queue[int]) { q.Dispose() }))
	countEnds(c)
	countQueueViews(c)
}

// countEnds counts the rows of an SPSC and its ends.
func countEnds(c *counted) {
	vs := ints()
	q := queue.NewSPSC[int](many)
	p, e := q.Producer(), q.Consumer()
	fresh := func() *queue.SPSC[int] { return queue.NewSPSC[int](many) }
	of := c.of("queue.SPSC")
	of("Producer, Consumer", func() { used(q.Producer()); used(q.Consumer()) })
	of("Len, Cap, Closed, Disposed", func() { used(q.Len()); used(q.Cap()); used(q.Closed()); used(q.Disposed()) })
	of("Close", each(fresh, func(q *queue.SPSC[int]) { q.Close() }))
	of("Dispose", each(fresh, func(q *queue.SPSC[int]) { q.Dispose() }))

	put, take, window := c.of("queue.Producer"), c.of("queue.Consumer"), c.of("queue.Window")
	put("TryEnqueue", func() { used(p.TryEnqueue(1)); e.TryDequeue() })
	put("EnqueueAll", func() { used(p.EnqueueAll(vs)); used(e.DequeueInto(vs)) })
	put("Reserve, Commit", func() { used(p.Reserve(3)); used(p.Commit(2)); used(e.DequeueInto(vs)) })
	take("TryDequeue, Peek", func() { used(p.TryEnqueue(1)); e.Peek(); e.TryDequeue() })
	take("DequeueInto", func() { used(p.EnqueueAll(vs)); used(e.DequeueInto(vs)) })
	take("Look, Release", func() { used(p.EnqueueAll(vs)); used(e.Look(many)); e.Release(many) })
	window("Ptr, Len, Slices", func() {
		w := p.Reserve(3)
		*w.Ptr(w.Len() - 1) = *w.Ptr(0)
		usedTwo(w.Slices())
		used(p.Commit(1))
		e.TryDequeue()
	})
}

// queueing has views of package queue.
type queueing struct {
	Read   queue.Reader[int]
	Write  queue.Writer[int]
	Shared queue.Shared[int]
	Ring   queue.RingShared[int]
}

func countQueueViews(c *counted) {
	vs := ints()
	filled := func() *queue.Queue[int] {
		q := queue.New[int]()
		used(q.EnqueueAll(vs))
		return q
	}
	long := filled()
	for range 100 * times { // there are items for all that is taken
		long.EnqueueAll(vs)
	}
	v := queueing{filled().Reader(), filled().Writer(), long.Shared(), queue.NewRing[int](many).Shared()}
	parallelfor.Do(v, func(v *queueing) {
		of := c.of("queue.Reader")
		of("At, Len", func() { used(v.Read.At(v.Read.Len() - 1)) })
		of("All", func() {
			for range v.Read.All() {
			}
		})
		of("Slices", func() {
			for range v.Read.Slices() {
			}
		})
		of = c.of("queue.Writer")
		of("At, Set, Ptr, Len", func() { v.Write.Set(1, v.Write.At(v.Write.Len()-1)); *v.Write.Ptr(1) = 2 })
		of("All", func() {
			for range v.Write.All() {
			}
		})
		of("Slices", func() {
			for range v.Write.Slices() {
			}
		})
		c.of("queue.Shared")("TryDequeue, DequeueInto, Len", func() { v.Shared.TryDequeue(); used(v.Shared.DequeueInto(vs)); used(v.Shared.Len()) })
		of = c.of("queue.RingShared")
		of("TryEnqueue, TryDequeue, Len", func() { used(v.Ring.TryEnqueue(1)); used(v.Ring.Len()); v.Ring.TryDequeue() })
		of("EnqueueAll, DequeueInto", func() { used(v.Ring.EnqueueAll(vs)); used(v.Ring.DequeueInto(vs)) })
	})
}
