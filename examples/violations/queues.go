package main

import (
	"context"

	"example.com/custody/parallelfor"
	"example.com/custody/queue"
	"example.com/custody/safety"
)

// These misuse queues: their ends, windows of their places, and the jobs that hold them.

var queues = []misuse{
	{"two goroutines are at one end of an SPSC", twoConsumers, safety.Violation{Kind: safety.ErrConflict, Container: `queue.SPSC[int] "q"`, Made: somewhere}, strict},
	{"an end of an SPSC is used through a copy", copiedEnd, safety.Violation{Kind: safety.ErrCopied, Container: `queue.SPSC[int] "q"`, Made: somewhere}, checked},
	{"an item is put into a queue that a job reads by position", putInFlight, safety.Violation{Kind: safety.ErrInFlight,
		Container: `queue.Queue[int] "q"`, OtherJob: "look", Made: somewhere, Scheduled: somewhere}, checked},
	{"a queue is used after Dispose", disposedQueue, safety.Violation{Kind: safety.ErrDisposed, Container: `queue.Ring[int] "q"`, Made: somewhere}, checked},
	{"an end of an SPSC is used after Dispose", disposedEnd, safety.Violation{Kind: safety.ErrDisposed, Container: `queue.SPSC[int] "q"`, Made: somewhere}, checked},
	{"a window is used after its commit", windowAfterCommit, safety.Violation{Kind: safety.ErrBorrowed, Container: `queue.SPSC[int] "q"`, Made: somewhere}, checked},
	{"a place is used outside a reserved window", outsideWindow, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `queue.SPSC[int] "q"`, Index: 2, Max: 2, Length: 2, Made: somewhere}, always},
	{"more places are committed than were reserved", committedTooMany, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `queue.SPSC[int] "q"`, N: 3, Max: 2, Made: somewhere}, always},
	{"a loop uses another batch's item of a queue", positionRange, safety.Violation{Kind: safety.ErrWriteRange,
		Container: `queue.Ring[int] "q"`, Job: "add the next", Index: 2, Min: 0, Max: 2, Length: 4, Made: somewhere}, always},
	{"a ring is to have room for no items", noRoom, safety.Violation{Kind: safety.ErrLength, Container: `queue.Ring[int]`, Made: somewhere}, always},
	{"a job adds to a closed queue", closedQueue, safety.Violation{Kind: safety.ErrClosed, Container: `queue.Queue[int] "q"`, Job: "find", Made: somewhere}, always},
}

type heard struct {
	context.Context
	Waits chan bool
}

func (c heard) Done() <-chan struct{} {
	select {
	case c.Waits <- true:
	default:
	}
	return c.Context.Done()
}

// A goroutine waits for an item at the consumer's end of an SPSC, and another one takes an item
// there meanwhile. Checked builds report two goroutines at one end when both have added or taken an
// item.
func twoConsumers() {
	q := queue.NewSPSC[int](4, safety.Named("q"))
	ctx, stop := context.WithCancel(context.Background())
	waits, done := make(chan bool, 1), make(chan bool)
	go func() {
		defer close(done)
		_, _ = q.Consumer().Dequeue(heard{ctx, waits})
	}()
	<-waits
	defer func() { stop(); <-done }()
	q.Consumer().TryDequeue()
}

// An end is copied. The copy does not know how many items the original has added, and would
// overwrite them.
func copiedEnd() {
	q := queue.NewSPSC[int](4, safety.Named("q"))
	p := clone(q.Producer())
	q.Producer().TryEnqueue(1)
	p.TryEnqueue(2)
}

// A queue gets an item while a job reads it by position. To look at the items beside the job is
// allowed. A job that holds the queue by Shared permits changes.
func putInFlight() {
	q := queue.New[int](safety.Named("q"))
	q.Enqueue(1)
	h := parallelfor.Go(q.Reader(), func(r *queue.Reader[int]) { _ = r.At(0) }, parallelfor.Name("look"), parallelfor.Inline())
	defer h.Complete()
	_, _ = q.Peek()
	q.Enqueue(2)
}

// A ring is used after Dispose. After Close the items in it can still be taken.
func disposedQueue() {
	q := queue.NewRing[int](4, safety.Named("q"))
	q.Dispose()
	q.TryEnqueue(1)
}

// The consumer disposes of a queue that the producer still uses.
func disposedEnd() {
	q := queue.NewSPSC[int](4, safety.Named("q"))
	p := q.Producer()
	q.Dispose()
	p.TryEnqueue(1)
}

// A window of places is written after its items were committed. They belong to the consumer.
func windowAfterCommit() {
	q := queue.NewSPSC[int](4, safety.Named("q"))
	p := q.Producer()
	w := p.Reserve(2)
	*w.Ptr(0) = 1
	p.Commit(1)
	first, _ := w.Slices()
	first[0] = 2
}

// The program counts the places of a window from 1. The place behind the last one belongs to
// another window.
func outsideWindow() {
	q := queue.NewSPSC[int](4, safety.Named("q"))
	w := q.Producer().Reserve(2)
	for i := 1; i <= w.Len(); i++ {
		*w.Ptr(i) = i
	}
}

// A producer commits more places than it has reserved. The third place has no item.
func committedTooMany() {
	q := queue.NewSPSC[int](4, safety.Named("q"))
	p := q.Producer()
	p.Reserve(2)
	p.Commit(3)
}

// A loop over the items of a ring adds the next item to each. The item after the last of a batch is
// in another batch.
func positionRange() {
	q := queue.NewRing[int](4, safety.Named("q"))
	q.EnqueueAll([]int{1, 2, 3, 4})
	parallelfor.ForBatch(4, q.Writer(), func(w *queue.Writer[int], begin, end int) {
		for i := begin; i < end; i++ {
			w.Set(i, w.At(i)+w.At((i+1)%4))
		}
	}, parallelfor.Name("add the next"), parallelfor.Batch(2))
}

// A ring is made for as many items as are left over: none.
func noRoom() {
	all, used := 4, 4
	queue.NewRing[int](all - used)
}

// A queue is closed before the job that adds to it is executed. An operation of a goroutine returns
// an error; the seal of a job has no caller to return it to.
func closedQueue() {
	q := queue.New[int](safety.Named("q"))
	q.Close()
	parallelfor.For(100, q.ParallelWriter(), func(w *queue.ParallelWriter[int], i int) { w.Enqueue(i) }, parallelfor.Name("find"))
}
