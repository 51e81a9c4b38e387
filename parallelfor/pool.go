package parallelfor

import (
	"runtime"
	"strconv"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/safety"
)

// Pool is a set of resident goroutines that work on jobs. A pool that has nothing to do costs no CPU.
// Most programs need only the default one, which jobs use that name no other; it is never closed. Make
// another with [NewPool], to bound a part of the program or to end its goroutines. A Pool must not be
// copied.
//
// A job is published when it is ready; residents that have nothing to do are woken and join it, and
// the caller works on it too, so a job makes progress even when no resident comes. Residents start when
// they are first needed, and as many more as are blocked waiting for nested jobs.
type Pool struct {
	size int // residents; 0 follows GOMAXPROCS

	mu      atom.HiddenMutex
	cond    *atom.Cond // of Close
	idle    []*resident
	head    *job // the queue of published jobs that can use more workers
	tail    *job
	count   int                             // residents that have not ended
	roster  atom.HiddenPointer[[]*resident] // they, in no order; replaced as a whole
	blocked int                             // residents and others of the pool's workers that wait inside a body
	jobs    int                             // scheduled and not finished
	closed  bool
	decoy   *atom.Parker // see displace; nil until a resident was started
	decoys  int          // 1 while the decoy's goroutine lives
	ended   atom.HiddenUint32

	queued  atom.HiddenInt64 // the length of the queue, for residents that are about to sleep
	wakeUps wakeUps
	_       pad.Bytes
	lookers atom.HiddenInt64 // residents that look for work
	asleep  atom.HiddenInt64 // residents that are idle
	waiters atom.HiddenInt64 // goroutines that wait for jobs of the pool and look for work among what they wait for
	books   books
}

// place is a job's place in the queue of its pool. The pool's lock protects it.
type place struct {
	prev, next *job
	wants      int // how many more workers it can use; 0 when it is not in the queue
}

// resident is one goroutine of a pool.
//
// Its box is how a job comes to it at the price of one line: while it looks for work the box points to looking;
// whoever has a job to offer puts that there instead, and from then on only the resident changes the box. What is
// offered is a hint: the resident joins the job if that still has room, whatever has become of it.
type resident struct {
	_      pad.Bytes
	box    atom.HiddenPointer[job]
	_      pad.Bytes
	pool   *Pool
	parker atom.Parker
	tally  tally
}

// fan is how many others a worker wakes, or offers a job, one after the other, before it goes to work itself.
const fan = 4

// looking is what a box points to while its resident looks for work; nil when it does not look.
var looking job

var defaultPool Pool

func init() { defaultPool.init(0) }

// NewPool returns a pool of n residents; 0 follows GOMAXPROCS. A negative n is a violation.
func NewPool(n int) *Pool {
	if n < 0 {
		panic(argument("a pool of "+strconv.Itoa(n)+" workers was asked for", "A pool has 1 worker or more; 0 follows GOMAXPROCS.", n))
	}
	p := new(Pool)
	p.init(n)
	p.cond = atom.NewCond(&p.mu)
	return p
}

func (p *Pool) init(n int) {
	p.size = n
	p.wakeUps.spent.Store(firstSpent)
	p.wakeUps.arrival.Store(firstArrival)
}

// Close waits until all jobs that were scheduled on the pool have finished, and ends its goroutines.
// Scheduling on it from then on is a violation; closing it again is none. Inside a body it is one:
// bodies that wait for whole pools would wait for each other.
func (p *Pool) Close() {
	if p == &defaultPool || p.cond == nil {
		panic(safety.NewViolation(safety.ErrArgument, "a pool was closed that NewPool did not make", "Close only pools that NewPool returned."))
	}
	if l := safety.CurrentLease(); l != nil {
		v := safety.NewViolation(safety.ErrWaitCycle, "a body of job "+l.Ticket().Job()+" closed a pool", "Close a pool outside jobs, after completing those that it runs.")
		v.Job = l.Ticket().Job()
		panic(v)
	}
	p.shut()
}

//go:norace
func (p *Pool) shut() {
	p.mu.Lock()
	p.closed = true
	for p.jobs > 0 {
		atom.Wait(p.cond)
	}
	for p.wakeIdle() {
	}
	p.ended.Store(1)
	if p.decoy != nil {
		p.decoy.Unpark()
	}
	for p.count > 0 || p.decoys > 0 {
		atom.Wait(p.cond)
	}
	p.mu.Unlock()
}

