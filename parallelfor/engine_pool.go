//go:build !race || custody_explore

package parallelfor

import "example.com/custody/internal/atom"

// dispatch lets workers at a prepared job: residents of the pool, and the caller when here is true;
// then it returns when there is nothing left for the caller to take.
func (j *job) dispatch(here bool) {
	taken := 0
	if here {
		taken = 1
	}
	if j.hand.dealt != nil {
		j.dispatchDealt(taken)
		return
	}
	if n := j.workers - taken; n > 0 {
		j.pool.publish(j, n, taken)
	} else {
		j.admitWorkers(taken)
	}
	if here {
		j.work(0)
	} else {
		j.rouse()
	}
}

// dispatchDealt is dispatch for a job whose cells a test has dealt: every worker must come.
func (j *job) dispatchDealt(taken int) {
	n := j.workers
	j.admitWorkers(n)
	for w := taken; w < n; w++ {
		atom.Go(func() { j.work(w) })
	}
	if taken > 0 {
		j.work(0)
	}
}

// begin starts a job that another one was waited for.
func (j *job) begin() []*job { return j.start(false) }
