package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/safety"
)

// callback is a function that a job calls and waits for, and that is no body: that of [Progress], and the Len of a [LengthOf]. It runs under
// no lease, so what it makes and schedules is no cell's. While it runs its number is on the stack of the goroutine that calls it, by which a
// wait in it is known to be one of the job: the job cannot finish before the function has returned.
type callback struct {
	of     *job
	what   string // of the job, for texts
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

// callbacks are those that run, in no order: they are few. A number is not used again before a thousand million others were: it stays on the stack of
// a goroutine whose function has ended it, as long as that runs deferred functions.
var callbacks struct {
	n    atom.HiddenInt64 // how many run; changed under mu
	mu   atom.HiddenMutex
	last uint32
	all  []*callback
}

const (
	callbackMask = 1<<30 - 1
	_            = uint(1<<32 - 1 - (gls.Callbacks | callbackMask)) // the numbers have room for so many
)

// mostCallbacks is for how many that run at a time memory is kept.
const mostCallbacks = 64

// calling runs f as a callback of the job.
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

// telling has containers told, as a callback of the job. It allocates nothing once it is warm.
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

// What containers are told of a job, as what a callback is.
const (
	opensPhase = "a container that opens its phase of"
	sealsPhase = "a container that seals its phase of"
	comesBack  = "a container that comes back from"
)

// checkComesBack panics if the calling goroutine is in what tells the containers that they come back from this very job: it holds the
// lock under which that is done.
func (j *job) checkComesBack() {
	if c := currentCallback(); c != nil && c.of == j && c.what == comesBack && !j.ticket.Returned() {
		panic(circle(j, comesBack, j, "completes"))
	}
}

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

// currentCallback returns the callback that the calling goroutine is in, or nil when it is in none, or in a body within it.
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

// waiter returns the job that cannot finish before the calling goroutine goes on, and what of it the goroutine is in; l is its lease. It
// returns nil when there is none.
func waiter(l *safety.Lease) (of *job, what string) {
	if c := currentCallback(); c != nil {
		return c.of, c.what
	}
	if l == nil {
		return nil, ""
	}
	return l.Ticket().Owner.(*job), aBody
}

// aBody begins the text of what a body does wrong.
const aBody = "a body of"
