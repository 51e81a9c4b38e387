package parallelfor

import (
	"context"
	"slices"
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file ends the contexts of batches whose results the loop no longer needs ([Worker.Context]).
//
// A context belongs to one batch and is made when the body first asks for it. The batch's worker
// adds it to the job's list, and removes it when the batch ends. The context ends early if its
// batch lies at or above the job's limit, which failures and [Batches.Stop] lower: what such a
// batch returns or appends is dropped. The sequential loop executes every batch below the limit, so
// only the end of the loop's own context ends the contexts of those early.
//
// Invariants:
//
//	(X1) A worker adds a context to the list and then loads the limit. A failure, or a stop,
//	     lowers the limit and then reads the list. So the context of a batch at or above the limit
//	     ends, whichever comes first.
//	(X2) One function of the loop's context serves all batches: after the loop's Done channel has
//	     been closed, it ends the contexts in the list. Every call of Context polls the channel
//	     after it has added its context to the list. So no batch takes the lock of a context that
//	     the batches share, which the race detector would take for an order of these batches.

// Context returns the context of the batch that the worker is executing. It derives from the
// context of the loop, or from [context.Background] if the loop was given none. All calls in one
// batch return the same context.
//
// The context ends at the latest with the batch. It ends with the loop's context: a call after the
// end of that returns a context that has ended. It also ends when the result of the batch no longer
// matters: this batch or a lower one has failed, or a lower one has stopped the loop.
// [context.Cause] then returns the failure: the error, the *safety.Violation or the *[Panic]. It is
// [context.Canceled] if the lower batch ended its goroutine, or stopped the loop as the batch does
// in which [Find] finds an index.
//
// A body that waits, for example for the network, passes the context on and returns when it ends.
// The loop drops what the body then returns. The contexts of batches below a failed one do not end,
// because the sequential loop would return their errors first. So the loop returns the same error
// whether or not bodies use their contexts.
//
// A job has the Worker as a field, or is one:
//
//	get := func(w *parallelfor.Worker, i int) error { return fetch(w.Context(), urls[i]) }
//	err := parallelfor.ForErr(ctx, len(urls), parallelfor.Worker{}, get, parallelfor.Workers(8))
//
// Context must be called on the goroutine of the body; any goroutine may use the context. What
// ended the context happens before a body sees that it has ended. The zero Worker, outside jobs,
// returns context.Background. A Worker must not be used after its job; see [Worker].
//
// The first call in a batch takes a lock for a moment and allocates a few objects. A batch whose
// body does not call Context pays one comparison.
func (w Worker) Context() context.Context {
	if w.state == nil {
		return context.Background()
	}
	r := workerOf(w.state.batches)
	if r.context == nil {
		if r.job == nil {
			return ended
		}
		r.context, r.quick = r.job.newContext(r.batch), 0
	}
	select {
	// The function of the loop's context may have read the list before this batch was in it, or may
	// not have read it yet.
	case <-r.job.done: // keeps (X2)
		r.context.lapse()
	default:
	}
	return r.context.own
}

// ended is a context that has ended. A Worker that is used after its job has it.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// contexts is the list of the contexts of one loop's batches.
type contexts struct {
	mu   atom.HiddenMutex
	open []*batchContext
	stop func() bool // keeps the loop's context from calling lapse; nil if that context never ends
}

// batchContext is the context of one batch: own, which the body gets, and own's parent, which is
// the batchContext itself. As a parent it is the loop's context, except that its Done channel never
// closes and that it has an AfterFunc. So package context calls AfterFunc to learn when own ends,
// and does not take the lock of the loop's context.
type batchContext struct {
	context.Context
	own    context.Context
	cancel context.CancelCauseFunc
	lapse  func() // ends own when the loop's context has ended; nil if that never ends
	batch  int
	among  *contexts
}

// never is the Done channel of a context that does not report its end by one.
var never = make(chan struct{})

// Done implements context.Context.
func (*batchContext) Done() <-chan struct{} { return never }

// AfterFunc notes the function that ends own. Package context calls it when it makes own.
func (b *batchContext) AfterFunc(f func()) (stop func() bool) {
	b.lapse = f
	return func() bool { return true }
}

// newContext makes the context of a batch and adds it to the list.
func (j *exec) newContext(batch int) *batchContext {
	b := &batchContext{Context: j.ctx, batch: batch, among: j.listen()}
	parent := j.ctx
	if j.done != nil {
		parent = b
	}
	b.own, b.cancel = context.WithCancelCause(parent)
	atom.ReleaseMerge(unsafe.Pointer(b))
	b.among.enter(b)
	if int64(batch) >= j.limit.Load() { // keeps (X1)
		atom.Acquire(unsafe.Pointer(&j.limit))
		if cause, own := j.outcome().cause(); own {
			b.cancel(cause)
		}
	}
	return b
}

// listen returns the list of the job's contexts. The call that makes the list registers lapse with
// the loop's context, which calls it when it ends.
//
//go:norace
func (j *exec) listen() *contexts {
	j.mu.Lock()
	made := j.contexts == nil
	if made {
		j.contexts = new(contexts)
	}
	c := j.contexts
	j.mu.Unlock()
	if made && j.done != nil {
		c.stop = context.AfterFunc(j.ctx, c.lapse)
	}
	return c
}

// enter adds a context to the list.
//
//go:norace
func (c *contexts) enter(b *batchContext) {
	c.mu.Lock()
	c.open = append(c.open, b)
	c.mu.Unlock()
}

// leave removes a context from the list.
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

// from returns the contexts in the list of the batches from batch on.
//
//go:norace
func (c *contexts) from(batch int) (some []*batchContext) {
	c.mu.Lock()
	for _, b := range c.open {
		if b.batch >= batch {
			some = append(some, b)
		}
	}
	c.mu.Unlock()
	return some
}

// lapse ends the contexts in the list. The loop's context has ended.
func (c *contexts) lapse() {
	for _, b := range c.from(0) {
		b.end(func() { b.lapse() })
	}
}

// tell ends the contexts of the batches from batch on, with the cause; nil is context.Canceled. The
// caller has lowered the job's limit before (X1).
func (c *contexts) tell(batch int, cause error) {
	for _, b := range c.from(batch) {
		b.end(func() { b.cancel(cause) })
	}
}

// end calls f, which ends the context. In builds with the race detector f runs on a goroutine of
// its own. On one goroutine the ends of several contexts would follow each other, which the
// detector would take for an order of their batches.
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

// cause returns the cause with which contexts of batches at or above the job's limit end; f is nil
// if the loop has been stopped. own is false if they end with the loop's context instead.
func (f *failure) cause() (cause error, own bool) {
	switch {
	case f == nil:
		return nil, true
	case f.violation != nil:
		return f.violation, true
	case f.panicked != nil:
		return f.panicked, true
	}
	return f.err, f.batch >= 0
}

// endContext ends the context of the current batch.
func (r *worker) endContext() {
	b := r.context
	r.context = nil
	b.among.leave(b)
	b.cancel(nil)
}

// closeContexts keeps the end of the loop's context from calling lapse. All workers have left.
//
//go:norace
func (j *exec) closeContexts() {
	if c := j.contexts; c != nil {
		j.contexts = nil
		if c.stop != nil {
			c.stop()
		}
	}
}
