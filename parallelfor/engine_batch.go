//go:build race && !custody_explore

package parallelfor

import (
	"time"
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This is the engine of builds with the race detector. The detector may learn two things of a loop:
// its schedule happens before its batches, and these happen before its completion. It may not learn
// which goroutine ran which batch when. So every batch runs on a goroutine of its own, with a copy
// of the job of its own. A coordinator starts the batches. As the detector sees it, the coordinator
// learns of the end of any batch only when the last has ended. So two batches that touch the same
// plain memory are a race on every run, with one worker too.
//
// The detector misses a race of two accesses within the same few nanoseconds, because each looks
// for the other before either is noted. Batches that start at once and do the same are as close as
// that again and again. So the coordinator holds the next batch back until one has ended, but no
// longer than headStart, because a batch may wait for another.
//
// The detector keeps the calls of the last 64 goroutines that have ended, and reports no race with
// an access whose calls it has forgotten. So the goroutine of a batch that has ended waits for the
// end of the loop. The detector supports 8,128 goroutines in all. Invariants:
//
//	(P1) At most mostParked goroutines of batches wait at a time, in the whole program. Those of
//	     further batches end at once.
//	(P2) A goroutine that waits has returned its permit and has left the job. It touches nothing but
//	     the parking of its loop. So the loop ends whether or not it runs.
//	(P3) The coordinator returns when no goroutine of its loop waits any more.
//
// The detector knows 255 goroutines at a time. One of which it has not heard for as long as 255
// others began takes the place of the oldest, and counts as ordered after it. The coordinator is
// such a goroutine, and all batches that it starts later would count as ordered after that one too.
// So it starts bystanders, which do nothing, and takes the place of one of these.
//
// No function that calls the program's code is marked go:norace: with a profile the compiler may
// inline that code, which the detector would not see then.
//
// Permits bound the batches that run at a time, and are the workers' indices. They pass between
// batches and coordinator hidden from the detector.

// keeps reports whether a job that is run and waited for in one call is kept by the caller. Here a
// coordinator finishes every job.
const keeps = false

// headStart is how long a batch has before the next is started. It is short beside batches that are
// worth more than one worker in such builds.
const headStart = 20 * time.Microsecond

// bystanders is the number of goroutines that do nothing and begin before each bystandersApart
// batches of a loop that has more. Together they are the 255 goroutines that the detector knows.
const (
	bystanders      = 16
	bystandersApart = 239
)

// mostParked is the number of goroutines of ended batches that wait for the ends of their loops.
const mostParked = 2048

// parked is the number of goroutines of ended batches that wait now, of all loops.
var parked atom.HiddenInt64

// parking is where the goroutines of a loop's batches wait for its end.
type parking struct {
	here atom.HiddenInt64 // goroutines that wait
	end  chan struct{}    // closed by the coordinator at the end of the loop
	gone chan struct{}    // has an element after here has become 0
}

// wait returns when the loop has ended, or at once if too many goroutines wait (P1).
func (p *parking) wait() {
	if parked.Add(1) <= mostParked {
		p.here.Add(1)
		atom.Hide()
		<-p.end
		atom.Show()
		if p.here.Add(-1) == 0 {
			atom.Hide()
			select {
			case p.gone <- struct{}{}:
			default:
			}
			atom.Show()
		}
	}
	parked.Add(-1)
}

// clear ends all waits and returns when they have ended (P3). Otherwise the goroutines of many
// short loops would pile up.
func (p *parking) clear() {
	atom.Hide()
	close(p.end)
	for p.here.Load() > 0 {
		<-p.gone
	}
	atom.Show()
}

// mostYields is how often the coordinator yields to a batch while the clock stands still, as in a
// bubble of testing/synctest.
const mostYields = 1000

// dispatch has the coordinator run the job to its end: here, or on a goroutine of its own.
func (j *exec) dispatch(_ int, here bool) {
	if here {
		j.coordinate()
	} else {
		atom.Go(j.coordinate)
	}
}

// begin starts the job on a goroutine of its own, and returns ready as it is. For the race detector
// that goroutine follows the schedule of the job, and the jobs that this one runs after.
func (j *exec) begin(ready *exec) *exec {
	atom.Go(func() {
		atom.Acquire(unsafe.Pointer(&j.pending))
		for _, a := range j.after {
			atom.Acquire(unsafe.Pointer(a))
		}
		j.ticket.Inherit()
		beginAll(j.start(true, nil))
	})
	return ready
}

// coordinate runs the batches and finishes the job.
func (j *exec) coordinate() {
	workers := j.work.seated // GOMAXPROCS may have become less
	permits := make(chan int, workers)
	for w := range workers {
		release(permits, w)
	}
	if len(j.work.bindings.workers) > 0 {
		j.listen() // keeps (X2): registering lapse takes the lock of the loop's context
	}
	c := &coordinator{parking: parking{end: make(chan struct{}), gone: make(chan struct{}, 1)}}
	started, assigned := 0, j.work.distribution.assigned != nil
	for i := 0; i < j.batches && (assigned || int64(i) < j.limit.Load()); i++ {
		if i%bystandersApart == 0 && j.batches > bystandersApart {
			for range bystanders {
				c.run(func() {})
			}
		}
		b, w := j.assignedBatch(i), acquire(permits)
		if int64(b) >= j.limit.Load() {
			release(permits, w)
			continue
		}
		if started++; started == 2 {
			c.witness(j, w)
		}
		c.run(func() { j.runBatch(b, w, permits) })
	}
	if started == 1 {
		w := acquire(permits)
		c.witness(j, w)
		release(permits, w)
	}
	for range workers {
		acquire(permits)
	}
	c.parking.clear()
	atom.Acquire(unsafe.Pointer(j))
	j.finish()
}

// coordinator is what coordinate has for one job.
type coordinator struct {
	parking parking
	ended   atom.HiddenUint64 // goroutines that have left the job
}

// run runs f on a goroutine that then waits for the end of the loop. It returns when a goroutine
// has left the job, or after headStart.
func (c *coordinator) run(f func()) {
	before := c.ended.Load()
	atom.Go(func() {
		defer func() { // keeps (P2)
			c.ended.Add(1)
			c.parking.wait()
		}()
		f()
	})
	until := now() + headStart
	for looks := 0; c.ended.Load() == before && now() < until && looks < mostYields; looks++ {
		atom.Yield()
	}
}

// reads reports whether the job has views that only read.
func (j *exec) reads() bool {
	for i := range j.work.bindings.views {
		if j.ticket.Claimed(i).Mode == safety.Read {
			return true
		}
	}
	return false
}

// assignedBatch returns the i-th batch to start.
func (j *exec) assignedBatch(i int) int {
	for _, batches := range j.work.distribution.assigned {
		if i < len(batches) {
			return batches[i]
		}
		i -= len(batches)
	}
	return i
}

// runBatch runs one batch.
func (j *exec) runBatch(c, w int, permits chan int) {
	f := j.work.enter(w, false)
	defer j.leave(f, w, permits)
	f.give(c, c+1)
	f.scope.Do(f)
}

// leave ends a batch's worker, shows the detector that the batch has ended, and returns the permit.
func (j *exec) leave(f *worker, w int, permits chan int) {
	f.leave()
	atom.ReleaseMerge(unsafe.Pointer(j))
	release(permits, w)
}

// witness declares the reads of the job on a goroutine that runs no batch, as worker w, after the
// first batch has begun, which fails if a Bind panics. So a body that writes what the job only
// reads races with that declaration, also if the job has one batch.
func (c *coordinator) witness(j *exec, w int) {
	if !j.reads() {
		return
	}
	ended := make(chan int, 1)
	c.run(func() {
		f := j.work.enter(w, true)
		defer j.leave(f, w, ended)
		defer func() { _ = recover() }()
		f.bindReads()
	})
	acquire(ended)
}

// bindReads binds the views of the copy that only read.
func (f *worker) bindReads() {
	f.bindings.look(f.work.plan.fields, f.copy)
	for i, v := range f.bindings.views {
		if f.work.ticket.Claimed(i).Mode == safety.Read {
			v.Binder.Bind(safety.NewBinding(f.scope, i, v.View))
		}
	}
}

func acquire(permits chan int) int {
	atom.Hide()
	w := <-permits
	atom.Show()
	return w
}

func release(permits chan int, w int) {
	atom.Hide()
	permits <- w
	atom.Show()
}
