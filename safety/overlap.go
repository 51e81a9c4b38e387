package safety

import (
	"weak"

	"example.com/custody/internal/atom"
)

// This file is how the ledger finds that two containers have adopted the same memory. Each of these
// containers has records of its own. A list, adoptions, has an entry for each one that jobs hold:
// the memory that the container had adopted when the first of these jobs was admitted.
//
//	(V1) The list's lock is taken before the locks of guards. It is held whenever the records of a
//	     guard that adopted memory change, so the goroutine that holds it may read those records.
//	(V2) A guard that adopted memory has an entry exactly while it has records. Meanwhile the
//	     entry does not change.
//	(V3) An entry does not keep its guard. The container, each job that holds it and each job that
//	     runs after one of those keep it. Once the garbage collector has found the guard, no
//	     goroutine runs or can complete these jobs: the entry excludes nothing, and the goroutine
//	     that finds it drops it.
//
// So the verdict depends on which jobs hold which memory, not on when the end of a job makes a list
// leave the memory that it adopted. The garbage collector matters only after the program has lost a
// container together with all that could complete the jobs on it: until the next collection they
// still exclude jobs on the same memory. Everything here is hidden from the race detector.

// extent is the memory that a container has adopted, under the list's lock: begin <= address < end.
type extent struct {
	begin, end uintptr
	id         uint64              // the guard's
	guard      weak.Pointer[Guard] // in entries of the list
}

// meets reports whether two containers have memory in common. An empty extent has none.
func (e *extent) meets(o *extent) bool {
	return e.id != o.id && max(e.begin, o.begin) < min(e.end, o.end)
}

// adoptions is the list of the containers with adopted memory that jobs hold.
var adoptions struct {
	mu   atom.HiddenMutex
	held []extent
}

// Adopts notes that the container's elements lie in memory that the caller of its New function had
// before, at begin <= address < end. Other containers may have adopted it too: a job that holds one
// of them is judged as if it held this container. A body that makes a container of memory that a
// job around it holds cannot schedule a job on it ([ErrNotLent]), unless the modes go together.
//
// Adopts is called after Init. A container that has moved its elements to memory of its own calls
// it again, with begin equal to end. That takes effect when no job holds the container.
//
// Each job that holds the container takes a lock that all containers with adopted memory share:
// twice when it is scheduled and once when custody returns. Under it the schedule compares the
// container's memory with that of each such container that jobs hold.
//
//go:norace
func (g *Guard) Adopts(begin, end uintptr) {
	if g.adopted == nil {
		g.adopted = &extent{begin: begin, end: end, id: g.id} // no other goroutine has the container yet
		return
	}
	adoptions.mu.Lock()
	g.adopted.begin, g.adopted.end = begin, end
	adoptions.mu.Unlock()
}

// adopting reports whether the job claims a container that adopted memory. Claims that a body
// passes on do not count.
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

// extent returns the entry of the claim's container, or what it would have if jobs held the
// container. It is empty if the container adopted no memory. The list is locked.
//
//go:norace
func (c *Claim) extent() extent {
	if c.Guard == nil || c.Guard.adopted == nil {
		return extent{}
	}
	for i := range adoptions.held {
		if e := &adoptions.held[i]; e.id == c.Guard.id {
			return *e
		}
	}
	return *c.Guard.adopted
}

// overlap returns a job, and the number of its claim, that excludes claim c because it holds memory
// of c's container through another container. It is [Ticket.collide] across containers. The list is
// locked.
//
// A job that a body schedules runs before and after the same jobs as the body's job. The body's job
// itself does not exclude it here: [Ticket.overlapping] has refused what that excludes.
//
//go:norace
func (t *Ticket) overlap(c *Claim) (other *Ticket, claim int32) {
	if !Enabled && !t.Ordered || c.from != nil {
		return nil, 0
	}
	mine := c.extent()
	for i := 0; i < len(adoptions.held); i++ {
		e := &adoptions.held[i]
		if !mine.meets(e) {
			continue
		}
		g := e.guard.Value()
		if g == nil {
			dropExtent(i) // (V3)
			i--
			continue
		}
		for _, list := range [...][]record{g.cur, g.prev} {
			if len(list) > 0 && c.Mode.together(list[0].mode()) {
				continue
			}
			later := false
			for k := range list {
				r := &list[k]
				if t.runsAfter(r.ticket) {
					continue
				}
				switch after, before := t.around(r.ticket); {
				case after:
				case before:
					later = true
				case !t.follow(r.ticket):
					return r.ticket, r.claim
				}
			}
			if !later {
				break // the job runs after all of cur, and by (I2) after those of prev
			}
		}
	}
	return nil, 0
}

