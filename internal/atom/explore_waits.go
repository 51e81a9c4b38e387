//go:build custody_explore

package atom

import (
	"runtime"
	"sync"
	"time"
	"unsafe"

	"example.com/custody/internal/sched"
)

// Explored reports whether a controlled scheduler may be behind the types of this package.
const Explored = true

// Exploring reports whether a controlled scheduler without a clock runs the caller. If so, nothing
// may depend on the clock or the machine.
func Exploring() bool { return sched.Exploring() && !Simulated() }

// Execution returns the number of the execution of an explored program, and 0 elsewhere. What is
// kept from one execution must not change another one.
func Execution() int { return sched.Execution() }

// Simulated reports whether a controlled scheduler with a clock runs the caller. If so, goroutines
// have processors of their own, and Go's scheduler has no part in it.
func Simulated() bool {
	_, ok := sched.Clock()
	return ok
}

// epoch is when the executions that have a clock begin: after all that was read of the machine's.
var epoch = time.Now().Add(24 * time.Hour)

// Now returns the time: in an execution with a clock that of the task.
func Now() time.Time {
	if now, ok := sched.Clock(); ok {
		return epoch.Add(now)
	}
	return time.Now()
}

// Since returns the time since t, which Now has returned.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// spent reports whether so many nanoseconds have passed in a time that is not the machine's.
func spent(ns int) bool { return sched.Spend(time.Duration(ns)) }

// Cond is a sync.Cond whose operations are scheduling points.
type Cond struct {
	L       Locker
	real    sync.Cond
	tickets []*ticket
}

// ticket is a task that waits on a Cond.
type ticket struct{ called bool }

// Ready implements sched.Waiter.
//
//go:norace
func (t *ticket) Ready() bool { return t.called }

// call lets the waiting task go on. Everything before the call happens before that, as sync.Cond
// promises.
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

// InitCond makes c, which must be new, a condition variable on l.
func InitCond(c *Cond, l Locker) { c.L, c.real.L = l, l }

// Wait unlocks L, waits for a Signal or Broadcast, and locks L again.
//
//go:norace
func (c *Cond) Wait() {
	if !sched.Exploring() {
		if c.real.L == nil { // of a Cond that a literal made; the caller has the lock
			c.real.L = c.L
		}
		c.real.Wait()
		return
	}
	sched.Point(sched.OpWait, unsafe.Pointer(c)) // a Signal before it does not wake t
	t := new(ticket)
	c.tickets = append(c.tickets, t)
	c.L.Unlock()
	sched.Block(sched.OpWait, unsafe.Pointer(c), t)
	sched.Acquire(unsafe.Pointer(t)) // pairs with the Release in call
	c.L.Lock()
}

// Signal wakes the task that has waited longest.
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

// Broadcast wakes all waiting tasks.
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

// Parker blocks one goroutine until another goroutine wakes it. An Unpark that comes before the
// Park leaves a token, of which there is at most one, so no wake-up is lost. The zero value is not
// ready for use; use [NewParker].
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

// NewParker returns a Parker without a token.
func NewParker() Parker { return Parker{&parker{real: make(chan struct{}, 1)}} }

// Park waits for the token and takes it.
func (p Parker) Park() {
	if sched.Exploring() {
		sched.Point(sched.OpPark, unsafe.Pointer(p.p))
		sched.Block(sched.OpPark, unsafe.Pointer(p.p), p.p)
		p.p.set(false)
	}
	<-p.p.real
	sched.After(unsafe.Pointer(p.p))
}

// Unpark leaves a token if there is none. It never blocks.
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

// Pause is called in loops that poll for less than a Spin does. In executions with a clock it takes
// time, so that there are fewer polls.
func Pause() { sched.Spend(pauseTime) }

// ParkFor is Park that ends after d at the latest, with or without a token. It uses the timer,
// whose Call unparks p; one that still runs begins anew. In an execution without a clock it is
// Park. In one with a clock it looks for the token every parkPoll, because timers are tasks there,
// for which there may be no room.
//
//go:norace
func (p Parker) ParkFor(d time.Duration, t *Timer) {
	switch {
	case !Simulated():
		if !sched.Exploring() {
			t.Start(d)
		}
		p.Park()
	default:
		for end := Since(epoch) + d; !p.p.token && Since(epoch) < end; {
			Sleep(parkPoll)
		}
		if p.p.token {
			p.Park()
			sched.Spend(wakeTime)
		}
	}
}

// Reads is called before a plain read of *p, which other goroutines write at other times. In
// explored programs it can be a scheduling point, and on a simulated machine the read takes time.
func Reads[T any](p *T) { sched.Plain(false, unsafe.Pointer(p), unsafe.Sizeof(*p)) }

// Writes is Reads for a plain write.
func Writes[T any](p *T) { sched.Plain(true, unsafe.Pointer(p), unsafe.Sizeof(*p)) }

// ReadsAll is Reads for the elements of a slice.
func ReadsAll[T any](s []T) { sched.Plain(false, unsafe.Pointer(unsafe.SliceData(s)), sizeOf(s)) }

// WritesAll is Writes for the elements of a slice.
func WritesAll[T any](s []T) { sched.Plain(true, unsafe.Pointer(unsafe.SliceData(s)), sizeOf(s)) }

func sizeOf[T any](s []T) uintptr { return uintptr(len(s)) * unsafe.Sizeof(*new(T)) }

// Yield lets other goroutines run.
func Yield() {
	if sched.Exploring() {
		sched.Yield()
		return
	}
	runtime.Gosched()
}

// Sleep pauses the calling goroutine for at least d. In an execution without a clock it is a Yield.
func Sleep(d time.Duration) {
	if sched.Exploring() {
		sched.Spend(d)
		sched.Yield()
		return
	}
	time.Sleep(d)
}

// Go runs f on a new goroutine. Everything before the call happens before f.
func Go(f func()) {
	if !sched.Go(f) {
		go f()
	}
}

// Timer calls a function later. In an execution without a clock it does so at any time.
type Timer struct {
	// Call is the function. It has a goroutine of its own.
	Call func()
	t    *time.Timer
}

// Start has Call called after d. The timer must not run.
func (t *Timer) Start(d time.Duration) {
	switch {
	case sched.GoAfter(d, t.Call):
	case t.t == nil:
		t.t = time.AfterFunc(d, t.Call)
	default:
		t.t.Reset(d)
	}
}

// SpinTime is how long a [Spin] lasts outside executions.
const SpinTime = 50 * time.Microsecond

// pollTime is how long a poll takes, in executions with a clock.
const pollTime = 50 * time.Nanosecond

// pauseTime is how long a Pause takes, in executions with a clock.
const pauseTime = 20 * time.Nanosecond

// parkPoll is how often a ParkFor looks for the token, and wakeTime is how long its goroutine takes
// to go on, in executions with a clock.
const (
	parkPoll = 500 * time.Nanosecond
	wakeTime = 5 * time.Microsecond
)

// Spin bounds a wait that polls for what another goroutine is about to do. In an execution without
// a clock it polls once.
type Spin struct {
	looks int
	start time.Time
}

// More reports whether to poll again.
func (s *Spin) More() bool {
	s.looks++
	if Exploring() {
		// A second poll is only a later first one. The schedules that matter are those in which the
		// goroutine sleeps.
		return false
	}
	if s.looks == 1 {
		s.start = Now()
	}
	if Bubbled(s.start) {
		return false
	}
	if !sched.Spend(pollTime) {
		runtime.Gosched()
	}
	return Since(s.start) < SpinTime
}
