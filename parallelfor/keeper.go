package parallelfor

import (
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
	"example.com/custody/safety"
)

// This file is a kept job from its start to its end, as worker 0 sees it.
//
// Worker 0 is the caller. When a body has ended the caller's goroutine, worker 0 is the goroutine
// that goes on in its place. Until worker 0 opens the job to others it works alone, and no other
// goroutine looks at the job. After that, workers join and leave by the state word.
//
// Invariants:
//
//	(I1) Worker 0 counts as active until the job ends. It ends the job only after it has closed
//	     the job to others and is the only active worker. So the job does not end before every
//	     worker has left.
//	(I2) A worker that has left does not touch the job any more, except to release the lock under
//	     which it left; worker 0, if it sleeps, goes on only with that lock. So worker 0 may give
//	     the job's memory back at once.
//	(I3) Worker 0 sets the sleeping bit in the state word before it sleeps, in one step that fails
//	     when a worker leaves meanwhile. So the last worker sees the bit, or worker 0 sees that it
//	     is the last.

// keep runs the job to its end.
func (j *exec) keep() {
	if !j.open() {
		j.end()
		return
	}
	n := j.crowd()
	looked := j.pool.looked()
	wake := n > 1 && !looked && j.worthWaking()
	if !looked && !wake && !handout.Forced() {
		n = 1 // nobody would come
	}
	j.work.seats(n)
	if n == 1 && !handout.Forced() {
		f := j.work.enter(0, true)
		f.give(0, j.batches)
		j.resume(f)
		return
	}
	j.work.hand.reset(j.batches, n)
	j.mode = shared
	// The second condition keeps (B1): outside the pool's bubble no worker goroutine is asked.
	if j.work.hand.dealt != nil || !j.pool.bubbled && atom.InBubble() {
		j.dispatchApart(n, 1)
		return
	}
	j.admitWorkers(n, 1)
	if j.offered.Load() != 0 {
		j.offered.Store(0)
	}
	j.pool.call(j, n-1, wake)
	f := j.work.enter(0, true)
	j.resume(f)
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

// worthWaking says whether the job takes long enough for workers that sleep to be woken.
func (j *exec) worthWaking() bool {
	d, known := j.cost.of(j.n)
	if !known || j.asked {
		return true
	}
	keeper := 1
	if j.ticket.Parent() != nil {
		keeper = 0 // it has been counted as a resident, or as who waits
	}
	return (j.pool.wakeUps.pays(d) || j.work.sample.busyEnough(d, time.Duration(j.pool.wakeUps.spent.Load()))) && !j.pool.crowded(keeper)
}

// paysToWake is worthWaking for others than the keeper.
func (j *exec) paysToWake() bool {
	d, known := j.cost.of(j.n)
	return !known || j.asked || j.pool.wakeUps.pays(d)
}

// deserted notes that a body has ended the goroutine of the worker, another one going on in its place. The
// caller, when it was that, waits to be told.
func (j *exec) deserted(f *worker) {
	if f.state.index != 0 {
		return
	}
	j.orphan = true
}

// part ends the time of a worker other than worker 0. If the sleeping bit is set it leaves under
// the lock, and the step without the lock fails if the bit is set meanwhile (I3).
func (j *exec) part() {
	for {
		s := j.state.Load()
		if s&sleeping != 0 {
			j.partFromSleeper()
			return
		}
		if j.state.CompareAndSwap(s, s-1) {
			return
		}
	}
}

// partFromSleeper is part while worker 0 sleeps or is about to. The worker leaves and wakes worker
// 0 under the lock, so the memory is not another job's before it has done both (I2, B3).
//
//go:norace
func (j *exec) partFromSleeper() {
	j.mu.Lock()
	if j.state.Add(^uint64(0))&fieldMask == 1 {
		atom.Broadcast(&j.cond)
	}
	j.mu.Unlock()
}

// settle waits until the keeper is the only worker left, and ends the job.
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

// close closes the job to others, and says whether there are none. When there are none nobody changes the word
// any more.
func (j *exec) close() bool {
	s := j.state.Load()
	if s&joinable != 0 && !j.state.CompareAndSwap(s, s&^joinable) {
		return false
	}
	return s&fieldMask == 1
}

// sleepOut sleeps until the keeper is the only one active.
//
//go:norace
func (j *exec) sleepOut() {
	p := j.servedBy(safety.CurrentScope())
	if p != nil {
		p.block()
	}
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
	if p != nil {
		p.unblock()
	}
}

// end seals the containers of a kept job, and tells its caller if it is not here.
func (j *exec) end() {
	if j.mode == shared {
		j.pool.withdraw(j)
	}
	j.seal()
	if j.orphan {
		j.conclude(nil)
	} else {
		j.pool.finished()
	}
}
