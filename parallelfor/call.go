package parallelfor

import (
	"cmp"
	"runtime"
	"time"

	"example.com/custody/internal/atom"
)

// fan is how many others a worker wakes, or offers a job, one after the other, before it goes to work itself.
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
	woken, extra := p.request(j, n, 1)
	j.admitWorkers(n, 0)
	decoy := p.decoy
	p.mu.Unlock()
	atom.Broadcast(&j.cond)
	j.mu.Unlock()
	j.offered.Store(0)
	p.offer(j, n-woken-extra)
	p.follow(j, woken, extra, decoy)
}

// call offers a kept job to n more workers: first to those who look for work, which costs next to nothing, then,
// if that pays, to those who sleep. If there are many who look, those who were asked go on.
// wake says that it is known to pay, since nobody looks.
func (p *Pool) call(j *exec, n int, wake bool) {
	made := p.offer(j, n)
	if made == n || made == fan && !j.asked || !wake && !j.worthWaking() {
		return
	}
	n -= made
	called := now()
	if !atom.Exploring() { // what depends on the clock could not be repeated
		j.called.Store(int64(called))
	}
	p.wake(j, n)
	p.wakeUps.spends(now() - time.Duration(called))
}

// looked says whether one of the residents may look for work. Of a large pool that is what they say together, which
// is right but for those that have been offered some.
func (p *Pool) looked() bool {
	all := p.roster.Load()
	if all == nil {
		return false
	}
	if len(*all) > fan {
		return p.lookers.Load() > 0
	}
	for i := range *all {
		if (*all)[i].Load().box.Load() == &looking {
			return true
		}
	}
	return false
}

// passOn goes on with a call, or with what publish began, as a worker who was asked.
func (p *Pool) passOn(j *exec) {
	s := j.state.Load()
	if !roomy(s) {
		return
	}
	n := places(s) - joined(s)
	if made := p.offer(j, n); j.mode >= kept && !j.asked && made < min(n, fan) && j.paysToWake() {
		p.wake(j, n-made)
	}
}

// offer offers the job to residents who look for work, n or fan, whichever is less, and returns to how many. Those
// who take it up offer it on.
func (p *Pool) offer(j *exec, n int) (made int) {
	all := p.roster.Load()
	if all == nil {
		return 0
	}
	for at := 0; made < min(n, fan); at++ {
		if len(*all) > fan {
			at = int(j.offered.Add(1)) - 1 // each is asked once, by one of those who offer
		}
		if at >= len(*all) {
			break
		}
		if r := (*all)[at].Load(); r.box.Load() == &looking && r.box.CompareAndSwap(&looking, j) {
			made++
		}
	}
	return made
}

// request queues the job for n more workers and wakes the first of them. The bodies of a job that asked for so many
// workers may wait for each other: extra is for how many of its workers no resident is free, asleep or on its way to
// the queue, that is not promised to others already. The pool is locked.
//
// Invariant: jobs that asked have no more places in the queue (asks) than there are residents that sleep, that are on
// their way to it (coming), or that may be started whoever stops waiting. Such jobs stand first in the queue; one that
// is on its way takes a place there before any offer; and one that finds none there owes nobody anything. So each of
// these places is taken, whatever other jobs do.
//
//go:norace
func (p *Pool) request(j *exec, n, first int) (woken, extra int) {
	if j.asked {
		free := len(p.idle) + p.coming + max(p.processors()-p.count, 0) - p.asks
		extra = max(n-max(free, 0), 0)
	}
	if n > extra {
		p.enqueue(j, n-extra)
	}
	if j.asked {
		first = n
	} else if p.crowded(0) { // looked at when the job is in the queue: see lookAway
		first = 0
	}
	return p.callOut(min(first, n-extra)), extra
}

// lookAway says that a goroutine which waits does not look for work any more. While it did, it counted as awake,
// and nobody was woken in its place.
func (p *Pool) lookAway() {
	p.waiters.Add(-1)
	if p.queued.Load() != 0 {
		p.callForHead()
	}
}

