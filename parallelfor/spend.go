package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// This file is how the job that a handle stands for comes to be used again.
//
// Handles are kept for as long as programs like, and are copied, so none knows the job, but a life of its ticket. That ends when the job was
// completed without a failure and nobody looks into it: whoever completes it, starts it, waits for what it runs after, or gives it back
// with what runs after it has entered its life meanwhile (safety.Life). From then on its handles say that it is complete, which is all that there
// is to say of it. These lives do not end: of jobs that have failed or were cancelled, of which handles tell more; that are watched, of which
// pictures tell more; and whose ticket somebody was given.

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

// Spent implements safety.Spender.
func (j *job) Spent(l safety.Life) {
	if reuse && j.finished() && j.limit.Load() == unlimited && l.End() {
		j.over.Store(0)
		j.giveJob()
	}
}

// giveJob keeps a job that nobody knows of, and nothing of what it was. It has not failed, nor stopped; whoever still looks
// whether it has, before he looks whether its life has ended, finds that unchanged.
func (j *job) giveJob() {
	j.settings = settings{}
	j.work, j.ctx, j.done, j.cost = nil, nil, nil, nil
	j.body, j.watch = nil, nil
	j.runAfterNone()
	j.single, j.open, j.orphan = false, false, false
	j.ticket.Reset("", 0)
	spent.Give(j)
}
