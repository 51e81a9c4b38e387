package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// wait returns when the job has finished. Until then the caller works on the job, and on jobs that
// this one runs after, when they let workers join.
//
// wait panics with a violation if the job cannot finish before the body or [callback] that calls
// wait does. It also does so if the job is on the other side of a bubble's edge (B3). While a body
// waits, another worker goroutine takes its place.
func (j *exec) wait() {
	if j.finished() {
		return
	}
	if v := j.separate(atom.InBubble(), nil); v != nil {
		panic(v)
	}
	l := safety.CurrentScope()
	from, p := waiter(l), servingPool(l)
	if from.job == nil && p == nil {
		j.help()
		return
	}
	if from.job != nil {
		to := point{job: j}
		waits.begin(from, to)
		defer waits.end(from, to)
	}
	p.block()
	defer p.unblock()
	j.help()
}

// help is wait without the checks.
func (j *exec) help() {
	if j.pool.takeLate(j) {
		beginAll(j.lead())
		return
	}
	f := frontOf(j)
	for !j.finished() {
		if t := f.find(); t == nil {
			f.await(j)
		} else if t.pool.takeLate(t) {
			f.lead()
		} else if w, ok := t.join(nil); ok {
			t.execute(w)
		}
	}
	clear(f.path[:cap(f.path)])
	if !atom.Worthwhile(cap(f.path), f.most) {
		f.path = nil
	}
	f.most = 0
	fronts.Give(f)
}

// front is the path by which a waiting goroutine searches the graph of unfinished jobs for work.
// The path begins with the job that the goroutine waits for. Each job on it runs after the next.
// The search looks at every edge of the graph once.
type front struct {
	path []step
	most int // the greatest length of path so far
}

var fronts atom.Spares[front]

// step is a job on the path. The jobs that it runs after have finished up to index next.
type step struct {
	job  *exec
	next int
}

func frontOf(j *exec) *front {
	f := fronts.Take()
	if f == nil {
		f = new(front)
	}
	f.path = append(f.path[:0], step{job: j})
	return f
}

// find searches from the end of the path for a job that lets workers join, or is put off. It
// shortens the path if the last job has finished, and otherwise extends it to a job that the last
// one still runs after. It returns nil if there is no such job at the moment, or if the first one
// has finished.
//
//go:norace
func (f *front) find() *exec {
	for {
		top := &f.path[len(f.path)-1]
		if s := top.job.state.Load(); roomy(s) || s&late != 0 {
			return top.job
		}
		if top.job.finished() {
			if len(f.path) == 1 {
				return nil
			}
			f.path = f.path[:len(f.path)-1]
			continue
		}
		var down *exec
		if down, top.next = top.job.awaited(top.next); down == nil {
			return nil
		}
		f.path = append(f.path, step{job: down})
		f.most = max(f.most, len(f.path))
	}
}

// lead leads the last job on the path. It goes on with the one before as long as that is the only
// job that can begin then, and would be put off: the goroutine has a chain of jobs to itself.
//
//go:norace
func (f *front) lead() {
	for {
		at := len(f.path) - 1
		ready := f.path[at].job.lead()
		if at == 0 || ready != f.path[at-1].job || ready.nextReady != nil || !ready.short() {
			beginAll(ready)
			return
		}
		f.path = f.path[:at]
	}
}

// await returns when find may return a job, or when j, the first job on the path, has finished. It
// spins for a while, and then sleeps.
func (f *front) await(j *exec) {
	pool, counts := j.pool, !j.apart() // keeps (B1)
	if counts {
		pool.waiters.Add(1)
	}
	through := false
	for s := (atom.Spin{}); !through && s.More(); {
		through = j.finished() || f.find() != nil
	}
	if counts {
		pool.stopSpinning()
	}
	if !through {
		if counts {
			j.urge() // other jobs that j runs after may be put off
		}
		f.path[len(f.path)-1].job.sleep() // this job ends before j does
	}
}

// sleep waits until the job has finished or lets workers join. It has been urged, or is one that is
// never put off.
//
//go:norace
func (j *exec) sleep() {
	j.mu.Lock()
	for !j.finished() && !roomy(j.state.Load()) {
		atom.Wait(&j.cond)
	}
	j.mu.Unlock()
}

// idle waits for the job without working on it. The calling goroutine must not execute batches,
// because a body might end it before it has completed what it is to complete.
//
//go:norace
func (j *exec) idle() {
	j.urge()
	p := servingPool(safety.CurrentScope())
	p.block()
	j.mu.Lock()
	for !j.finished() {
		atom.Wait(&j.cond)
	}
	j.mu.Unlock()
	p.unblock()
}

// servingPool returns the pool that loses a worker while the calling goroutine, which has scope l,
// waits, or nil. An unchecked build does not know which goroutines are in bodies, so there every
// goroutine counts as a worker of the default pool. In a bubble no goroutine is a worker of a pool
// that was made outside (B1).
func servingPool(l *safety.Scope) *Pool {
	p := &defaultPool
	if safety.Enabled {
		if l == nil {
			return nil
		}
		p = jobOf(l.Ticket()).pool
	}
	if !p.bubbled && atom.InBubble() {
		return nil // keeps (B1)
	}
	return p
}
