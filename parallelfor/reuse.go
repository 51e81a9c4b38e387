package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
)

// This file uses the execs of completed jobs again, so that frames of short jobs allocate nothing.
//
// A handle says which generation of its exec it stands for. The generations that are over were
// completed without a failure. A goroutine that does something with a handle holds the exec
// meanwhile. A job holds the execs of those that it runs after, until it was returned and something
// lets go of it. The word generation has the number of the generation in its upper half. In its
// lower half it has how many hold the exec, and whether it stays: then the generation never ends.
// A work knows the exec of its last job with a handle, and takes it again when that is over.
//
// Invariants:
//
//	(reuse.I1) A generation begins to end by one step on the word, of the one that holds the exec
//	     alone, after the job was returned. From a handle no goroutine comes to an exec whose
//	     generation ends or has ended: it holds the exec by a step that fails then.
//	(reuse.I2) A goroutine that comes from a job to one before it holds the first one or one that
//	     runs after it, or has a lock under which that is not returned, or schedules one, or the
//	     first one stays. A job lets go of those before it only if it was returned and nothing
//	     else holds it, or these stay, and those before them. So what the goroutine finds is in
//	     the generation in which it was found.
//	(reuse.I3) The ledger has no record of a returned job. So what it finds there, under the lock
//	     of the record, is in its generation. AutoOrder goes on with that without the lock, and
//	     DisposeAfter comes from a ticket to those before it: see allStay.
//	(reuse.I4) Only a job that was led is used again. Its workers have left before it ended
//	     (join.I2), and the goroutine that put it off does not touch it afterwards. A worker
//	     goroutine that still has an offer of it joins the job that has the memory then: see
//	     take.

// reuses reports whether execs with a handle are used again. The race detector would mix
// generations up.
const reuses = reuse && keeps && !atom.Race

const (
	oneGeneration = 1 << 32 // in the upper half of the word
	staying       = 1 << 31 // the exec stays
	ending        = 1 << 30 // the generation is ending; below are those that hold the exec
)

// allStay is 1 once a job was scheduled with AutoOrder, or a ticket was asked for. It is set before
// the ledger looks for jobs, and read after a job was returned. So a job whose generation ends
// was not found.
var allStay atom.HiddenUint32

// keepAll sets allStay.
func keepAll() {
	if allStay.Load() == 0 {
		allStay.Store(1)
	}
}

// number returns the number of the job's generation.
func (j *exec) number() uint32 { return uint32(j.generation.Load() / oneGeneration) }

// hold keeps the generation of the handle's job from ending until letGo. It returns false if the
// handle has no job, or if that generation is over.
func (h Handle) hold() bool {
	if h.job == nil || !reuses {
		return h.job != nil
	}
	for {
		w := execOf(h).generation.Load()
		if uint32(w/oneGeneration) != h.generation || w&ending != 0 {
			return false
		}
		if execOf(h).generation.CompareAndSwap(w, w+1) {
			return true
		}
	}
}

// stay keeps the job's generation from ending. The caller holds the job, or has yet to schedule it.
func (j *exec) stay() {
	done := !reuses
	for !done {
		w := j.generation.Load()
		done = w&staying != 0 || j.generation.CompareAndSwap(w, w|staying)
	}
}

// retain is hold for a caller that knows that the generation is not over, because the job has no
// handle, or was not returned.
func (j *exec) retain() {
	if reuses {
		j.generation.Add(1)
	}
}

// letGo ends what hold began. If the job was returned, it lets go of those that it holds, and the
// last one to let go of it ends its generation, if the exec may be used again.
func (j *exec) letGo() {
	switch {
	case !reuses:
	case !j.follows:
		j.letGoOne(nil)
	default:
		j.letGoAll()
	}
}

// letGoAll is letGo of a job that has held others. A chain of them may be long.
func (j *exec) letGoAll() {
	var room [16]*exec
	todo := append(room[:0], j)
	for len(todo) > 0 {
		last := len(todo) - 1
		j, todo = todo[last], todo[:last]
		var held holds
		j.letGoOne(&held)
		held.each(func(a *exec) {
			if a.follows {
				todo = append(todo, a)
			} else {
				a.letGoOne(nil)
			}
		})
	}
}

