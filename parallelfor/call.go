package parallelfor

import (
	"cmp"
	"runtime"
	"time"

	"example.com/custody/internal/atom"
)

// fan is the number of worker goroutines that a goroutine wakes, or offers a job, one after the
// other, before it goes to work itself.
const fan = 4

// publish lets n workers join a job that was scheduled, wakes the goroutines that wait for the job,
// and offers it to worker goroutines of the pool.
//
// The pool's lock covers queueing and admission, so withdraw, which the job's last worker calls,
// finds a job that was queued. The job's lock covers admission and the broadcast, so a goroutine
// that is about to sleep does not miss it.
//
//go:norace
func (p *Pool) publish(j *exec, n int) {
	j.mu.Lock()
	p.mu.Lock()
	called, extra := p.request(j, n, 1)
	j.admitWorkers(n, 0)
	p.mu.Unlock()
	atom.Broadcast(&j.cond)
	j.mu.Unlock()
	j.offered.Store(0)
	p.offer(j, n-called.n-extra)
	p.followRequest(j, called, extra)
}

// call offers a kept job to n more workers: first to spinning ones, which costs next to nothing,
// and then, if that pays, to sleeping ones. Workers that take the offer make it to others (passOn).
// wake reports that waking is known to pay, because no worker spins.
func (p *Pool) call(j *exec, n int, wake bool) {
	made := p.offer(j, n)
	if made == n || made == fan && !j.asked || !wake && !j.worthWaking(noTurn) {
		return
	}
	called := now()
	if !atom.Exploring() { // a decision by the clock cannot be repeated
		j.called.Store(int64(called))
	}
	p.wake(j, n-made, true)
	drift(&p.wakeUps.spent, now()-time.Duration(called))
}

// passOn goes on with a call or publish on a worker goroutine that was offered the job and joined.
// Workers are the nodes of a tree in which each offers the job to fan others. So a job is offered
// to no more workers than may join it, and fan at most besides if it was published.
func (p *Pool) passOn(j *exec, worker int) {
	s := j.state.Load()
	n := min(places(s)-1-fan*worker, fan)
	if !roomy(s) || n <= 0 {
		return
	}
	if made := p.offer(j, n); j.mode >= kept && !j.asked && made < n && j.paysToWake() {
		p.wake(j, places(s)-joined(s)-made, false)
	}
}

// worthWaking reports whether the job, in turn t of a contest, takes long enough for its caller to
// wake sleeping workers.
func (j *exec) worthWaking(t int) bool {
	d, known := j.cost.of(j.n)
	if !known || j.asked {
		return true
	}
	caller := 1
	if j.ticket.Parent() != nil {
		caller = 0 // it has been counted as a worker goroutine, or among the waiters
	}
	w := &j.pool.wakeUps
	return (t == 0 || t == pause || w.pays(d) || w.busyEnough(d)) && !j.pool.crowded(caller)
}

// paysToWake is worthWaking for goroutines other than the caller.
func (j *exec) paysToWake() bool {
	d, known := j.cost.of(j.n)
	return !known || j.asked || j.pool.wakeUps.pays(d)
}

// hasSpinner reports whether a worker goroutine may be spinning. For a large pool it asks the count
// of spinners, which includes those that have been offered a job and have not seen it.
func (p *Pool) hasSpinner() bool {
	all := p.list()
	if len(all) > fan {
		return p.spinners.Load() > 0
	}
	for i := range all {
		if all[i].Load().mailbox.Load() == &spinning {
			return true
		}
	}
	return false
}

// offer offers the job to up to n spinning workers, but at most to fan, and returns the number of
// those that took the offer. Workers that join offer the job to others in turn.
func (p *Pool) offer(j *exec, n int) (made int) {
	all := p.list()
	for at, end := 0, len(all); made < min(n, fan); at++ {
		if len(all) > fan && (at == 0 || at == end) {
			if p.spinners.Load() == 0 {
				break
			}
			end = int(j.offered.Add(fan)) // each is asked once at most, by one of those that offer
			at = end - fan
		}
		if at >= len(all) {
			break
		}
		if r := all[at].Load(); r.mailbox.Load() == &spinning && r.mailbox.CompareAndSwap(&spinning, j) {
			made++
		}
	}
	return made
}

// wake queues a kept job for n more workers, and wakes them, unless another goroutine has done so.
// A goroutine that does not wait for the pool's lock leaves it, if the lock is taken: most often by
// another one that does this.
//
//go:norace
func (p *Pool) wake(j *exec, n int, waits bool) {
	if waits {
		p.mu.Lock()
	} else if !p.mu.TryLock() {
		return
	}
	if j.place.wants > 0 { // another goroutine has done so
		p.mu.Unlock()
		return
	}
	called, extra := p.request(j, n, n)
	p.mu.Unlock()
	p.followRequest(j, called, extra)
}

// queue queues a job that has a worker for n more workers, and wakes none.
//
//go:norace
func (p *Pool) queue(j *exec, n int) {
	p.mu.Lock()
	p.enqueue(j, n)
	p.mu.Unlock()
}

// awake reports whether a worker goroutine does not sleep.
func (p *Pool) awake() bool { return len(p.list()) > int(p.asleep.Load()) }

