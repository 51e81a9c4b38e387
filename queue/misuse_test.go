package queue_test

import (
	"context"
	"math"

	"example.com/custody/fuzz"
	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// holder is a job that does nothing.
type holder[V any] struct{ View V }

func (h *holder[V]) Execute() {}

// while does something while a job holds a view.
func while[V any](view V, do func()) func() {
	return func() {
		h := parallelfor.ScheduleDo(holder[V]{View: view}, (*holder[V]).Execute)
		defer h.Complete()
		do()
	}
}

func ring() *queue.Ring[int] {
	r := queue.NewRing[int](4)
	r.EnqueueAll([]int{1, 2, 3})
	return r
}

func unbounded() *queue.Queue[int] {
	q := queue.New[int]()
	q.EnqueueAll([]int{1, 2, 3})
	return q
}

var ctx = context.Background()

// outside uses a view of one queue in another's batch, or outside of it.
func outside(i int) func() {
	return func() {
		parallelfor.For(3, ring().Writer(), func(w *queue.Writer[int], k int) { w.Set(k+i, 0) }, parallelfor.Batch(1))
	}
}

// copyOf returns a copy where vet would not like one.
func copyOf[T any](p *T) T { return *p }

var misuses = []fuzz.Misuse{
	{Name: "ring for no items", Want: safety.ErrLength, Do: func() { queue.NewRing[int](0) }},
	{Name: "ring for less than none", Want: safety.ErrLength, Do: func() { queue.NewRing[int](-1) }},
	{Name: "ring for too many", Want: safety.ErrLength, Do: func() { queue.NewRing[page](math.MaxInt) }},
	{Name: "spsc for no items", Want: safety.ErrLength, Do: func() { queue.NewSPSC[int](0) }},
	{Name: "spsc for too many", Want: safety.ErrLength, Do: func() { queue.NewSPSC[[2]byte](math.MaxInt) }},
	{Name: "zero ring", Want: safety.ErrUnassigned, Do: func() { new(queue.Ring[int]).TryEnqueue(1) }},
	{Name: "zero queue", Want: safety.ErrUnassigned, Do: func() { new(queue.Queue[int]).Enqueue(1) }},
	{Name: "zero spsc", Want: safety.ErrUnassigned, Do: func() { new(queue.SPSC[int]).Producer() }},
	{Name: "views of nil rings", Want: safety.ErrUnassigned, Do: func() {
		var r *queue.Ring[int]
		parallelfor.Do(r.Reader(), func(*queue.Reader[int]) {})
	}},
	{Name: "writer of a nil ring", Want: safety.ErrUnassigned, Do: func() {
		var r *queue.Ring[int]
		parallelfor.Do(r.Writer(), func(*queue.Writer[int]) {})
	}},
	{Name: "shared of a nil ring", Want: safety.ErrUnassigned, Do: func() {
		var r *queue.Ring[int]
		parallelfor.Do(r.Shared(), func(*queue.RingShared[int]) {})
	}},
	{Name: "reader of a nil queue", Want: safety.ErrUnassigned, Do: func() {
		var q *queue.Queue[int]
		parallelfor.Do(q.Reader(), func(*queue.Reader[int]) {})
	}},
	{Name: "writer of a nil queue", Want: safety.ErrUnassigned, Do: func() {
		var q *queue.Queue[int]
		parallelfor.Do(q.Writer(), func(*queue.Writer[int]) {})
	}},
	{Name: "parallel writer of a nil queue", Want: safety.ErrUnassigned, Do: func() {
		var q *queue.Queue[int]
		parallelfor.Do(q.ParallelWriter(), func(*queue.ParallelWriter[int]) {})
	}},
	{Name: "shared of a nil queue", Want: safety.ErrUnassigned, Do: func() {
		var q *queue.Queue[int]
		parallelfor.Do(q.Shared(), func(*queue.Shared[int]) {})
	}},
	{Name: "nil context", Want: safety.ErrArgument, Do: func() { _ = ring().Enqueue(context.Context(nil), 1) }},
	{Name: "nil context, ring, take", Want: safety.ErrArgument, Do: func() { _, _ = ring().Dequeue(context.Context(nil)) }},
	{Name: "nil context, queue", Want: safety.ErrArgument, Do: func() { _, _ = queue.New[int]().Dequeue(context.Context(nil)) }},
	{Name: "nil context, producer", Want: safety.ErrArgument, Do: func() { _ = queue.NewSPSC[int](4).Producer().Enqueue(context.Context(nil), 1) }},
	{Name: "nil context, consumer", Want: safety.ErrArgument, Do: func() { _, _ = queue.NewSPSC[int](4).Consumer().Dequeue(context.Context(nil)) }},
	{Name: "put into a ring that a job reads", Want: safety.ErrInFlight, Do: func() { r := ring(); while(r.Reader(), func() { r.TryEnqueue(1) })() }},
	{Name: "take from a ring that a job reads", Want: safety.ErrInFlight, Do: func() { r := ring(); while(r.Reader(), func() { r.TryDequeue() })() }},
	{Name: "look at a ring that a job reads is allowed", Do: func() {
		r := ring()
		while(r.Reader(), func() {
			if v, ok := r.Peek(); v != 1 || !ok || r.Len() != 3 || r.Closed() {
				panic("wrong")
			}
			for v := range r.All() {
				_ = v
			}
		})()
	}},
	{Name: "look at a ring that a job writes", Want: safety.ErrInFlight, Do: func() { r := ring(); while(r.Writer(), func() { r.Peek() })() }},
	{Name: "wait for a ring that a job writes", Want: safety.ErrInFlight, Do: func() { r := ring(); while(r.Writer(), func() { _, _ = r.Dequeue(ctx) })() }},
	{Name: "close a ring that a job writes", Want: safety.ErrInFlight, Do: func() { r := ring(); while(r.Writer(), r.Close)() }},
	{Name: "dispose of a ring that a job writes", Want: safety.ErrInFlight, Do: func() { r := ring(); while(r.Writer(), r.Dispose)() }},
	{Name: "everything beside a job that shares is allowed", Do: func() {
		r, q := ring(), unbounded()
		while(r.Shared(), func() {
			r.TryEnqueue(4)
			r.TryDequeue()
			r.Peek()
			r.Len()
			r.Clear()
			r.Close()
		})()
		while(q.Shared(), func() {
			q.Enqueue(4)
			q.TryDequeue()
			q.Peek()
			q.Len()
			q.Clear()
			q.Close()
		})()
	}},
	{Name: "put into a queue that a job adds to", Want: safety.ErrInFlight, Do: func() { q := unbounded(); while(q.ParallelWriter(), func() { q.Enqueue(1) })() }},
	{Name: "look at a queue that a job adds to", Want: safety.ErrInFlight, Do: func() { q := unbounded(); while(q.ParallelWriter(), func() { q.Len() })() }},
	{Name: "look at a queue that a job reads is allowed", Do: func() {
		q := unbounded()
		while(q.Reader(), func() {
			if v, ok := q.Peek(); v != 1 || !ok || q.Len() != 3 || q.Closed() {
				panic("wrong")
			}
			for v := range q.All() {
				_ = v
			}
		})()
	}},
	{Name: "add to a closed queue", Want: safety.ErrClosed, Do: func() {
		q := unbounded()
		q.Close()
		parallelfor.For(3, q.ParallelWriter(), func(w *queue.ParallelWriter[int], i int) { w.Enqueue(i) })
	}},
	{Name: "position of another batch", Want: safety.ErrWriteRange, Do: outside(1)},
	{Name: "position below 0", Want: safety.ErrIndex, Do: outside(-1)},
	{Name: "position behind the items", Want: safety.ErrIndex, Do: func() {
		parallelfor.For(4, ring().Writer(), func(w *queue.Writer[int], i int) { *w.Ptr(i) = w.At(i) })
	}},
	{Name: "position of a reader behind the items", Want: safety.ErrIndex, Do: func() {
		parallelfor.Do(unbounded().Reader(), func(r *queue.Reader[int]) { r.At(3) })
	}},
	{Name: "more indices than a ring has places", Want: safety.ErrLength, Do: func() {
		parallelfor.For(5, ring().Writer(), func(*queue.Writer[int], int) {})
	}},
	{Name: "reader outside a job", Want: safety.ErrStaleView, Do: func() { r := ring().Reader(); r.At(0) }},
	{Name: "length outside a job", Want: safety.ErrStaleView, Do: func() { w := ring().Writer(); w.Len() }},
	{Name: "shared outside a job", Want: safety.ErrStaleView, Do: func() { s := ring().Shared(); s.TryEnqueue(1) }},
	{Name: "shared queue outside a job", Want: safety.ErrStaleView, Do: func() { s := unbounded().Shared(); s.TryDequeue() }},
	{Name: "parallel writer outside a job", Want: safety.ErrStaleView, Do: func() { w := unbounded().ParallelWriter(); w.Enqueue(1) }},
	{Name: "dispose twice", Want: safety.ErrDisposed, Do: func() { r := ring(); r.Dispose(); r.Dispose() }},
	{Name: "dispose of a queue twice", Want: safety.ErrDisposed, Do: func() { q := unbounded(); q.Dispose(); q.Dispose() }},
	{Name: "spsc after its end", Want: safety.ErrDisposed, Do: func() {
		q := queue.NewSPSC[int](1)
		p := q.Producer()
		q.Dispose()
		p.TryEnqueue(1)
	}},
	{Name: "spsc through a copy of an end", Want: safety.ErrCopied, Do: func() {
		q := queue.NewSPSC[int](4)
		p := copyOf(q.Producer())
		q.Producer().TryEnqueue(1)
		p.TryEnqueue(2)
	}},
	{Name: "place outside a window", Want: safety.ErrWriteRange, Do: func() {
		w := queue.NewSPSC[int](4).Producer().Reserve(2)
		*w.Ptr(2) = 1
	}},
	{Name: "place below a window", Want: safety.ErrWriteRange, Do: func() {
		w := queue.NewSPSC[int](4).Producer().Reserve(2)
		w.Ptr(-1)
	}},
	{Name: "zero window", Want: safety.ErrWriteRange, Do: func() { new(queue.Window[int]).Ptr(0) }},
	{Name: "window of less than none", Want: safety.ErrLength, Do: func() { queue.NewSPSC[int](4).Producer().Reserve(-1) }},
	{Name: "commit more than is reserved", Want: safety.ErrWriteRange, Do: func() {
		p := queue.NewSPSC[int](4).Producer()
		p.Reserve(2)
		p.Commit(3)
	}},
	{Name: "commit twice", Want: safety.ErrWriteRange, Do: func() {
		p := queue.NewSPSC[int](4).Producer()
		p.Reserve(2)
		p.Commit(2)
		p.Commit(1)
	}},
	{Name: "look at less than nothing", Want: safety.ErrLength, Do: func() { queue.NewSPSC[int](4).Consumer().Look(-1) }},
	{Name: "release more than was looked at", Want: safety.ErrWriteRange, Do: func() {
		q := queue.NewSPSC[int](4)
		q.Producer().EnqueueAll([]int{1, 2})
		q.Consumer().Look(1)
		q.Consumer().Release(2)
	}},
	{Name: "release twice", Want: safety.ErrWriteRange, Do: func() {
		q := queue.NewSPSC[int](4)
		q.Producer().EnqueueAll([]int{1, 2})
		q.Consumer().Look(2)
		q.Consumer().Release(1)
		q.Consumer().Release(1)
	}},
	{Name: "commit and release nothing again is allowed", Do: func() {
		q := queue.NewSPSC[int](4)
		q.Producer().Reserve(1)
		q.Producer().Commit(1)
		q.Producer().Commit(0)
		q.Consumer().Look(1)
		q.Consumer().Release(0)
		q.Consumer().Release(0)
		if q.Len() != 1 {
			panic("wrong")
		}
	}},
	{Name: "release less than nothing", Want: safety.ErrWriteRange, Do: func() { queue.NewSPSC[int](4).Consumer().Release(-1) }},
	{Name: "window after an item was put in", Want: safety.ErrBorrowed, Do: func() {
		p := queue.NewSPSC[int](4).Producer()
		w := p.Reserve(2)
		p.TryEnqueue(1)
		w.Slices()
	}},
	{Name: "commit again, nothing at first", Want: safety.ErrWriteRange, Do: func() {
		p := queue.NewSPSC[int](4).Producer()
		p.Reserve(2)
		p.Commit(0)
		p.Commit(1)
	}},
	{Name: "window after its commit", Want: safety.ErrBorrowed, Do: func() {
		p := queue.NewSPSC[int](4).Producer()
		w := p.Reserve(2)
		p.Commit(1)
		w.Slices()
	}},
}
