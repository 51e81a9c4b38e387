package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file runs jobs in bubbles of testing/synctest.
//
// A job that a goroutine of a bubble schedules is executed by goroutines of that bubble. So its
// bodies read the bubble's clock and may use its channels, and the test does not end before they
// have ended. A pool that was made in a bubble has its worker goroutines there. The worker
// goroutines of the default pool, and of every other pool, stay outside: a job of such a pool gets
// goroutines of its own, which end with the job.
//
// Invariants:
//
//	(B1) A goroutine of a bubble neither starts nor wakes a worker goroutine of a pool that was
//	     made outside, and is not counted among the goroutines that wait or block there. Of that
//	     pool it changes only what wake-ups cost and the number of jobs.
//	(B2) A worker goroutine of a pool does not join a job on the other side of a bubble's edge,
//	     nor one of another bubble, not even by an offer of an earlier job in the same memory. The
//	     state word of a job that workers may join has the bit of its pool's side. The exec of
//	     a job of a pool that was made in a bubble is not used again. A job with goroutines of
//	     its own has no free places.
//	(B3) Only goroutines of the same side wake a goroutine that sleeps for a job. So no goroutine
//	     waits for, and no job runs after, an unfinished job of the other side. A broadcast holds
//	     the job's lock since before the job has finished, and a goroutine takes that lock to
//	     sleep. So a broadcast reaches no goroutine that sleeps for a later job in the memory of
//	     a job of a call: see conclude and quitAndWake.

// apart reports whether the job has goroutines of its own: it was scheduled in a bubble, on a pool
// that was made outside.
func (j *exec) apart() bool { return j.bubbled && !j.pool.bubbled }

// dispatchApart runs a prepared job on n goroutines of its own. It starts one for each worker,
// except that with taken = 1 the calling goroutine is worker 0. taken is 0 or 1.
func (j *exec) dispatchApart(n, taken int) {
	j.admitWorkers(n, n)
	for w := taken; w < n; w++ {
		atom.Go(func() { j.execute(w) })
	}
	if taken > 0 {
		j.execute(0)
	}
}

// separate returns the violation of waiting for the job, which has not finished, across the edge of
// a bubble. It returns nil if the waiter is on the job's side. inside reports whether the waiter is
// in a bubble. follower is the job that was to run after this one; it is nil if a goroutine was to
// wait.
//
//go:norace
func (j *exec) separate(inside bool, follower *exec) *safety.Violation {
	if j.bubbled == inside {
		return nil
	}
	where, what := "outside the synctest bubble", "it was waited for"
	if j.bubbled {
		where = "in a synctest bubble"
	}
	if follower != nil {
		what = "job " + follower.ticket.Job() + " was to run after it"
	}
	v := safety.NewViolation(safety.ErrArgument, "job "+j.ticket.Job()+" was scheduled "+where+" and had not finished when "+what+" on the other side",
		"Complete a job on the side on which it was scheduled, before what is to follow it on the other.")
	v.Job = j.ticket.Job()
	return v
}

// side returns the bit of the pool's side in the state words of its jobs: inBubble if the pool was
// made in a bubble, otherwise 0 (B2).
func (p *Pool) side() uint64 {
	if p.bubbled {
		return inBubble
	}
	return 0
}

// elsewhere returns the violation of a use of the pool that needs its worker goroutines, from the
// other side of a bubble's edge. It returns nil on the pool's own side. what is the verb of the
// use, for the text.
func (p *Pool) elsewhere(what string) *safety.Violation {
	if p.bubbled == atom.InBubble() {
		return nil
	}
	where := "outside a synctest bubble " + what + " in one"
	if p.bubbled {
		where = "in a synctest bubble " + what + " outside of it"
	}
	return safety.NewViolation(safety.ErrArgument, "a pool that was made "+where, "Make a pool where it is used, and close it there.")
}
