package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// Batches is one worker's way through the batches of a job. The loop of a [Kind] asks it for batch
// after batch:
//
//	for r.Next() {
//		for i := r.Begin(); i < r.End(); i++ {
//			...
//		}
//	}
//
// A Batches is valid during the call of Loop that it was given to, on that goroutine. To use a copy
// is a violation.
//
// Guarantees (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Next                       own worker  waits: for nested jobs  O(views)    once warm never
//	Begin, End, Batch, Worker  own worker  wait-free               O(1)        never
//	Stop                       own worker  lock                    O(1)        never
//	SkipWhile                  own worker  wait-free               O(batches)  never
type Batches struct {
	begin, end int // the indices that may be executed now
	batch      int // the batch that is being executed; -1 before the first
	state      workerState
	of         *seat // the worker that embeds this Batches
}

// Begin returns the first index of the current batch.
func (r *Batches) Begin() int { return r.begin }

// End returns the index behind the last of the current batch.
func (r *Batches) End() int { return r.end }

// Batch returns the number of the current batch. Batches are numbered from 0 in the order of their
// indices, so results of batches can be put into the order of the sequential loop. In strict builds
// a kind whose indices are independent meets the same number once for each index.
func (r *Batches) Batch() int { return r.batch }

// Worker returns the worker's index; see [Worker.Index].
func (r *Batches) Worker() int { return r.state.index }

// Stop has the loop end as if the sequential loop ended with the current batch. Batches above it
// that have not begun are not executed, and those below are. What batches above it have appended
// does not count.
func (r *Batches) Stop() { workerOf(r).job.stop(r.batch) }

// Next ends the current batch and goes on to another one. It returns false when none is left for
// this worker. The batches of one worker ascend within a span, but not over the whole job.
//
// It moves every view of the worker's copy of the job: ranges, spans, and the custody of the batch.
// Next completes nested jobs that the batch has left uncompleted, which is a failure of the batch;
// otherwise it is lock-free.
//
//go:norace
func (r *Batches) Next() bool {
	f := workerOf(r)
	if c, j := f.batch+1, f.job; c < f.quick && int64(c) < j.limit.Load() && !f.scope.Busy() {
		f.batch = c
		f.scope.Next(f.bindings.holds, c)
		lo := f.stop
		hi := lo + min(j.grid.size, j.n-lo)
		f.begin, f.end, f.stop = lo, hi, hi
		windows := f.windows
		for i := range windows {
			if v := &windows[i]; !v.window.Move(lo, hi, v.size) {
				f.restrict(lo, hi)
				return true
			}
		}
		if len(f.ranges) > 0 {
			f.restrict(lo, hi)
		}
		return true
	}
	return f.next()
}

// next is Next for a batch with which more has to be done than to move the views.
func (r *worker) next() bool {
	if safety.Strict && r.end < r.stop {
		r.restrict(r.end, r.end+1)
		return true
	}
	if safety.Strict && r.asked && r.bound && r.spoiled() {
		return false // the worker begins a loop anew, with another copy, if there are batches left
	}
	if r.context != nil {
		r.endContext()
	}
	again := r.asked
	r.asked = true
	if r.scope.Busy() {
		r.endChildren()
	}
	if renews && again {
		r.restartLoop()
		return false
	}
	c, j := r.batch+1, r.job
	if c >= r.claimed || int64(c) >= j.limit.Load() || j.done != nil && j.cancelled() {
		if !r.take() {
			return false
		}
		c = r.batch + 1
	}
	r.batch = c
	if !r.bound {
		r.bind()
	}
	r.scope.Next(r.bindings.holds, r.batch)
	if r.bindings.told {
		r.announce(c)
	}
	lo := r.stop
	hi := lo + min(j.grid.size, j.n-lo)
	r.stop = hi
	if r.observer != nil {
		r.observer.beginBatch(c, lo, hi)
	}
	if safety.Strict && j.unit == indexUnit {
		hi = min(hi, lo+1)
	}
	r.restrict(lo, hi)
	if r.quick = 0; !safety.Strict && !r.bindings.told && r.observer == nil && j.done == nil {
		r.quick = r.claimed
	}
	return true
}

