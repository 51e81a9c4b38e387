package parallelfor

import (
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/safety"
)

// This file is how workers join a job and leave it, and how the job ends. A job ends in one of two
// ways:
//
//   - The last worker to leave a job that no goroutine leads closes it in the same step, and
//     finishes it.
//   - A goroutine leads a job: it is worker 0 from the start, and ends it. The caller leads a kept
//     job, which is run and waited for in one call, and runs after no other. No other goroutine
//     waits for that job, so none is told that it has finished. A goroutine that completes a job
//     leads those that were put off; see late.go.
//
// When a body has ended the goroutine that leads a job, another goroutine goes on as worker 0.
// Until worker 0 opens the job to others it works alone, and no other goroutine reads the job.
//
// Invariants of jobs that a goroutine leads:
//
//	(join.I1) Worker 0 counts as active until the job ends. It ends the job only after it has
//	     closed the job to others and is the only active worker. So the job does not end before
//	     every worker has left.
//	(join.I2) A worker that has left does not touch the job any more, except to release the lock
//	     under which it left; worker 0, if it sleeps, goes on only with that lock. So worker 0
//	     may give the memory of a kept job back at once.
//	(join.I3) Worker 0 sets the sleeping bit in the state word before it sleeps, in one step that
//	     fails when a worker leaves meanwhile. So the last worker sees the bit, or worker 0 sees
//	     that it is the last.

// The state word of a job has, from the top bit:
const (
	joinable = 1 << 63 // workers may join
	sleeping = 1 << 62 // worker 0, which leads the job, sleeps
	inBubble = 1 << 61 // the pool was made in a bubble of testing/synctest
	deserted = 1 << 60 // a body has ended the goroutine of a kept job's caller
	late     = 1 << 59 // the job is put off; see (late.I1)

	// Three numbers of 15 bits follow: workers that may join, that have joined, and that are
	// active, which are those that have joined and have not left.
	activeBits  = 15
	joinedShift = activeBits
	placesShift = 2 * activeBits
	fieldMask   = 1<<activeBits - 1
)

// joined returns how many workers have joined a job in state s, and places how many may.
func joined(s uint64) int { return int(s >> joinedShift & fieldMask) }
func places(s uint64) int { return int(s >> placesShift & fieldMask) }

// roomy reports whether a job in state s lets one more worker join.
func roomy(s uint64) bool { return s&joinable != 0 && joined(s) < places(s) }

// admitWorkers lets n workers join, of which the first taken have joined already.
func (j *exec) admitWorkers(n, taken int) {
	j.state.Store(joinable | j.pool.side() | uint64(n)<<placesShift | uint64(taken)<<joinedShift | uint64(taken))
}

// join makes the calling goroutine a worker of the job, if the job lets one more join. from is the
// pool for which the goroutine was woken or started, or nil if it waits for the job. The memory of
// a kept job may be another job's by now. The goroutine of a pool joins that one only on the pool's
// side of a bubble's edge (B2).
func (j *exec) join(from *Pool) (worker int, ok bool) {
	for {
		s := j.state.Load()
		if !roomy(s) || from != nil && s&inBubble != from.side() {
			return 0, false
		}
		if j.state.CompareAndSwap(s, s+1<<joinedShift+1) {
			return joined(s), true
		}
	}
}

// execute executes batches as a worker that has joined, until none is left. Then the worker leaves.
func (j *exec) execute(worker int) { j.resume(j.work.enter(worker, true)) }

// resume is execute for a worker that has entered. If a body ends the calling goroutine, resume
// goes on with the same worker on another goroutine.
func (j *exec) resume(f *worker) {
	through := false
	first := j.leads() && f.state.index == 0
	defer func() {
		if through {
			return
		}
		if first && j.mode >= kept && j.state.Load()&deserted == 0 {
			j.state.Add(deserted) // only worker 0 changes this bit
		}
		f.on = nil
		atom.Go(func() {
			j.resume(f)
			if first {
				j.end()
			}
		})
	}()
	f.scope.Do(f)
	through = true
	f.leave()
	if first {
		j.settle()
	} else {
		j.quit()
	}
}

// quit has the calling worker leave the job. Worker 0 does not call it if it leads the job. The
// last worker to leave a job that no goroutine leads finishes it. If the sleeping bit is set, the
// worker leaves under the lock. If the bit is set meanwhile, the step without the lock fails
// (join.I3).
func (j *exec) quit() {
	for {
		s := j.state.Load()
		if s&sleeping != 0 {
			j.quitAndWake()
			return
		}
		left := s - 1
		last := left&fieldMask == 0
		if last { // never of a job that is led (join.I1)
			left = 0
		}
		if j.state.CompareAndSwap(s, left) {
			if last {
				j.finish()
			}
			return
		}
	}
}