// request queues the job for n more workers, and wakes up to first of them, or none if the pool is
// crowded. For a job that asked for its workers it wakes all, because bodies may wait for each
// other. extra is the number of workers that such a job lacks, because no pool goroutine is free,
// sleeping or waking. The pool is locked.
//
// Invariant: asks, the places in the queue of jobs that asked, is bounded by the worker goroutines
// that sleep, are waking (coming), or may be started even when all blocked workers go on. Such jobs
// stand first in the queue. A waking worker takes a place there before any offer, and one that
// finds none there is promised to no job. So each of these places is taken, whatever other jobs do.
//
//go:norace
func (p *Pool) request(j *exec, n, first int) (called calledOut, extra int) {
	if j.asked {
		free := len(p.idle) + p.coming + max(p.processors()-p.count, 0) - p.asks
		extra = max(n-max(free, 0), 0)
	}
	if n > extra {
		p.enqueue(j, n-extra)
	}
	if j.asked {
		first = n
	} else if p.crowded(0) { // read when the job is in the queue: see stopSpinning
		first = 0
	}
	return p.callOut(min(first, n-extra)), extra
}

// followRequest does what comes after request, without the lock. It starts a goroutine for each
// extra worker. The job may have finished when such a goroutine runs, because enough others have
// joined. If it was a kept job, the goroutine may join the job that has its memory by then. The
// goroutine is no pool's worker, so it works for any pool.
func (p *Pool) followRequest(j *exec, called calledOut, extra int) {
	p.follow(called)
	for range extra {
		atom.Go(func() {
			if w, ok := j.join(p); ok {
				j.execute(w)
			}
		})
	}
}

// stopSpinning notes that a goroutine which waits for a job does not spin any more. While it spun,
// it counted as awake, and no worker was woken in its place.
func (p *Pool) stopSpinning() {
	p.waiters.Add(-1)
	if p.queued.Load() != 0 {
		p.callForHead(0)
	}
}

// block notes that a worker of the pool is about to wait inside a body, and has another worker take
// its place. A nil pool does nothing.
func (p *Pool) block() {
	if p != nil {
		p.callForHead(1)
	}
}

// callForHead adds blocked to the workers that wait inside a body, and wakes workers for the queue.
//
//go:norace
func (p *Pool) callForHead(blocked int64) {
	p.mu.Lock()
	p.blocked.Add(blocked)
	called := p.callForMore()
	p.mu.Unlock()
	p.follow(called)
}

// unblock ends what block noted. If the pool has a worker too many now, unblock wakes one, which
// ends.
//
//go:norace
func (p *Pool) unblock() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.blocked.Add(-1)
	if p.count > p.target() {
		p.wakeIdle()
	}
	p.mu.Unlock()
}

// callForMore wakes workers for the first job in the queue that asked for its workers, on which no
// worker works, or for which waking pays. In a crowded pool only jobs that asked count. The pool is
// locked.
//
//go:norace
func (p *Pool) callForMore() (called calledOut) {
	p.dropFull()
	crowded := p.crowded(0)
	if crowded && p.asks == 0 {
		return called
	}
	for j := p.head; j != nil; j = j.place.next {
		s := j.state.Load()
		if roomy(s) && (j.asked || !crowded && (joined(s) == 0 || j.paysToWake())) {
			return p.callOut(j.place.wants)
		}
	}
	return called
}

// calledOut is n workers that were called. Those that sleep are to be woken.
type calledOut struct {
	n        int
	sleeping [fan]*poolWorker
}

// callOut calls up to n sleeping workers, but at most fan, and starts those that are missing. While
// a queued job wants workers, a worker that takes one of its places calls others in turn. So n are
// awake after log n wake-ups, and no goroutine, the caller least of all, spends more than a few.
// The pool is locked. The caller wakes those that sleep, by follow, without the lock: a wake-up
// takes ten times as long as all else that is done under it.
//
// Invariant: if the first job in the queue has no worker, and a worker sleeps or could be started,
// some goroutine is awake that has yet to ask the queue. It is a worker that works or was woken, or
// a waiter that spins.
//
//go:norace
func (p *Pool) callOut(n int) (called calledOut) {
	target := p.target()
	for called.n < min(n, fan) {
		r := p.takeIdle()
		if r == nil {
			if p.count >= target {
				break
			}
			p.startWorker()
		}
		called.sleeping[called.n] = r
		called.n++
	}
	return called
}

// takeIdle returns a worker that sleeps, which the caller wakes, or nil. The pool is locked.
//
//go:norace
func (p *Pool) takeIdle() (r *poolWorker) {
	if k := len(p.idle); k > 0 {
		r = p.idle[k-1]
		p.idle = p.idle[:k-1]
		p.asleep.Store(int64(k - 1))
		p.coming++
	}
	return r
}

// wakeIdle wakes a worker, if one sleeps. The pool is locked.
func (p *Pool) wakeIdle() bool {
	r := p.takeIdle()
	if r != nil {
		r.parker.Unpark()
	}
	return r != nil
}

// follow wakes the workers that were called, and then the decoy: see displace. The pool is not
// locked.
//
//go:norace
func (p *Pool) follow(called calledOut) {
	for _, r := range called.sleeping[:called.n] {
		if r != nil {
			r.parker.Unpark()
		}
	}
	if called.n > 0 && p.decoy != nil {
		p.decoy.Unpark()
	}
}

// crowded reports whether all processors are taken by worker goroutines that are awake and not
// blocked, by waiters, and by others more goroutines. Then one more would only take turns with
// them. A pool with more workers than processors has bodies that block, and is never crowded.
func (p *Pool) crowded(others int) bool {
	procs := cmp.Or(p.size, 2)
	if !atom.Exploring() { // in explored programs each pool has its own processors
		procs = runtime.GOMAXPROCS(0)
	}
	awake := others + int(p.waiters.Load()) - int(p.blocked.Load()) + len(p.list()) - int(p.asleep.Load())
	return p.size <= procs && awake >= procs
}
