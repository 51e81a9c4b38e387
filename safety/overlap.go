package safety

import "example.com/custody/internal/atom"

// This file is how the ledger finds that two containers have adopted the same memory. Every guard of such a container has its own
// records; those that jobs hold are in one list, by the memory that they had when the first of these jobs was admitted.
//
//	(V1) The lock of the list is taken above the locks of guards. It is held whenever the records of a guard in the list change, so
//	     whoever holds it may read them.
//	(V2) A guard that adopted memory is in the list exactly while it has records. What it is listed with does not change meanwhile.
//
// So the verdict depends on which jobs hold what, and not on when the end of a job made a list grow out of its memory, nor on when the
// garbage collector found that a container is gone. Everything here is hidden from the race detector.

// extent is the memory that a container has adopted: begin <= address < end. It is protected by the lock of adoptions.
type extent struct {
	begin, end uintptr
	guard      *Guard
}

// meets reports whether two containers have memory in common. One without elements has none.
func (e *extent) meets(o *extent) bool {
	return e.guard != o.guard && max(e.begin, o.begin) < min(e.end, o.end)
}

// adoptions has the containers with adopted memory that jobs hold.
var adoptions struct {
	mu   atom.HiddenMutex
	held []extent
}

// Adopts notes that the container's elements lie in memory that the caller of its New function had before, at begin <= address < end, and
// that other containers may have adopted too: jobs that hold those are judged as if they held this one. It is called after Init. A second
// call, by a container that has moved its elements to memory of its own, has begin equal to end; it counts once no job holds the container.
//
// Cost: each job that holds the container takes a lock that all such containers share, twice when it is scheduled and once when custody
// returns, and looks under it at those of them that jobs hold.
//
//go:norace
func (g *Guard) Adopts(begin, end uintptr) {
	if g.adopted == nil {
		g.adopted = &extent{begin: begin, end: end, guard: g} // nobody knows the container yet
		return
	}
	adoptions.mu.Lock()
	g.adopted.begin, g.adopted.end = begin, end
	adoptions.mu.Unlock()
}

// adopting reports whether the job claims, by itself, a container that adopted memory.
//
//go:norace
func (t *Ticket) adopting() bool {
	for i := range t.claims {
		if c := &t.claims[i]; c.Guard != nil && c.Guard.adopted != nil && c.from == nil {
			return true
		}
	}
	return false
}

// extent returns what the claim's container is listed with, or would be. The list is locked.
//
//go:norace
func (c *Claim) extent() extent {
	if c.Guard.adopted == nil || c.from != nil {
		return extent{}
	}
	for i := range adoptions.held {
		if e := &adoptions.held[i]; e.guard == c.Guard {
			return *e
		}
	}
	return *c.Guard.adopted
}

// overlap finds who holds, by another container, memory that the claim's has, in a way that excludes the claim, as [Ticket.collide]
// does for one container. The list is locked. A body may adopt what its job owns, and schedule jobs on that.
//
//go:norace
func (t *Ticket) overlap(c *Claim) (other *Ticket, claim int32) {
	if !Enabled && !t.Ordered {
		return nil, 0
	}
	mine := c.extent()
	for i := range adoptions.held {
		e := &adoptions.held[i]
		if !mine.meets(e) {
			continue
		}
		list := e.guard.cur
		if len(list) > 0 && c.Mode.together(list[0].mode()) {
			list = e.guard.prev
		}
		for k := range list {
			if r := &list[k]; !t.within(r.ticket) && !t.runsAfter(r.ticket) && !t.follow(r.ticket) {
				return r.ticket, r.claim
			}
		}
	}
	return nil, 0
}

// within reports whether a body of the other job, or of one that such a body scheduled, schedules this one.
//
//go:norace
func (t *Ticket) within(other *Ticket) bool {
	for l := t.parent; l != nil; l = l.ticket.parent {
		if l.ticket == other {
			return true
		}
	}
	return false
}

// enter lists the guard before its first record. The list and the guard are locked.
//
//go:norace
func (g *Guard) enter() {
	if e := g.adopted; e.begin < e.end {
		adoptions.held = append(adoptions.held, *e)
	}
}

// leave takes the guard off the list after its last record.
//
//go:norace
func (g *Guard) leave() {
	held := adoptions.held
	for i := range held {
		if held[i].guard != g {
			continue
		}
		last := len(held) - 1
		held[i] = held[last]
		held[last] = extent{}
		if adoptions.held = held[:last]; last == 0 && cap(held) > keptRecords {
			adoptions.held = nil
		}
		return
	}
}

// twins returns two claims of the job whose containers have memory in common that one of them changes.
//
//go:norace
func (t *Ticket) twins() (a, b *Claim) {
	if !t.adopting() {
		return nil, nil
	}
	adoptions.mu.Lock()
	defer adoptions.mu.Unlock()
	for i := range t.claims {
		e := t.claims[i].extent()
		for k := range i {
			if o := t.claims[k].extent(); e.meets(&o) && !t.claims[i].Mode.together(t.claims[k].Mode) {
				return &t.claims[k], &t.claims[i]
			}
		}
	}
	return nil, nil
}

// overlapping refuses such claims.
func (t *Ticket) overlapping() *Violation {
	a, b := t.twins()
	if a == nil {
		return nil
	}
	v := a.Guard.Violation(ErrAliased, "job "+t.job+" holds memory twice: field "+a.Field+" "+a.Mode.verb()+" "+a.Guard.Container()+" and field "+b.Field+" "+
		b.Mode.verb()+" "+b.Guard.Container()+", made at "+b.Guard.made.String()+", and both have adopted it",
		"Keep one of the two views, or make the containers of slices that do not overlap.")
	v.Job, v.Field, v.OtherField = t.job, a.Field, b.Field
	return v
}

// shares says, for the text of a conflict of the guard's container with another one of the same memory, what the other is.
func (o holding) shares(g *Guard) string {
	if o.guard == nil || o.guard == g {
		return ""
	}
	return "has adopted memory of " + o.guard.Container() + ", made at " + o.guard.made.String() + ",\n\twhich "
}
