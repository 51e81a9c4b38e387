package parallelfor

import (
	"context"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/callsite"
	"example.com/custody/safety"
)

// Handle stands for a scheduled job. It is a small value that may be copied. The zero Handle stands
// for a job that is complete.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Complete        ledger  waits: for the loop, other calls  O(containers)  once warm never
//	Err, Finished   glance  lock                              O(chain)       never
//	Ticket, String  glance  lock                              O(chain)       String: the text
type Handle struct {
	job        hidden
	generation uint32 // of the job; see reuse.go
}

// Complete waits until the job has finished, working on it meanwhile, and takes custody of its
// containers, and of those of all jobs that it runs after. From then on the caller may use them,
// and so may goroutines that are ordered after the caller. Any number of goroutines may call
// Complete, any number of times; all calls have the same result.
//
// If a body failed, Complete fails like the sequential loop. A violation panics with the
// *safety.Violation, and a panic with a *[Panic] that holds its value and stack. A runtime.Goexit,
// as by t.FailNow, ends the calling goroutine. A body may run on the calling goroutine. Its Goexit
// then ends that goroutine, even if the failure that counts is the error of a lower batch.
// [Handle.Err] returns the error of a body, and the cause of a cancellation.
//
// Inside a body, waiting for a job that waits for the body is a violation. So is waiting in a
// bubble of testing/synctest for an unfinished job that was scheduled outside, or the other way
// round ([safety.ErrArgument]). Two bubbles are not told apart: the wait in one for an unfinished
// job of another may never end, which synctest reports as a deadlock.
func (h Handle) Complete() {
	if h.hold() {
		execOf(h).completeBy((*exec).wait).raise(false)
	}
}

// Err returns the error that a body of a completed job returned, or the cause of the cancellation
// of its context, or nil. Before the job is completed it returns nil.
func (h Handle) Err() error {
	if !h.hold() {
		return nil
	}
	defer execOf(h).letGo()
	return execOf(h).err()
}

// Finished reports whether the job has run. It orders nothing; only Complete returns containers.
func (h Handle) Finished() bool {
	if !h.hold() {
		return true
	}
	defer execOf(h).letGo()
	if execOf(h).finished() {
		return true
	}
	if execOf(h).bubbled == atom.InBubble() { // keeps (B1)
		execOf(h).urge() // the caller may ask again and again
	}
	return false
}

// Ticket returns the custody of the job, for containers that end with it (their DisposeAfter). It
// returns nil for the zero Handle, and may do so for a completed job. A nil Ticket answers as one
// that was returned.
func (h Handle) Ticket() *safety.Ticket {
	if !h.hold() {
		return nil
	}
	defer execOf(h).letGo()
	execOf(h).stay()
	keepAll()
	return &execOf(h).ticket
}

// Combine returns a handle that is finished when all the given ones are. Completing it completes
// them. If some failed, it fails like the first of them. The handle of none must be completed, too.
func Combine(handles ...Handle) Handle {
	opts := []Option{After(handles...), Name("Combine")}
	return build(context.Background(), 0, &struct{}{}, ranges(func(begin, end int) {}), about{}, opts, scheduled, siteOf(opts, callsite.Return())).handOut()
}

// handOut starts the job that was scheduled and returns its handle. If a container ends the calling
// goroutine, which then has no handle, the job is completed first.
func (a *admitted) handOut() Handle {
	j := workOf(a).exec
	if j.inline {
		j.executeNow()
		return j.handle()
	}
	through := false
	defer func() {
		if !through {
			j.completeIdly()
		}
	}()
	j.launch()
	through = true
	return j.handle()
}