// enlist counts a job that is about to be scheduled.
//
//go:norace
func (p *Pool) enlist() *safety.Violation {
	if p == &defaultPool {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.cond == nil {
		return safety.NewViolation(safety.ErrClosed, "a job was scheduled on a pool that was closed, or that NewPool did not make",
			"Schedule before Close, or leave On away to use the default pool.")
	}
	p.jobs++
	return nil
}

// finished counts a job that has finished, or was not scheduled after all.
//
//go:norace
func (p *Pool) finished() {
	if p == &defaultPool {
		return
	}
	p.mu.Lock()
	p.jobs--
	last := p.jobs == 0
	p.mu.Unlock()
	if last {
		atom.Broadcast(p.cond)
	}
}

// target is how many residents the pool should have.
func (p *Pool) target() int {
	return p.processors() + p.blocked
}

// publish lets workers join a job that nobody keeps, of whom the first taken have, and offers it to n more.
//
// Workers are admitted under the lock, which the job's last worker takes to withdraw it: so the job
// cannot finish, and be another one, before it is published.
//
//go:norace
func (p *Pool) publish(j *job, n, taken int) {
	p.mu.Lock()
	woken, extra := p.request(j, n, 1)
	j.admitWorkers(n+taken, taken)
	decoy := p.decoy
	p.mu.Unlock()
	j.offered.Store(0)
	p.offer(j, n-woken-extra)
	p.follow(j, woken, extra, decoy)
}

// call offers a kept job to n more workers: first to those who look for work, which costs next to nothing, then,
// if that pays, to those who sleep. If there are many who look, those who were asked go on.
// wake says that it is known to pay, since nobody looks.
func (p *Pool) call(j *job, n int, wake bool) {
	made := p.offer(j, n)
	if made == fan || made == n || !wake && !j.worthWaking() {
		return
	}
	n -= made
	if atom.Explored { // the clock could not be repeated
		p.wake(j, n)
		return
	}
	called := now()
	j.called.Store(int64(called))
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
	for _, r := range *all {
		if r.box.Load() == &looking {
			return true
		}
	}
	return false
}

// passOn goes on with a call, or with what publish began, as a worker who was asked.
func (p *Pool) passOn(j *job) {
	s := j.state.Load()
	if !roomy(s) {
		return
	}
	n := places(s) - joined(s)
	if made := p.offer(j, n); j.kept && made < min(n, fan) && j.paysToWake() {
		p.wake(j, n-made)
	}
}

//go:norace
func (p *Pool) wake(j *job, n int) {
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

// offer offers the job to residents who look for work, n or fan, whichever is less, and returns to how many. Those
// who take it up offer it on.
func (p *Pool) offer(j *job, n int) (made int) {
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
		if r := (*all)[at]; r.box.Load() == &looking && r.box.CompareAndSwap(&looking, j) {
			made++
		}
	}
	return made
}

// request queues the job for n more workers and wakes the first of them. A job with more workers than the pool has
// residents is one whose bodies block: extra is for how many of its workers no resident is free. The pool is
// locked.
//
//go:norace
func (p *Pool) request(j *job, n, first int) (woken, extra int) {
	if target := p.target(); j.workers > target {
		extra = max(n-len(p.idle)-max(target-p.count, 0), 0)
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
	if woken > 0 && decoy != nil {
		decoy.Unpark()
	}
}

// callForMore wakes residents for the first job in the queue that nobody works on, or for which that pays. The pool
// is locked.
//
//go:norace
func (p *Pool) callForMore() (woken int) {
	crowded := p.crowded(0)
	for j := p.head; j != nil; {
		next := j.place.next
		s := j.state.Load()
		switch {
		case !roomy(s):
			p.dequeue(j)
		case j.asked || !crowded && (joined(s) == 0 || j.paysToWake()):
			return p.callOut(j.place.wants)
		}
		j = next
	}
	return 0
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
	r.wake()
	return true
}

// follow does what comes after callOut, without the lock.
func (p *Pool) follow(j *job, woken, extra int, decoy *atom.Parker) {
	if woken > 0 && decoy != nil {
		decoy.Unpark()
	}
	for range extra {
		atom.Go(func() {
			if w, ok := j.join(); ok {
				j.work(w)
			}
		})
	}
}

// crowded says whether the residents that are awake, those who wait, and so many others have all processors already:
// then one more would only take turns with them. A pool that was made larger than that has bodies that block, and is
// never.
func (p *Pool) crowded(others int) bool {
	procs := 2
	if !atom.Explored { // what is explored must not depend on the machine
		procs = runtime.GOMAXPROCS(0)
	}
	awake := others + int(p.waiters.Load())
	if all := p.roster.Load(); all != nil {
		awake += len(*all) - int(p.asleep.Load())
	}
	return p.size <= procs && awake >= procs
}

// processors is how many workers the pool's jobs have when they do not say.
func (p *Pool) processors() int {
	if p.size != 0 {
		return p.size
	}
	return runtime.GOMAXPROCS(0)
}

// enqueue puts the job at the end of the queue. The pool is locked.
//
//go:norace
func (p *Pool) enqueue(j *job, wants int) {
	j.place = place{prev: p.tail, wants: wants}
	if p.tail != nil {
		p.tail.place.next = j
	} else {
		p.head = j
	}
	p.tail = j
	p.queued.Store(p.queued.Load() + 1)
}

// dequeue takes the job out of the queue. The pool is locked.
//
//go:norace
func (p *Pool) dequeue(j *job) {
	prev, next := j.place.prev, j.place.next
	if prev != nil {
		prev.place.next = next
	} else {
		p.head = next
	}
	if next != nil {
		next.place.prev = prev
	} else {
		p.tail = prev
	}
	j.place = place{}
	p.queued.Store(p.queued.Load() - 1)
}

// startResident starts a resident. The pool is locked.
//
//go:norace
func (p *Pool) startResident() {
	p.count++
	r := &resident{pool: p, parker: atom.NewParker()}
	p.enrol(r, nil)
	atom.Go(r.live)
	if p.decoy == nil {
		d := atom.NewParker()
		p.decoy, p.decoys = &d, 1
		atom.Go(func() { p.displace(d) }) // after the resident, so it displaces it
	}
}

// enrol replaces the roster by one with joiner, and without leaver. The pool is locked.
//
//go:norace
func (p *Pool) enrol(joiner, leaver *resident) {
	var next []*resident
	if old := p.roster.Load(); old != nil {
		for _, r := range *old {
			if r != leaver {
				next = append(next, r)
			}
		}
	}
	if joiner != nil {
		next = append(next, joiner)
	}
	p.roster.Store(&next)
}

// withdraw takes back what is left of the offer.
//
//go:norace
func (p *Pool) withdraw(j *job) {
	if p.queued.Load() == 0 {
		return
	}
	p.mu.Lock()
	if j.place.wants > 0 {
		p.dequeue(j)
	}
	p.mu.Unlock()
}

// displace is the life of the decoy, a goroutine that does nothing. A goroutine that is made ready goes to
// the front place of the processor of whoever did that, from where idle processors steal it only after
// some 60 microseconds (runqgrab in the runtime's scheduler), while who published a job is busy with it.
// Making the decoy ready afterwards moves the resident on to the queue, from where it is stolen at once.
func (p *Pool) displace(d atom.Parker) {
	for p.ended.Load() == 0 {
		d.Park()
	}
	p.decoyEnds()
	atom.Broadcast(p.cond)
}

//go:norace
func (p *Pool) decoyEnds() {
	p.mu.Lock()
	p.decoys = 0
	p.mu.Unlock()
}

// block notes that a worker of the pool is about to wait inside a body, and sees to it that another
// takes its place.
//
//go:norace
func (p *Pool) block() {
	p.mu.Lock()
	p.blocked++
	if p.head != nil && len(p.idle) == 0 && p.count < p.target() {
		p.startResident()
	}
	p.mu.Unlock()
}

// unblock ends what block noted, and wakes a resident that is one too many now, for it to end.
//
//go:norace
func (p *Pool) unblock() {
	p.mu.Lock()
	p.blocked--
	if p.count > p.target() {
		p.wakeIdle()
	}
	p.mu.Unlock()
}

// live is a resident's life: it joins jobs, spins a little when there are none, and sleeps.
func (r *resident) live() {
	through := false
	defer func() {
		if !through { // a body ended the goroutine, another one takes over; the job goes on elsewhere
			atom.Go(r.live)
		}
	}()
	slept := false // and has not worked since
	for {
		j, stay := r.next()
		if !stay {
			break
		}
		if j == nil {
			r.parker.Park()
			slept = true
			continue
		}
		if w, ok := j.join(); ok {
			if called := j.called.Load(); slept && called != 0 {
				r.pool.wakeUps.arrives(now() - time.Duration(called))
			}
			slept = false
			if j.pool == r.pool {
				r.pool.passOn(j)
				r.serve(j, w)
			} else {
				j.quit() // the offer was old, and this is another job in the same memory
			}
		}
	}
	through = true
}

// next returns a job to join; nil when the resident is to sleep; and false when it is to end. It looks for work
// for a while before it says so, unless that would leave no processor to the rest of the program.
func (r *resident) next() (j *job, stay bool) {
	p := r.pool
	if int(p.lookers.Add(1)) < runtime.GOMAXPROCS(0) {
		j = r.look()
	}
	p.lookers.Add(-1)
	if j != nil {
		r.tally.offered()
		return j, true
	}
	return r.choose()
}

// look waits a little for a job to be offered or queued.
func (r *resident) look() *job {
	r.box.Store(&looking)
	for s := (atom.Spin{}); r.box.Load() == &looking; {
		if (r.pool.queued.Load() != 0 || !s.More()) && r.box.CompareAndSwap(&looking, nil) {
			return nil
		}
	}
	j := r.box.Load()
	r.box.Store(nil)
	return j
}

//go:norace
func (r *resident) choose() (j *job, stay bool) {
	p := r.pool
	p.mu.Lock()
	woken := 0
	decoy := p.decoy
	if j = p.head; j != nil {
		if j.place.wants--; j.place.wants == 0 {
			p.dequeue(j)
		}
		woken = p.callForMore()
	}
	stay = j != nil || p.count <= p.target() && !(p.closed && p.jobs == 0)
	if j == nil && stay {
		p.idle = append(p.idle, r)
		p.asleep.Store(int64(len(p.idle)))
		p.slept()
	}
	if !stay {
		p.count--
		p.enrol(nil, r)
		p.retire(r)
	}
	p.mu.Unlock()
	if woken > 0 && decoy != nil {
		decoy.Unpark()
	}
	if !stay && p.cond != nil {
		atom.Broadcast(p.cond)
	}
	return j, stay
}

// wake wakes the resident. The pool is locked.
func (r *resident) wake() {
	r.pool.woken()
	r.parker.Unpark()
}
