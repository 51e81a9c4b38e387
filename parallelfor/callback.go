package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/safety"
)

// callback is a function that a job calls and waits for and that is not a body: the function of
// [Progress], the Len of a [LengthOf] view, or an operation of a container on a phase of the job.
// It runs under no lease, so what it makes and schedules belongs to no batch. While it runs, its
// number is on the stack of the goroutine that runs it. By the number a wait within it is known to
// be a wait of the job, which cannot finish before the callback has returned.
type callback struct {
	of     *job
	what   string // begins the texts about it
	f      func()
	number uint32
}

// Run implements gls.Runner.
func (c *callback) Run() {
	switch c.what {
	case opensPhase:
		c.of.startPhases()
	case sealsPhase:
		c.of.sealPhases()
	case comesBack:
		c.of.ticket.Return()
	default:
		c.f()
	}
}

// callbacks are the callbacks that run, in no order; they are few.
//
// A number is used again only after 2^30 others. If a callback calls runtime.Goexit, its number
// stays on the stack of the goroutine while deferred functions run, although the callback has
// ended.
var callbacks struct {
	// n is len(all). It changes under mu and is read without it: a goroutine that runs a callback
	// reads at least 1, because it has entered that callback before.
	n    atom.HiddenInt64
	mu   atom.HiddenMutex
	last uint32
	all  []*callback
}

const (
	callbackMask = 1<<30 - 1
	_            = uint(1<<32 - 1 - (gls.Callbacks | callbackMask)) // numbers have 32 bits
)

// mostCallbacks is the number of simultaneous callbacks for which memory is kept.
const mostCallbacks = 64

// calling runs f as a callback of the job. what begins the texts about it.
func (j *job) calling(what string, f func()) {
	if !safety.Enabled {
		f()
		return
	}
	c := &callback{of: j, what: what, f: f}
	c.enter()
	defer c.leave()
	gls.Call(c.number, c)
}

// telling runs the phase operation of the job's containers that what stands for, as a callback of
// the job. It allocates nothing while a spare callback is left.
func (j *job) telling(what string) {
	c := spareCallbacks.Take()
	if c == nil {
		c = new(callback)
	}
	c.of, c.what = j, what
	c.enter()
	defer func() {
		c.leave()
		c.of = nil
		spareCallbacks.Give(c)
	}()
	gls.Call(c.number, c)
}

var spareCallbacks atom.Spares[callback]

// The phase operations that containers run as callbacks, by the words that begin the texts about
// them.
const (
	opensPhase = "a container that opens its phase of"
	sealsPhase = "a container that seals its phase of"
	comesBack  = "a container that comes back from"
)

// checkComesBack panics if the calling goroutine is returning the containers of this very job. It
// holds the lock under which they return, so completing the job would never end.
func (j *job) checkComesBack() {
	if c := currentCallback(); c != nil && c.of == j && c.what == comesBack && !j.ticket.Returned() {
		panic(circle(j, comesBack, j, "completes"))
	}
}

// enter gives the callback a number and adds it to callbacks.
//
//go:norace
func (c *callback) enter() {
	l := &callbacks
	l.mu.Lock()
	l.last++
	c.number = gls.Callbacks | l.last&callbackMask
	l.all = append(l.all, c)
	l.n.Store(int64(len(l.all)))
	l.mu.Unlock()
}

// leave removes the callback from callbacks.
//
//go:norace
func (c *callback) leave() {
	l := &callbacks
	l.mu.Lock()
	last := len(l.all) - 1
	for i := range l.all {
		if l.all[i] == c {
			l.all[i], l.all[last] = l.all[last], nil
			break
		}
	}
	if l.all = l.all[:last]; last == 0 && cap(l.all) > mostCallbacks {
		l.all = nil
	}
	l.n.Store(int64(last))
	l.mu.Unlock()
}

// currentCallback returns the callback that the calling goroutine is running. It returns nil if
// there is none, or if the goroutine is in a body within it.
func currentCallback() (c *callback) {
	if !safety.Enabled || callbacks.n.Load() == 0 {
		return nil
	}
	gls.Current(func(n uint32) bool {
		c = callbackOf(n)
		return c != nil || n < gls.Others
	})
	return c
}

// callbackOf returns the running callback of that number, or nil.
//
//go:norace
func callbackOf(n uint32) (c *callback) {
	if n < gls.Callbacks {
		return nil
	}
	l := &callbacks
	l.mu.Lock()
	for _, o := range l.all {
		if o.number == n {
			c = o
		}
	}
	l.mu.Unlock()
	return c
}

// waiter returns the job that cannot finish before the calling goroutine goes on, and the words for
// the body or callback of it that the goroutine is running. l is the lease of the goroutine. The
// job is nil if there is none.
func waiter(l *safety.Lease) (of *job, what string) {
	if c := currentCallback(); c != nil {
		return c.of, c.what
	}
	if l == nil {
		return nil, ""
	}
	return l.Ticket().Owner.(*job), aBody
}

// aBody begins the texts about a body.
const aBody = "a body of"
