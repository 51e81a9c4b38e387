package safety

import (
	"unsafe"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
)

// This file is how a ticket returns its containers to their owner, and tells them.

// Return gives the containers of the job, and of all jobs that it runs after, back to their owner:
// the calling goroutine, and those that are ordered after the call. The job must be sealed. Any
// number of goroutines may call it, any number of times, except that a Private ticket is returned
// once; each finds everything returned afterwards.
// For a nil ticket Return does nothing.
func (t *Ticket) Return() {
	switch {
	case t == nil:
		return
	case t.Private:
		if tells, foreign := t.handBack(); tells {
			t.hear(foreign)
		}
		return
	case !t.depends():
		t.giveBack()
		return
	}
	w := walks.Take()
	if w == nil {
		w = new(walk)
	}
	w.path = append(w.path, t)
	for len(w.path) > 0 {
		last := len(w.path) - 1
		d := w.path[last]
		if w.push(d) { // (I3): ancestors first
			continue
		}
		w.path[last] = nil
		w.path = w.path[:last]
		d.giveBack()
	}
	w.done()
}

// giveBack makes the ticket returned, unless it is: after handBack, also when what that calls
// panics. A goroutine that calls it while another one is in handBack waits, or panics if that would
// not end.
func (t *Ticket) giveBack() {
	if !t.giving.TryLock() {
		if m, ok := t.Owner.(minder); ok && Enabled {
			defer m.AwaitReturn()()
		}
		t.giving.Lock()
	}
	if t.returned.Load() != 0 {
		atom.Acquire(unsafe.Pointer(t))
		t.giving.Unlock()
		return
	}
	tells, foreign := t.handBack()
	if tells {
		defer t.given()
		t.hear(foreign)
		return
	}
	t.given()
}

// given ends giveBack.
func (t *Ticket) given() {
	atom.ReleaseMerge(unsafe.Pointer(t))
	t.forgetDeps()
	t.giving.Unlock()
}

// handBack removes the job's records. It reports whether there are containers and functions to
// tell, which hear does, and whether one of these may call a function of a user.
func (t *Ticket) handBack() (tells, foreign bool) {
	if t.live != nil {
		t.delist()
	}
	if !Enabled {
		t.sort() // a job that was never started has no order
	}
	foreign = t.withdraw()
	if t.parent != nil {
		t.parent.release(t)
	}
	r := t.room
	return r != nil && len(r.back)+len(r.ended) > 0, foreign
}

// withdraw removes the job's records, and notes in the room what hear is to call. It reports
// whether one of these may call a function of a user.
//
//go:norace
func (t *Ticket) withdraw() (foreign bool) {
	for k, i := range t.order {
		c := &t.claims[i]
		if c.from != nil || Enabled && t.same(k) {
			continue
		}
		atom.ReleaseMerge(unsafe.Pointer(c.Guard)) // pairs with Inherit
		free, release := c.Mode.changes(), (func())(nil)
		if !Enabled || !c.forgetAlone(t) {
			free, release = c.forget(t)
		}
		if release != nil {
			c.Guard.inherit() // others may have completed before those that held it beside this job
			t.room.ended = append(t.room.ended, release)
			foreign = true
		}
		if free && c.Guard.returner != nil {
			t.room.back = append(t.room.back, c.Guard.returner)
			foreign = foreign || c.Guard.foreignPhases
		}
	}
	return foreign
}

// minder is a [Ticket.Owner] whose driver refuses calls that wait for each other in a circle. The
// goroutine that calls TellReturn holds the ticket's lock giving.
type minder interface {
	// TellReturn runs tell, which calls ReturnPhase of the ticket's containers, and the functions
	// that DisposeAfter was given.
	TellReturn(tell gls.Runner)
	// TellSeal runs call for a container that is being sealed and must not call functions of the
	// program itself: see gls.TellSeal.
	TellSeal(call gls.Runner)
	// AwaitReturn is called before the calling goroutine waits for the lock giving of the ticket,
	// and done afterwards. It panics with a violation if the wait would not end.
	AwaitReturn() (done func())
}

func init() {
	gls.TellSeal, gls.IsBatch, gls.Within = tellSeal, taken, within
	gls.Watched = func() bool { return watching.word.Load() != 0 }
}

// tellSeal is gls.TellSeal.
func tellSeal(phase any, r gls.Runner) {
	if t := sealedFor(phase); Enabled && t != nil {
		if m, ok := t.Owner.(minder); ok {
			m.TellSeal(r)
			return
		}
	}
	r.Run()
}

//go:norace
func sealedFor(phase any) *Ticket { return phase.(*Phase).ticket }

// hearing is a ticket as the argument of TellReturn.
type hearing Ticket

// Run implements gls.Runner.
func (h *hearing) Run() { (*Ticket)(h).tell(h.room.back, h.room.ended) }

// hear calls ReturnPhase of the containers in the room's back, the first one first, and then the
// functions in ended, the last one first. It calls each also if one before it panics. If foreign is
// set the ticket's minder calls them.
func (t *Ticket) hear(foreign bool) {
	if Strict {
		defer stepOut()()
	}
	if m, ok := t.Owner.(minder); ok && Enabled && foreign {
		m.TellReturn((*hearing)(t))
	} else {
		t.tell(t.room.back, t.room.ended)
	}
}

// tell makes the calls of hear. It defers itself for the rest: a defer in a loop would allocate.
func (t *Ticket) tell(back []Returner, ended []func()) {
	if len(back) > 0 {
		defer t.tell(back[1:], ended)
		back[0].ReturnPhase(!t.failed)
		return
	}
	if last := len(ended) - 1; last >= 0 { // after all of back
		defer t.tell(nil, ended[:last])
		ended[last]()
	}
}
