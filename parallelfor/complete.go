package parallelfor

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// finished says whether the job has finished.
func (j *job) finished() bool { return j.over.Load() != 0 }

// wait returns when the job has finished, working on it, and on what it runs after, when they let workers join.
// Inside a body it reports a job that waits for the body, and lets another worker take the body's place meanwhile.
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
	j.help()
}

// help is wait without asking whether the caller may.
func (j *job) help() {
	f := frontOf(j)
	looks := false
	for s := (atom.Spin{}); !j.finished(); {
		if t := f.find(); t != nil {
			if w, ok := t.join(); ok {
				if looks {
					j.pool.lookAway()
					looks = false
				}
				t.execute(w)
				s = atom.Spin{}
			}
			continue
		}
		if !looks {
			j.pool.waiters.Add(1)
			looks = true
		}
		if !s.More() {
			j.pool.lookAway()
			looks = false
			f.path[len(f.path)-1].job.sleep() // it ends before j can
			s = atom.Spin{}
		}
	}
	if looks {
		j.pool.lookAway()
	}
}

// front is where a waiting goroutine looks for work: the job that it waits for, and a way down through what that
// runs after to one that has nothing to run after any more. It looks at every edge of the graph once.
type front struct {
	path []step
	few  [4]step
}

// step is a job on the way; of what it runs after, those before next have finished.
type step struct {
	job  *job
	next int
}

func frontOf(j *job) (f front) {
	f.few[0].job = j
	return f
}

// find returns a job that lets workers join, or nil when there is none at the moment.
//
//go:norace
func (f *front) find() *job {
	if f.path == nil {
		f.path = f.few[:1]
	}
	for {
		top := &f.path[len(f.path)-1]
		if roomy(top.job.state.Load()) {
			return top.job
		}
		if top.job.finished() {
			if len(f.path) == 1 {
				return nil
			}
			f.path = f.path[:len(f.path)-1]
			continue
		}
		after := top.job.awaited()
		for top.next < len(after) && after[top.next].finished() {
			top.next++
		}
		if top.next >= len(after) {
			return nil
		}
		f.path = append(f.path, step{job: after[top.next]})
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
