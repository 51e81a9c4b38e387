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
//   - The last worker to leave a job that is not kept closes it in the same step, and finishes it.
//   - A kept job is run and waited for in one call, and runs after no other. Its caller is worker 0
//     and finishes it. No other goroutine waits for the job, so none is told that it has finished.
//
// When a body has ended the goroutine of a kept job's caller, another goroutine goes on as worker
// 0. Until worker 0 opens the job to others it works alone, and no other goroutine reads the job.
//
// Invariants of kept jobs:
//
//	(join.I1) Worker 0 counts as active until the job ends. It ends the job only after it has
//	     closed the job to others and is the only active worker. So the job does not end before
//	     every worker has left.
//	(join.I2) A worker that has left does not touch the job any more, except to release the lock
//	     under which it left; worker 0, if it sleeps, goes on only with that lock. So worker 0
//	     may give the job's memory back at once.
//	(join.I3) Worker 0 sets the sleeping bit in the state word before it sleeps, in one step that
//	     fails when a worker leaves meanwhile. So the last worker sees the bit, or worker 0 sees
//	     that it is the last.

// The state word of a job has, from the top bit:
const (
	joinable = 1 << 63 // workers may join
	sleeping = 1 << 62 // worker 0 of a kept job sleeps
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

// joined returns the number of workers that have joined a job in state s, and places the number
// that may.
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

// execute executes batches as the given worker, which has joined, until none is left. Then the
// worker leaves.
func (j *exec) execute(worker int) { j.resume(j.work.enter(worker, true)) }

// resume is execute for a worker that has entered. If a body ends the calling goroutine, resume
// goes on with the same worker on another goroutine.
func (j *exec) resume(f *worker) {
	through := false
	first := j.mode >= kept && f.state.index == 0
	defer func() {
		if !through {
			if first && j.state.Load()&deserted == 0 {
				j.state.Add(deserted) // only worker 0 changes this bit
			}
			f.on = nil
			atom.Go(func() { j.resume(f) })
		}
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

// quit has the calling worker leave the job. Worker 0 of a kept job does not call it. The last
// worker to leave a job that is not kept finishes it. If the sleeping bit is set, the worker leaves
// under the lock. If the bit is set meanwhile, the step without the lock fails (join.I3).
func (j *exec) quit() {
	for {
		s := j.state.Load()
		if s&sleeping != 0 {
			j.quitAndWake()
			return
		}
		left := s - 1
		last := left&fieldMask == 0
		if last { // never of a kept job (join.I1)
			left = 0
		}
		if j.state.CompareAndSwap(s, left) {
			if last {
				if called := j.called.Load(); called != 0 && joined(s) == 1 {
					j.pool.wakeUps.missed(now() - time.Duration(called))
				}
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

// keep runs a kept job to its end.
func (j *exec) keep() {
	if !j.open() {
		j.end()
		return
	}
	if !j.share() {
		return
	}
	helpers := joined(j.state.Load()) - 1
	if began := j.work.timed; began != 0 && helpers > 0 {
		if d, known := j.cost.of(j.n); known {
			j.pool.wakeUps.shared(d, now()-began)
		}
	}
	if called := j.called.Load(); called != 0 {
		j.called.Store(0)
		if helpers == 0 {
			j.pool.wakeUps.missed(now() - time.Duration(called))
		}
	}
}

// share executes the batches of an opened job with the caller as its first worker. It reports
// whether it has offered the job to other workers: those that spin, and sleeping ones if that pays.
func (j *exec) share() (offered bool) {
	n := j.crowd()
	spins := j.pool.hasSpinner()
	wake := n > 1 && !spins && j.worthWaking()
	comes := n > 1 && !spins && !wake && j.mode < kept && j.pool.awake() // to the queue
	if !spins && !wake && !comes && !handout.Forced() {
		n = 1 // no other worker would come
	}
	j.work.seats(n)
	if n == 1 && !handout.Forced() {
		if j.mode < kept {
			j.admitWorkers(1, 1)
		}
		j.executeAll()
		return false
	}
	j.work.distribution.reset(j.batches, n)
	if j.mode == kept {
		j.mode = shared
	}
	// The second condition keeps (B1): outside the pool's bubble no worker goroutine is asked.
	if j.work.distribution.assigned != nil || !j.pool.bubbled && atom.InBubble() {
		j.dispatchApart(n, 1)
		return false
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
	return true
}

// executeAll executes all batches on the calling goroutine, as the only worker.
func (j *exec) executeAll() {
	f := j.work.enter(0, true)
	f.give(0, j.batches)
	j.resume(f)
}

// settle waits until worker 0, which calls it, is the only active worker, and ends the kept job.
func (j *exec) settle() {
	if j.mode == shared {
		for s := (atom.Spin{}); !j.close(); {
			if !s.More() {
				j.sleepOut()
			}
		}
	}
	j.end()
}

// close lets no more workers join a kept job, and reports whether worker 0 is the only active
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

// end seals the containers of a kept job. The caller of a deserted job sleeps in idle, and end
// wakes it.
func (j *exec) end() {
	if j.mode == shared {
		j.pool.withdraw(j)
	}
	j.seal()
	if j.state.Load()&deserted != 0 {
		j.conclude(nil)
	} else {
		j.pool.finished()
	}
}
