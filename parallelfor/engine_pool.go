//go:build !race || custody_explore

package parallelfor

// keeps says that jobs that are run and waited for in one call are kept by the caller.
const keeps = true

// dispatch lets so many workers at a prepared job: residents of the pool, and the caller when here is true;
// then it returns when there is nothing left for the caller to take.
func (j *job) dispatch(workers int, here bool) {
	taken := 0
	if here {
		taken = 1
	}
	if j.hand.dealt != nil {
		j.dispatchDealt(taken)
		return
	}
	if n := workers - taken; n > 0 {
		j.pool.publish(j, n, taken)
	} else {
		j.admitWorkers(workers, taken)
	}
	if here {
		j.work(0)
	} else {
		j.rouse()
	}
}

// begin starts a job that another one was waited for.
func (j *job) begin() []*job { return j.start(false) }
