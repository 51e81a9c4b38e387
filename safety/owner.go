package safety

// checkOwner, which strict builds call for containers that are no copies, panics when the body of a job uses one that its own cell has
// not made by the container's own methods: what a body may touch it has a view of. Checked builds find out about bodies only when a job
// holds the container in a way that excludes the use.
func (g *Guard) checkOwner(op string) {
	l := CurrentLease()
	if l == nil || l.out.Load() > 0 || g.lease == l && g.epoch == l.epoch.Load() {
		return
	}
	t := l.ticket
	v := g.Violation(ErrOwnerInJob, g.deed(op)+" by a body of "+jobText(t.job, "")+" without a view",
		"A body may use what the job carries a view of, and containers that it made in the same cell: give the job a view of it.")
	v.Job = t.job
	panic(v)
}

// checkEnder is checkOwner for what needs the container to itself: when somebody holds it, or it is not there, that is
// told, as in other builds. A copy is refused in all of them.
func (g *Guard) checkEnder(op string) {
	g.checkCopy(op)
	if Strict && g.idle() {
		g.checkOwner(op)
	}
}

// idle says whether the container is there, and nobody holds it now.
func (g *Guard) idle() bool { return g.state()&(foreign|live|noWrite) == live }

// stepOut has the calling goroutine count as in no body until what it returns is called: while a container is told of
// the beginning or the end of a job, which a body may be waiting for. What containers are made of is theirs.
func stepOut() (stepIn func()) {
	l := CurrentLease()
	if l == nil {
		return func() {}
	}
	l.out.Store(l.out.Load() + 1)
	return func() { l.out.Store(l.out.Load() - 1) }
}
