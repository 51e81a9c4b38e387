package parallelfor

import (
	"math"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// exec is one execution of a loop, whatever its type: its grid, its custody, its workers and its
// outcome. Its life has five steps:
//
//   - admit: the ledger admits the claims, and the containers are the job's (admit.go).
//   - open: all jobs that it runs after have finished, and the phases of its containers open.
//   - work: workers join (join.go) and execute batches until none is left (work.go, batches.go).
//   - seal: the last worker has left, and the phases of the containers are sealed.
//   - return: a goroutine completes the job, and the containers are the owner's again.
//
// A handle points to an exec of its own, which reuse.go uses again if it can. It is small: what is
// needed only until the job has finished is in its running. An exec without a handle is part of the
// memory of its type's jobs (work) and is used again.
type exec struct {
	limit    atom.HiddenInt64 // batches from here on are not executed
	*running                  // nil once a job with a handle has finished; see conclude
	pool     *Pool
	observer *observer // nil if neither Progress, a Graph, a trace nor Labels observes the job
	around   *callback // the callback that runs the job and waits for it, or nil
	mode     mode
	unit     unit
	led      bool // a goroutine that completes a job leads this one, which was put off
	opened   bool // worker 0, which leads the job, has let others join
	bubbled  bool // scheduled in a bubble of testing/synctest; false for a kept job
	hurried  bool // the pool's timer began the job, or one that it runs after
	delays   bool // the job is put off if it is short
	follows  bool // the job has held others
	ticket   safety.Ticket

	state   atom.HiddenUint64 // which workers there are; see join.go
	offered atom.HiddenInt64  // how many workers of a large pool were asked; see Pool.offer
	over    atom.HiddenUint32 // 1 once the job has finished
	urged   atom.HiddenUint32 // 1 if the job is not put off; see (late.I3)
	mu      atom.HiddenMutex
	cond    atom.Cond

	generation atom.HiddenUint64 // see reuse.go
	held       holds             // of the jobs that this one runs after
	failure    *failure          // the failure of the lowest batch so far
	pending    atom.HiddenInt64  // unfinished jobs in after, plus 1 while awaitDeps goes through them
}

// mode tells whether a call or a handle waits for a job, and which goroutines can reach it.
type mode uint8

const (
	scheduled mode = iota // a handle stands for the job
	awaited               // a call waits for the job, and later jobs may run after it
	called                // a call waits for the job, and nothing else waits for it or runs after it
	kept                  // as called, and the caller leads the job
)

// unit is the part of a job that one call of a body executes.
type unit uint8

const (
	batchUnit unit = iota // a batch of indices
	indexUnit             // one index, independent of the others
	jobUnit               // the whole job, which has no indices
)

const unlimited = math.MaxInt64

// ready initializes a new exec of the work.
func (j *exec) ready(w *work) {
	j.running = &w.running
	j.limit.Store(unlimited)
	atom.InitCond(&j.cond, &j.mu)
	j.ticket.Owner = j
}

// jobOf returns the job that has the ticket.
//
//go:norace
func jobOf(t *safety.Ticket) *exec { return t.Owner.(*exec) }

// jobAround returns the job of the batch that has scope l, or nil.
//
//go:norace
func jobAround(l *safety.Scope) *exec {
	if l == nil || l.Ticket() == nil {
		return nil
	}
	return jobOf(l.Ticket())
}

// run executes an admitted job in the call that waits for it, and takes back the containers. It
// fails as the job did, or returns its error.
func (a *admitted) run() error {
	w := workOf(a)
	j := w.exec // w may be another job's once the job has finished, except if mode >= called
	alone := j.mode >= called
	how := (*exec).keep
	if j.mode < kept {
		how = (*exec).launchAndWait
	}
	if !alone {
		j.retain()
	}
	f := j.completeBy(how)
	switch {
	case f == nil:
		if alone {
			w.plan.giveWork(w)
		}
		return nil
	case alone:
		f.placed()
	}
	f.raise(false)
	return f.err
}

// launchAndWait runs a job that is not kept to its end.
func (j *exec) launchAndWait() {
	if j.mode < called || len(j.after) > 0 {
		j.launch()
	} else {
		j.start(true, nil) // no other goroutine can reach the job, so none waits for it
	}
	j.wait()
}

// completeBy calls wait, which returns when the job has finished, takes back the containers, and
// returns how the job failed. If a body ends the goroutine meanwhile, the job is completed first.
// The caller holds a job with a handle, and completeBy lets go of it.
func (j *exec) completeBy(wait func(j *exec)) *failure {
	through := false
	defer func() {
		if through {
			j.release()
			return
		}
		if v := recover(); v != nil { // the wait would never end
			if j.mode < called {
				j.letGo()
			}
			panic(v)
		}
		defer j.release()
		j.idle()
		j.giveBack()
		j.outcome().raise(true)
	}()
	wait(j)
	through = true
	j.giveBack()
	return j.outcome()
}

// launch starts the job once all jobs that it runs after have finished.
func (j *exec) launch() {
	atom.ReleaseMerge(unsafe.Pointer(&j.pending))
	urgent := keeps && j.mode == scheduled && len(j.after) > 0 && !j.short() // read before it may run
	if j.awaitDeps() {
		beginAll(j)
	} else if urgent {
		j.urge()
	}
}

// start opens the job and lets workers join; the last one to leave finishes it. If there is nothing
// to execute, start finishes it, and returns ready with the jobs that can begin in front. here
// tells the engine of race builds to execute the job on the calling goroutine.
func (j *exec) start(here bool, ready *exec) *exec {
	if !j.open() {
		j.seal()
		return j.conclude(ready)
	}
	n := j.crowd(noTurn)
	j.work.seats(n)
	j.work.distribution.reset(j.batches, n, false)
	j.dispatch(n, here)
	return ready
}

// open opens the phases of the containers, and reports whether there is anything to execute. All
// jobs that this one runs after have finished.
func (j *exec) open() bool {
	for _, a := range j.after {
		if f := a.outcome(); f != nil {
			same := *f
			same.batch, same.cancelled = 0, true
			j.fail(&same)
			return false
		}
	}
	return (j.length.view == nil || j.measure()) && j.tryPhases(opensPhase, true) && j.batches > 0
}

// finish ends a job that is not kept: it seals the containers, and begins the jobs that can begin
// now. The last worker to leave calls it, once, or executeNow if there is nothing to execute.
func (j *exec) finish() {
	j.pool.withdraw(j)
	j.seal()
	beginAll(j.conclude(nil))
}

// seal seals the containers. One that panics fails the job, and the others are sealed all the same.
func (j *exec) seal() {
	if j.observer != nil {
		j.observer.batchesDone()
	}
	j.closeContexts()
	for !j.tryPhases(sealsPhase, false) {
	}
	if j.observer != nil {
		j.observer.end()
	}
}

// failOutside fails a job outside of its batches, while it is opened or sealed. If f is a Goexit,
// the calling goroutine is ending, and another one ends the job.
func (j *exec) failOutside(f *failure) {
	f.cancelled = true // no batch has run, or its results are lost
	j.fail(f)
	switch {
	case !f.goexit:
	case j.mode < kept:
		atom.Go(j.finish)
	default:
		if j.state.Load()&deserted == 0 {
			j.state.Add(deserted) // no other worker is in the job
		}
		atom.Go(j.end)
	}
}

// tryPhases opens or seals the phases of the containers; what is opensPhase or sealsPhase. A
// container that panics fails the job and ends tryPhases, which then returns false.
func (j *exec) tryPhases(what string, open bool) (ok bool) {
	if !j.ticket.Phased() {
		j.phases(open)
		return true
	}
	defer func() {
		if !ok {
			when := "when it was sealed"
			if open {
				when = "when it was opened"
			}
			j.failOutside(j.caughtOutside(when, recover()))
		}
	}()
	if j.callsBack() {
		j.runCallback(what, nil)
	} else {
		j.phases(open)
	}
	return true
}

// callsBack reports whether OpenPhase and SealPhase of the containers run as callbacks, because
// they may call functions of the program, and the job is not alone. The phases of a kept job of the
// default pool run on the caller's goroutine, whose stack shows the job around it. They need no
// callback, unless a body has ended that goroutine.
func (j *exec) callsBack() bool {
	if !safety.Enabled {
		return false
	}
	if j.mode >= kept && j.pool == &defaultPool {
		return j.state.Load()&deserted != 0
	}
	return j.ticket.Foreign() && !j.alone() || j.state.Load()&deserted != 0
}

// phases opens the phases of the containers, or seals those that are not sealed yet.
func (j *exec) phases(open bool) {
	if open {
		j.ticket.Start(safety.Phase{Workers: j.workers, N: j.n, Batches: j.batches, BatchSize: j.grid.size})
		return
	}
	w := j.work
	if w.share == nil && j.ticket.Phased() {
		w.share = w.parallel
	}
	j.ticket.Seal(j.counted(), j.outcome() != nil, w.share)
}

// conclude marks the job as finished, and wakes the goroutines that wait for it. It returns ready
// with the jobs in front that can begin now; see beginAll. A kept job concludes only if deserted.
//
// The lock is held while a job with a handle gives up its running. So a goroutine that has the lock
// and finds the job unfinished may use that.
//
//go:norace
func (j *exec) conclude(ready *exec) *exec {
	waits.leave(j)
	atom.ReleaseMerge(unsafe.Pointer(j))
	j.mu.Lock()
	pool, dependents, hurried := j.pool, j.dependents, j.hurried
	var few [2]*exec
	w := j.work
	if len(dependents) > 0 {
		if len(dependents) <= len(few) {
			dependents = append(few[:0], dependents...)
		}
		w.dependents, w.fewDependents = nil, [2]*exec{}
	}
	if w.after != nil { // a chain of handles does not keep every job there ever was
		w.after, w.few = nil, [2]*exec{}
	}
	if j.mode < called { // a handle does not keep what the job was given, except its pool
		j.running, j.around = nil, nil
		if !j.reusable() || j.generation.Load()&staying != 0 {
			w.last = nil
		}
		w.plan.giveWork(w)
	}
	j.over.Store(1)
	atom.Broadcast(&j.cond) // keeps (B3)
	j.mu.Unlock()
	pool.finished() // the memory may be another job's by now
	return released(dependents, hurried, ready)
}

// finished reports whether the job has finished.
func (j *exec) finished() bool { return j.over.Load() != 0 }

// giveBack returns custody of the finished job's containers to the caller.
func (j *exec) giveBack() {
	atom.Acquire(unsafe.Pointer(j))
	j.ticket.Return()
}

// err returns the error that the completed job failed with, or nil.
func (j *exec) err() error {
	if !j.ticket.Returned() {
		return nil
	}
	atom.Acquire(unsafe.Pointer(j))
	if f := j.outcome(); f != nil {
		return f.err
	}
	return nil
}
