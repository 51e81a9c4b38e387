package parallelfor

import "example.com/custody/safety"

// This file has the jobs that a job runs after, and the jobs that run after it.

// runAfterNone forgets what runAfter has noted for a job that nobody knows of.
//
//go:norace
func (j *job) runAfterNone() {
	if j.after != nil {
		j.mu.Lock()
		j.after, j.few = nil, [2]safety.Life{}
		j.mu.Unlock()
	}
}

// runAfter has the job run after that of the life, unless that has ended.
//
//go:norace
func (j *job) runAfter(l safety.Life) {
	if l.Ended() {
		return
	}
	j.mu.Lock() // somebody may look into an earlier life
	if j.after == nil {
		j.after = j.few[:0]
	}
	j.after = append(j.after, l)
	j.mu.Unlock()
}

// awaited returns the first of the jobs that this one runs after which has not finished, from the one of that number on, and its number; none when
// there is no such, or this one has finished. Who has not entered the job's life asks afterwards whether it has ended (L4).
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

// tell asks the job of that life to tell d when it has finished, unless it has already. A life that has not ended when the job has not finished
// does not end while its lock is held: closeBooks, which comes before the end, takes it. So it is that job's list (L4).
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

// depFinished notes that one of the jobs that this one runs after has finished, and says whether it was
// the last.
//
//go:norace
func (j *job) depFinished() bool {
	j.mu.Lock()
	j.pending--
	last := j.pending == 0
	j.mu.Unlock()
	return last
}

// awaitDeps asks all jobs that this one runs after to tell it, and says whether all have finished.
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