// SkipWhile passes over the batches behind the current one as long as idle, called with a batch's
// number, reports that there is nothing to do in it. It asks only about batches that the worker has
// taken already, so a loop calls it again after every [Batches.Next]. The batches count as
// executed. A kind that knows beforehand which batches it leaves out saves the cost of moving its
// views there.
//
// SkipWhile does nothing before the first Next of a call of the kind's loop, nor, in strict builds,
// while the current batch has indices left.
func (r *Batches) SkipWhile(idle func(batch int) bool) {
	f := workerOf(r)
	if !f.asked || safety.Strict && f.end < f.stop {
		return
	}
	c := f.batch
	for c+1 < f.claimed && idle(c+1) {
		c++
	}
	if c > f.batch {
		f.batch = c
		f.stop = min((c+1)*f.job.grid.size, f.job.n)
		f.begin, f.end = f.stop, f.stop
	}
}

// renews reports whether each batch has its own copy of the job. A goroutine that has kept a
// pointer into a copy then has stale views from the next batch on. With -race a worker has one
// batch, so it has its own copy anyway.
const renews = safety.Strict && !atom.Race

// restartLoop gives the worker another copy of the job. Next then returns false, and the kind's
// loop is called again with that copy. The present copy stays with goroutines that have kept a
// pointer into it.
func (r *worker) restartLoop() {
	r.renew()
	r.follows = -1
}

// take goes to where the worker's next batches begin. It returns false and sets drained if none is
// left. It returns false alone if the kind's loop is to be called again with another copy.
//
//go:norace
func (r *worker) take() bool {
	j := r.job
	if looksOnce && r.looks && r.batch == 0 {
		r.looks = false
		if r.spoiled() {
			return false
		}
		if r.claimed = r.rest; r.claimed > 1 && j.limit.Load() > 1 && !j.cancelled() {
			return true
		}
	}
	for !r.given {
		begin, end, ok := r.work.distribution.take(r.state.index)
		if !ok {
			break
		}
		if int64(begin) < j.limit.Load() && !j.cancelled() {
			r.reach(begin, end)
			if looksOnce && r.looks && begin == 0 && r.bound {
				// An earlier batch of this worker may have written plain fields.
				r.restartLoop()
				return false
			}
			return true
		}
	}
	r.drained = true
	return false
}

// announce tells the views with spans, and those that are told of batches, which batch begins.
func (r *worker) announce(batch int) {
	if batch != r.follows {
		for _, v := range r.bindings.spans {
			v.BeginSpan(batch)
		}
	}
	r.follows = batch + 1
	for _, v := range r.bindings.batches {
		v.BeginBatch(batch)
	}
}

// restrict makes [lo, hi) the current indices, and lets the views touch these alone.
//
//go:norace
func (r *worker) restrict(lo, hi int) {
	r.begin, r.end = lo, hi
	for i := range r.windows {
		if v := &r.windows[i]; !v.window.Move(lo, hi, v.size) {
			v.view.SetRange(lo, hi)
		}
	}
	for i := range r.ranges {
		r.ranges[i].view.SetRange(lo, hi)
	}
}

// give makes the batches [begin, end) the only ones of the worker.
func (r *worker) give(begin, end int) {
	r.reach(begin, end)
	r.given = true
}

// reach goes to where the batches [begin, end) begin. In checked builds batch 0 is the worker's
// alone at first, until it has been compared.
func (r *worker) reach(begin, end int) {
	r.executed += r.batch + 1 - r.from
	r.from = begin
	r.batch, r.claimed, r.quick = begin-1, end, 0
	if looksOnce && r.looks && begin == 0 {
		r.rest, r.claimed = end, 1
	}
	r.stop = begin * r.job.grid.size
	r.end = r.stop
}

// open begins the worker's way through the batches of a job. first is as in enter.
func (r *worker) open(j *exec, index int, first bool) {
	r.job = j
	r.begin, r.end, r.stop = 0, 0, 0
	r.batch, r.claimed, r.follows = -1, 0, -1
	r.quick, r.given, r.asked, r.drained = 0, false, false, false
	r.state.index, r.state.workers = index, j.workers
	r.executed, r.from, r.on, r.observer = 0, 0, nil, nil
	if j.observer != nil {
		r.observer = &j.observer.workers[index]
	}
	if keeps && index == 0 && !j.leads() {
		j.work.timed = j.work.sample.begin()
	}
	r.scope.Open(&j.ticket, index, first)
}
