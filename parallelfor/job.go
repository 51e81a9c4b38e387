package parallelfor

import (
	"context"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// job is one scheduled loop, whatever its type: its grid, its custody, who works on it, how it ended.
//
// It goes through: filled and admitted (schedule), ready when all that it runs after has finished,
// joined by workers, finished when the last of them has left and its containers are sealed. Custody
// returns when somebody completes it.
//
// The state word holds, from the top: whether workers may join, how many may, how many have, and how
// many have not left. The last to leave closes it in the same step and finishes the job, alone.
type job struct {
	grid
	settings
	ticket safety.Ticket
	hand   hand
	typed  typedJob
	ctx    context.Context
	done   <-chan struct{} // of ctx
	after  []*job
	place  place
	body   *job // whose body scheduled this job to run after others; see waitList.enter
	single bool

	inParallel func(n int, f func(i int)) // the method parallel, made a func once

	state atom.HiddenUint64
	limit atom.HiddenInt64  // cells from here on are not executed: the lowest failing cell
	over  atom.HiddenUint32 // 1 once the job has finished

	mu         atom.HiddenMutex
	cond       *atom.Cond
	failure    *failure // of the lowest cell so far
	dependents []*job   // to tell when the job has finished
	pending    int      // how many of after have not finished, and 1 while they are being asked
}

// typedJob is the part of a job that knows its type.
type typedJob interface {
	// enter returns a copy of the job for one worker.
	enter(worker int, first bool) frame
}

// frame is one worker's copy of a job.
type frame interface {
	// Run executes cells until there are none left for the worker. It returns early only when a body
	// ends the goroutine; then it goes on when called again.
	Run()
	// span executes the cells [begin, end), until one fails.
	span(begin, end int)
	lease() *safety.Lease
	// leave gives the copy back.
	leave()
}

const (
	joinable    = 1 << 63
	activeBits  = 16
	joinedShift = activeBits
	placesShift = 2 * activeBits
	fieldMask   = 1<<activeBits - 1
)

// admit judges the job's claims, and takes the containers. It returns the violation of what is wrong,
// having changed nothing.
func (j *job) admit(site safety.Site, m *image) *safety.Violation {
	n := j.n
	if j.single {
		n = 0
	}
	t := &j.ticket
	for {
		t.Reset(j.name, site)
		t.Owner = j
		for i, v := range m.views {
			c := v.Claim()
			c.Field = m.paths[i]
			t.Claim(c)
		}
		for _, a := range j.after {
			t.After(&a.ticket)
		}
		if v := t.Open(n, !j.single && j.settings.batch != -1); v != nil {
			return v
		}
		if !t.Again() {
			return nil
		}
	}
}

// prepare makes the job ready to be joined, when all that it runs after has finished. It reports
// whether there is anything to execute.
func (j *job) prepare() bool {
	j.workers = max(min(j.workers, j.cells), 1)
	j.limit.Store(int64(j.cells))
	for _, a := range j.after {
		if f := a.outcome(); f != nil {
			j.fail(&failure{cell: 0, violation: f.violation, panicked: f.panicked, goexit: f.goexit, err: f.err, cancelled: true})
			return false
		}
	}
	if !j.open() || j.cells == 0 {
		return false
	}
	j.hand.reset(j.cells, j.workers)
	return true
}

// open opens the phases of the containers; a container that panics fails the job.
func (j *job) open() (ok bool) {
	defer func() {
		if !ok {
			f := j.caught(0, recover())
			f.cancelled = true // no cell runs
			j.fail(f)
		}
	}()
	j.ticket.Start(safety.Phase{Workers: j.workers, N: j.n, Cells: j.cells, Batch: j.grid.batch})
	return true
}

// admitWorkers lets workers join; the first taken have.
func (j *job) admitWorkers(taken int) {
	j.state.Store(joinable | uint64(j.workers)<<placesShift | uint64(taken)<<joinedShift | uint64(taken))
}

// roomy says whether a job in state s lets one more worker join.
func roomy(s uint64) bool {
	return s&joinable != 0 && s>>joinedShift&fieldMask < s>>placesShift&(fieldMask>>1)
}

// join makes the caller a worker of the job, if it needs one.
func (j *job) join() (worker int, ok bool) {
	for {
		s := j.state.Load()
		if !roomy(s) {
			return 0, false
		}
		if j.state.CompareAndSwap(s, s+1<<joinedShift+1) {
			return int(s >> joinedShift & fieldMask), true
		}
	}
}

// quit ends the caller's time as a worker. The last finishes the job.
func (j *job) quit() {
	for {
		s := j.state.Load()
		n := s - 1
		if n&fieldMask == 0 {
			n = 0
		}
		if j.state.CompareAndSwap(s, n) {
			if n == 0 {
				j.finish()
			}
			return
		}
	}
}

// work executes cells as the given worker until there are none, and quits. If a body ends the calling
// goroutine, another one goes on in its place.
func (j *job) work(worker int) {
	j.resume(j.typed.enter(worker, true))
}

func (j *job) resume(f frame) {
	through := false
	defer func() {
		if !through {
			atom.Go(func() { j.resume(f) })
		}
	}()
	f.lease().Do(f)
	through = true
	f.leave()
	j.quit()
}

// cancelled says whether the job's context has ended, and fails the job if so.
func (j *job) cancelled() bool {
	if j.done == nil {
		return false
	}
	select {
	case <-j.done:
		j.fail(&failure{cell: -1, err: context.Cause(j.ctx), cancelled: true})
		return true
	default:
		return false
	}
}

// fail notes a failure. Cells above the lowest that failed are not executed any more; those below are,
// so that the failure that counts is that of the sequential loop.
//
//go:norace
func (j *job) fail(f *failure) {
	j.mu.Lock()
	if j.failure == nil || f.cell < j.failure.cell {
		j.failure = f
		j.limit.Store(int64(max(f.cell, 0)))
	}
	j.mu.Unlock()
}

// outcome returns how the job failed, or nil. The job has finished.
//
//go:norace
func (j *job) outcome() *failure {
	j.mu.Lock()
	f := j.failure
	j.mu.Unlock()
	return f
}

// err returns the error that the completed job failed with, if it was one.
func (j *job) err() error {
	if !j.ticket.Returned() {
		return nil
	}
	atom.Acquire(unsafe.Pointer(j))
	if f := j.outcome(); f != nil {
		return f.err
	}
	return nil
}

// finish seals the job's containers, tells those who wait, and starts what ran after the job only. It
// is called once, by the last worker.
func (j *job) finish() {
	j.pool.withdraw(j)
	j.seal()
	next := j.closeBooks()
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
		j.dispatch(here)
		return nil
	}
	j.seal()
	return j.closeBooks()
}

// seal seals the containers; one that panics fails the job, and the others are sealed all the same.
func (j *job) seal() {
	for !j.sealRest() {
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
	kept, f := j.cells, j.outcome()
	if f != nil {
		kept = min(f.cell+1, j.cells)
		if f.cancelled {
			kept = 0
		}
	}
	j.ticket.Seal(kept, f != nil, j.inParallel)
	return true
}

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
	atom.ReleaseMerge(unsafe.Pointer(j))
	j.mu.Lock()
	pool, cond, d := j.pool, j.cond, j.dependents
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
