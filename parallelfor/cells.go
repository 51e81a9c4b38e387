package parallelfor

import (
	"errors"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Cells is one worker's way through the cells of a job. The loop of a [Kind] asks it for cell after cell:
//
//	for r.Next() {
//		for i := r.Begin(); i < r.End(); i++ {
//			...
//		}
//	}
//
// A Cells is the driver's; it is good during the call that it was given to, on that goroutine.
type Cells struct {
	begin, end int  // the indices that may be executed now
	stop       int  // where the next cell begins: beyond end when each index has a range of its own
	cell       int  // the cell that is being executed; -1 before the first
	claimed    int  // cells up to here are the worker's
	follows    int  // the cell that would go on the current run; -1 before the first
	rest       int  // checked builds: the batches below are the worker's once batch 0 has been compared
	given      bool // it was given its cells, and takes no others
	asked      bool // for a cell, since the kind's loop was called
	drained    bool // there are none left
	fine       bool // strict builds: each index has a range of its own
	looks      bool // checked builds: plain fields are compared after batch 0
	bound      bool
	begun      begun
	eye        *eye // of those who want to see the job; nil when nobody does

	job    *exec
	hold   *safety.Lease
	image  image      // of the worker's copy of the job
	ranges []rangeRef // the views that this job restricts
	state  workerState
	worker *worker // that it is part of

	context *batchContext // of the current batch; nil until the body asks for it
}

// Begin returns the first index of the current cell.
func (r *Cells) Begin() int { return r.begin }

// End returns the index behind the last of the current cell.
func (r *Cells) End() int { return r.end }

// Cell returns the number of the current cell: cells are numbered from 0 in the order of their indices,
// so what a loop computes for each cell can be put into the order of the sequential loop. In strict builds
// a kind whose indices are independent meets the same number once for each index.
func (r *Cells) Cell() int { return r.cell }

// Worker returns the worker's index; see [Worker.Index].
func (r *Cells) Worker() int { return r.state.index }

// Stop says that the sequential loop would end with the current cell: cells above it that have not begun
// are not executed, those below are. What cells above it have appended does not count.
func (r *Cells) Stop() { r.job.stop(r.cell) }

// Next ends the current cell and goes on to another one. It returns false when there are none left for
// this worker. The cells of one worker come in ascending order within a run, but not over the whole job.
//
// It moves every view of the worker's copy of the job: ranges, runs, and the custody of the cell. Nested
// jobs that the cell left uncompleted are completed here, which is a failure of the cell.
func (r *Cells) Next() bool {
	if safety.Strict && r.end < r.stop {
		r.restrict(r.end, r.end+1)
		return true
	}
	if safety.Strict && r.asked && r.bound && r.spoiled() {
		return false // the worker begins a loop anew, with another copy, if there are cells left
	}
	if r.context != nil {
		r.endContext()
	}
	again := r.asked
	r.asked = true
	if r.hold.Busy() {
		r.endChildren()
	}
	if renews && again {
		r.retreat()
		return false
	}
	c, j := r.cell+1, r.job
	if c >= r.claimed || int64(c) >= j.limit.Load() || j.done != nil && j.cancelled() {
		if !r.take() {
			return false
		}
		c = r.cell + 1
	}
	r.cell = c
	if !r.bound {
		r.worker.bind()
	}
	r.hold.Next(r.image.holds, r.cell)
	if r.image.watched {
		r.announce(c)
	}
	lo := r.stop
	hi := lo + min(j.grid.batch, j.n-lo)
	r.stop = hi
	if r.eye != nil {
		r.eye.turn(c, lo, hi)
	}
	if safety.Strict && r.fine {
		hi = min(hi, lo+1)
	}
	r.restrict(lo, hi)
	return true
}

// SkipWhile passes over the cells behind the current one for as long as idle says of a cell's number that there is nothing to do in it. It asks
// only of cells that the worker has taken already, so a loop calls it again after every [Cells.Next]; they count as executed. A kind that
// knows beforehand which cells it leaves out spares itself what it costs to go to each of them: moving the views, mostly.
//
// It does nothing before the first Next of a call of the kind's loop, nor, in strict builds, while the current cell has indices left.
func (r *Cells) SkipWhile(idle func(cell int) bool) {
	if !r.asked || safety.Strict && r.end < r.stop {
		return
	}
	c := r.cell
	for c+1 < r.claimed && idle(c+1) {
		c++
	}
	if c > r.cell {
		r.cell = c
		r.stop = min((c+1)*r.job.grid.batch, r.job.n)
		r.begin, r.end = r.stop, r.stop
	}
}

// renews says that each cell has a copy of the job of its own, so that whoever kept a pointer into one is found out in
// the next cell already. With -race a worker that has one cell has them anyway.
const renews = safety.Strict && !atom.Race

// retreat has the kind's loop called again with another copy of the job, and leaves the present
// copy to the batch that kept a pointer into it.
func (r *Cells) retreat() {
	r.worker.renew()
	r.follows = -1
}

// take takes batches to execute, and reports whether there are any.
func (r *Cells) take() bool {
	j := r.job
	if looksOnce && r.looks && r.cell == 0 {
		r.looks = false
		if r.spoiled() {
			return false
		}
		if r.claimed = r.rest; r.claimed > 1 && j.limit.Load() > 1 && !j.cancelled() {
			return true
		}
	}
	for !r.given {
		begin, end, ok := r.worker.work.hand.take(r.state.index)
		if !ok {
			break
		}
		if int64(begin) < j.limit.Load() && !j.cancelled() {
			r.reach(begin, end)
			if looksOnce && r.looks && begin == 0 && r.bound {
				// An earlier batch of this worker may have written plain fields.
				r.retreat()
				return false
			}
			return true
		}
	}
	r.drained = true
	return false
}

// announce tells the views that want to know it which cell begins.
func (r *Cells) announce(cell int) {
	if cell != r.follows {
		for _, v := range r.image.runs {
			v.BeginRun(cell)
		}
	}
	r.follows = cell + 1
	for _, v := range r.image.cells {
		v.BeginCell(cell)
	}
}

// restrict lets the worker at the indices [lo, hi).
func (r *Cells) restrict(lo, hi int) {
	r.begin, r.end = lo, hi
	for i := range r.ranges {
		r.ranges[i].view.SetRange(lo, hi)
	}
}

// give makes the cells [begin, end) the only ones.
func (r *Cells) give(begin, end int) {
	r.reach(begin, end)
	r.given = true
}

// reach goes to where the cells [begin, end) begin.
func (r *Cells) reach(begin, end int) {
	r.leg(begin)
	r.cell, r.claimed = begin-1, end
	if looksOnce && r.looks && begin == 0 {
		r.rest, r.claimed = end, 1
	}
	r.stop = begin * r.job.grid.batch
	r.end = r.stop
}

// open begins the worker's way through the cells of a job.
func (r *Cells) open(j *exec, index int, first bool) {
	r.job = j
	r.begin, r.end, r.stop = 0, 0, 0
	r.cell, r.claimed, r.follows = -1, 0, -1
	r.given, r.asked, r.drained = false, false, false
	r.state.index, r.state.workers = index, j.workers
	r.begun, r.eye = begun{}, j.eyeOf(index)
	if keeps && index == 0 {
		j.work.timed = j.work.sample.begin()
	}
	r.hold.Open(&j.ticket, index, first)
}

// failingCell is the cell that a failure now is put down to. A loop that fails before it has asked for a cell
// does so for every worker, however often it is called: that fails the whole job, and the worker is through.
func (r *Cells) failingCell() int {
	if !r.asked {
		r.drained = true
		return 0
	}
	return max(r.cell, 0)
}

// abandon ends the current cell early: what is kept of it is stale.
func (r *Cells) abandon() {
	r.end = r.stop
	if r.context != nil {
		r.endContext()
	}
	r.hold.Next(r.image.holds, r.cell)
	if safety.Strict {
		r.worker.renew() // the plain fields may be anything
	}
	if r.hold.Busy() {
		r.endChildren()
	}
}

// failed notes the error that a body returned.
func (r *Cells) failed(err error) {
	r.keep(err)
	if a, ok := err.(*safety.Refused); ok {
		err = a.Violation()
	}
	r.job.fail(&failure{cell: r.failingCell(), err: err})
}

// thrown notes what a body panicked with; nil stands for runtime.Goexit.
func (r *Cells) thrown(value any) {
	if err, ok := value.(error); ok {
		r.keep(err)
	}
	r.job.fail(r.job.caught(r.failingCell(), value))
}

// keep makes sure that a violation of one of the copy's views, which the error may wrap, stays what it is:
// the violation is made now, and the worker goes on with another copy.
func (r *Cells) keep(err error) {
	var a *safety.Refused
	if errors.As(err, &a) {
		a.Freeze()
		// A body that returns the violation instead of panicking has left the line on which it
		// arose.
		if v := a.Violation(); v.At == "" {
			v.At = r.worker.work.stands()
		}
		r.worker.renew()
	}
}

// misled notes that a kind's loop returned without asking for a cell: it would do so for ever.
func (r *Cells) misled() {
	v := safety.NewViolation(safety.ErrArgument, "the loop of job "+r.job.name+"'s kind returned before it had asked for a cell", "A Loop calls Next until it returns false.")
	v.Job, v.At = r.job.name, r.worker.work.stands()
	r.job.fail(&failure{cell: r.failingCell(), violation: v})
}

// endChildren completes the jobs that the cell scheduled and left; that is a failure of the cell, unless
// it has failed already, or somebody else has completed them meanwhile.
func (r *Cells) endChildren() {
	children := r.hold.Children()
	if len(children) == 0 {
		return
	}
	last := children[len(children)-1]
	name, site := last.Job(), last.Site().String()
	r.complete(children)
	v := safety.NewViolation(safety.ErrNotCompleted, "a body of job "+r.job.name+" ended its cell while job "+name+", which it had scheduled at "+site+", was not completed",
		"Call Complete on the handle before the body returns; or schedule the job outside, after the loop.")
	v.Job, v.OtherJob, v.Scheduled, v.At = r.job.name, name, site, r.worker.work.stands()
	r.job.fail(&failure{cell: r.failingCell(), violation: v})
}

// complete completes the children: each, also if a container of one before it panics, which fails
// the batch, or ends the goroutine.
func (r *Cells) complete(children []*safety.Ticket) {
	if len(children) == 0 {
		return
	}
	t, through := children[0], false
	defer func() {
		if !through {
			r.thrown(recover())
		}
		r.complete(children[1:])
	}()
	j := t.Owner.(*exec)
	j.idle() // not by working on it: a body that ended the goroutine here would leave the others behind
	j.giveBack()
	through = true
}
