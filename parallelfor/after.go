package parallelfor

import "example.com/custody/safety"

// This file has the jobs that a job runs after, and the jobs that run after it.

// runAfterNone forgets the jobs that runAfter has noted. No other goroutine knows the job.
//
//go:norace
func (j *job) runAfterNone() {
	if j.after != nil {
		j.mu.Lock()
		j.after, j.few = nil, [2]safety.Life{}
		j.mu.Unlock()
	}
}

// runAfter has the job run after the job of the life, unless that life has ended.
//
//go:norace
func (j *job) runAfter(l safety.Life) {
	if l.Ended() {
		return
	}
	j.mu.Lock() // a goroutine may still look into an earlier life
	if j.after == nil {
		j.after = j.few[:0]
	}
	j.after = append(j.after, l)
	j.mu.Unlock()
}

// awaited returns the first unfinished job among those that this one runs after, from index from
// on, and its index. It returns the zero Life if there is none, or if this job has finished. A
// goroutine that has not entered the job's life must ask afterwards whether the life has ended
// (L4).
//
//go:norace
func (j *job) awaited(from int) (l safety.Life, number int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for number = from; number < len(j.after); number++ {
		if l = j.after[number]; !over(l) {
			return l, number
		}
	}
	return safety.Life{}, number
}

// tell adds d to the dependents of the life's job, unless that job has finished, and reports
// whether it did. While the job's lock is held, a life that has not ended does not end: closeBooks
// takes the lock before the end. So the list is that of the life's job (L4).
//
//go:norace
func tell(life safety.Life, d *job) (waits bool) {
	j := jobOf(life)
	j.mu.Lock()
	if waits = j.over.Load() == 0 && !life.Ended(); waits {
		j.dependents = append(j.dependents, d)
	}
	j.mu.Unlock()
	return waits
}

// depFinished notes that one of the jobs that this one runs after has finished, and reports whether
// it was the last.
//
//go:norace
func (j *job) depFinished() bool {
	j.mu.Lock()
	j.pending--
	last := j.pending == 0
	j.mu.Unlock()
	return last
}

// awaitDeps has all jobs that this one runs after tell it when they have finished, and reports
// whether all have finished already.
//
//go:norace
func (j *job) awaitDeps() bool {
	j.pending = 1 + len(j.after)
	for _, a := range j.after {
		if !tell(a, j) {
			j.depFinished()
		}
	}
	return j.depFinished()
}
