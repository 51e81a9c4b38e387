package parallelfor

import (
	"errors"

	"example.com/custody/safety"
)

// This file has how a batch ends that fails, or that leaves nested jobs behind.

// failingBatch returns the batch that a failure now belongs to. A loop that fails before it has
// called Next would do so for every worker and at every call. So batch 0 fails, which fails the
// whole job, and the worker is drained.
func (r *worker) failingBatch() int {
	if !r.asked {
		r.drained = true
		return 0
	}
	return max(r.batch, 0)
}

// abandon ends the current batch, which has failed, and completes its nested jobs.
func (r *worker) abandon() {
	r.end = r.stop
	if r.context != nil {
		r.endContext()
	}
	r.scope.Next(r.bindings.holds, r.batch)
	if safety.Strict {
		r.renew() // the plain fields may be anything
	}
	if r.scope.Busy() {
		r.endChildren()
	}
}

// failed notes the error that a body returned.
func (r *worker) failed(err error) {
	r.keep(err)
	if a, ok := err.(*safety.Refused); ok {
		err = a.Violation()
	}
	r.job.fail(&failure{batch: r.failingBatch(), err: err})
}

// thrown notes the value that a body panicked with; nil stands for runtime.Goexit.
func (r *worker) thrown(value any) {
	if err, ok := value.(error); ok {
		r.keep(err)
	}
	r.job.fail(r.job.caught(r.failingBatch(), value))
}

// keep makes err, or the error that it wraps, independent of the copy's view that refused an
// access. It makes the violation now, and gives the worker another copy. If err or the view panics
// meanwhile, err stays as it is.
func (r *worker) keep(err error) {
	defer func() { _ = recover() }()
	var a *safety.Refused
	if errors.As(err, &a) {
		// A body that returns the violation has left the line on which it arose.
		if v := a.Violation(); v.At == "" {
			v.At = r.work.stands()
		}
		r.renew()
	}
}

// misled fails the job: a kind's loop returned without calling Next, and would do so at every call.
func (r *worker) misled() {
	v := safety.NewViolation(safety.ErrArgument, "the loop of job "+r.job.name+"'s kind returned before it had asked for a batch", "A Loop calls Next until it returns false.")
	v.Job, v.At = r.job.name, r.work.stands()
	r.job.fail(&failure{batch: r.failingBatch(), violation: v})
}

// endChildren completes the jobs that the batch has scheduled and not completed. That is a failure
// of the batch, unless it has failed already or another goroutine has completed them meanwhile.
func (r *worker) endChildren() {
	children := r.scope.Children()
	if len(children) == 0 {
		return
	}
	last := children[len(children)-1]
	name, site := last.Job(), last.Site().String()
	r.completeAll(children)
	v := safety.NewViolation(safety.ErrNotCompleted, "a body of job "+r.job.name+" ended its batch while job "+name+", which it had scheduled at "+site+", was not completed",
		"Call Complete on the handle before the body returns; or schedule the job outside, after the loop.")
	v.Job, v.OtherJob, v.Scheduled, v.At = r.job.name, name, site, r.work.stands()
	r.job.fail(&failure{batch: r.failingBatch(), violation: v})
}

// completeAll completes the children. If a container of one panics, that fails the batch. The other
// children are completed all the same, also if the goroutine is ending.
func (r *worker) completeAll(children []*safety.Ticket) {
	if len(children) == 0 {
		return
	}
	j, through := jobOf(children[0]), false
	defer func() {
		if !through {
			r.thrown(recover())
		}
		r.completeAll(children[1:])
	}()
	j.completeIdly() // a goroutine that worked on it might be ended, and leave the others behind
	through = true
}
