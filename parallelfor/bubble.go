package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file is how jobs run in bubbles of testing/synctest.
//
// What a goroutine of a bubble schedules is executed by goroutines of the bubble: so bodies go by its clock and use its
// channels, and the test ends when they have. A pool that was made in the bubble has its workers there. The workers of the
// default pool, and of all others, are outside; a job of such a pool gets goroutines of its own, which end with it.
//
// Invariants:
//
//	(B1) A goroutine of a bubble never starts or wakes a worker of a pool that was made outside, nor counts as one that
//	     waits for its jobs: it touches nothing of the pool but its books, and the number of its jobs.
//	(B2) No worker of a pool joins a job on the other side of a bubble's edge, also not by an old offer: the state word of
//	     a job says on which side it is.
//	(B3) Who sleeps for a job in a bubble is woken by goroutines of that bubble. So no goroutine waits for a job of the
//	     other side, and no job runs after one that has not finished; and nobody wakes those who sleep for a job at a
//	     moment when its memory may be another job's: see closeBooks, publish and part.

// apart reports whether the job has goroutines of its own, in a bubble.
func (j *job) apart() bool { return j.bubbled && !j.pool.bubbled }

// dispatchApart starts a goroutine for each of the n workers of a prepared job, but for the first when the caller is that one:
// then taken is 1.
func (j *job) dispatchApart(n, taken int) {
	j.admitWorkers(n, n)
	for w := taken; w < n; w++ {
		atom.Go(func() { j.execute(w) })
	}
	if taken > 0 {
		j.execute(0)
	}
}

// separate returns the violation of having to wait for the job, which has not finished, on the other side of a bubble's edge; or
// nil. inside is whether that is in a bubble, and follower the job that was to run after it; nil when a goroutine was to wait.
//
//go:norace
func (j *job) separate(inside bool, follower *job) *safety.Violation {
	if j.bubbled == inside {
		return nil
	}
	where, what := "outside the synctest bubble", "it was waited for"
	if j.bubbled {
		where = "in a synctest bubble"
	}
	if follower != nil {
		what = "job " + follower.name + " was to run after it"
	}
	v := safety.NewViolation(safety.ErrArgument, "job "+j.name+" was scheduled "+where+" and had not finished when "+what+" on the other side",
		"Complete a job on the side on which it was scheduled, before what is to follow it on the other.")
	v.Job = j.name
	return v
}

// separateFrom returns the violation of what the job runs after, from that number on, being on the other side of a bubble's
// edge and not finished; or nil. With a violation the job runs after none of those.
//
//go:norace
func (j *job) separateFrom(first int) *safety.Violation {
	for _, l := range j.after[first:] {
		if !l.Enter() {
			continue
		}
		var v *safety.Violation
		if a := jobOf(l); !a.finished() {
			v = a.separate(j.bubbled, j)
		}
		l.Leave()
		if v != nil {
			j.mu.Lock()
			j.after = j.after[:first]
			j.mu.Unlock()
			return v
		}
	}
	return nil
}

// side returns the bit that the state words of the pool's jobs have when it was made in a bubble (B2).
func (p *Pool) side() uint64 {
	if p.bubbled {
		return inBubble
	}
	return 0
}

// elsewhere returns the violation of using the pool on the other side of a bubble's edge than it was made, in a way that needs its
// workers, as what says; or nil.
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