// around reports how the other job is ordered with the jobs within whose bodies t is scheduled:
// after, if one of these runs after the other job, and before, if the other job runs after one.
//
//go:norace
func (t *Ticket) around(other *Ticket) (after, before bool) {
	for l := t.parent; l != nil; l = l.ticket.parent {
		after = after || l.ticket.reaches(other)
		before = before || other.reaches(l.ticket)
	}
	return after, before
}

// enter adds the guard's entry to the list, before its first record. The list and the guard are
// locked. An empty extent gets none. A full list first loses entries whose guards are gone (V3).
//
//go:norace
func (g *Guard) enter() {
	e := g.adopted
	if e.begin >= e.end {
		return
	}
	if e.guard == (weak.Pointer[Guard]{}) {
		e.guard = weak.Make(g)
	}
	if n := len(adoptions.held); n == cap(adoptions.held) {
		for i := n - 1; i >= 0; i-- {
			if adoptions.held[i].guard.Value() == nil {
				dropExtent(i)
			}
		}
	}
	adoptions.held = append(adoptions.held, *e)
}

// leave removes the guard's entry from the list, after its last record. The list and the guard are
// locked.
//
//go:norace
func (g *Guard) leave() {
	for i := range adoptions.held {
		if adoptions.held[i].id == g.id {
			dropExtent(i)
			return
		}
	}
}

// dropExtent removes the entry at index i from the list, which is locked. The last entry takes its
// place.
//
//go:norace
func dropExtent(i int) {
	held := adoptions.held
	last := len(held) - 1
	held[i], held[last] = held[last], extent{}
	if adoptions.held = held[:last]; last == 0 && cap(held) > keptRecords {
		adoptions.held = nil
	}
}

// clash returns a claim of the job, and a later one of it or one of another job, whose containers
// have memory in common and whose modes exclude each other. It returns nil if there are none. What
// a body passes on has no part in a clash with another job. The list is locked.
//
//go:norace
func (t *Ticket) clash(o *Ticket) (a, b *Claim) {
	for i := range t.claims {
		a, rest := &t.claims[i], o.claims
		switch {
		case o == t:
			rest = rest[i+1:]
		case a.from != nil:
			continue
		}
		e := a.extent()
		for k := range rest {
			if x := rest[k].extent(); e.meets(&x) && !a.Mode.together(rest[k].Mode) {
				return a, &rest[k]
			}
		}
	}
	return nil, nil
}

// overlapping returns the violation of a job whose claims clash with each other, or with those of a
// job around it, or nil.
func (t *Ticket) overlapping() *Violation {
	a, b, by := t.overlaps()
	if a == nil {
		return nil
	}
	if by != nil {
		v := a.Guard.Violation(ErrNotLent, jobText(t.job, a.Field)+" was scheduled within a body of job "+by.job+" and "+
			a.Mode.verb()+" "+a.Guard.Container()+",\n\twhich has adopted memory of "+b.Guard.Container()+", made at "+b.Guard.made.String()+",\n\twhich "+jobText(by.job, b.Field)+" "+b.Mode.verb(),
			"A body uses memory that its job holds only as the job's own view allows: pass that view on, or copy the elements into a new container.")
		v.Job, v.Field, v.OtherJob, v.OtherField = t.job, a.Field, by.job, b.Field
		return v
	}
	v := a.Guard.Violation(ErrAliased, "job "+t.job+" holds memory twice: field "+a.Field+" "+a.Mode.verb()+" "+
		a.Guard.Container()+" and field "+b.Field+" "+b.Mode.verb()+" "+b.Guard.Container()+", made at "+b.Guard.made.String()+", and both have adopted it",
		"Keep one of the two views, or make the containers of slices that do not overlap.")
	v.Job, v.Field, v.OtherField = t.job, a.Field, b.Field
	return v
}

// overlaps returns two claims that [Ticket.clash] finds: both of the job, or one of it and one of
// by, a job within whose body it is scheduled, at any depth. The view of by's job lets the body use
// the memory of its batch only, or only read it. A container that the body makes has no such limit.
//
//go:norace
func (t *Ticket) overlaps() (a, b *Claim, by *Ticket) {
	if !t.adopting() {
		return nil, nil, nil
	}
	adoptions.mu.Lock()
	a, b = t.clash(t)
	for l := t.parent; a == nil && l != nil; l = l.ticket.parent {
		by = l.ticket
		a, b = t.clash(by)
	}
	adoptions.mu.Unlock()
	return a, b, by
}

// shares returns the part of a conflict's text that names the container of the other job, if that
// is not the container of g but one with the same memory.
func (o *holding) shares(g *Guard) string {
	if o.guard == nil || o.guard == g {
		return ""
	}
	return "has adopted memory of " + o.guard.Container() + ", made at " + o.guard.made.String() + ",\n\twhich "
}
