package safety

// checkOwner panics if a body uses a container by the container's own methods, and has not made it
// in the same batch: a body uses its views. Strict builds call it, for containers that are not
// copies. Checked builds refuse such a use only if a job holds the container in a way that excludes
// it.
func (g *Guard) checkOwner(op string) {
	l := CurrentScope()
	if l == nil || l.out.Load() > 0 || g.scope == l && g.epoch == l.epoch.Load() {
		return
	}
	t := l.ticket
	v := g.Violation(ErrOwnerInJob, g.useText(op)+" by a body of "+jobText(t.job, "")+" without a view",
		"A body may use what the job carries a view of, and containers that it made in the same batch: give the job a view of it.")
	v.Job = t.job
	panic(v)
}

// checkEnder is checkOwner for operations that need the container to themselves. It lets pass a
// container that a job holds or that is not there: the operation reports that, as in other builds.
// All builds refuse a copy.
func (g *Guard) checkEnder(op string) {
	g.checkCopy(op)
	if Strict && g.state()&(foreign|live|noWrite) == live { // it is there, and no job holds it
		g.checkOwner(op)
	}
}

// stepOut makes checkOwner treat the calling goroutine as in no body until stepIn is called. It is
// for the phase methods of containers. They may run on the goroutine of a body, and use other
// containers that theirs is made of.
func stepOut() (stepIn func()) {
	l := CurrentScope()
	if l == nil {
		return func() {}
	}
	l.out.Store(l.out.Load() + 1)
	return func() { l.out.Store(l.out.Load() - 1) }
}
