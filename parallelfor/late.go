package parallelfor

import (
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/handout"
)

// This file puts off short jobs.
//
// To wake a worker goroutine for a short job costs more than it gains. So a scheduled job that is
// known to be short is put off when it could begin. The goroutine that completes it, or a job that
// runs after it, leads it: it begins the job and executes it as a call does, with the help of
// workers that spin. So the jobs of a chain run on one goroutine. A job that no goroutine completes
// begins after a while, as the pool's other jobs do.
//
// Invariants:
//
//	(late.I1) A job that is put off has the bit late in its state word, and is in its pool's
//	     list. Both change under the pool's lock. The goroutine that takes the job out of the
//	     list begins it.
//	(late.I2) While the list is not empty, the pool's timer runs, or its function has begun.
//	     That function begins all jobs of the list. If others were taken out of it meanwhile,
//	     it begins only those that it has seen before, and starts the timer again. A closed
//	     pool puts nothing off.
//	(late.I3) An urged job is not put off, nor are those that it runs after. urge marks the job
//	     before it looks for the bit. putOff sets the bit before it looks for the mark.

const (
	lateTime = time.Millisecond / 2  // the timer's; it takes 1 ms if the program is idle
	lateMost = 32 * time.Microsecond // the most work of one worker that is put off at a time
)

// Tests of explored programs set shortInExecutions, which makes all their jobs short, and
// timerStands, with which the timer never calls its function.
var shortInExecutions, timerStands bool

// short reports whether to put off the job when it can begin.
func (j *exec) short() bool {
	if !j.delays || j.urged.Load() != 0 || handout.Forced() {
		return false
	}
	d, known := j.cost.of(j.n)
	return j.n == 0 || known && d < lateMost || atom.Exploring() && shortInExecutions
}

// mayPutOff reports whether the admitted job may be put off if it is short.
func (j *exec) mayPutOff() bool {
	return keeps && j.mode == scheduled && !j.bubbled && !j.asked && j.observer == nil && j.length.view == nil &&
		j.pool != goers && !j.ticket.Foreign()
}

// putOff puts off the job, which could begin, and reports whether it did. If together with the
// other jobs that are put off there is enough to do for a worker, putOff takes these out of the
// list instead, and returns ready with them in front.
//
//go:norace
func (p *Pool) putOff(j, ready *exec) (bool, *exec) {
	d, _ := j.cost.of(j.n)
	p.mu.Lock()
	ok, urged := !p.closed && p.lateWork+d < lateMost, false
	if ok {
		j.lateWork = d
		p.lateWork += d
		if j.place.next = p.late; p.late != nil {
			p.late.place.prev = j
		}
		p.late = j
		p.startTimer()
		j.state.Store(late)
		if urged = j.urged.Load() != 0; urged {
			p.unlate(j)
		}
	}
	p.mu.Unlock() // keeps (reuse.I4)
	if urged {
		return false, ready
	}
	if !ok {
		ready = p.takeAllLate(ready)
	}
	return ok, ready
}

// takeLate takes the job out of the list of jobs that are put off, and reports whether it was in
// it.
//
//go:norace
func (p *Pool) takeLate(j *exec) (taken bool) {
	if j.state.Load()&late == 0 {
		return false
	}
	p.mu.Lock()
	if taken = j.state.Load()&late != 0; taken {
		p.unlate(j)
		p.leading = true
	}
	p.mu.Unlock()
	return taken
}

// unlate takes the job out of the list of jobs that are put off. The pool is locked.
//
//go:norace
func (p *Pool) unlate(j *exec) {
	prev, next := j.place.prev, j.place.next
	if prev != nil {
		prev.place.next = next
	} else {
		p.late = next
	}
	if next != nil {
		next.place.prev = prev
	}
	if p.older == j {
		p.older = next
	}
	p.lateWork -= j.lateWork
	j.place = place{}
	j.state.Store(0)
}

// startTimer starts the timer, unless it runs. The pool is locked.
//
//go:norace
func (p *Pool) startTimer() {
	if p.timing {
		return
	}
	p.timing, p.leading = true, false
	if p.timer.Call == nil {
		p.timer.Call = p.beginLate
	}
	if !(atom.Exploring() && timerStands) {
		p.timer.Start(lateTime)
	}
}

// beginLate begins the jobs that are put off. The pool's timer calls it. While others are being
// completed, one that was put off just now is probably about to be, so it waits for the next call.
//
//go:norace
func (p *Pool) beginLate() {
	p.mu.Lock()
	p.timing = false
	from := p.late
	if p.leading {
		from = p.older
	}
	ready := p.takeLateFrom(from, nil)
	if p.older = p.late; p.older != nil {
		p.startTimer()
	}
	p.mu.Unlock()
	for j := ready; j != nil; j = j.nextReady {
		j.hurried = true
	}
	beginAll(ready)
}

// takeAllLate takes all jobs out of the list of jobs that are put off, and returns ready with them
// in front.
//
//go:norace
func (p *Pool) takeAllLate(ready *exec) *exec {
	p.mu.Lock()
	ready = p.takeLateFrom(p.late, ready)
	p.mu.Unlock()
	return ready
}

// takeLateFrom takes the job, and those behind it, out of the list of jobs that are put off, and
// returns ready with them in front. The pool is locked.
//
//go:norace
func (p *Pool) takeLateFrom(j, ready *exec) *exec {
	for j != nil {
		next := j.place.next
		p.unlate(j)
		j.urged.Store(1)
		j.nextReady, ready = ready, j
		j = next
	}
	return ready
}

// urge has the job, and the jobs that it runs after, begin as soon as they can: no goroutine that
// would lead them is known.
//
//go:norace
func (j *exec) urge() {
	for keeps && j != nil && !j.finished() && j.urged.Load() == 0 {
		j.urged.Store(1)
		if j.pool.takeLate(j) {
			beginAll(j)
			return // it runs after none
		}
		first, i := j.awaited(0) // a chain may be long, so the loop goes on with the first
		for a, i := j.awaited(i + 1); a != nil; a, i = j.awaited(i + 1) {
			a.urge()
		}
		j = first
	}
}

// lead leads a job that was put off, or would be, and that the calling goroutine is to complete. It
// returns the jobs that can begin when that one has finished; see beginAll.
func (j *exec) lead() (ready *exec) {
	j.led = true
	if j.open() {
		j.share()
	}
	j.pool.withdraw(j)
	j.seal()
	return j.conclude(nil)
}