//go:norace
func (p *Pool) callForHead() {
	p.mu.Lock()
	woken := p.callForMore()
	decoy := p.decoy
	p.mu.Unlock()
	follow(woken, decoy)
}

// callForMore wakes residents for the first job in the queue that nobody works on, or for which that pays. The pool
// is locked.
//
//go:norace
func (p *Pool) callForMore() (woken int) {
	p.dropFull()
	crowded := p.crowded(0)
	if crowded && p.asks == 0 {
		return 0
	}
	for j := p.head; j != nil; j = j.place.next {
		s := j.state.Load()
		if roomy(s) && (j.asked || !crowded && (joined(s) == 0 || j.paysToWake())) {
			return p.callOut(j.place.wants)
		}
	}
	return 0
}

// dropFull takes jobs that need nobody any more off the head of the queue. The pool is locked.
//
//go:norace
func (p *Pool) dropFull() {
	for p.head != nil && !roomy(p.head.state.Load()) {
		p.dequeue(p.head)
	}
}

// callOut wakes residents, n or fan, whichever is less, if there are so many, and starts those that are missing.
// While a queued job wants workers, who takes one of its places wakes others in turn: so n are awake after log n
// wake-ups, and nobody, the caller least of all, spends more than a few. The pool is locked.
//
// Invariant: while there are a queue and residents that sleep, or that could be started, and nobody works on the
// first job in it, somebody is awake who has yet to look into the queue: a resident that works or was woken, or one
// who waits and looks for work.
//
//go:norace
func (p *Pool) callOut(n int) (woken int) {
	target := p.target()
	for woken < min(n, fan) {
		if !p.wakeIdle() {
			if p.count >= target {
				break
			}
			p.startResident()
		}
		woken++
	}
	return woken
}

// wakeIdle wakes a resident, if one sleeps. The pool is locked.
//
//go:norace
func (p *Pool) wakeIdle() bool {
	k := len(p.idle)
	if k == 0 {
		return false
	}
	r := p.idle[k-1]
	p.idle = p.idle[:k-1]
	p.asleep.Store(int64(k - 1))
	p.coming++
	r.parker.Unpark()
	return true
}

// follow does what comes after callOut, without the lock: see displace.
func follow(woken int, decoy *atom.Parker) {
	if woken > 0 && decoy != nil {
		decoy.Unpark()
	}
}

// follow does that for a request, and starts a goroutine for each extra worker. The job may be over
// when such a goroutine comes: then enough others have joined. If it was a kept job, the goroutine
// may join the job that has its memory by then. It is no pool's worker, so it works for any pool.
func (p *Pool) follow(j *exec, woken, extra int, decoy *atom.Parker) {
	follow(woken, decoy)
	for range extra {
		atom.Go(func() {
			if w, ok := j.joinFrom(p); ok {
				j.execute(w)
			}
		})
	}
}

// crowded says whether the residents that are awake and not blocked, those who wait, and so many others have all
// processors already: then one more would only take turns with them. A pool that was made larger than that has bodies
// that block, and is never.
func (p *Pool) crowded(others int) bool {
	procs := cmp.Or(p.size, 2)
	if !atom.Exploring() { // what is explored must not depend on the machine: each pool has one of its size
		procs = runtime.GOMAXPROCS(0)
	}
	awake := others + int(p.waiters.Load()) - int(p.blocked.Load())
	if all := p.roster.Load(); all != nil {
		awake += len(*all) - int(p.asleep.Load())
	}
	return p.size <= procs && awake >= procs
}

//go:norace
func (p *Pool) wake(j *exec, n int) {
	p.mu.Lock()
	if j.place.wants > 0 { // somebody did
		p.mu.Unlock()
		return
	}
	woken, extra := p.request(j, n, n)
	decoy := p.decoy
	p.mu.Unlock()
	p.follow(j, woken, extra, decoy)
}
