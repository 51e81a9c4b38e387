//go:build custody_explore

package atom

import (
	"runtime"
	"sync"
	"time"
	"unsafe"

	"example.com/custody/internal/sched"
)

// Explored says whether a controlled scheduler may be behind the types of this package.
const Explored = true

// Exploring says whether one is now: then nothing may depend on the clock or on the machine.
func Exploring() bool { return sched.Exploring() }

// Cond is a sync.Cond whose operations are scheduling points.
type Cond struct {
	L       Locker
	real    sync.Cond
	tickets []*ticket
}

// ticket is one that waits on a Cond.
type ticket struct{ called bool }

// Ready implements sched.Waiter.
//
//go:norace
func (t *ticket) Ready() bool { return t.called }

// call lets the waiter go on. What comes before happens before that, as sync.Cond promises.
//
//go:norace
func (t *ticket) call() {
	sched.Release(unsafe.Pointer(t))
	t.called = true
}

// NewCond returns a condition variable on l.
func NewCond(l Locker) *Cond {
	c := new(Cond)
	InitCond(c, l)
	return c
}

// InitCond makes c, which is new, a condition variable on l.
func InitCond(c *Cond, l Locker) { c.L, c.real.L = l, l }

// Wait unlocks L, waits to be called, and locks it again.
//
//go:norace
func (c *Cond) Wait() {
	if !sched.Exploring() {
		c.real.Wait()
		return
	}
	sched.Point(sched.OpWait, unsafe.Pointer(c)) // a call before this one is lost
	t := new(ticket)
	c.tickets = append(c.tickets, t)
	c.L.Unlock()
	sched.Block(sched.OpWait, unsafe.Pointer(c), t)
	sched.Acquire(unsafe.Pointer(t)) // what came before the call
	c.L.Lock()
}

// Signal calls the one that has waited longest.
//
//go:norace
func (c *Cond) Signal() {
	if !sched.Exploring() {
		c.real.Signal()
		return
	}
	sched.Point(sched.OpWake, unsafe.Pointer(c))
	if len(c.tickets) > 0 {
		c.tickets[0].call()
		c.tickets = c.tickets[1:]
	}
}

// Broadcast calls all that wait.
//
//go:norace
func (c *Cond) Broadcast() {
	if !sched.Exploring() {
		c.real.Broadcast()
		return
	}
	sched.Point(sched.OpWake, unsafe.Pointer(c))
	for _, t := range c.tickets {
		t.call()
	}
	c.tickets = nil
}

// Parker lets one goroutine sleep until another lets it go on. An Unpark that comes first is kept,
// one at most, so none is lost. The zero value is not ready; use [NewParker].
type Parker struct{ p *parker }

type parker struct {
	real  chan struct{}
	token bool
}

// Ready implements sched.Waiter.
//
//go:norace
func (p *parker) Ready() bool { return p.token }

//go:norace
func (p *parker) set(t bool) { p.token = t }

// NewParker returns a Parker that holds no token.
func NewParker() Parker { return Parker{&parker{real: make(chan struct{}, 1)}} }

// Park takes the token, waiting for it.
func (p Parker) Park() {
	if sched.Exploring() {
		sched.Point(sched.OpPark, unsafe.Pointer(p.p))
		sched.Block(sched.OpPark, unsafe.Pointer(p.p), p.p)
		p.p.set(false)
	}
	<-p.p.real
	sched.After(unsafe.Pointer(p.p))
}

// Unpark leaves the token and never blocks.
func (p Parker) Unpark() {
	if sched.Exploring() {
		sched.Point(sched.OpUnpark, unsafe.Pointer(p.p))
		p.p.set(true)
	}
	select {
	case p.p.real <- struct{}{}:
	default:
	}
	sched.After(unsafe.Pointer(p.p))
}

// Plain is called before a plain access to memory that goroutines access at the same time if one of
// them breaks a rule. It is a scheduling point in executions that ask for it.
func Plain() { sched.Plain() }

// Yield gives the processor to another goroutine.
func Yield() {
	if sched.Exploring() {
		sched.Yield()
		return
	}
	runtime.Gosched()
}

// Sleep pauses the calling goroutine for at least d. Under an execution it is a Yield: there is no time.
func Sleep(d time.Duration) {
	if sched.Exploring() {
		sched.Yield()
		return
	}
	time.Sleep(d)
}

// Go runs f on a new goroutine. What happened before the call happens before f.
func Go(f func()) {
	if !sched.Go(f) {
		go f()
	}
}

// SpinTime is how long a [Spin] lasts outside executions.
const SpinTime = 50 * time.Microsecond

// Spin bounds a wait that looks again and again for what another goroutine is about to do. Under an
// execution it looks once.
type Spin struct {
	looks int
	start time.Time
}

// More says whether to look again.
func (s *Spin) More() bool {
	s.looks++
	if sched.Exploring() {
		return false // to look again is to look later; that nobody need do anything before the sleep is what matters
	}
	if s.looks == 1 {
		s.start = time.Now()
	}
	if Bubbled(s.start) {
		return false
	}
	runtime.Gosched()
	return time.Since(s.start) < SpinTime
}
