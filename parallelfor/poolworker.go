package parallelfor

import (
	"runtime"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
)

// poolWorker is one worker goroutine of a pool.
//
// A job comes to it by the pool's queue, or, at the price of one cache line, by the mailbox. While
// the goroutine spins, the mailbox points to spinning. A goroutine that offers a job stores the job
// there instead, and from then on only the worker goroutine changes the mailbox. An offer is a
// hint: the worker joins the job that has the memory by then, if that job has room.
type poolWorker struct {
	_       pad.Bytes
	mailbox atom.HiddenPointer[exec] // nil while the goroutine sleeps; may have the last offer
	_       pad.Bytes
	pool    *Pool
	at      int // its index in the pool's list
	parker  atom.Parker
	coming  bool // it was woken or started, and has not asked the queue yet
	_       pad.Bytes
}

// spinning is the job that a mailbox points to while its goroutine spins.
var spinning exec

// list returns the pool's worker goroutines, in no order. They change meanwhile: a caller may meet
// a worker that has ended, and meet a worker twice.
func (p *Pool) list() []atom.HiddenPointer[poolWorker] {
	if all := p.workers.Load(); all != nil {
		return *all
	}
	return nil
}

// startWorker starts a worker goroutine. The pool is locked.
//
//go:norace
func (p *Pool) startWorker() {
	p.count++
	p.coming++
	r := &poolWorker{pool: p, parker: atom.NewParker(), coming: true}
	p.addWorker(r)
	atom.Go(r.loop)
	if p.decoy == nil && !atom.Simulated() {
		d := atom.NewParker()
		p.decoy, p.decoys = &d, 1
		atom.Go(func() { p.displace(d) }) // started after the worker, so it displaces that one
	}
}

// addWorker adds the worker to the pool's list. The pool is locked.
//
//go:norace
func (p *Pool) addWorker(r *poolWorker) {
	all := p.list()
	r.at = len(all)
	if len(all) == cap(all) {
		wider := make([]atom.HiddenPointer[poolWorker], len(all), 2*len(all)+4)
		for i := range all {
			wider[i].Store(all[i].Load())
		}
		all = wider
	}
	all = all[:len(all)+1]
	all[r.at].Store(r)
	p.workers.Store(&all)
}

// removeWorker removes the worker from the pool's list. The pool is locked.
//
//go:norace
func (p *Pool) removeWorker(r *poolWorker) {
	all := p.list()
	last := all[len(all)-1].Load()
	all[r.at].Store(last)
	last.at = r.at
	all = all[:len(all)-1]
	p.workers.Store(&all)
}

// displace runs the decoy, a goroutine that does nothing. A goroutine that is made ready goes to
// the front place of the processor that made it ready. Idle processors steal it from there only
// after about 60 µs (runqgrab in the runtime's scheduler), while the goroutine that published a job
// is busy with it. Making the decoy ready afterwards moves the worker goroutine on to the queue,
// from where it is stolen at once.
//
//go:norace
func (p *Pool) displace(d atom.Parker) {
	for p.ended.Load() == 0 {
		d.Park()
	}
	p.mu.Lock()
	p.decoys = 0
	p.mu.Unlock()
	atom.Broadcast(p.cond)
}

// loop joins jobs, spins a little when there are none, and sleeps. If a body ends the goroutine,
// another one goes on with the loop.
func (r *poolWorker) loop() {
	through := false
	defer func() {
		if !through { // a body ended the goroutine; the job goes on elsewhere
			atom.Go(r.loop)
		}
	}()
	slept := false // the goroutine has slept, and has not worked since
	for {
		j, stay := r.next()
		if !stay {
			break
		}
		if j == nil {
			r.parker.Park()
			slept, r.coming = true, true
			continue
		}
		if w, ok := j.join(r.pool); ok {
			if called := j.called.Load(); slept && w == 1 && called != 0 {
				r.pool.wakeUps.arrives(now() - time.Duration(called))
			}
			slept = false
			r.take(j, w)
		}
	}
	through = true
}

// take executes batches as the worker that the goroutine has become. If the offer was old, the job
// is another pool's in the same memory, and a goroutine that is no pool's executes the batches.
func (r *poolWorker) take(j *exec, worker int) {
	if j.pool != r.pool {
		atom.Go(func() { j.execute(worker) })
		return
	}
	r.pool.passOn(j, worker)
	f := j.work.enter(worker, true)
	f.on = r
	j.resume(f)
}

// next returns a job to join, or nil if the goroutine is to sleep. stay is false if it is to end.
// First it spins for a while, unless spinning workers would leave no processor to the rest of the
// program. A worker that was woken asks the queue before it spins and takes offers, because it is
// promised to a job there; see request.
func (r *poolWorker) next() (j *exec, stay bool) {
	p := r.pool
	if r.coming {
		if j, _ = r.ask(false); j != nil {
			return j, true
		}
	}
	if n := int(p.spinners.Add(1)); atom.Exploring() || n < runtime.GOMAXPROCS(0) {
		j = r.spin()
	} else if r.mailbox.Load() != nil {
		r.mailbox.Store(nil)
	}
	p.spinners.Add(-1)
	if j != nil {
		return j, true
	}
	return r.ask(true)
}

// spin waits a little for a job. It returns one that was offered or queued, or nil.
func (r *poolWorker) spin() (j *exec) {
	r.mailbox.Store(&spinning)
	for s := (atom.Spin{}); r.mailbox.Load() == &spinning; {
		queued := r.pool.queued.Load() != 0
		if (!queued && s.More()) || !r.mailbox.CompareAndSwap(&spinning, nil) {
			continue
		}
		if !queued {
			return nil
		}
		if j, _ = r.ask(false); j != nil || !s.More() {
			return j
		}
		r.mailbox.Store(&spinning) // the job has ended, or others have the lock
	}
	return r.mailbox.Load()
}

// ask returns the job at the head of the queue, or nil. If there is none and rests is true, the
// goroutine is to sleep, or to end if stay is false. A spinning worker also gets nil if another
// goroutine has the lock.
//
//go:norace
func (r *poolWorker) ask(rests bool) (j *exec, stay bool) {
	p := r.pool
	if !rests && !r.coming { // a spinning worker does not wait
		if !p.mu.TryLock() {
			return nil, true
		}
	} else {
		atom.LockUnless(&p.mu, nil)
	}
	if r.coming {
		r.coming = false
		p.coming--
	}
	j, called := p.takeHead()
	stay = true
	switch {
	case j != nil || !rests:
	case p.count <= p.target() && p.ended.Load() == 0:
		p.idle = append(p.idle, r)
		p.asleep.Store(int64(len(p.idle)))
	default:
		stay = false
		p.count--
		p.removeWorker(r)
	}
	p.mu.Unlock()
	p.follow(called)
	if !stay && p.cond != nil {
		atom.Broadcast(p.cond)
	}
	return j, stay
}
