package parallelfor

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// finished says whether the job has finished.
func (j *job) finished() bool { return j.over.Load() != 0 }

// wait returns when the job has finished, working on it when it lets workers join. Inside a body it
// reports a job that waits for the body, and lets another worker take the body's place meanwhile.
func (j *job) wait() {
	if j.finished() {
		return
	}
	l := safety.CurrentLease()
	if l != nil {
		waiter := l.Ticket().Owner.(*job)
		if v := waits.begin(waiter, j); v != nil {
			panic(v)
		}
		defer waits.end(waiter, j)
	}
	if p := j.servedBy(l); p != nil {
		p.block()
		defer p.unblock()
	}
	for !j.finished() {
		if w, ok := j.join(); ok {
			j.work(w)
			continue
		}
		for s := (atom.Spin{}); !j.finished() && !roomy(j.state.Load()); {
			if !s.More() {
				j.sleep()
				break
			}
		}
	}
}

// idle waits for the job without working on it, because the calling goroutine is ending: another body
// that ends it again would leave the job behind. Whoever goes on in its place does the work.
//
//go:norace
func (j *job) idle() {
	p := j.servedBy(safety.CurrentLease())
	if p != nil {
		p.block()
	}
	j.mu.Lock()
	for j.over.Load() == 0 {
		atom.Wait(&j.cond)
	}
	j.mu.Unlock()
	if p != nil {
		p.unblock()
	}
}

// servedBy returns the pool that loses a worker when the calling goroutine, which is under that lease,
// waits for the job; or nil. Unchecked builds do not know who is in a body: there the default pool
// takes the worker's place.
func (j *job) servedBy(l *safety.Lease) *Pool {
	if !safety.Enabled {
		return &defaultPool
	}
	if l == nil {
		return nil
	}
	return l.Ticket().Owner.(*job).pool
}

// runHere runs the job, with the caller as one of its workers, and returns custody.
func (j *job) runHere() {
	through := false
	defer func() {
		if !through { // a body ended this goroutine
			j.idle()
			j.giveBack()
			j.outcome().raise(true)
		}
	}()
	switch {
	case j.kept:
		j.keep()
	case !j.here || len(j.after) > 0:
		j.launch()
		j.wait()
	default:
		j.start(true) // nobody knows the job yet, so nobody waits for it
		j.wait()
	}
	through = true
	j.giveBack()
}

// launch starts the job when all that it runs after has finished.
func (j *job) launch() {
	atom.ReleaseMerge(unsafe.Pointer(&j.pending))
	if j.awaitDeps() {
		tellAll(j.begin())
	}
}

// complete waits for the job, returns custody and fails as the job did.
func (j *job) complete() {
	through := false
	defer func() {
		if !through { // a body ended this goroutine, or waiting would never end
			if v := recover(); v != nil {
				panic(v)
			}
			j.idle()
			j.giveBack()
			j.outcome().raise(true)
		}
	}()
	j.wait()
	through = true
	j.giveBack()
	j.outcome().raise(false)
}

// giveBack returns custody of the finished job's containers to the caller.
func (j *job) giveBack() {
	atom.Acquire(unsafe.Pointer(j))
	j.ticket.Return()
}

// sleep waits until the job has finished or can be joined.
//
//go:norace
func (j *job) sleep() {
	j.mu.Lock()
	for j.over.Load() == 0 && !roomy(j.state.Load()) {
		atom.Wait(&j.cond)
	}
	j.mu.Unlock()
}

// rouse wakes those that wait, after the state has changed.
func (j *job) rouse() {
	j.mu.Lock() // who has seen the state before is in the queue of the condition now
	j.mu.Unlock()
	atom.Broadcast(&j.cond)
}