// quitAndWake is quit while worker 0 sleeps or is about to. The worker leaves and wakes worker 0
// under the lock, so the memory is not another job's before it has done both (join.I2, B3).
//
//go:norace
func (j *exec) quitAndWake() {
	j.mu.Lock()
	if j.state.Add(^uint64(0))&fieldMask == 1 {
		atom.Broadcast(&j.cond)
	}
	j.mu.Unlock()
}

// leads reports whether worker 0 leads the job.
func (j *exec) leads() bool { return j.mode >= kept || j.led }

// keep runs a kept job to its end.
func (j *exec) keep() {
	if j.open() {
		j.share()
	}
	j.end()
}

// share executes the batches of an opened job with the caller as its first worker, which leads it.
// It offers the job to other workers if that pays: to those that spin, and to sleeping ones.
func (j *exec) share() {
	w := j.work
	d, known := j.cost.of(j.n)
	turn := noTurn
	if known {
		turn = j.turn(d)
	}
	forks := w.forking != nil
	if forks {
		w.sample.wait = 0 // one recursion says little of the next
	}
	w.timed = w.sample.begin()
	n := j.crowd(turn)
	spins := n > 1 && j.pool.hasSpinner()
	wake := n > 1 && !spins && j.worthWaking(turn)
	comes := n > 1 && !spins && !wake && j.mode < kept && j.pool.awake() // to the queue
	if !spins && !wake && !comes && !handout.Forced() {
		n = 1 // no other worker would come
	}
	w.seats(n)
	if j.opened = n > 1 || handout.Forced(); !j.opened {
		j.executeAll()
		return
	}
	w.distribution.reset(j.batches, n, known && d < longestShort)
	// The second condition keeps (B1): outside the pool's bubble no worker goroutine is asked.
	if w.distribution.assigned != nil || !j.pool.bubbled && atom.InBubble() {
		j.dispatchApart(n, 1)
		return
	}
	j.admitWorkers(n, 1)
	if j.offered.Load() != 0 {
		j.offered.Store(0)
	}
	if comes {
		j.pool.queue(j, n-1)
	} else {
		j.pool.call(j, n-1, wake)
	}
	j.execute(0)
	if known && (d < longestShort || forks && d < longestSeldom) {
		w.sample.wait = min(w.sample.wait, sharedSeldom)
		if (spins || forks) && w.timed != 0 {
			j.cost.shared(d, now()-w.timed)
		}
	}
	if called := j.called.Load(); called != 0 {
		j.called.Store(0)
		if joined(j.state.Load()) == 1 {
			j.pool.wakeUps.missed(now() - time.Duration(called))
		}
	}
}

// executeAll executes all batches on the calling goroutine, as the only worker.
func (j *exec) executeAll() {
	f := j.work.enter(0, true)
	f.give(0, j.batches)
	j.resume(f)
}

// settle waits until worker 0, which calls it and leads the job, is the only active worker.
func (j *exec) settle() {
	for s := (atom.Spin{}); j.opened && !j.close(); {
		if !s.More() {
			if j.led {
				beginAll(j.pool.takeAllLate(nil)) // a worker of this job may wait for them
			}
			j.sleepOut()
		}
	}
}

// close lets no more workers join the job, and reports whether worker 0 is the only active
// worker. If so, no other goroutine changes the state word any more. If a worker changes it
// meanwhile, close returns false and has done nothing.
func (j *exec) close() bool {
	s := j.state.Load()
	if s&joinable != 0 && !j.state.CompareAndSwap(s, s&^joinable) {
		return false
	}
	return s&fieldMask == 1
}

// sleepOut sleeps until worker 0, which calls it, is the only active worker. Worker 0 closes the
// job before it sleeps. Otherwise the job may still be open, so settle calls close again.
//
//go:norace
func (j *exec) sleepOut() {
	p := servingPool(safety.CurrentScope())
	p.block()
	j.mu.Lock()
	for {
		s := j.state.Load()
		if s&fieldMask == 1 {
			break
		}
		if j.state.CompareAndSwap(s, s&^joinable|sleeping) {
			atom.Wait(&j.cond)
		}
	}
	j.mu.Unlock()
	p.unblock()
}

// end ends a settled job. The caller of a deserted kept job sleeps in idle, and end wakes it.
func (j *exec) end() {
	if j.mode < kept {
		j.finish()
		return
	}
	if j.opened {
		j.pool.withdraw(j)
	}
	j.seal()
	if j.state.Load()&deserted != 0 {
		j.conclude(nil)
	} else {
		j.pool.finished()
	}
}
