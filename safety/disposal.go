package safety

// Handle is what the handles of drivers are to containers: they stand for a job's custody.
type Handle interface {
	// Ticket returns the custody of the job, or nil when the handle stands for none.
	Ticket() *Ticket
}

// DisposeAfter ends the container as [Guard.Dispose] does, and leaves its data to the handle's job and those that it
// runs after, which hold it: from now on every use is refused, but those jobs', and so is every job that would hold
// it, also one that runs after. It panics when a job holds the container that the handle's job does not run after, and
// then changes nothing. With a handle whose job was completed it is Dispose.
//
// So a container that is there for a job only is made, lent, and forgotten:
//
//	tmp := array.New[int](n)
//	h := parallelfor.Schedule(n, sum{tmp.Writer()})
//	tmp.DisposeAfter(h)
//
// release lets go of the container's data. It is called once, when nobody uses them any more: at once, or when the last
// job that held the container returns custody. In unchecked builds, which keep no records, it is called at once or never.
func (g *Guard) DisposeAfter(h Handle, release func()) {
	t := ticketOf(h)
	g.checkLeaver(t)
	if t == nil {
		g.Dispose()
		g.inherit()
		release()
		return
	}
	g.lock()
	refused, other := g.doomable(t)
	free := !refused && other.ticket == nil && g.doom(t, release)
	g.unlock()
	g.doomedOrNot(t, refused, other)
	if free {
		g.inherit()
		release()
	}
}

// DisposeAfter ends the container of both guards, as [Guard.DisposeAfter] does: both or neither. Each has its own data
// to let go of.
func (c *Choice) DisposeAfter(front, back *Guard, h Handle, release func(which int)) {
	t := ticketOf(h)
	back.checkLeaver(t)
	front.checkLeaver(t)
	if t == nil {
		c.Dispose(front, back)
		front.inherit()
		back.inherit()
		release(0)
		release(1)
		return
	}
	first, second := inOrder(front, back)
	first.lock()
	second.lock()
	g := first
	refused, other := first.doomable(t)
	if !refused && other.ticket == nil {
		g = second
		refused, other = second.doomable(t)
	}
	var free [2]bool
	if !refused && other.ticket == nil {
		free[0] = front.doom(t, func() { release(0) })
		free[1] = back.doom(t, func() { release(1) })
	}
	second.unlock()
	first.unlock()
	g.doomedOrNot(t, refused, other)
	front.untrack()
	front.inherit()
	back.inherit()
	for which, f := range free {
		if f {
			release(which)
		}
	}
}

// checkLeaver panics when the body of a job that holds the container would leave it to the job of that ticket: it was
// lent it. In strict builds it panics, too, when a body that has nothing to do with it would.
func (g *Guard) checkLeaver(t *Ticket) {
	l := CurrentLease()
	if l == nil || t == nil {
		return // or it is for Dispose to say
	}
	if g.heldBy(l.ticket) {
		g.refuse("disposed", noWrite)
	}
	if Strict {
		g.lock()
		refused, other := g.doomable(t)
		g.unlock()
		if Strict && !refused && other.ticket == nil {
			g.checkOwner("disposed")
		}
	}
}

// ticketOf returns the custody that a handle stands for, if there is some that was not returned.
func ticketOf(h Handle) *Ticket {
	if h == nil {
		return nil
	}
	if t := h.Ticket(); t != nil && !t.Returned() {
		return t
	}
	return nil
}

// doomable says whether somebody holds the guard that the ticket does not run after, or it is no guard any more. It is
// locked.
//
//go:norace
func (g *Guard) doomable(t *Ticket) (refused bool, other holding) {
	if !Enabled {
		return false, other
	}
	if g.self != g || g.word.Load()&(live|gone) != live {
		return true, other
	}
	for _, list := range [...][]record{g.cur, g.prev} {
		for i := range list {
			if r := &list[i]; r.ticket != t && !t.reaches(r.ticket) {
				return false, r.ticket.holding(r.claim)
			}
		}
	}
	return false, other
}

// heldBy says whether the ticket's job holds the guard.
//
//go:norace
func (g *Guard) heldBy(t *Ticket) (is bool) {
	g.lock()
	for _, list := range [...][]record{g.cur, g.prev} {
		for i := range list {
			is = is || list[i].ticket == t
		}
	}
	g.unlock()
	return is
}

// doom makes the guard dead, and says whether nobody holds it. It is locked.
//
//go:norace
func (g *Guard) doom(t *Ticket, release func()) (free bool) {
	g.leftTo = &leaving{t.job, t.site}
	g.kill()
	if !Enabled {
		return false
	}
	free = len(g.cur)+len(g.prev) == 0
	if !free {
		g.release = release
	}
	return free
}

// doomedOrNot panics when the guard was not doomed.
func (g *Guard) doomedOrNot(t *Ticket, refused bool, other holding) {
	if refused {
		g.refuse("disposed", gone)
	}
	if other.ticket != nil {
		panic(g.left(t, other))
	}
	g.untrack()
}

// left is the violation of disposing of the container after a job that does not run after all that hold it.
func (g *Guard) left(t *Ticket, o holding) *Violation {
	at := ""
	if o.site != 0 {
		at = ", scheduled at " + o.site.String() + ","
	}
	v := g.Violation(ErrConflict, g.Container()+" was to be disposed after job "+t.job+", but "+jobText(o.job, o.field)+at+" "+o.mode.verb()+" it, was not completed, and does not run before job "+t.job,
		"Dispose it after both: give DisposeAfter what parallelfor.Combine makes of their handles.")
	v.Job, v.OtherJob, v.OtherField, v.Scheduled = t.job, o.job, o.field, o.site.String()
	return v
}

// leaving is that a container was left to a job.
type leaving struct {
	job  string
	site Site
}

// refusal is the violation of using the guard's container after that.
func (l *leaving) refusal(g *Guard, op string) *Violation {
	at := ""
	if l.site != 0 {
		at = ", scheduled at " + l.site.String()
	}
	v := g.Violation(ErrDisposed, g.Container()+" was "+op+" after DisposeAfter left it to job "+l.job+at,
		"Nobody gets it back from there. Call DisposeAfter when all jobs that use it are scheduled, with the handle of the last; or Dispose it later.")
	v.OtherJob, v.Scheduled = l.job, l.site.String()
	return v
}
