package safety

import "strconv"

// This file checks the claims of a job, each by itself and one against another, before admit does,
// and has the texts of what admit finds. It records nothing, and only its texts lock a guard.

// sane checks each claim by itself.
func (t *Ticket) sane(n int, parallel bool) *Violation {
	for i := range t.claims {
		c := &t.claims[i]
		if v := t.saneClaim(c, n, parallel); v != nil {
			v.Job, v.Field = t.job, c.Field
			return v
		}
	}
	return nil
}

func (t *Ticket) saneClaim(c *Claim, n int, parallel bool) *Violation {
	g := c.Guard
	if g == nil {
		return NewViolation(ErrUnassigned, t.bareText(c)+" that was never assigned",
			"Every view of a job must be taken from a container before the job is scheduled."+
				" What a job can do without is a safety.Optional, whose zero value carries no view.")
	}
	if g.word.Load()&live == 0 {
		return NewViolation(ErrUnassigned, jobText(t.job, c.Field)+" has a view of a container that was never made",
			"A container's zero value is not ready: make it with its New function.")
	}
	if c.from == nil && g.word.Load()&gone != 0 || g.copied() { // gone is not for a view that a body passes on
		return t.unavailable(c)
	}
	if c.Mode < Read || c.Mode > Shared {
		return g.Violation(ErrArgument, jobText(t.job, c.Field)+" claims "+g.Container()+" in no mode",
			"A view's Claim says Read, Write, Append or Shared.")
	}
	if c.loose {
		return t.unset(c)
	}
	if v := t.lawful(c); v != nil {
		return v
	}
	if c.Mode == Write && parallel && !c.Ranged && !c.Unrestricted {
		return g.Violation(ErrNoRange, jobText(t.job, c.Field)+" is a parallel loop and writes "+g.Container()+" through a view without a write range",
			"Run the job on one worker: as a single job, or with Batch(-1). Or take a ParallelWriter(), if the container has one.")
	}
	return t.long(c, n)
}

// unavailable returns the violation of a claim of a container that is not, or was not, there.
func (t *Ticket) unavailable(c *Claim) *Violation {
	op := "scheduled with " + jobText(t.job, c.Field)
	if v := c.Guard.missing(op); v != nil {
		return v
	}
	return c.Guard.rejoined(op)
}

// unset returns the violation of a claim that is Ranged although its view is no [RangeView]. sane
// checks the claims in their order, so the view is the ticket's odd one.
func (t *Ticket) unset(c *Claim) *Violation {
	const setRange, window = "SetRange(begin, end int)", "Window() (begin, end, length int)"
	missing, b := "", FieldOf(t.room.odd, "").Binder
	if _, ok := b.(interface{ SetRange(begin, end int) }); !ok {
		missing = setRange
	}
	if _, ok := b.(windowed); !ok {
		if missing != "" {
			missing += " and no method "
		}
		missing += window
	}
	return c.Guard.Violation(ErrNoRange, jobText(t.job, c.Field)+" "+c.Mode.verb()+" "+c.Guard.Container()+
		" through a view of type "+typeText(t.room.odd)+", whose claim is Ranged and which has no method "+missing,
		"A view whose claim is Ranged is a safety.RangeView: the driver calls SetRange before each batch, and texts ask Window.")
}

// bareText returns the part of a text that names the view of claim c, which claims no container.
func (t *Ticket) bareText(c *Claim) string {
	has := " has a view"
	if t.room.odd != nil {
		has = " has a view of type " + typeText(t.room.odd)
		if c.Field == "" {
			has = " is a view of type " + typeText(t.room.odd)
		}
	}
	return jobText(t.job, c.Field) + has
}

// long returns the violation of more indices than the claim's view serves, or nil.
func (t *Ticket) long(c *Claim, n int) *Violation {
	if !c.Ranged || n <= c.Extent {
		return nil
	}
	do := "Schedule at most as many indices as the view serves, or take a larger container."
	if c.from != nil {
		do = t.parent.ticket.serves()
	}
	v := c.Guard.Violation(ErrLength, jobText(t.job, c.Field)+" has "+strconv.Itoa(n)+" indices, but its view of "+
		c.Guard.Container()+" serves only "+strconv.Itoa(c.Extent), do)
	v.Job, v.Field = t.job, c.Field
	v.N, v.Length = n, c.Extent
	return v
}

// serves returns the advice for a body of this job that schedules a job of more indices than a view
// that it passes on serves.
func (t *Ticket) serves() string {
	if t.Indices > 0 {
		return "A view that a body passes on serves what its index owns: schedule at most so many indices," +
			" give each index more with Rows, or let the loop around be one over batches, as ForBatch is."
	}
	return "A view that a body passes on serves what the body owns: schedule at most so many indices." +
		" In a loop over batches a larger Batch gives each more."
}

