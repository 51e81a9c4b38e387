package parallelfor

import (
	"context"
	"slices"
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file is how bodies are told that the loop no longer needs them ([Worker.Context]).
//
// A context belongs to one batch, and is made when the body asks for it. The batch's worker enters it in the
// job's list, and takes it out when the batch ends. It ends early when the batch lies at or above the job's limit, which
// failures and [Cells.Stop] lower: what such a batch returns or appends is dropped. A batch below the limit is one that
// the sequential loop runs, so nothing ends its context but the loop's own.
//
// Invariants:
//
//	(X1) A worker enters a context and then looks at the limit; a failure lowers the limit and then looks through the list. So a
//	     batch at or above the limit that has asked is told, whichever came first.
//	(X2) The loop's context is asked once for all batches, and tells those in the list after its channel was closed; a batch
//	     looks at the channel after it has entered. So batches take no lock of a context that they share, which would order them
//	     as the race detector sees it.

// Context returns the context of the batch that the worker is executing. It derives from the context that the loop was
// given, or from [context.Background], and ends with it: once the loop's has ended, so has what Context returns. It also ends when the outcome of the batch no longer
// matters, because a lower one has failed, with that failure as its cause ([context.Cause]): the error, the
// *safety.Violation or the *[Panic]; [context.Canceled] where a lower batch ended its goroutine, or stopped the loop, as
// that in which [Find] finds an index does. At the latest it ends with the batch.
//
// A body that waits, as for the network, passes the context on and returns when it ends; what it returns then is
// dropped. Batches below one that has failed go on, and so do their contexts: an error of theirs would be the
// sequential loop's. So the loop returns the same error whether or not bodies look at their contexts.
//
// A function on a views value gets a Worker as a field of it, or as the value itself:
//
//	err := parallelfor.ForErr(ctx, len(urls), parallelfor.Worker{}, func(w *parallelfor.Worker, i int) error {
//		return fetch(w.Context(), urls[i])
//	}, parallelfor.Workers(8), parallelfor.Batch(1))
//
// Context is called on the body's goroutine; the context may go to any. A body that has seen its context end happens
// after what ended it. Within a batch it returns the same context. The zero Worker, outside jobs, has
// context.Background. A Worker is not kept after its job, see there. The first call in a batch costs a
// lock for a moment and some allocations; a loop whose bodies do not call it pays nothing.
func (w Worker) Context() context.Context {
	if w.state == nil {
		return context.Background()
	}
	r := w.state.cells
	if r.context == nil {
		if r.job == nil {
			return ended
		}
		r.context = r.job.newContext(r.cell)
	}
	select {
	case <-r.job.done: // keeps (X2); who is to tell the batch may not have come to it
		r.context.lapse()
	default:
	}
	return r.context.own
}

// ended is a context that has ended.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// contexts are those of the batches of one loop.
type contexts struct {
	mu   atom.HiddenMutex
	open []*batchContext
	stop func() bool // ends the wait for the end of the loop's own context; nil when that never ends
}

// batchContext is the context of one batch. As a context it is the parent of the one that the body gets: the loop's, but
// that package context leaves it to AfterFunc to tell of its end.
type batchContext struct {
	context.Context
	own    context.Context
	cancel context.CancelCauseFunc
	lapse  func() // ends own as the loop's context has ended; nil when that never ends
	cell   int
	among  *contexts
}

// never is the channel of a context that does not tell of its end by one.
var never = make(chan struct{})

// Done implements context.Context.
func (*batchContext) Done() <-chan struct{} { return never }

// AfterFunc is called by package context when the body's context is made of this one.
func (b *batchContext) AfterFunc(f func()) (stop func() bool) {
	b.lapse = f
	return func() bool { return true }
}

// newContext returns the context of a batch that begins to ask for it.
func (j *job) newContext(cell int) *batchContext {
	b := &batchContext{Context: j.ctx, cell: cell, among: j.listen()}
	parent := j.ctx
	if j.done != nil {
		parent = b
	}
	b.own, b.cancel = context.WithCancelCause(parent)
	atom.ReleaseMerge(unsafe.Pointer(b))
	b.among.enter(b)
	if int64(cell) >= j.limit.Load() { // keeps (X1)
		if cause, own := j.cause(); own {
			b.cancel(cause)
		}
	}
	return b
}

// listen returns the list of the job's contexts. Whoever makes it has the loop's context tell it.
func (j *job) listen() *contexts {
	c, made := j.list()
	if made && j.done != nil {
		stop := context.AfterFunc(j.ctx, c.lapse)
		c.until(stop)
	}
	return c
}

//go:norace
func (j *job) list() (c *contexts, made bool) {
	j.mu.Lock()
	if made = j.contexts == nil; made {
		j.contexts = new(contexts)
	}
	c = j.contexts
	j.mu.Unlock()
	return c, made
}

//go:norace
func (c *contexts) until(stop func() bool) {
	c.mu.Lock()
	c.stop = stop
	c.mu.Unlock()
}

// enter adds the context of a batch.
//
//go:norace
func (c *contexts) enter(b *batchContext) {
	c.mu.Lock()
	c.open = append(c.open, b)
	c.mu.Unlock()
}

// leave takes out the context of a batch that has ended.
//
//go:norace
func (c *contexts) leave(b *batchContext) {
	c.mu.Lock()
	if i := slices.Index(c.open, b); i >= 0 {
		last := len(c.open) - 1
		c.open[i] = c.open[last]
		c.open[last] = nil
		c.open = c.open[:last]
	}
	c.mu.Unlock()
}

// lapse ends all contexts as the loop's has ended.
func (c *contexts) lapse() {
	for _, b := range c.from(0) {
		b.end(func() { b.lapse() })
	}
}

// tell ends the contexts of batches from the given one on, with the cause.
func (c *contexts) tell(cell int, cause error) {
	for _, b := range c.from(cell) {
		b.end(func() { b.cancel(cause) })
	}
}

// from returns the contexts of batches from the given one on.
//
//go:norace
func (c *contexts) from(cell int) (some []*batchContext) {
	c.mu.Lock()
	for _, b := range c.open {
		if b.cell >= cell {
			some = append(some, b)
		}
	}
	c.mu.Unlock()
	return some
}

// end has f end the context. With -race it has a goroutine of its own, so that of several batches that are told none
// seems to come after another.
func (b *batchContext) end(f func()) {
	if atom.Race {
		atom.Go(func() {
			atom.Acquire(unsafe.Pointer(b))
			f()
		})
		return
	}
	f()
}

// cause returns what ends the contexts at and above the job's limit; own is false if the end of the loop's context does.
//
//go:norace
func (j *job) cause() (cause error, own bool) {
	j.mu.Lock()
	f := j.failure
	j.mu.Unlock()
	if f == nil {
		return nil, true
	}
	return f.cause()
}

// cause returns how a context ends by the failure.
func (f *failure) cause() (cause error, own bool) {
	switch {
	case f.violation != nil:
		return f.violation, true
	case f.panicked != nil:
		return f.panicked, true
	}
	return f.err, f.cell >= 0
}

// endContext ends the context of the batch that ends.
func (r *Cells) endContext() {
	b := r.context
	r.context = nil
	b.among.leave(b)
	b.cancel(nil)
}

// closeContexts ends the wait for the loop's context. No worker is left.
//
//go:norace
func (j *job) closeContexts() {
	c := j.contexts
	if c == nil {
		return
	}
	j.contexts = nil
	if c.stop != nil {
		c.stop()
	}
}
