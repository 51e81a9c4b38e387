//go:build !race || custody_explore

package parallelfor

// keeps says that jobs that are run and waited for in one call are kept by the caller.
const keeps = true

// dispatch lets n workers join a prepared job: worker goroutines of the pool, and goroutines that
// complete the job. A job in a bubble, or whose batches a test has dealt, gets goroutines of its
// own instead. The bool is for the other engine: here a caller that works on its job keeps it.
func (j *job) dispatch(workers int, _ bool) {
	if j.hand.dealt != nil || j.apart() {
		j.dispatchApart(workers, 0)
		return
	}
	j.pool.publish(j, workers)
}

// begin starts a job that another one was waited for.
func (j *job) begin(next *told) *told { return j.start(false, next) }
