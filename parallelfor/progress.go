package parallelfor

import (
	"time"
	"unsafe"

	"example.com/custody/internal/atom"
)

// Progress has f called while the job runs, with the number of indices that were executed and the
// number that there are. f is called about twenty times a second at most. It is called once more
// with done == total when the job has run to its end. A short job may get this last call only, and
// one without indices gets it with a total of 0. A job that fails, is cancelled or is stopped early
// gets no such last call. From call to call done grows; in all calls except the last done < total.
//
// f runs on a goroutine of its own, outside of the job, and never twice at a time: each call
// happens before the next, and the last before the job has finished. The worker that had f called
// waits for it between two batches, so a slow f slows the loop by one worker.
//
// f runs in no body. It may make and dispose containers, and schedule jobs, also jobs that run
// [After] this one, for other goroutines to complete. It may complete, and run in a call, a job
// that need not wait for this one. It is a violation ([safety.ErrWaitCycle]) to close a [Pool], and
// to complete this job, a job that runs after it by After or [AutoOrder], or a job of which a body
// waits for it. Such a wait is recognised on the goroutine that calls f, and in bodies of loops
// that f runs in a call, but not on goroutines that f starts. [Handle.Err], [Handle.Finished] and
// [Combine] never wait. What f does to the containers of the job is judged as an access by any
// goroutine during a phase.
//
// A violation, a panic or a Goexit in f fails the job as if the body had failed so in the batch
// that was executed before. Which batches have run then depends on time.
//
// With Progress a worker reads the clock for every batch, or for every 64th when batches are short.
// Batch sets how long batches are, and so how soon there is something to report. A nil f is none.
func Progress(f func(done, total int)) Option { return Option{what: optProgress, with: f} }

const (
	reportEvery = 50 * time.Millisecond
	lookEvery   = time.Millisecond // how often a worker reads the clock
	maxStride   = 64               // most batches from one reading to the next
)

// reports has what calls to the Progress function of a job need.
//
// A worker that finds that a report is due makes busy 1. No other worker reports until busy is 0
// again. The race detector sees that each call follows the one before, and that the end of the job
// follows the last; it sees no order between a call and the batches.
type reports struct {
	f    func(done, total int)
	busy atom.HiddenUint64
	due  atom.HiddenInt64 // the time, as now returns it, before which nothing is reported
	told int              // the number of indices in the last report; for the worker that made busy 1
	back atom.Parker      // the parker of the worker that waits for the call
}

func newReports(f func(done, total int)) *reports {
	r := &reports{f: f, back: atom.NewParker()}
	r.due.Store(int64(now() + reportEvery))
	return r
}

// pace is how often a worker reads the clock: about once in lookEvery, measured in the batches that
// it executes meanwhile.
type pace struct {
	wait, stride int
	looked       time.Duration
}

// time is called after each batch, and reads the clock after some of them. It returns the time, and
// reports whether it has read the clock.
//
//go:norace
func (p *pace) time() (t time.Duration, look bool) {
	p.wait--
	if p.wait > 0 {
		return 0, false
	}
	t = now()
	if t-p.looked < lookEvery {
		p.stride = min(2*p.stride+1, maxStride)
	} else {
		p.stride = 1
	}
	p.wait, p.looked = p.stride, t
	return t, true
}

// report reports how far the job is, if a report is due. The worker has just executed a batch.
//
//go:norace
func (o *observer) report(e *workerObserver) {
	r := o.reports
	if !atom.Exploring() { // a decision by the clock could not be repeated
		t, look := e.pace.time()
		if !look || int64(t) < r.due.Load() {
			return
		}
	}
	if !r.busy.CompareAndSwap(0, 1) {
		return
	}
	done := 0
	for i := range o.workers {
		done += int(o.workers[i].done.Load())
	}
	if r.told < done && done < o.job.n { // reportEnd reports that all is done
		r.told = done
		o.tell(e.batch.Batch, done)
		r.due.Store(int64(now() + reportEvery))
	}
	r.busy.Store(0)
}

// reportEnd reports that the job has run to its end, if it has.
func (o *observer) reportEnd() {
	j := o.job
	if j.outcome() == nil && j.counted() == j.batches {
		o.tell(max(j.batches-1, 0), j.n)
	}
	atom.Acquire(unsafe.Pointer(o.reports))
}

// tell calls the function on another goroutine and waits for it. If it fails, so does the batch.
func (o *observer) tell(batch, done int) {
	r, j := o.reports, o.job
	atom.Go(func() {
		through := false
		defer func() {
			if !through {
				j.fail(j.caught(batch, recover()))
			}
			atom.ReleaseMerge(unsafe.Pointer(r))
			atom.Hide()
			r.back.Unpark()
			atom.Show()
		}()
		atom.Acquire(unsafe.Pointer(r))
		j.calling("the Progress function of", func() { r.f(done, j.n) })
		through = true
	})
	atom.Hide()
	r.back.Park()
	atom.Show()
}
