package safety

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file is the end of a ticket: how its containers come back to their owner, and who is told.

// Return gives the containers of the job, and of all that it runs after, back to the owner: who
// called it, and those that are ordered after that. The job must be sealed. Any number of goroutines
// may call it, again and again; each finds everything returned afterwards. Of no ticket everything is.
func (t *Ticket) Return() {
	if t == nil {
		return
	}
	if t.Private {
		t.handBack()
		return
	}
	if !t.depends() {
		t.giveBack()
		return
	}
	w := t.uncompleted()
	defer w.done()              // also when a container panics
	for _, l := range w.order { // (I3): ancestors first
		l.ticket.giveBack()
	}
}

// giveBack makes the ticket returned, once.
func (t *Ticket) giveBack() {
	t.giving.Lock()
	defer t.giving.Unlock()
	if t.returned.Load() != 0 {
		atom.Acquire(unsafe.Pointer(t))
		return
	}
	defer func() { // also when a container panics
		atom.ReleaseMerge(unsafe.Pointer(t))
		t.forgetDeps()
	}()
	t.handBack()
}

// handBack removes the job's records and tells the containers.
func (t *Ticket) handBack() {
	if t.live != nil {
		t.delist()
	}
	if !Enabled {
		t.sort() // a job that was never started has no order
	}
	var few [4]Returner
	back := few[:0]
	var ended []func()
	for k, i := range t.order {
		c := &t.claims[i]
		if c.from != nil || Enabled && t.same(k) {
			continue
		}
		atom.ReleaseMerge(unsafe.Pointer(c.Guard)) // pairs with Inherit
		free, release := c.forget(t)
		if !Enabled {
			free = c.uncount(!t.failed)
		}
		if release != nil {
			c.Guard.inherit() // others may have completed before those that held it beside this job
			ended = append(ended, release)
		}
		if free && c.Guard.returner != nil {
			back = append(back, c.Guard.returner)
		}
	}
	if t.parent != nil {
		t.parent.release(t)
	}
	if len(back)+len(ended) > 0 {
		t.hear(back, ended)
	}
}

// hear tells containers that nobody changes them any more, and those that have ended to let go: each, in order, also
// when one before panics.
func (t *Ticket) hear(back []Returner, ended []func()) {
	if Strict {
		defer stepOut()()
	}
	t.tell(back, ended)
}

// tell is hear for one after the other: no defer is in a loop, where each would allocate.
func (t *Ticket) tell(back []Returner, ended []func()) {
	if len(back) > 0 {
		defer t.tell(back[1:], ended)
		back[0].ReturnPhase(!t.failed)
		return
	}
	if last := len(ended) - 1; last >= 0 { // after those who hear
		defer t.tell(nil, ended[:last])
		ended[last]()
	}
}