// letGoOne lets go of the job, and sets held to what the job lets go of. While others hold the job,
// a goroutine may have come from it to those that it holds, and on to those before them. So these
// are not used again (reuse.I2).
//
//go:norace
func (j *exec) letGoOne(held *holds) {
	for {
		w := j.generation.Load()
		next, last, stays := w-1, w%ending == 1, w&staying != 0
		if j.ticket.Returned() {
			if j.follows {
				j.mu.Lock()
				if j.held.few[0] != nil {
					*held, j.held = j.held, holds{}
				}
				j.mu.Unlock()
				if !last || stays {
					held.each((*exec).stay)
				}
			}
			if last && !stays && next+oneGeneration > next && j.reusable() {
				next = w | ending // keeps (reuse.I1)
			}
		}
		if j.generation.CompareAndSwap(w, next) {
			if next&ending != 0 {
				j.pool = &defaultPool // so that the exec keeps no closed pool
				j.generation.Store(w - 1 + oneGeneration)
			}
			return
		}
	}
}

// reusable reports whether the exec of a finished job may be used again, as far as it can tell.
func (j *exec) reusable() bool {
	return j.led && !j.bubbled && j.observer == nil && j.limit.Load() == unlimited && allStay.Load() == 0
}

// holds are the execs that a job holds.
type holds struct {
	few  [2]*exec
	more []*exec
}

// add has the job hold one more, which its caller holds.
func (h *holds) add(j *exec) {
	switch {
	case h.few[0] == nil:
		h.few[0] = j
	case h.few[1] == nil:
		h.few[1] = j
	default:
		h.more = append(h.more, j)
	}
}

// each calls f for each of them.
func (h *holds) each(f func(j *exec)) {
	for _, j := range h.few {
		if j != nil {
			f(j)
		}
	}
	for _, j := range h.more {
		f(j)
	}
}

// drop lets go of all of them.
func (h *holds) drop() {
	held := *h
	*h = holds{}
	held.each((*exec).letGo)
}

// refused has a job that was not admitted let go of others, and of its exec, which has old handles.
func (w *work) refused() {
	w.held.drop()
	w.last = nil
	if j := w.exec; j != &w.own {
		j.running, j.pool, j.around, j.observer = nil, &defaultPool, nil, nil
		j.ticket.Reset("", 0)
	}
}

// release lets go of the job, which a goroutine has completed: the job's own holds, if it has no
// handle.
func (j *exec) release() {
	if j.mode < called {
		j.letGo()
	} else if j.held.few[0] != nil {
		j.held.drop()
	}
}

// completeIdly completes the job without working on it; see idle.
func (j *exec) completeIdly() {
	j.retain()
	defer j.release()
	j.idle()
	j.giveBack()
}

// takeExec returns an exec for a job of the work that has a handle: that of the work's last such
// job, if its generation is over. Then only old handles lead to it. These, and the work, would keep
// a lost job from being found, so while lost jobs are reported each job has its own.
func (w *work) takeExec() *exec {
	j, era, watched := w.last, atom.Execution(), gls.Watched()
	if !reuses || watched || j == nil || w.era != era || j.number() == w.generation {
		j = new(exec)
		j.ready(w)
	} else {
		j.renew(w)
	}
	if w.last, w.generation, w.era = j, j.number(), era; watched {
		w.last = nil
	}
	return j
}

// renew makes the exec ready for its next generation.
//
//go:norace
func (j *exec) renew(w *work) {
	j.running, j.around = &w.running, nil
	j.led, j.opened, j.hurried, j.follows = false, false, false, false
	if j.state.Load() != 0 {
		j.state.Store(0)
	}
	j.over.Store(0)
	if j.urged.Load() != 0 {
		j.urged.Store(0)
	}
	j.ticket.Reset("", 0)
}
