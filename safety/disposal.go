package safety

// This file is how a container ends while jobs hold it.
//
// Invariants:
//
//	(I1) The guard dies under its lock, when each of its records is the ticket's or that of a job
//	     that the ticket runs after. No record comes after that: a schedule finds the guard dead
//	     under its lock.
//	(I2) A guard keeps release only if it has records when it dies. The job that takes the last of
//	     them out takes release out too, under the lock, and calls it when the lock is given up (see
//	     Ticket.Return). So release is called once: here, or by the job that returns last.
//	(I3) The goroutine that calls it has inherited what all that held the guard have handed back.

// Handle is the handle of a driver, which stands for a job's custody.
type Handle interface {
	// Ticket returns the custody of the job, or nil if the handle stands for none.
	Ticket() *Ticket
}

// DisposeAfter ends the container as [Guard.Dispose] does, and leaves its data to the handle's job
// and to those that hold it and that job runs after. From now on every other use is refused, and
// every schedule of a job that would hold it. DisposeAfter panics, and changes nothing, if a job
// holds the container that the handle's job does not run after. With a handle of a completed job it
// is Dispose.
//
// So a container that one job needs is made, passed on, and forgotten:
//
//	tmp := array.New[int](n)
//	h := parallelfor.Schedule(n, sum{tmp.Writer()})
//	tmp.DisposeAfter(h)
//
// release lets go of the container's data. It is called once, when no job holds them: at once, or
// when the last job that held the container returns custody. Unchecked builds, which keep no
// records, call it at once or never.
func (g *Guard) DisposeAfter(h Handle, release func()) {
	g.checkCopy("disposed")
	t := ticketOf(h)
	if t == nil {
		g.Dispose()
		g.inherit()
		release()
		return
	}
	g.checkLeaver(t)
	var at trail
	at.leave()
	g.lock()
	there, other := g.doomable(t)
	free := there && other.ticket == nil && g.doom(t, &at, release)
	g.unlock()
	switch {
	case !there:
		g.refuse("disposed", gone)
	case other.ticket != nil:
		panic(g.left(t, &other))
	}
	g.untrack()
	if free {
		g.inherit()
		release()
	}
}

// checkLeaver panics if the caller is a body of a job that holds the guard. In strict builds it
// panics in other bodies, too.
func (g *Guard) checkLeaver(t *Ticket) {
	l := CurrentScope()
	if l == nil {
		return
	}
	if g.heldBy(l.ticket) {
		g.refuse("disposed", noWrite)
	}
	if Strict {
		g.lock()
		there, other := g.doomable(t)
		g.unlock()
		if there && other.ticket == nil {
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

// doomable reports whether the container is there, and returns a job that holds it and that the
// ticket does not run after, if there is one. The guard is locked.
//
//go:norace
func (g *Guard) doomable(t *Ticket) (there bool, other holding) {
	if !Enabled {
		return true, other
	}
	if g.state()&(foreign|live|gone) != live {
		return false, other
	}
	for _, list := range [...][]record{g.cur, g.prev} {
		for i := range list {
			if r := &list[i]; r.ticket != t && !t.reaches(r.ticket) {
				return true, r.ticket.holding(r.claim)
			}
		}
	}
	return true, other
}

// heldBy reports whether the ticket's job holds the guard.
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
//
//go:norace
func (g *Guard) disposedAt(word string) string {
	g.lock()
	t := g.disposed
	g.unlock()
	if at := t.spot(g.owner); at != "" {
		return word + at
	}
	return ""
}

// remedy returns the advice for Dispose of a container that a job holds. do is the advice for any
// other use. If the container has a method DisposeAfter, remedy adds it.
func (g *Guard) remedy(do string) string {
	if _, ok := g.owner.(interface{ DisposeAfter(h Handle) }); ok {
		return do + " Or call DisposeAfter with that handle: it leaves the container to the job."
	}
	return do
}

// left returns the violation of disposing of the container after the job of t, which does not run
// after o.
func (g *Guard) left(t *Ticket, o *holding) *Violation {
	v := g.Violation(ErrConflict, g.Container()+" was to be disposed after job "+t.job+", but "+jobText(o.job, o.field)+
		o.site.scheduled(",")+" "+o.mode.verb()+" it, was not completed, and does not run before job "+t.job,
		"Dispose it after both: give DisposeAfter what parallelfor.Combine makes of their handles.")
	v.Job = t.job
	return v.against(o)
}

// leaving describes the job that a container was left to.
type leaving struct {
	job  string
	site Site
}

// refusal returns the violation of using the guard's container after that.
func (l *leaving) refusal(g *Guard, op string) *Violation {
	v := g.Violation(ErrDisposed, g.useText(op)+" after DisposeAfter"+g.disposedAt(" at ")+" left it to job "+l.job+l.site.scheduled(""),
		"Nobody gets it back from there. Call DisposeAfter when all jobs that use it are scheduled, with the handle of the last; or Dispose it later.")
	v.OtherJob, v.Scheduled = l.job, l.site.String()
	return v
}
