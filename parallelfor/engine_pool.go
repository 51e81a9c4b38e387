//go:build !race || custody_explore

package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// keeps says that jobs that are run and waited for in one call are kept by the caller.
const keeps = true

// dispatch lets n workers join a prepared job: worker goroutines of the pool, and goroutines that
// complete the job. A job in a bubble, or whose batches a test has dealt, gets goroutines of its
// own instead. The bool is for the other engine: here a caller that works on its job keeps it.
func (j *exec) dispatch(workers int, _ bool) {
	if j.work.hand.dealt != nil || j.apart() {
		j.dispatchApart(workers, 0)
		return
	}
	j.pool.publish(j, workers)
}

// begin starts a job that another one was waited for.
//
// A start that may call functions of the program has a goroutine of its own if the calling
// goroutine is in a body or callback. Such a function may wait for that body or callback, which
// happens to have finished the job before: on its goroutine the wait would never end. A build
// without checks does not know which goroutines are in bodies, so there each such start has its own
// goroutine.
func (j *exec) begin(next *told) *told {
	if !j.startCalls() || safety.Enabled && waiter(safety.CurrentScope()).job == nil {
		return j.start(false, next)
	}
	atom.Go(func() { tellAll(j.start(false, nil)) })
	return next
}

// startCalls reports whether the start of the job may call functions of the program: OpenPhase of
// its containers, or Len of its [LengthOf] view.
func (j *exec) startCalls() bool { return j.length.view != nil || j.ticket.Foreign() }
