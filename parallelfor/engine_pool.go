//go:build !race || custody_explore

package parallelfor

// keeps says that jobs that are run and waited for in one call are kept by the caller.
const keeps = true

// dispatch lets so many workers at a prepared job: residents of the pool, and those who complete it. Jobs whose
// caller is to work on them are kept here.
func (j *job) dispatch(workers int, _ bool) {
	if j.hand.dealt != nil || j.apart() {
		j.dispatchApart(workers, 0)
		return
	}
	j.pool.publish(j, workers)
}

// begin starts a job that another one was waited for.
func (j *job) begin(next *told) *told { return j.start(false, next) }
