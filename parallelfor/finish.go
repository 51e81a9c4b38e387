package parallelfor

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// finish seals the job's containers, tells those who wait, and starts what ran after the job only. It
// is called once, by the last worker.
func (j *job) finish() {
	j.pool.withdraw(j)
	j.seal()
	tellAll(j.closeBooks())
}

// tellAll tells jobs that one which they run after has finished, and begins those for which it was the last.
func tellAll(next []*job) {
	for len(next) > 0 { // no recursion: chains may be long
		d := next[len(next)-1]
		next = next[:len(next)-1]
		if d.depFinished() {
			next = append(next, d.begin()...)
		}
	}
}

// start lets workers at the job, or finishes it when there is nothing to execute; then it returns the
// jobs that wait for it. here says that the caller is to be one of the workers.
func (j *job) start(here bool) []*job {
	if j.prepare() {
		n := j.crowd()
		j.work.seats(n)
		j.hand.reset(j.cells, n)
		j.dispatch(n, here)
		return nil
	}
	j.seal()
	return j.closeBooks()
}

// seal seals the containers; one that panics fails the job, and the others are sealed all the same.
func (j *job) seal() {
	j.ending()
	for !j.sealRest() {
	}
	if j.watch != nil {
		j.watch.end()
	}
}

// sealRest seals the containers that are not sealed yet, until one panics.
func (j *job) sealRest() (ok bool) {
	defer func() {
		if !ok {
			f := j.caught(0, recover())
			f.cancelled = true // what was not sealed yet is lost
			j.fail(f)
		}
	}()
	parallel := noPhases
	if j.ticket.Phased() {
		if j.share == nil {
			j.share = j.parallel
		}
		parallel = j.share
	}
	j.ticket.Seal(j.counted(), j.outcome() != nil, parallel)
	return true
}

// noPhases stands for parallel where no container asks for it, and spares making a func of the method.
var noPhases func(n int, f func(i int))

// parallel runs f(0) to f(n-1) for a container that is being sealed, on as many workers as the job had.
func (j *job) parallel(n int, f func(i int)) {
	if j.workers == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	For(n, struct{}{}, func(_ *struct{}, i int) { f(i) }, Batch(1), Workers(j.workers), Name("seal of "+j.name))
}

// closeBooks makes the job finished, and returns the jobs that wait for it.
//
//go:norace
func (j *job) closeBooks() []*job {
	waits.leave(j)
	j.length.view = nil
	if !j.here {
		j.work.retire()
	}
	atom.ReleaseMerge(unsafe.Pointer(j))
	j.mu.Lock()
	pool, cond, d := j.pool, &j.cond, j.dependents
	j.dependents = nil
	j.after = nil // a chain of handles must not keep every job there ever was
	j.over.Store(1)
	j.mu.Unlock()
	// From here on j may be another job already.
	atom.Broadcast(cond)
	pool.finished()
	return d
}

// awaited returns the jobs that this one runs after, unless it has finished.
//
//go:norace
func (j *job) awaited() []*job {
	j.mu.Lock()
	a := j.after
	j.mu.Unlock()
	return a
}

// tell asks the job to tell d when it has finished, unless it has already.
//
//go:norace
func (j *job) tell(d *job) (waits bool) {
	j.mu.Lock()
	if waits = j.over.Load() == 0; waits {
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
		if !a.tell(j) {
			j.depFinished()
		}
	}
	return j.depFinished()
}
