package safety

// This file is how a container ends while jobs hold it.
//
// Invariants:
//
//	(D1) The guard dies under its lock, when each of its records is the ticket's or that of a job
//	     that the ticket runs after. No record comes after that: a schedule finds the guard dead
//	     under its lock.
//	(D2) A guard keeps release only if it has records when it dies. The goroutine that removes the
//	     last record takes release too, under the lock, and calls it unlocked (see handBack).
//	     So release is called once: by DisposeAfter, or by the return of the last job.
//	(D3) The goroutine that calls release is ordered after all returns of the guard (see inherit).

// Handle is the handle of a driver, which stands for a job's custody.
type Handle interface {
	// Ticket returns the custody of the job, or nil if the handle stands for none.
	Ticket() *Ticket
}

// DisposeAfter ends the container as [Guard.Dispose] does, and leaves its data to the handle's job,
// and to jobs that hold the container and that the handle's job runs after. From now on every other
// use is refused, and every schedule of a job that would hold the container. DisposeAfter panics,
// and changes nothing, if the container is held by another job, one that the handle's job does not
// run after. With a handle of a completed job it is Dispose.
//
// So a container that one job needs is made, passed on, and forgotten:
//
//	tmp := array.New[int](n)
//	h := parallelfor.Schedule(n, sum{Values: tmp.Writer()}, (*sum).Execute)
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

// checkLeaver panics if the caller is a body of a job that the guard has a record of. In strict
// builds it is also checkOwner, for a call that nothing else refuses.
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
	if h != nil && !h.Ticket().Returned() {
		return h.Ticket()
	}
	return nil
}

// doomable reports whether the container is there, and returns another job that holds it and that
// the ticket does not run after, or a holding without a ticket. The guard is locked.
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

// heldBy reports whether the guard has a record of the ticket.
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

// doom makes the guard dead, keeps at as the place of its end, and reports whether no job holds it.
// Otherwise the last job's return calls release, in unchecked builds nothing. The guard is locked.
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

// left returns the violation of a DisposeAfter with the handle of t's job, which does not run after
// the job o.
func (g *Guard) left(t *Ticket, o *holding) *Violation {
	v := g.Violation(ErrConflict, g.Container()+" was to be disposed after job "+t.job+", but "+jobText(o.job, o.field)+
		o.site.scheduled(",")+" "+o.mode.verb()+" it, was not completed, and does not run before job "+t.job,
		"Dispose it after both: give DisposeAfter what parallelfor.Combine makes of their handles.")
	v.Job = t.job
	return v.against(o)
}

// leaving describes the job that DisposeAfter left a container to.
type leaving struct {
	job  string
	site Site
}

// refusal returns the violation of using the container of g after DisposeAfter.
func (l *leaving) refusal(g *Guard, op string) *Violation {
	v := g.Violation(ErrDisposed, g.useText(op)+" after DisposeAfter"+g.disposedAt(" at ")+" left it to job "+l.job+l.site.scheduled(""),
		"Nobody gets it back from there. Call DisposeAfter when all jobs that use it are scheduled, with the handle of the last; or Dispose it later.")
	v.OtherJob, v.Scheduled = l.job, l.site.String()
	return v
}
