package parallelfor

import (
	"runtime"
	"strconv"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// Pool is a set of worker goroutines that work on jobs. A pool that has nothing to do costs no CPU.
// Most programs need only the default pool, on which jobs run that name no other; it is never
// closed. Make another with [NewPool], to bound a part of the program or to end its goroutines. A
// Pool must not be copied.
//
// A job is published when it is ready. Worker goroutines that have nothing to do are woken and join
// it. The caller works on it too, so a job makes progress even when no worker goroutine comes.
// Worker goroutines start when they are first needed, and one more for each that is blocked waiting
// for a nested job.
//
// A pool that was made in a bubble of testing/synctest has its goroutines there, and must be closed
// there. Other pools lend no goroutine to a bubble: a job that is scheduled in a bubble on such a
// pool runs on goroutines of the bubble, which end with the job. See docs/synctest.md.
//
// Close: any time; waits: for its jobs; O(goroutines); allocates never.
// String: glance; lock; O(1); allocates the text.
type Pool struct {
	size    int   // worker goroutines; 0 follows GOMAXPROCS
	self    *Pool // the pool; in a copy, the pool that was copied; nil for the default pool
	bubbled bool  // the pool was made in a bubble of testing/synctest

	// workers changes seldom; see list.
	workers atom.HiddenPointer[[]atom.HiddenPointer[poolWorker]]

	_        pad.Bytes
	mu       atom.HiddenMutex
	cond     *atom.Cond    // Close waits on it
	idle     []*poolWorker // the worker goroutines that sleep
	head     *exec         // the queue of published jobs that can use more workers
	tail     *exec
	late     *exec         // the jobs that are put off, the latest first; see late.go
	older    *exec         // the first of them that the timer's function has seen
	leading  bool          // jobs were taken out of the list since the timer was started
	lateWork time.Duration // what they cost together
	timer    atom.Timer
	timing   bool // the timer runs, or its function has not taken the list yet
	count    int  // worker goroutines
	coming   int  // workers that were woken or started and have not asked the queue yet
	asks     int  // places in the queue of jobs that asked for their workers
	closed   bool
	decoy    *atom.Parker      // see displace; nil until a worker was started, unchanging from then on
	decoys   int               // 1 while the decoy's goroutine lives
	ended    atom.HiddenUint32 // 1 once all goroutines are to end

	wakeUps  wakeUps
	_        pad.Bytes
	queued   atom.HiddenInt64 // the length of the queue, read without the lock
	_        pad.Bytes
	spinners atom.HiddenInt64 // workers that spin, or are about to
	_        pad.Bytes
	asleep   atom.HiddenInt64 // the length of idle
	blocked  atom.HiddenInt64 // workers of the pool that wait inside a body; changed under the lock
	waiters  atom.HiddenInt64 // goroutines that wait for jobs of the pool and spin
	_        pad.Bytes
	jobs     atom.HiddenInt64 // scheduled and not finished, and closing once the pool is closed
	_        pad.Bytes
}

// closing is more than the number of jobs that a pool can have.
const closing = 1 << 40

// place is a job's place in the queue of its pool. The pool's lock protects it.
type place struct {
	prev, next *exec
	wants      int // the number of workers that it can still use; 0 when it is not in the queue
}

var defaultPool Pool

func init() { defaultPool.init(0) }

// NewPool returns a pool of n worker goroutines; 0 follows GOMAXPROCS, which loops below 20 µs do
// not ask for each time. A negative n is a violation; an n above 32,767 counts as 32,767.
//
// A pool that is made in a bubble of testing/synctest must not be used in another bubble: two
// bubbles are not told apart, and the runtime ends a program in which one wakes the other's
// goroutines.
func NewPool(n int) *Pool {
	if n < 0 {
		panic(senseless("a pool of "+strconv.Itoa(n)+" workers was asked for", "A pool has 1 worker or more; 0 follows GOMAXPROCS.", n))
	}
	p := new(Pool)
	p.init(min(n, maxWorkers))
	p.self, p.cond = p, atom.NewCond(&p.mu)
	p.bubbled = atom.InBubble()
	return p
}

func (p *Pool) init(n int) {
	p.size = n
	p.wakeUps.init()
}

// Close waits until all jobs that were scheduled on the pool have finished, and ends its
// goroutines. Scheduling on the pool from then on is a violation; closing it again is not. Close is
// a violation inside a body, and inside a function that a job calls and waits for, because bodies
// that wait for whole pools would wait for each other. No goroutine waits for a loop that is run in
// a call on the default pool, outside bodies. So what the containers of such a loop call when it
// begins and ends may close another pool. Close is also a violation on the other side of a bubble
// of testing/synctest than NewPool was called on.
func (p *Pool) Close() {
	if p == &defaultPool || p.cond == nil {
		panic(safety.NewViolation(safety.ErrArgument, "a pool was closed that NewPool did not make", "Close only pools that NewPool returned."))
	}
	if p.copied() {
		panic(safety.NewViolation(safety.ErrCopied, "a pool was closed through a copy of its struct", keepPointer))
	}
	if w := waiter(safety.CurrentScope()); w.job != nil {
		v := safety.NewViolation(safety.ErrWaitCycle, w.text()+" closed a pool", "Close a pool outside jobs, after completing those that it runs.")
		v.Job = w.job.ticket.Job()
		panic(v)
	}
	if v := p.elsewhere("was closed"); v != nil {
		panic(v)
	}
	p.shut()
}

//go:norace
func (p *Pool) shut() {
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		p.jobs.Add(closing)
	}
	p.mu.Unlock()
	beginAll(p.takeAllLate(nil))
	p.mu.Lock()
	for p.jobs.Load() > closing {
		atom.Wait(p.cond)
	}
	for p.wakeIdle() {
	}
	p.ended.Store(1) // under the lock in which idle is emptied: no worker goes to sleep after it
	if p.decoy != nil {
		p.decoy.Unpark()
	}
	for p.count > 0 || p.decoys > 0 {
		atom.Wait(p.cond)
	}
	p.workers.Store(nil) // a handle of a job may keep the pool
	p.idle = nil
	p.mu.Unlock()
}

