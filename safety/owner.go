package safety

// checkOwner panics, in strict builds, when the body of a job uses a container that its own cell has not made by the
// container's own methods: what a body may touch it has a view of. Checked builds find that out only when a job holds
// the container in a way that excludes the use.
func (g *Guard) checkOwner(op string) {
	if !Strict {
		return
	}
	l := CurrentLease()
	if l == nil || g.lease == l && g.epoch == l.epoch.Load() {
		return
	}
	t := l.ticket
	v := g.Violation(ErrOwnerInJob, g.Container()+" was "+op+" by a body of "+jobText(t.job, "")+" without a view",
		"A body may use what the job carries a view of, and containers that it made in the same cell: give the job a view of it.")
	v.Job = t.job
	panic(v)
}
