package parallelfor

import (
	"example.com/custody/internal/atom"
)

// This file uses the execs of completed jobs again, so that frames of short jobs allocate nothing.
//
// A handle says which life of its exec it stands for. The lives that are over were completed
// without a failure. A goroutine that does something with a handle holds the exec meanwhile, and a
// job holds the execs of the first two jobs that it runs after. The word lives has the number of the
// life in its upper half, and in its lower half how many hold the exec.
//
// Invariants:
//
//	(reuse.I1) A life ends by one step on the word, which is taken only if nothing holds the exec
//	     and the job was returned. From a handle no goroutine comes to an exec in another life:
//	     it holds the exec by a step that fails then.
//	(reuse.I2) A goroutine that comes from one job to another one that it runs after holds the
//	     first job, or a job that runs after it, or schedules one. A job lets go of others when
//	     its own life ends. So what such a goroutine finds is in the life in which it was found.
//	(reuse.I3) The ledger has no record of a returned job, and a job that was not returned is in
//	     its life. So what the ledger finds is in its life as long as the records are locked.
//	     AutoOrder goes on with what it has found when they are not: see autoOrdered.
//	(reuse.I4) Only a job that was led, by a goroutine that completed it or one that runs after
//	     it, is used again. Its workers have left before it ended (join.I2). A worker goroutine
//	     that still has an offer of it joins the job that has the memory then: see take.

// reuses reports whether execs with a handle are used again. The race detector would take one life
// for the other.
const reuses = reuse && keeps && !atom.Race

// aLife is one life in the upper half of the word.
const aLife = 1 << 32

var execs atom.Spares[exec]

// autoOrdered is 1 once a job was scheduled with AutoOrder. From then on no life ends. It is set
// before the ledger looks for jobs, and read after a job was returned. So a job whose life ends was
// not found.
var autoOrdered atom.HiddenUint32

// life returns the number of the job's life.
func (j *exec) life() uint32 { return uint32(j.lives.Load() / aLife) }

// hold keeps the life of the handle's job from ending until letGo. It returns false if the handle
// has no job, or if that life is over.
func (h Handle) hold() bool {
	if h.job == nil || !reuses {
		return h.job != nil
	}
	for {
		w := h.job.lives.Load()
		if uint32(w/aLife) != h.life {
			return false
		}
		if h.job.lives.CompareAndSwap(w, w+1) {
			return true
		}
	}
}

// letGo ends what hold began. If that was the last hold on a completed job, the job's life ends, and
// it lets go of the jobs that it holds.
func (j *exec) letGo() {
	for reuses && j != nil {
		w := j.lives.Add(^uint64(0))
		if w%aLife != 0 || !j.mayEnd() || !j.lives.CompareAndSwap(w, w+aLife) { // keeps (reuse.I1)
			return
		}
		held := j.held
		j.renew()
		execs.Give(j)
		held[1].letGo()
		j = held[0]
	}
}

// mayEnd reports whether the job was returned and its exec may be used again.
//
//go:norace
func (j *exec) mayEnd() bool {
	return j.ticket.Returned() && j.led && !j.stays && !j.bubbled && !j.pool.bubbled && j.observer == nil &&
		j.limit.Load() == unlimited && autoOrdered.Load() == 0
}

// holdAfter has the job hold one that it runs after, which its caller holds.
func (j *exec) holdAfter(a *exec) {
	switch {
	case !reuses:
	case j.held[0] == nil:
		j.held[0] = a
	case j.held[1] == nil:
		j.held[1] = a
	default:
		a.stay()
		a.letGo()
	}
}

// stay keeps the exec from being used again. The caller holds it.
//
//go:norace
func (j *exec) stay() { j.stays = true }

// dropHeld lets go of what a job without a handle holds.
func (j *exec) dropHeld() {
	held := j.held
	j.held = [2]*exec{}
	held[0].letGo()
	held[1].letGo()
}

// renew makes the exec ready for its next life.
//
//go:norace
func (j *exec) renew() {
	j.held, j.pool, j.around = [2]*exec{}, nil, nil
	j.led, j.opened, j.hurried, j.delays = false, false, false, false
	j.state.Store(0)
	j.over.Store(0)
	if j.urged.Load() != 0 {
		j.urged.Store(0)
	}
	j.ticket.Reset("", 0)
}

// newExec returns an exec for a job of the work that has a handle.
func newExec(w *work) *exec {
	if reuses {
		if j := execs.Take(); j != nil {
			j.running = &w.running
			return j
		}
	}
	j := new(exec)
	j.ready(w)
	return j
}
