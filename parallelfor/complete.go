package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// complete waits for the job, returns custody and fails as the job did.
func (j *exec) complete() {
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

// wait returns when the job has finished. Until then the caller works on the job, and on jobs that
// this one runs after, when they let workers join.
//
// wait panics with a violation if the job cannot finish before the body or [callback] that calls
// wait, and if the job is on the other side of a bubble's edge (B3). While a body waits, another
// worker goroutine takes its place.
func (j *exec) wait() {
	if j.finished() {
		return
	}
	if v := j.separate(atom.InBubble(), nil); v != nil {
		panic(v)
	}
	l := safety.CurrentScope()
	if from := waiter(l); from.job != nil {
		to := point{job: j}
		if v := waits.begin(from, to); v != nil {
			panic(v)
		}
		defer waits.end(from, to)
	}
	if p := j.servedBy(l); p != nil {
		p.block()
		defer p.unblock()
	}
	j.help()
}

// help is wait without asking whether the caller may.
func (j *exec) help() {
	f := frontOf(j)
	looks := false
	for s := (atom.Spin{}); !j.finished(); {
		if t, w, ok := f.join(); t != nil {
			if ok {
				if looks {
					j.pool.lookAway()
					looks = false
				}
				t.execute(w)
				s = atom.Spin{}
			}
			continue
		}
		if !looks && !j.apart() {
			j.pool.waiters.Add(1)
			looks = true
		}
		if !s.More() {
			if looks {
				j.pool.lookAway()
				looks = false
			}
			f.sleep() // that ends before j can
			s = atom.Spin{}
		}
	}
	if looks {
		j.pool.lookAway()
	}
	clear(f.path[:cap(f.path)])
	if !atom.Worthwhile(cap(f.path), f.most) {
		f.path = nil
	}
	f.most = 0
	fronts.Give(f)
}

// front is where a waiting goroutine looks for work: the job that it waits for, and a way down through what that
// runs after to one that has nothing to run after any more. It looks at every edge of the graph once.
type front struct {
	path []step
	most int // the greatest length of path so far
}

var fronts atom.Spares[front]

// step is a job on the way; of what it runs after, those before next have finished.
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

// join makes the caller a worker of a job that lets workers join. j is nil if there is none at the
// moment; ok is false if others joined first.
func (f *front) join() (j *exec, worker int, ok bool) {
	if j = f.find(); j != nil {
		worker, ok = j.join()
	}
	return j, worker, ok
}

// find returns a job that lets workers join, or nil if there is none at the moment.
//
//go:norace
func (f *front) find() *exec {
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
		var down *exec
		if down, top.next = top.job.awaited(top.next); down == nil {
			return nil
		}
		f.path = append(f.path, step{job: down})
		f.most = max(f.most, len(f.path))
	}
}

// sleep waits until the last job on the way has finished or can be joined.
func (f *front) sleep() { f.path[len(f.path)-1].job.sleep() }

// idle waits for the job without working on it, because the calling goroutine is ending: another body
// that ends it again would leave the job behind. Whoever goes on in its place does the work.
//
//go:norace
func (j *exec) idle() {
	p := j.servedBy(safety.CurrentScope())
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

// servedBy returns the pool that loses a worker while the calling goroutine, which has scope l,
// waits for the job, or nil. An unchecked build does not know which goroutines are in bodies, so
// there every goroutine counts as a worker of the default pool. In a bubble no goroutine is a
// worker of a pool that was made outside (B1).
func (j *exec) servedBy(l *safety.Scope) (p *Pool) {
	if !safety.Enabled {
		p = &defaultPool
	} else if l == nil {
		return nil
	} else {
		p = l.Ticket().Owner.(*exec).pool
	}
	if !p.bubbled && atom.InBubble() {
		return nil // keeps (B1)
	}
	return p
}

// sleep waits until the job has finished or can be joined.
//
//go:norace
func (j *exec) sleep() {
	j.mu.Lock()
	for j.over.Load() == 0 && !roomy(j.state.Load()) {
		atom.Wait(&j.cond)
	}
	j.mu.Unlock()
}
