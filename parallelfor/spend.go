package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file is how the job that a handle stands for comes to be used again.
//
// Handles are kept for as long as programs like, and are copied, so none knows the job, but a life of its ticket (safety.Life). From its end on
// its handles say that the job is complete, which is all that there is to say of it.
//
// Invariants:
//
//	(S1) A life ends when the job has finished and was completed, all its cells counted, and nobody is in it: whoever completes the job, starts it,
//	     waits for what it runs after, or gives it back with what runs after it, has entered.
//	(S2) A life does not end in which there is more to say: of a job that has failed, was cancelled, or whose loop stopped early ([Cells.Stop]); of one
//	     that is watched (Progress, Labels, a Graph, a trace), of which pictures tell; of one whose ticket somebody was given ([Handle.Ticket], so every
//	     DisposeAfter), or that more have entered at once than can be counted. Nor does any in strict builds and with the race detector, nor that of a
//	     job that nobody completes. The garbage collector has these when nobody knows them; until then they keep no container, and nothing that the
//	     job was given but its name (see closeBooks).
//	(S3) A job whose life has ended is nobody's, and looks like a new one, but for its grid, which is cut anew where it does not fit, and for what is
//	     set again before anybody asks. What jobs of a type have in common goes back to the work before (see lend).
//	(S4) Who has not entered finds a job that another one may have taken. What he has read of it is of that life if the life has not ended afterwards.
//	     What he does to it does no harm: to offer it, or to join it, is to come to whatever job has that memory, as anybody may.
//	(S5) While somebody wants to know of jobs that are lost (safety.OnLeak, safety.SetLeakMode) new ones are made: a job that handles of an earlier life know is
//	     never found to be lost.

// spent are the jobs whose lives have ended.
var spent atom.Spares[job]

// takeJob returns a job for a handle.
func takeJob() *job {
	var j *job
	if !safety.Watching() {
		j = spent.Take()
	}
	if j == nil {
		j = new(job)
		j.ready()
	}
	return j
}

// Spent implements safety.Spender. Until End has said that the life was this one's, and is over, it reads only what is atomic.
func (j *job) Spent(l safety.Life) {
	if reuse && j.finished() && j.limit.Load() == unlimited && l.End() {
		j.over.Store(0)
		j.giveJob()
	}
}

// giveJob keeps a job that nobody knows of, and nothing of what it was (S3). It has not failed, nor stopped; whoever still looks
// whether it has, before he looks whether its life has ended (S4), finds that unchanged.
func (j *job) giveJob() {
	bubbled := j.pool != nil && j.pool.bubbled
	j.settings = settings{}
	j.work, j.ctx, j.done, j.cost = nil, nil, nil, nil
	j.within, j.caller, j.watch = party{}, nil, nil
	j.runAfterNone()
	j.single, j.open, j.orphan = false, false, false
	j.ticket.Reset("", 0)
	if !bubbled { // (B2)
		spent.Give(j)
	}
}
