package safety

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file is how a job comes to run after the jobs that hold what it claims, when it is Ordered.
//
// While it holds the locks of all its containers the ledger notes whom the job collides with, and records
// nothing. The driver makes the job run after those, and opens the ticket again. Only jobs that were recorded
// are ever run after, and a job that is recorded gets no more to run after: so jobs cannot wait for each other
// in a circle, whatever the goroutines that schedule them do.

// Found returns the jobs that an Ordered job must run after, beside those that it was told to: those
// that hold a container in a way that excludes what the job claims, in the order in which they were
// admitted. If there are any, Open has taken nothing: the driver must Reset the ticket, ask the views
// again, call After for these jobs, and Open it again. The slice is valid until Reset.
func (t *Ticket) Found() []*Ticket { return t.deps[len(t.deps)-t.found:] }

// follow notes that the job must run after other, if it is Ordered and that can be. The lock under which other
// was found is held. A job without a handle cannot be run after: its memory is used again as soon as it is
// over.
//
//go:norace
func (t *Ticket) follow(other *Ticket) bool {
	if !t.Ordered || other.Private || other.Called {
		return !Enabled // unchecked builds refuse nobody
	}
	t.After(other) // so it is found once
	t.found++
	return true
}

// Inherit orders what the calling goroutine does from now on after all jobs that held the containers of an Ordered
// job and had returned them before it was admitted: those that it has not been made to run after, because they were
// completed. A driver calls it where the job starts, beside what orders the job after those that it runs after.
func (t *Ticket) Inherit() {
	if !t.Ordered {
		return
	}
	for i := range t.claims {
		if g := t.claims[i].Guard; g != nil {
			g.inherit()
		}
	}
}

// inherit orders what follows after all jobs that held the guard and returned it.
func (g *Guard) inherit() { atom.Acquire(unsafe.Pointer(g)) } // pairs with handBack

// openUnchecked is Open of unchecked builds. The order of jobs is no check: whoever may have to be run after is
// recorded there too.
func (t *Ticket) openUnchecked() {
	if t.Private || t.Called {
		t.count()
		return
	}
	for i := range t.claims {
		if l := t.claims[i].from; l != nil {
			t.parent = l
		}
	}
	t.sort()
	t.admit()
	if t.parent != nil && t.found == 0 {
		t.parent.adopt(t)
	}
}
