package safety

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file is how an Ordered job comes to run after the jobs that hold what it claims.
//
// Under the locks of all its containers admit finds the jobs that the job collides with, and
// records nothing. The driver makes the job run after those, and opens the ticket again. A job runs
// only after jobs that were recorded, and a recorded job gets no more jobs to run after. So jobs
// cannot wait for each other in a circle, whatever the goroutines that schedule them do.

// Found returns the jobs that an Ordered job must run after, besides those that it was told to:
// those that hold a container in a way that excludes what the job claims, in no particular order.
// If there are any, Open has taken nothing: the driver must Reset the ticket,
// ask the views again, call After for these jobs, and Open it again. The slice is valid until
// Reset.
func (t *Ticket) Found() []*Ticket { return t.deps[len(t.deps)-int(t.found):] }

// follow adds other to what an Ordered job has found, and reports whether it may run after other.
// The lock under which other was found is held. No job runs after one that has no handle, because
// the ticket of that is used again as soon as it has ended.
//
//go:norace
func (t *Ticket) follow(other *Ticket) bool {
	if !t.Ordered || other.Private || other.Called {
		return !Enabled // unchecked builds refuse no job
	}
	t.After(other) // runsAfter is then true, so other is found once
	t.found++
	return true
}

// Inherit orders the calling goroutine after the jobs that returned the containers of an Ordered
// job before it was admitted. The job does not run after these, so perhaps nothing else orders it
// after them. A driver calls Inherit where the job starts, besides what orders the job after those
// that it runs after.
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

// inherit orders the caller after all jobs that held the guard and returned it.
func (g *Guard) inherit() { atom.Acquire(unsafe.Pointer(g)) } // pairs with withdraw

// openUnchecked is Open of unchecked builds. They record jobs that others can run after, because
// the order of Ordered jobs depends on the records. A view that a body passes on has the parent.
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