const keepPointer = "A pool must not be copied: keep and pass on the pointer that NewPool returned."

// copied reports whether the pool is a copy of one that NewPool made. The lock of a copy may be
// locked for ever, and its goroutines are the original's.
func (p *Pool) copied() bool { return p.self != p && p.self != nil }

// enlist counts a job of that name that is about to be scheduled, or returns why the pool cannot
// run it. The default pool counts none, because it is never closed.
//
//go:norace
func (p *Pool) enlist(name string) *safety.Violation {
	if p == &defaultPool {
		return nil
	}
	if p.copied() {
		v := safety.NewViolation(safety.ErrCopied, "job "+name+" was scheduled on a copy of a pool's struct", keepPointer)
		v.Job = name
		return v
	}
	if p.bubbled {
		if v := p.elsewhere("was given job " + name); v != nil {
			v.Job = name
			return v
		}
	}
	if p.cond == nil {
		return noPool(name, "that NewPool did not make", "Make pools with NewPool, or leave On away to use the default pool.")
	}
	if p.jobs.Add(1) > closing {
		p.finished()
		return noPool(name, "that was closed", "Schedule before Close, or leave On away to use the default pool.")
	}
	return nil
}

// noPool is the violation of a job on a pool that cannot run it.
func noPool(job, why, do string) *safety.Violation {
	v := safety.NewViolation(safety.ErrClosed, "job "+job+" was scheduled on a pool "+why, do)
	v.Job = job
	return v
}

// finished counts a job that has finished, or was not scheduled after all.
//
//go:norace
func (p *Pool) finished() {
	if p == &defaultPool {
		return
	}
	if p.jobs.Add(-1) == closing {
		p.mu.Lock() // Close, if it has seen the job, sleeps when the lock is free
		atom.Broadcast(p.cond)
		p.mu.Unlock()
	}
}

// target returns how many worker goroutines the pool may have; one beyond it ends when it is idle.
func (p *Pool) target() int { return p.processors() + int(p.blocked.Load()) }

// processors returns the greatest number of workers of a job that does not ask for a number.
func (p *Pool) processors() int {
	if p.size != 0 {
		return p.size
	}
	return runtime.GOMAXPROCS(0)
}

// enqueue puts the job at the end of the queue. Jobs that asked for their workers stand before all
// others, because the workers that they count on must not come to another job. The pool is locked.
//
//go:norace
func (p *Pool) enqueue(j *exec, wants int) {
	prev, next := p.tail, (*exec)(nil)
	if j.asked {
		for prev, next = nil, p.head; next != nil && next.asked; next = next.place.next {
			prev = next
		}
		p.asks += wants
	}
	j.place = place{prev: prev, next: next, wants: wants}
	p.link(prev, j, j, next)
	p.queued.Store(p.queued.Load() + 1)
}

// dequeue takes the job out of the queue. The pool is locked.
//
//go:norace
func (p *Pool) dequeue(j *exec) {
	prev, next := j.place.prev, j.place.next
	p.link(prev, next, prev, next)
	if j.asked {
		p.asks -= j.place.wants
	}
	j.place = place{}
	p.queued.Store(p.queued.Load() - 1)
}

// link makes first the job behind prev in the queue, and last the one before next. The end of the
// queue is nil. The pool is locked.
//
//go:norace
func (p *Pool) link(prev, first, last, next *exec) {
	if prev != nil {
		prev.place.next = first
	} else {
		p.head = first
	}
	if next != nil {
		next.place.prev = last
	} else {
		p.tail = last
	}
}

// takeHead takes a place of the job at the head of the queue, if there is one, and wakes workers
// for the places that are left in the queue: see callForMore. The pool is locked.
//
//go:norace
func (p *Pool) takeHead() (j *exec, called calledOut) {
	p.dropFull()
	j = p.head
	if j == nil {
		return nil, called
	}
	if j.asked {
		p.asks--
	}
	if j.place.wants--; j.place.wants == 0 {
		p.dequeue(j)
	}
	return j, p.callForMore()
}

// dropFull takes jobs that need no more workers off the head of the queue. The pool is locked.
//
//go:norace
func (p *Pool) dropFull() {
	for p.head != nil && !roomy(p.head.state.Load()) {
		p.dequeue(p.head)
	}
}

// withdraw takes a job that has ended out of the queue.
//
//go:norace
func (p *Pool) withdraw(j *exec) {
	if p.queued.Load() == 0 {
		return
	}
	p.mu.Lock()
	if j.place.wants > 0 {
		p.dequeue(j)
	}
	p.mu.Unlock()
}
