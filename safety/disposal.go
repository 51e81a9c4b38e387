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
	disposeAfter(h, g.Dispose, func(int) { release() }, g)
}

// DisposeAfter ends the container of both guards, as [Guard.DisposeAfter] does: both or neither. Each has its own data
// to let go of.
func (c *Choice) DisposeAfter(front, back *Guard, h Handle, release func(which int)) {
	disposeAfter(h, func() { c.Dispose(front, back) }, release, front, back)
}

// disposeAfter ends the container that has the guards; the first is the one that leaks are reported of. dispose ends it
// at once.
//
// Invariants:
//
//	(I1) The guards die together, under the locks of all, when each record of each is the ticket's or that of a job
//	     that the ticket runs after. No record comes after that: who opens a ticket finds the guard dead under its lock.
//	(I2) release is kept by a guard that has records when it dies, and by no other; whoever takes the last of them out
//	     takes it out too, under the lock, and calls it when its lock is given up (see Ticket.Return). So it is called
//	     once: here, by the job that returned last, or by Dispose's caller.
//	(I3) Who calls it has inherited what all that held the guard have handed back.
func disposeAfter(h Handle, dispose func(), release func(which int), guards ...*Guard) {
	for _, g := range guards {
		g.checkCopy("disposed")
	}
	t := ticketOf(h)
	ordered := byID(guards...)
	checkLeaver(t, guards, ordered)
	free := make([]bool, len(guards))
	var at trail
	at.leave()
	if t == nil {
		dispose()
		for i := range free {
			free[i] = true
		}
	} else {
		lockAll(ordered)
		holder, refused, other := doomable(ordered, t)
		for i, g := range guards {
			if holder == nil {
				free[i] = g.doom(t, &at, func() { release(i) })
			}
		}
		unlockAll(ordered)
		switch {
		case refused:
			holder.refuse("disposed", gone)
		case holder != nil:
			panic(holder.left(t, other))
		}
		guards[0].untrack()
	}
	for i, g := range guards {
		if free[i] {
			g.inherit()
			release(i)
		}
	}
}

// checkLeaver panics when the body of a job that holds one of the guards would leave the container to the job of that
// ticket: it was lent it. In strict builds it panics, too, when a body that has nothing to do with it would.
func checkLeaver(t *Ticket, guards, ordered []*Guard) {
	l := CurrentLease()
	if l == nil || t == nil {
		return // or it is for Dispose to say
	}
	for _, g := range guards {
		if g.heldBy(l.ticket) {
			g.refuse("disposed", noWrite)
		}
	}
	if Strict {
		lockAll(ordered)
		holder, _, _ := doomable(ordered, t)
		unlockAll(ordered)
		if holder == nil {
			guards[0].checkOwner("disposed")
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

// doomable returns the first of the guards that may not end when the ticket's job has, or nil: it is no guard any more,
// and refused is true, or other holds it, which the ticket does not run after. They are locked.
//
//go:norace
func doomable(guards []*Guard, t *Ticket) (g *Guard, refused bool, other holding) {
	if !Enabled {
		return nil, false, other
	}
	for _, g := range guards {
		if g.state()&(foreign|live|gone) != live {
			return g, true, other
		}
		for _, list := range [...][]record{g.cur, g.prev} {
			for i := range list {
				if r := &list[i]; r.ticket != t && !t.reaches(r.ticket) {
					return g, false, r.ticket.holding(r.claim)
				}
			}
		}
	}
	return nil, false, other
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

// doom makes the guard dead, notes at as where it was disposed, and reports whether no job holds
// it. Otherwise the job that returns last calls release. The guard is locked.
//
//go:norace
func (g *Guard) doom(t *Ticket, at *trail, release func()) (free bool) {
	g.leftTo = &leaving{t.job, t.site}
	g.disposed = *at
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

// disposedAt returns word and the place where Dispose or DisposeAfter was called on a dead guard,
// or nothing if that is not known.
func (g *Guard) disposedAt(word string) string {
	t := g.lastTrail()
	if at := t.spot(g.owner); at != "" {
		return word + at
	}
	return ""
}

// lastTrail returns the stack on which the guard was disposed.
//
//go:norace
func (g *Guard) lastTrail() trail {
	g.lock()
	t := g.disposed
	g.unlock()
	return t
}

// remedy returns the advice for Dispose of a container that a job holds. do is the advice for any
// other use. If the container has a method DisposeAfter, remedy adds it.
func (g *Guard) remedy(do string) string {
	if _, ok := g.owner.(interface{ DisposeAfter(h Handle) }); ok {
		return do + " Or call DisposeAfter with that handle: it leaves the container to the job."
	}
	return do
}

// left is the violation of disposing of the container after a job that does not run after all that hold it.
func (g *Guard) left(t *Ticket, o holding) *Violation {
	at := o.site.scheduled(",")
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
	at := l.site.scheduled("")
	v := g.Violation(ErrDisposed, g.deed(op)+" after DisposeAfter"+g.disposedAt(" at ")+" left it to job "+l.job+at,
		"Nobody gets it back from there. Call DisposeAfter when all jobs that use it are scheduled, with the handle of the last; or Dispose it later.")
	v.OtherJob, v.Scheduled = l.job, l.site.String()
	return v
}
