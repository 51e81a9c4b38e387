package parallelfor

import (
	"time"
	"unsafe"

	"example.com/custody/internal/atom"
)

// Progress has f called while the job runs, with the number of indices that were executed and the
// number that there are. f is called about twenty times a second at most, and once more with done
// == total when the job has run to its end, also when it has no indices. A job that fails, is
// cancelled or is stopped early gets no such last call. From call to call done grows; in all calls
// except the last done < total.
//
// f runs on a goroutine of its own, outside of the job, and never twice at a time: each call
// happens before the next, and the last before the job has finished. The worker that had f called
// waits for it between two batches, so a slow f slows the loop by one worker.
//
// f runs in no body. It may make and dispose containers, and schedule jobs, also jobs that run
// [After] this one, for other goroutines to complete. It may complete, and run in a call, a job
// that need not wait for this one. It is a violation ([safety.ErrWaitCycle]) to complete this job,
// a job that runs after it, by After or [AutoOrder], or a job of which a body waits for it, and to
// close a [Pool]. Such a wait is recognised on the goroutine that calls f, and in bodies of loops
// that f runs in a call, but not on goroutines that f starts. [Handle.Err], [Handle.Finished] and
// [Combine] never wait. What f does to the containers of the job is judged as an access by any
// goroutine during a phase.
//
// A violation, a panic or a Goexit in f fails the job as if the body had failed so in the batch
// that was executed before. Which batches have run then depends on time.
//
// With Progress a worker reads the clock for every batch, or for every 64th when batches are short.
// Batch sets how long batches are, and so how soon there is something to report. A nil f is none.
func Progress(f func(done, total int)) Option { return Option{what: optProgress, progress: f} }

const (
	reportEvery = 50 * time.Millisecond
	lookEvery   = time.Millisecond // how often a worker looks whether it is time
	maxStride   = 64               // of batches from look to look
)

// reports is what a job needs to tell how far it is.
//
// Whoever finds that it is time makes busy 1, and is the only one to report until it is 0 again. Each call is
// shown to the race detector as following the one before, and the end of the job as following the last; the
// batches are not shown to follow anything.
type reports struct {
	f    func(done, total int)
	busy atom.HiddenUint64
	due  atom.HiddenInt64 // not before this time of clock
	told int              // what was reported last; whoever made busy 1 may touch it
	back atom.Parker      // of who waits for a call
}

func newReports(f func(done, total int)) *reports {
	r := &reports{f: f, back: atom.NewParker()}
	r.due.Store(clock() + int64(reportEvery))
	return r
}

// pace is how often a worker looks at the clock: about every lookEvery, by the batches that it has executed since.
type pace struct {
	wait, stride int
	looked       int64
}

// time says, after one more batch, whether to look, and what the time is.
//
//go:norace
func (p *pace) time() (now int64, look bool) {
	p.wait--
	if p.wait > 0 {
		return 0, false
	}
	now = clock()
	if now-p.looked < int64(lookEvery) {
		p.stride = min(2*p.stride+1, maxStride)
	} else {
		p.stride = 1
	}
	p.wait, p.looked = p.stride, now
	return now, true
}

// glance reports how far the job is, if it is time to. The worker has just executed the batch.
//
//go:norace
func (w *watch) glance(e *eye, batch int) {
	r := w.reports
	if !atom.Exploring() { // a decision by the clock could not be repeated
		now, look := e.pace.time()
		if !look || now < r.due.Load() {
			return
		}
	}
	if !r.busy.CompareAndSwap(0, 1) {
		return
	}
	done := 0
	for i := range w.eyes {
		done += int(w.eyes[i].done.Load())
	}
	if r.told < done && done < w.job.n { // that all is done is for the end to say
		r.told = done
		w.call(batch, done)
		r.due.Store(clock() + int64(reportEvery))
	}
	r.busy.Store(0)
}

// last reports that the job has run to its end, if it has.
func (w *watch) last() {
	j := w.job
	if j.outcome() == nil && j.counted() == j.batches {
		w.call(max(j.batches-1, 0), j.n)
	}
	atom.Acquire(unsafe.Pointer(w.reports))
}

// call calls f and waits for it. What it fails with is put down to the batch.
func (w *watch) call(batch, done int) {
	r, j := w.reports, w.job
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