// lawful checks a claim of a job that a body schedules: the body may pass on what it holds, and use
// what it made.
func (t *Ticket) lawful(c *Claim) *Violation {
	g := c.Guard
	if c.from != nil {
		if c.epoch != c.from.epoch.Load() || c.from != t.parent {
			return g.Violation(ErrStaleView, jobText(t.job, c.Field)+" was scheduled with a view of "+g.Container()+" that belongs to another job's batch",
				"Outside that batch take the view from its container again.")
		}
		return t.divided(c)
	}
	if l := t.parent; l != nil && (g.scope != l || g.epoch != l.epoch.Load()) {
		what := ", which does not hold " + g.Container()
		do := "A body may pass on the views that it was given and use containers that it made in the same batch:" +
			" make the container a view of the outer job and pass that view on."
		outer, held := Binding{scope: l}.Claims(g)
		if held && outer.Field != lengthField { // for which the body is given no view
			what = " with a new view of " + g.Container() + ", which " + jobText(l.ticket.job, outer.Field) + " holds"
			do = "Pass on the view that the body was given"
			if outer.Field != "" {
				do += ", field " + outer.Field + ","
			}
			do += " instead of taking another one from the container."
		}
		v := g.Violation(ErrNotLent, jobText(t.job, c.Field)+" was scheduled by a body of job "+l.ticket.job+what, do)
		v.OtherJob = l.ticket.job
		return v
	}
	return nil
}

// divided returns the violation of passing on a writer from the body of a loop over indices whose
// batches have several indices, or nil. Such a body owns the elements of one index, but the view
// knows only the elements of the batch. divided reads the ticket of the body's job: the race
// detector does not see that, and the driver has written it.
//
//go:norace
func (t *Ticket) divided(c *Claim) *Violation {
	around := t.parent.ticket
	if around.Indices <= 1 || c.Mode != Write || !c.Ranged || c.Unrestricted {
		return nil
	}
	n := strconv.Itoa(around.Indices)
	v := c.Guard.Violation(ErrNotLent, jobText(t.job, c.Field)+" was scheduled by a body of job "+around.job+", which writes "+
		c.Guard.Container()+" index by index, in batches of "+n+" indices",
		"A body passes on a Writer if it owns all of its batch: let the loop around be one over batches, as ForBatch is, or give it Batch(1).")
	v.OtherJob, v.N = around.job, around.Indices
	return v
}

// alone returns the violation of two claims of one container, or of one memory, that one job may
// not have together, or nil.
func (t *Ticket) alone() *Violation {
	for k := range t.order {
		if !t.same(k) {
			continue
		}
		a, b := &t.claims[t.order[k-1]], &t.claims[t.order[k]]
		if a.Mode.twice(b.Mode) {
			continue
		}
		g := a.Guard
		v := g.Violation(ErrAliased, "job "+t.job+" holds "+g.Container()+" twice: field "+a.Field+" "+a.Mode.verb()+
			" it and field "+b.Field+" "+b.Mode.verb()+" it",
			"Keep one of the two views. A Writer can also read; to read elsewhere than one writes, take two containers.")
		v.Job, v.Field, v.OtherField = t.job, a.Field, b.Field
		return v
	}
	return t.overlapping()
}

// conflict returns the violation of claim i against what another job holds.
func (t *Ticket) conflict(i int, o *holding) *Violation {
	c := &t.claims[i]
	g := c.Guard
	also := o.mode.verb()
	if o.mode == c.Mode {
		also = "also " + also
	}
	remedy := "Neither runs after the other. Add parallelfor.After(previous) when scheduling"
	if o.sealed {
		also += " and has finished but was not completed"
		remedy = "Having finished does not give a container back. Complete its handle first, or add parallelfor.After(previous) when scheduling"
	}
	switch {
	case o.called:
		remedy = "That job was run, not scheduled, so nothing can run after it. Order the two goroutines by a channel or a lock, or give both jobs AutoOrder()."
	case c.Mode == Write && o.mode == Read:
		remedy += ", or take a Reader() if the job only reads."
	case c.Mode == Write && o.mode == Write:
		remedy += ", or take a Reader() in both if both only read."
	case c.Mode == Append && o.mode == Append:
		remedy += ": what both add has no order otherwise."
	case o.sealed:
		remedy += "."
	default:
		remedy += ", or complete the previous job first."
	}
	v := g.Violation(ErrConflict, jobText(t.job, c.Field)+" "+c.Mode.verb()+" "+g.Container()+",\n\twhich "+o.shares(g)+
		jobText(o.job, o.field)+o.site.scheduled(",")+" "+also, remedy)
	v.Job, v.Field = t.job, c.Field
	return v.against(o)
}

// lengthField is the field of a claim that ClaimLength adds.
const lengthField = "LengthOf"

// ClaimLength lets the job ask the view for its length when the job starts. It adds a claim to read
// the view's container, unless the job claims that container anyway. It returns the number of the
// claim that stands for the view.
func (t *Ticket) ClaimLength(v View) int {
	h := v.access()
	for i := range t.claims {
		if o := &t.claims[i]; h.guard != nil && o.Guard == h.guard && o.from == h.scope {
			return i
		}
	}
	*t.nextClaim() = Claim{Guard: h.guard, Mode: Read, Field: lengthField, from: h.scope, epoch: h.epoch}
	return len(t.claims) - 1
}

// Fits returns the violation of a claim that does not serve n indices, or nil. It is for a job
// whose length was not known when it was opened.
func (t *Ticket) Fits(n int) *Violation {
	if !Enabled {
		return nil
	}
	for i := range t.claims {
		if v := t.long(&t.claims[i], n); v != nil {
			return v
		}
	}
	return nil
}
