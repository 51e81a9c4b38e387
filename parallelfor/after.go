package parallelfor

// This file has the jobs that a job runs after, and the jobs that run after it.

// runAfter has the job run after that of the handle.
func (j *exec) runAfter(h Handle) {
	if h.hold() {
		j.holdAfter(execOf(h))
	}
}

// holdAfter has the job run after the given one, which the caller holds, and hold it instead.
//
//go:norace
func (j *exec) holdAfter(before *exec) {
	if reuses {
		j.held.add(before)
		j.follows = true
	}
	if j.after == nil {
		j.after = j.few[:0]
	}
	j.after = append(j.after, before)
}

// awaited returns the first unfinished job among those that this one runs after, from index from
// on, and its index. It returns nil if there is none, or if this job has finished.
//
//go:norace
func (j *exec) awaited(from int) (a *exec, number int) {
	j.mu.Lock()
	if number = from; !j.finished() {
		for ; number < len(j.after); number++ {
			if !j.after[number].finished() {
				a = j.after[number]
				break
			}
		}
	}
	j.mu.Unlock()
	return a, number
}

// addDependent adds d to the job's dependents, unless the job has finished, and reports whether it
// did.
//
//go:norace
func (j *exec) addDependent(d *exec) (waits bool) {
	j.mu.Lock()
	if waits = !j.finished(); waits {
		if j.dependents == nil {
			j.dependents = j.fewDependents[:0]
		}
		j.dependents = append(j.dependents, d)
	}
	j.mu.Unlock()
	return waits
}

// depFinished counts pending down, and reports whether the job can begin now. It returns true once.
func (j *exec) depFinished() bool { return j.pending.Add(-1) == 0 }

// released counts pending down for the dependents of a job that has finished. It returns ready with
// those in front that can begin now. hurried is that job's.
//
//go:norace
func released(dependents []*exec, hurried bool, ready *exec) *exec {
	for _, d := range dependents {
		if d.depFinished() {
			if hurried { // no goroutine leads the chain
				d.hurried = true
				d.urged.Store(1)
			}
			d.nextReady, ready = ready, d
		}
	}
	return ready
}

// awaitDeps adds the job to the dependents of all jobs that it runs after, and reports whether all
// of these have finished already.
//
//go:norace
func (j *exec) awaitDeps() bool {
	if len(j.after) == 0 {
		return true
	}
	j.pending.Store(1 + int64(len(j.after)))
	for _, a := range j.after {
		if !a.addDependent(j) {
			j.depFinished()
		}
	}
	return j.depFinished()
}

// beginAll begins the jobs on a list that nextReady links, which all can begin, and those that can
// begin because one of these has finished. It does not recurse, because chains may be long.
//
//go:norace
func beginAll(ready *exec) {
	for ready != nil {
		j := ready
		ready, j.nextReady = j.nextReady, nil
		ready = j.begin(ready)
	}
}
