package parallelfor

import (
	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/safety"
)

// callback is a function that a job calls and waits for and that is not a body: the function of
// [Progress], the Len of a [LengthOf] view, or an operation of a container on a phase of the job.
// It has no scope of its own: what it makes and schedules belongs to no batch, or to a batch that
// its goroutine is executing around it. While it runs, its number is on the stack of its goroutine.
// The number tells that a wait within it is a wait of the job, which cannot finish before the
// callback has returned.
type callback struct {
	of     *exec
	what   string     // begins the texts about it
	call   gls.Runner // nil if what is opensPhase or sealsPhase, and the job's phases are meant
	number uint32

	// below is the callback around this one on its goroutine, with no body between, or nil. under
	// is the job of the innermost body around this one, or nil. currentCallback sets both.
	below *callback
	under *exec
}

// The phase operations that containers run as callbacks, by the words that begin their texts.
const (
	opensPhase = "a container that opens its phase of"
	sealsPhase = "a container that seals its phase of"
	comesBack  = "a container that comes back from"
)

// Run implements gls.Runner.
func (c *callback) Run() {
	if c.call != nil {
		c.call.Run()
	} else {
		c.of.phases(c.what == opensPhase)
	}
}

// runnerFunc is a gls.Runner that calls it.
type runnerFunc func()

// Run implements gls.Runner.
func (f runnerFunc) Run() { f() }

// callbacks are the callbacks that run, in no order; they are few.
//
// If a callback calls runtime.Goexit, its number stays on the stack of the goroutine while deferred
// functions run, although the callback has ended. So a number is used again only after 2^30 others.
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

var spareCallbacks atom.Spares[callback]

// calling runs f as a callback of the job. what begins the texts of violations about it.
func (j *exec) calling(what string, f func()) {
	if safety.Enabled {
		j.runCallback(what, runnerFunc(f))
	} else {
		f()
	}
}

// runCallback runs call as a callback of the job. If call is nil, it runs the phase operation that
// what names on the job's containers. It allocates nothing while a spare callback is left.
func (j *exec) runCallback(what string, call gls.Runner) {
	c := spareCallbacks.Take()
	if c == nil {
		c = new(callback)
	}
	c.of, c.what, c.call = j, what, call
	c.enter()
	defer func() {
		c.leave()
		c.of, c.call, c.below, c.under = nil, nil, nil, nil
		spareCallbacks.Give(c)
	}()
	gls.Call(c.number, c)
}

// alone reports whether nothing that a function of the job can wait for waits for the job: the job
// has no handle, no body or callback runs it, and its pool is the default pool, which is never
// closed.
//
//go:norace
func (j *exec) alone() bool { return j.mode >= called && j.pool == &defaultPool && j.outer() == nil }

// TellSeal implements minder of package safety, which calls it while a container of the job is
// being sealed. The calling goroutine need not be the one that seals the job.
func (j *exec) TellSeal(call gls.Runner) {
	if j.alone() {
		call.Run()
	} else {
		j.runCallback(sealsPhase, call)
	}
}

// TellReturn implements minder of package safety, which calls it while the job's containers come
// back. The containers of a job that is run in a call come back on the goroutine of the call. Its
// stack has the number of any body or callback around the call. No other goroutine waits for such a
// job, unless it has a pool that can be closed.
func (j *exec) TellReturn(tell gls.Runner) {
	if j.mode >= called && j.pool == &defaultPool {
		tell.Run()
	} else {
		j.runCallback(comesBack, tell)
	}
}

// AwaitReturn implements minder of package safety, which calls it before the calling goroutine
// waits until the job's containers have come back, and calls done after the wait.
func (j *exec) AwaitReturn() (done func()) {
	from := waiter(safety.CurrentScope())
	if from.job == nil {
		return func() {}
	}
	to := point{job: j, back: true}
	waits.begin(from, to)
	return func() { waits.end(from, to) }
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

// currentCallback returns the innermost callback that the calling goroutine is running, and sets
// its below and under. It returns nil if there is none, or if the goroutine is in a body within it.
func currentCallback() (c *callback) {
	if !safety.Enabled || callbacks.n.Load() == 0 {
		return nil
	}
	last := &c
	gls.Current(func(n uint32) bool {
		if o := callbackOf(n); o != nil {
			*last, last = o, &o.below
		}
		return gls.IsBatch(n)
	})
	if c != nil {
		if under := jobAround(safety.CurrentScope()); under != nil {
			for o := c; o != nil; o = o.below {
				o.under = under
			}
		}
	}
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

// party is a job that cannot go on before the calling goroutine does, because the goroutine runs a
// body or callback of it. call is nil for a body. The zero party stands for no job.
type party struct {
	job  *exec
	call *callback
}

// party returns the party of a goroutine that runs the callback.
func (c *callback) party() party { return party{c.of, c} }

// waiter returns the party of the calling goroutine, which has scope l.
func waiter(l *safety.Scope) party {
	if c := currentCallback(); c != nil {
		return c.party()
	}
	return party{job: jobAround(l)}
}

// text names the body or callback.
func (p party) text() string {
	if p.call == nil {
		return "a body of job " + p.job.ticket.Job()
	}
	return p.call.what + " job " + p.job.ticket.Job()
}

// holds reports whether the point is not reached before the party goes on. The point may need the
// party's own job, a body or callback around the party on its goroutine, or the body or callback
// that scheduled the job or runs it. A callback of containers that come back keeps these from
// coming back, and not the job from finishing.
//
//go:norace
func (p party) holds(at point) bool {
	if p.call != nil && p.call.what == comesBack {
		if at.back && p.job == at.job {
			return true
		}
	} else if !at.back && p.job == at.job || p.job.outerHolds(at) {
		return true
	}
	if p.call == nil {
		return false
	}
	if b := p.call.below; b != nil && b.party().holds(at) {
		return true
	}
	u := p.call.under
	return u != nil && (party{job: u}).holds(at)
}

// outerHolds is holds of the party that runs the job in a call, or has scheduled it.
//
//go:norace
func (j *exec) outerHolds(at point) bool {
	if c := j.around; c != nil && c.party().holds(at) {
		return true
	}
	outer := jobAround(j.ticket.Parent())
	return outer != nil && (party{job: outer}).holds(at)
}
