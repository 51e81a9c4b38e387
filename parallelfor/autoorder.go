package parallelfor

import "example.com/custody/safety"

// AutoOrder makes the job run after every earlier job that conflicts with it, as [After] would.
// Without it, such a conflict is a violation. Earlier means admitted earlier: of two goroutines
// that schedule conflicting jobs the ledger's order decides, the same for all their containers. The
// jobs leave what they leave when they are executed one by one in that order.
//
// Goroutines may leave the order of their jobs to the ledger. What happened before a job was
// completed happens before the batches of every conflicting job in AutoOrder that is scheduled
// later.
//
// In everything else it is like After. Custody passes along the edges, and completing the job
// completes those that it runs after. When one of them fails or is cancelled the job does not run,
// and reports that failure. Jobs that do not conflict run beside each other. Options of both sorts
// may be mixed.
//
// What cannot be ordered stays a violation. Nothing can run after a job that another goroutine runs
// in one call, without AutoOrder of its own ([safety.ErrConflict]). Inside a body, a job cannot run
// after one that waits for the body ([safety.ErrWaitCycle]), and cannot hold containers that the
// body does not hold ([safety.ErrNotLent]).
//
// Scan and Compact run two jobs, one after the other. Jobs of other goroutines may come between.
//
// Cost: a branch for a job that is scheduled and conflicts with none. The ledger is asked once more
// for each round in which others are found. A job that is run in one call costs as much as if it
// were scheduled and completed.
func AutoOrder() Option { return Option{what: optAutoOrder} }

// ordered reports whether AutoOrder is among the options. Others can run after such a job.
func ordered(opts []Option) bool {
	for i := range opts {
		if opts[i].what == optAutoOrder {
			return true
		}
	}
	return false
}

// order makes the job run after those that the ledger has just found to conflict with it. If other
// goroutines scheduled them, that orders what the jobs do, and not what these goroutines do.
//
//go:norace
func (j *exec) order(under *safety.Scope) *safety.Violation {
	noted := len(j.after)
	for _, t := range j.ticket.Found() {
		a := jobOf(t)
		a.retain()
		j.holdAfter(a)
	}
	return waits.enter(j, under, noted)
}
