package parallelfor

import (
	"context"
	"math"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// exec is one execution of a loop, whatever its type: its grid, its custody, its workers and its
// outcome. Its life has five steps:
//
//   - admit: the ledger admits the claims, and the containers are the job's (admit.go).
//   - open: all jobs that it runs after have finished, and the phases of its containers open.
//   - work: workers join and execute batches until there are none left (work.go, batches.go).
//   - seal: the last worker has left, and the phases of the containers are sealed.
//   - return: a goroutine completes the job, and the containers are the owner's again.
//
// A handle points to the exec of its schedule, which the garbage collector ends. An exec without a
// handle is part of the memory of its type's jobs (work) and is used again.
//
// The state word (state.go) counts the workers. A job ends in one of two ways:
//
//   - The last worker to leave a scheduled job closes it in the same step, and finishes it alone.
//   - A job that is run and waited for in one call, and that runs after no other, is kept: worker
//     0, which is the caller, leaves when all others have left, and finishes it. No other goroutine
//     knows of the job, so none needs to be told. While the caller finds that the batches are few
//     and cheap, no other worker joins (keeper.go).
type exec struct {
	_     pad.Bytes
	state atom.HiddenUint64
	_     pad.Bytes        // what follows changes seldom while workers read it
	limit atom.HiddenInt64 // batches from here on are not executed
	grid
	work *work           // nil once a job that a handle stands for has finished
	done <-chan struct{} // of ctx

	settings
	ticket  safety.Ticket
	ctx     context.Context
	after   []*exec  // what the job runs after, until it has finished
	few     [2]*exec // what after begins in
	place   place
	caller  *callback // that runs the job and waits for it; nil if there is none
	within  party     // scheduled this job to run after others; see waitList.enter
	mode    mode
	single  bool
	bubbled bool // scheduled in a bubble of testing/synctest; false for a kept job
	// told reports whether OpenPhase and SealPhase of the job's containers run as callbacks: they
	// may call functions of a user, and the job is not alone. A kept job of the default pool is not
	// told: it opens and seals its containers on the caller's goroutine, whose stack shows the job
	// around it, unless a body has ended that goroutine (see sealRest).
	told    bool
	orphan  bool // a body ended the goroutine of a kept job's caller
	cost    *cost
	offered atom.HiddenInt64 // how many residents of a large pool were asked; see Pool.offer
	called  atom.HiddenInt64 // when sleeping workers were woken for a kept job, or 0

	over          atom.HiddenUint32 // 1 once the job has finished
	mu            atom.HiddenMutex
	cond          atom.Cond
	failure       *failure  // of the lowest batch so far
	stopped       int       // 1 + the lowest batch that a loop stopped after, or 0
	dependents    []*exec   // to tell when the job has finished
	fewDependents [2]*exec  // what dependents begins in
	pending       int       // how many of after have not finished, plus 1 while awaitDeps asks them
	contexts      *contexts // of batches; nil until one is asked for

	observer *observer // nil if neither Progress, a Graph, a trace nor Labels observes the job
}

// mode tells whether a call or a handle waits for a job, and which goroutines can reach it.
type mode uint8

const (
	scheduled mode = iota // a handle stands for the job
	awaited               // a call waits for the job, and others may come to run after it
	called                // a call waits for the job, and no other goroutine can reach it
	kept                  // as called, and the caller is worker 0 from the start to the end
	shared                // as kept, and other workers may join
)

const unlimited = math.MaxInt64

// ready makes a new job fit to be filled.
func (j *exec) ready() {
	j.limit.Store(unlimited)
	atom.InitCond(&j.cond, &j.mu)
	j.ticket.Owner = j
}

// run runs an admitted job for the call that waits for it: it opens the containers, has the batches
// executed, with the caller as one of the workers, seals the containers and returns them. It fails
// as the job did, and returns its error.
func (w *work) run() error {
	j := w.exec // w is another job's once a job that others may know of has finished
	alone := j.mode >= called
	j.runToEnd()
	f := j.outcome()
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

// runToEnd is run without the outcome.
func (j *exec) runToEnd() {
	through := false
	defer func() {
		if !through { // a body ended this goroutine
			j.idle()
			j.giveBack()
			j.outcome().raise(true)
		}
	}()
	switch {
	case j.mode >= kept:
		j.keep()
	case j.mode < called || len(j.after) > 0:
		j.launch()
		j.wait()
	default:
		j.start(true, nil) // no other goroutine can reach the job, so none waits for it
		j.wait()
	}
	through = true
	j.giveBack()
}

// handOut starts the job that was scheduled and returns its handle.
func (j *exec) handOut() Handle {
	if j.inline {
		j.executeNow()
	} else {
		j.launch()
	}
	return Handle{j}
}

// launch starts the job when all that it runs after has finished.
func (j *exec) launch() {
	atom.ReleaseMerge(unsafe.Pointer(&j.pending))
	if j.awaitDeps() {
		tellAll(j.begin(nil))
	}
}

// start opens the job and lets workers join. The last one that leaves finishes the job. If there
// is nothing to execute, start finishes it itself, and appends the jobs that run after it to next.
// here reports whether the caller is to be one of the workers.
func (j *exec) start(here bool, next *told) *told {
	if !j.open() {
		j.seal()
		return j.conclude(next)
	}
	n := j.crowd()
	j.work.seats(n)
	j.work.hand.reset(j.batches, n)
	j.dispatch(n, here)
	return next
}

// open opens the job when all that it runs after has finished. It reports whether there is anything
// to execute.
func (j *exec) open() bool {
	for _, a := range j.after {
		if f := a.outcome(); f != nil {
			j.fail(&failure{batch: 0, violation: f.violation, panicked: f.panicked, goexit: f.goexit, err: f.err, cancelled: true})
			return false
		}
	}
	return (j.length.view == nil || j.measure()) && j.openPhases() && j.batches > 0
}

// openPhases opens the phases of the containers; a container that panics fails the job.
func (j *exec) openPhases() (ok bool) {
	defer func() {
		if !ok {
			f := j.caught(0, recover())
			f.cancelled = true // no batch runs
			j.fail(f)
		}
	}()
	if j.told {
		j.telling(opensPhase, nil)
	} else {
		j.startPhases()
	}
	return true
}

// startPhases opens the phases of the containers.
func (j *exec) startPhases() {
	j.ticket.Start(safety.Phase{Workers: j.workers, N: j.n, Batches: j.batches, BatchSize: j.grid.size})
}

// finish seals the job's containers, wakes the goroutines that wait for the job, and starts the jobs
// for which it was the last to run after. The last worker calls it, once.
func (j *exec) finish() {
	j.pool.withdraw(j)
	j.seal()
	tellAll(j.conclude(nil))
}

// seal seals the containers; one that panics fails the job, and the others are sealed all the same.
func (j *exec) seal() {
	if j.observer != nil {
		j.observer.batchesDone()
	}
	j.closeContexts()
	for !j.sealRest() {
	}
	if j.observer != nil {
		j.observer.end()
	}
}

// sealRest seals the containers that are not sealed yet, until one panics.
func (j *exec) sealRest() (ok bool) {
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
func (j *exec) sealPhases() {
	parallel := noPhases
	if j.ticket.Phased() {
		if j.work.share == nil {
			j.work.share = j.work.parallel
		}
		parallel = j.work.share
	}
	j.ticket.Seal(j.counted(), j.outcome() != nil, parallel)
}

// noPhases stands for parallel where no container asks for it, and spares making a func of the
// method.
var noPhases func(n int, f func(i int))

// parallel runs f(0) to f(n-1) for a container that is being sealed, on as many workers as the job
// had.
func (w *work) parallel(n int, f func(i int)) {
	if w.workers == 1 {
		for i := range n {
			f(i)
		}
		return
	}
	For(n, struct{}{}, func(_ *struct{}, i int) { f(i) }, Batch(1), Workers(w.workers), Name("seal of "+w.name))
}

// conclude makes the job finished, and appends the jobs that wait for it to next.
//
//go:norace
func (j *exec) conclude(next *told) *told {
	waits.leave(j)
	j.length.view = nil
	if j.mode < called { // handles are not to keep what the job was given
		j.ctx, j.done, j.progress, j.cost, j.caller = nil, nil, nil, nil, nil
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
		j.dependents, j.fewDependents = nil, [2]*exec{}
	}
	j.after, j.few = nil, [2]*exec{} // a chain of handles must not keep every job there ever was
	j.over.Store(1)
	atom.Broadcast(&j.cond) // keeps (B3)
	j.mu.Unlock()
	pool.finished()
	return next
}

// finished reports whether the job has finished.
func (j *exec) finished() bool { return j.over.Load() != 0 }

// giveBack returns custody of the finished job's containers to the caller.
func (j *exec) giveBack() {
	atom.Acquire(unsafe.Pointer(j))
	j.ticket.Return()
}

// err returns the error that the completed job failed with, if it was one.
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
