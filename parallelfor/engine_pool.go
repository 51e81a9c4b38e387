//go:build !race || custody_explore

package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// keeps reports whether a job that is run and waited for in one call is kept by the caller.
const keeps = true

// dispatch lets workers join a prepared job: worker goroutines of the pool, and goroutines that
// complete the job. A job in a bubble, or whose batches a test has assigned, gets goroutines of its
// own instead. The second argument is for the engine of race builds.
func (j *exec) dispatch(workers int, _ bool) {
	if j.work.distribution.assigned != nil || j.apart() {
		j.dispatchApart(workers, 0)
		return
	}
	j.pool.publish(j, workers)
}

// begin starts the job, and returns ready with the jobs that can begin in front; see beginAll.
//
// A start may call functions of the program, which may wait for a body or callback that the calling
// goroutine is in, or for another job that this goroutine is to begin. There the wait would never
// end. So such a start has a goroutine of its own, unless the job runs after none and the calling
// goroutine is in no body or callback. A build without checks does not know which goroutines are in
// bodies, so there each such start has its own goroutine.
func (j *exec) begin(ready *exec) *exec {
	if j.short() {
		var late bool
		if late, ready = j.pool.putOff(j, ready); late {
			return ready
		}
	}
	calls := j.length.view != nil || j.ticket.Foreign() // Len of the LengthOf view, or OpenPhase
	if !calls || len(j.after) == 0 && safety.Enabled && waiter(safety.CurrentScope()).job == nil {
		return j.start(false, ready)
	}
	atom.Go(func() { beginAll(j.start(false, nil)) })
	return ready
}

// forkEngine and forkBoth are for builds with the race detector.
type forkEngine struct{}

func (forkEngine) begin() {}
func (forkEngine) end()   {}

func forkBoth[A, R any](*Forks[A, R], A, A) (l, r R) {
	return l, r
}
