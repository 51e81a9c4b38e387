package parallelfor

import "example.com/custody/safety"

// AutoOrder makes the job run after every earlier job that holds one of its containers in a way that excludes
// its own claim, where otherwise that is a violation: what [After] would say of all of them. Earlier means
// admitted earlier: of two goroutines that schedule conflicting jobs the ledger's order decides, the same one for
// all their containers. What the jobs leave is what they leave when they are executed one by one in that order.
//
// Goroutines may leave it to the ledger whose job comes first: what happened before a job was completed happens
// before the batches of every conflicting job in AutoOrder that is scheduled later.
//
// It is After in everything else: custody passes along the edges, completing the job completes those that it runs
// after, and when one of them fails or is cancelled the job does not run, and reports that failure. Jobs that do
// not conflict run beside each other. Options of both sorts may be mixed.
//
// What cannot be ordered stays a violation: a job that another goroutine runs in one call, without AutoOrder of
// its own, since nothing can run after it ([safety.ErrConflict]); and inside a body, one that waits for the body
// ([safety.ErrWaitCycle]) and containers that the body does not hold ([safety.ErrNotLent]).
//
// Loops that are two jobs, one after the other (Scan, Compact), come in between other goroutines' jobs twice.
//
// Cost: nothing but a branch for a job that is scheduled and conflicts with none. For each round in which others
// are found the ledger is asked once more. A job that is run in one call loses what makes that cheaper than to
// schedule and complete it.
func AutoOrder() Option { return Option{what: optAutoOrder} }

// ordered says whether AutoOrder is among the options: then the job must be one that others can run after.
func ordered(opts []Option) bool {
	for i := range opts {
		if opts[i].what == optAutoOrder {
			return true
		}
	}
	return false
}

// order makes the job, which the ledger has just told whom it collides with, run after those too. Other goroutines may
// have scheduled them: that orders what the jobs do, and not what the goroutines do.
//
//go:norace
func (j *exec) order(under *safety.Scope) *safety.Violation {
	noted := len(j.after)
	for _, t := range j.ticket.Found() {
		j.runAfter(t.Owner.(*exec))
	}
	if v := j.separateFrom(noted); v != nil {
		return v
	}
	return waits.enter(j, under, noted)
}
