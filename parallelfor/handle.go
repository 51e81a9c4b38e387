package parallelfor

import (
	"context"

	"example.com/custody/safety"
)

// Handle stands for a scheduled job. It is a small value, to be copied freely; the zero Handle stands
// for a job that is complete.
type Handle struct {
	life safety.Life // of the job; it ends once the job was completed without a failure (S1, S2)
}

// job returns the job that the handle stands for, or nil when there is nothing to do or to say of it any more. Leave ends its use.
func (h Handle) job() *job {
	if !h.life.Enter() {
		return nil
	}
	return jobOf(h.life)
}

// Complete waits until the job has finished, working on it meanwhile, and takes custody of its
// containers, and of those of all jobs that it runs after. From then on the caller may use them,
// and so may goroutines that are ordered after the caller. Any number of goroutines may call
// Complete, any number of times; all calls have the same result.
//
// If a body failed, Complete fails like the sequential loop. A violation panics with the
// *safety.Violation, and a panic with a *[Panic] that holds its value and stack. A runtime.Goexit,
// as by t.FailNow, ends the calling goroutine. A Goexit in a body that runs on the calling
// goroutine, which it may, does so even if the failure that counts is the error of a lower batch.
// [Handle.Err] returns the error of a body, and the cause of a cancellation.
//
// Inside a body, waiting for a job that waits for the body is a violation. So is waiting in a
// bubble of testing/synctest for an unfinished job that was scheduled outside, or the other way
// round ([safety.ErrArgument]). Two bubbles are not told apart: the wait in one for an unfinished
// job of another may never end, which synctest reports as a deadlock.
func (h Handle) Complete() {
	if j := h.job(); j != nil {
		defer h.life.Leave() // also when the job has failed, or must not be waited for
		j.complete()
	}
}

// Err returns the error that a body of a completed job returned, or the cause of the cancellation of
// its context, or nil. Before the job is completed it returns nil.
func (h Handle) Err() error {
	j := h.job()
	if j == nil {
		return nil
	}
	err := j.err()
	h.life.Leave()
	return err
}

// Finished says whether the job has run. That alone gives nothing back: Complete does.
func (h Handle) Finished() bool { return over(h.life) }

// Ticket returns the custody of the job, for containers that end with it (their DisposeAfter). It returns nil for the zero Handle, and may do so once
// the job was completed without a failure: then there is nothing to be told of it. In strict builds and with the race detector it never does for a job,
// so test for nil; what a Ticket says of itself it says of nil, too, as of one that was returned.
//
// Who asks for it keeps the memory of the job from being used again. As long as somebody knows the handle it has a few hundred bytes to itself.
func (h Handle) Ticket() *safety.Ticket {
	if !h.life.Keep() { // nobody uses it again
		return nil
	}
	return h.life.Ticket()
}

// Combine returns a handle that is finished when all the given ones are. Completing it completes them;
// if some failed, it fails like the first of them.
func Combine(handles ...Handle) Handle {
	after := After(handles...)
	return build(context.Background(), 0, &struct{}{}, nothing{}, false, []Option{after, Name("Combine")}, handedOut).job.handOut()
}

// nothing is the kind of a job that has no cells.
type nothing struct{}

// PerIndex implements Kind.
func (nothing) PerIndex() bool { return false }

// Loop implements Kind.
func (nothing) Loop(_ *struct{}, r *Cells) error {
	r.Next()
	return nil
}
