package parallelfor

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// finish seals the job's containers, tells those who wait, and starts what ran after the job only. It
// is called once, by the last worker.
func (j *job) finish() {
	j.pool.withdraw(j)
	j.seal()
	tellAll(j.closeBooks(nil))
}

// told is a list of jobs that run after one that has finished, and are to be told so. A nil told is
// empty.
type told struct {
	jobs []*job
	most int // the greatest length of jobs so far
}

var spareTold atom.Spares[told]

// tellAll tells jobs that one which they run after has finished, and begins those for which it was the last.
func tellAll(next *told) {
	if next == nil {
		return
	}
	for len(next.jobs) > 0 { // no recursion: chains may be long
		last := len(next.jobs) - 1
		d := next.jobs[last]
		next.jobs = next.jobs[:last]
		if d.depFinished() {
			next = d.begin(next)
		}
	}
	clear(next.jobs[:cap(next.jobs)])
	if !atom.Worthwhile(cap(next.jobs), next.most) {
		next.jobs = nil
	}
	next.most = 0
	spareTold.Give(next)
}

//go:norace
func newTold() *told {
	if n := spareTold.Take(); n != nil {
		return n
	}
	return new(told)
}

// start lets workers at the job, or finishes it when there is nothing to execute; then it appends the
// jobs that wait for it to next. here says that the caller is to be one of the workers.
func (j *job) start(here bool, next *told) *told {
	if j.prepare() {
		n := j.crowd()
		j.work.seats(n)
		j.work.hand.reset(j.cells, n)
		j.dispatch(n, here)
		return next
	}
	j.seal()
	return j.closeBooks(next)
}

// seal seals the containers; one that panics fails the job, and the others are sealed all the same.
func (j *job) seal() {
	j.ending()
	j.closeContexts()
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
	if j.told || safety.Enabled && j.orphan {
		j.telling(sealsPhase, nil)
	} else {
		j.sealPhases()
	}
	return true
}

// sealPhases seals the containers that are not sealed yet.
func (j *job) sealPhases() {
	parallel := noPhases
	if j.ticket.Phased() {
		if j.work.share == nil {
			j.work.share = j.work.parallel
		}
		parallel = j.work.share
	}
	j.ticket.Seal(j.counted(), j.outcome() != nil, parallel)
}

// noPhases stands for parallel where no container asks for it, and spares making a func of the method.
var noPhases func(n int, f func(i int))

// parallel runs f(0) to f(n-1) for a container that is being sealed, on as many workers as the job had.
func (w *work) parallel(n int, f func(i int)) {
	if w.workers == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	For(n, struct{}{}, func(_ *struct{}, i int) { f(i) }, Batch(1), Workers(w.workers), Name("seal of "+w.name))
}

// closeBooks makes the job finished, and appends the jobs that wait for it to next.
//
//go:norace
func (j *job) closeBooks(next *told) *told {
	waits.leave(j)
	j.length.view = nil
	if j.mode < called { // handles are not to keep what the job was given
		j.ctx, j.done, j.progress, j.cost = nil, nil, nil, nil
		j.work.retire()
	}
	atom.ReleaseMerge(unsafe.Pointer(j))
	j.mu.Lock()
	pool := j.pool
	if len(j.dependents) > 0 {
		if next == nil {
			next = newTold()
		}
		next.jobs = append(next.jobs, j.dependents...)
		next.most = max(next.most, len(next.jobs))
		j.dependents, j.fewDependents = nil, [2]*job{}
	}
	j.after, j.few = nil, [2]*job{} // a chain of handles must not keep every job there ever was
	j.over.Store(1)
	atom.Broadcast(&j.cond) // keeps (B3)
	j.mu.Unlock()
	pool.finished()
	return next
}
