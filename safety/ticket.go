package safety

import (
	"strconv"
	"unsafe"

	"example.com/custody/internal/atom"
)

// Ticket is the custody of one job. A driver fills it ([Ticket.Reset], [Ticket.Claim], [Ticket.After]),
// opens it when the job is scheduled, starts it when all that the job runs after is sealed, seals it
// after the last cell, and returns it when somebody completes the job. One goroutine fills and opens
// it, one starts it, one seals it; any number may return it.
//
//	idle -> open -> started -> sealed -> returned
//
// Custody passes from job to job when one runs After another, and back to the owner only by Return,
// never merely because the job has finished: so the verdict does not depend on timing.
type Ticket struct {
	job    string
	site   Site
	depth  int     // longest chain of uncompleted jobs that this one runs after
	claims []Claim // unchanging from Open to Reset
	order  []int32 // numbers of the claims by ascending guard id
	phases []phase
	parent *Lease // the cell that scheduled the job, if a body did
	failed bool   // written by Seal

	// Owner is the driver's.
	Owner any

	sealed   atom.HiddenUint32
	returned atom.HiddenUint32

	mu     atom.HiddenMutex // protects deps; taken below the locks of guards
	deps   []*Ticket        // what the job runs after; contents never change, nil once returned
	giving atom.HiddenMutex // held by the goroutine that gives the containers back; taken above the locks of guards
}

// phase is the phase of one phased container; claims of the same guard share it.
type phase struct {
	Phase
	guard *Guard
	open  bool
}

// Reset makes the ticket idle for a job of the given name, scheduled at site.
//
//go:norace
func (t *Ticket) Reset(job string, site Site) {
	t.job, t.site = job, site
	t.depth = 0
	for i := range t.claims {
		t.claims[i] = Claim{}
	}
	t.claims = t.claims[:0]
	t.order = t.order[:0]
	for i := range t.phases {
		t.phases[i] = phase{}
	}
	t.phases = t.phases[:0]
	t.parent = nil
	t.deps = nil
	t.failed = false
	t.sealed.Store(0)
	t.returned.Store(0)
}

// Claim adds what one view wants.
func (t *Ticket) Claim(c Claim) { t.claims = append(t.claims, c) }

// After makes the job run after d.
func (t *Ticket) After(d *Ticket) { t.deps = append(t.deps, d) }

// Job returns the job's name.
func (t *Ticket) Job() string { return t.job }

// Nested says whether a body scheduled the job.
func (t *Ticket) Nested() bool { return t.parent != nil }

// Parent returns the lease of the cell that scheduled the job, or nil.
func (t *Ticket) Parent() *Lease { return t.parent }

// Sealed says whether the job has finished.
func (t *Ticket) Sealed() bool { return t.sealed.Load() != 0 }

// Returned says whether custody was returned.
func (t *Ticket) Returned() bool { return t.returned.Load() != 0 }

// Open checks the claims of a job of n indices against the rules and against all jobs that hold the
// same containers, and records them. parallel says that several workers may run it. When a rule is
// broken it returns the violation and changes nothing.
func (t *Ticket) Open(n int, parallel bool) *Violation {
	if !Enabled {
		return nil
	}
	t.parent = CurrentLease()
	if v := t.sane(n, parallel); v != nil {
		return v
	}
	t.sort()
	if v := t.alone(); v != nil {
		return v
	}
	atom.ReleaseMerge(unsafe.Pointer(t))
	if i, other := t.admit(); other.ticket != nil {
		atom.Acquire(unsafe.Pointer(other.ticket))
		return t.conflict(i, other)
	}
	if t.parent != nil {
		t.parent.adopt(t)
	}
	return nil
}

// sane judges each claim by itself.
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
		return NewViolation(ErrUnassigned, jobText(t.job, c.Field)+" has a view that was never assigned",
			"Every view of a job must be taken from a container before the job is scheduled.")
	}
	if g.word.Load()&(live|dead) != live || g.self != g {
		return g.missing("scheduled with " + jobText(t.job, c.Field))
	}
	if v := t.lawful(c); v != nil {
		return v
	}
	if c.Mode == Write && parallel && !c.Ranged && !c.Unrestricted {
		return g.Violation(ErrNoRange, jobText(t.job, c.Field)+" is a parallel loop and writes "+g.Container()+" through a view without a write range",
			"Run the job on one worker: as a single job, or with Batch(-1). Or take a ParallelWriter(), if the container has one.")
	}
	if c.Ranged && n > c.Extent {
		v := g.Violation(ErrLength, jobText(t.job, c.Field)+" has "+strconv.Itoa(n)+" indices, but its view of "+g.Container()+" serves only "+strconv.Itoa(c.Extent),
			"Schedule at most as many indices as the view serves, or take a larger container.")
		v.N, v.Length = n, c.Extent
		return v
	}
	return nil
}

// lawful judges a claim of a job that a body schedules: the body may lend on what it holds, and use
// what it made.
func (t *Ticket) lawful(c *Claim) *Violation {
	g := c.Guard
	if c.from != nil {
		if c.epoch != c.from.epoch.Load() || c.from != t.parent {
			return g.Violation(ErrStaleView, jobText(t.job, c.Field)+" was scheduled with a view of "+g.Container()+" that belongs to another job's cell",
				"Outside that cell take the view from its container again.")
		}
		return nil
	}
	if l := t.parent; l != nil && (g.lease != l || g.epoch != l.epoch.Load()) {
		v := g.Violation(ErrNotLent, jobText(t.job, c.Field)+" was scheduled by a body of job "+l.ticket.job+", which does not hold "+g.Container(),
			"A body may lend on the views that it was given and use containers that it made in the same cell: make the container a view of the outer job and pass that view on.")
		v.OtherJob = l.ticket.job
		return v
	}
	return nil
}

// sort puts the numbers of the claims into order of their guards' ids: the order in which every
// schedule locks them, so that no two wait for each other.
func (t *Ticket) sort() {
	t.order = t.order[:0]
	for i := range t.claims {
		t.order = append(t.order, int32(i))
		for j := i; j > 0 && t.claims[t.order[j]].Guard.id < t.claims[t.order[j-1]].Guard.id; j-- {
			t.order[j], t.order[j-1] = t.order[j-1], t.order[j]
		}
	}
}

// same says whether the k-th claim in order has the same guard as the one before.
func (t *Ticket) same(k int) bool {
	return k > 0 && t.claims[t.order[k]].Guard == t.claims[t.order[k-1]].Guard
}

// alone refuses two claims of one container that one job may not have together.
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
		v := g.Violation(ErrAliased, "job "+t.job+" holds "+g.Container()+" twice: field "+a.Field+" "+a.Mode.verb()+" it and field "+b.Field+" "+b.Mode.verb()+" it",
			"Keep one of the two views. A Writer can also read; to read elsewhere than one writes, take two containers.")
		v.Job, v.Field, v.OtherField = t.job, a.Field, b.Field
		return v
	}
	return nil
}

// admit locks the guards, checks all claims and records them, or finds the claim i that collides with
// what another job holds. No code but the ledger's runs under the locks, and what is found is copied
// there: the other job may be gone once they are released.
//
//go:norace
func (t *Ticket) admit() (i int, other holding) {
	for _, d := range t.deps {
		if t.depth <= d.depth {
			t.depth = d.depth + 1
		}
	}
	for k := range t.order {
		if !t.same(k) {
			t.claims[t.order[k]].lockable().Lock()
		}
	}
	for k := range t.order {
		if other.ticket == nil {
			i = int(t.order[k])
			other = t.collide(&t.claims[i])
		}
	}
	if other.ticket == nil {
		for k := range t.order {
			t.claims[t.order[k]].record(t, t.order[k])
		}
	}
	for k := range t.order {
		if !t.same(k) {
			t.claims[t.order[k]].lockable().Unlock()
		}
	}
	return i, other
}

// lockable is the lock that protects the records the claim goes into: the guard's.
func (c *Claim) lockable() *atom.HiddenMutex { return &c.Guard.mu }

// collide finds the record that excludes the claim, if any. The guard is locked. What a body lends on
// is judged against what it lent on before, not against the record of the body's own job.
//
//go:norace
func (t *Ticket) collide(c *Claim) (other holding) {
	if c.from != nil {
		return c.from.collide(t, c)
	}
	g := c.Guard
	list := g.cur
	if len(g.cur) > 0 && c.Mode.together(g.cur[0].mode()) {
		list = g.prev
	}
	for i := range list {
		if r := &list[i]; !t.runsAfter(r.ticket) {
			return r.ticket.holding(r.claim)
		}
	}
	return other
}

func (r *record) mode() Mode { return r.ticket.claims[r.claim].Mode }

// collide is Ticket.collide for what is lent on.
//
//go:norace
func (l *Lease) collide(t *Ticket, c *Claim) (other holding) {
	l.mu.Lock()
	for i := range l.lent {
		e := &l.lent[i]
		if other.ticket == nil && e.guard == c.Guard && !c.Mode.together(e.ticket.claims[e.claim].Mode) && !t.runsAfter(e.ticket) {
			other = e.ticket.holding(e.claim)
		}
	}
	l.mu.Unlock()
	return other
}

// holding describes that a job holds a container: what a text needs to know of it.
type holding struct {
	ticket     *Ticket // nil when there is none; not to be looked into
	job, field string
	site       Site
	mode       Mode
	sealed     bool
}

// holding describes what the job holds by the claim of that number. The lock under which the claim was
// found is held.
//
//go:norace
func (t *Ticket) holding(claim int32) holding {
	c := &t.claims[claim]
	return holding{ticket: t, job: t.job, field: c.Field, site: t.site, mode: c.Mode, sealed: t.sealed.Load() != 0}
}

// record notes that the ticket holds the claim of that number. The guard is locked.
//
//go:norace
func (c *Claim) record(t *Ticket, number int32) {
	g := c.Guard
	if c.from != nil {
		return // adopt notes it
	}
	if k := len(g.cur); k > 0 && g.cur[k-1].ticket == t {
		return // the same container a second time, in the same mode
	}
	switch {
	case len(g.cur) == 0 || c.Mode.together(g.cur[0].mode()):
	case c.Mode == Append && g.cur[0].mode() == Append:
		g.cur = g.cur[:0] // prev stays: what the owner may add beside Append, it may not add beside those
	default:
		g.prev, g.cur = g.cur, g.prev[:0] // keeps (I2): t runs after every job of cur
	}
	g.cur = append(g.cur, record{ticket: t, claim: number})
	g.rewrite()
}

// rewrite keeps (I1). The guard is locked.
//
//go:norace
func (g *Guard) rewrite() {
	w := g.word.Load() &^ heldAny
	for i := range g.cur {
		w |= g.cur[i].mode().held()
	}
	for i := range g.prev {
		w |= g.prev[i].mode().held()
	}
	g.word.Store(w)
}

// runsAfter says whether other is returned or in the chain of what the ticket runs after. A job can
// only run after jobs of lesser depth, and a returned job only after returned ones (I3), so both cut
// the search.
//
//go:norace
func (t *Ticket) runsAfter(other *Ticket) bool {
	if other == t {
		return true
	}
	for _, d := range t.deps {
		if d == other {
			return true
		}
	}
	var few [32]*Ticket
	seen := few[:0] // a queue that also marks
	var marks map[*Ticket]bool
	seen = append(seen, t)
	for at := 0; at < len(seen); at++ {
		for _, d := range seen[at].ancestors() {
			if d == other {
				return true
			}
			if d.depth <= other.depth || d.returned.Load() != 0 {
				continue
			}
			if marks == nil && len(seen) == len(few) {
				marks = make(map[*Ticket]bool)
				for _, s := range seen {
					marks[s] = true
				}
			}
			known := marks[d]
			if marks == nil {
				for _, s := range seen {
					known = known || s == d
				}
			} else {
				marks[d] = true
			}
			if !known {
				seen = append(seen, d)
			}
		}
	}
	return other.returned.Load() != 0
}

// ancestors returns what the job runs after, directly.
//
//go:norace
func (t *Ticket) ancestors() []*Ticket {
	t.mu.Lock()
	d := t.deps
	t.mu.Unlock()
	return d
}

// conflict is the violation of claim i against what another job holds.
func (t *Ticket) conflict(i int, o holding) *Violation {
	c := &t.claims[i]
	g := c.Guard
	at := ""
	if o.site != 0 {
		at = ", scheduled at " + o.site.String()
	}
	also := o.mode.verb()
	if o.mode == c.Mode {
		also = "also " + also
	}
	remedy := "Neither runs after the other. Add parallelfor.After(previous) when scheduling"
	switch {
	case c.Mode == Write && o.mode != Append, c.Mode == Read:
		remedy += ", or take a Reader() if the job only reads."
	case c.Mode == Append:
		remedy += ": what both add has no order otherwise."
	default:
		remedy += ", or complete the previous job first."
	}
	if c.Mode == Read {
		remedy = "Neither runs after the other. Add parallelfor.After(previous) when scheduling, or complete the previous job first."
	}
	v := g.Violation(ErrConflict, jobText(t.job, c.Field)+" "+c.Mode.verb()+" "+g.Container()+",\n\twhich "+
		jobText(o.job, o.field)+at+", "+also, remedy)
	v.Job, v.Field = t.job, c.Field
	v.OtherJob, v.OtherField, v.Scheduled = o.job, o.field, o.site.String()
	return v
}

// Start opens the phases of the containers that want to know. It is called once, after all that the
// job runs after were sealed.
func (t *Ticket) Start(p Phase) {
	if !Enabled {
		t.sort()
	}
	for k, i := range t.order {
		c := &t.claims[i]
		if c.Guard == nil || c.Guard.phased == nil || t.same(k) {
			continue
		}
		q := p
		q.Mode, q.Into = c.Mode, c.Into
		t.phases = append(t.phases, phase{Phase: q, guard: c.Guard})
		last := &t.phases[len(t.phases)-1]
		c.Guard.phased.OpenPhase(&last.Phase)
		last.open = true
	}
}

// state returns what the container of that claim left in its phase.
func (t *Ticket) state(claim int) any {
	for i := range t.phases {
		if t.phases[i].guard == t.claims[claim].Guard {
			return t.phases[i].State
		}
	}
	return nil
}

// Seal closes the phases: the additions of the cells below kept count. failed says that the job did
// not run to its end. parallel runs f(0) to f(n-1). After it the job counts as finished.
func (t *Ticket) Seal(kept int, failed bool, parallel func(n int, f func(i int))) {
	for i := range t.phases {
		p := &t.phases[i]
		if !p.open {
			continue // its container panicked
		}
		p.open = false
		p.Kept, p.Parallel = kept, parallel
		p.guard.phased.SealPhase(&p.Phase)
	}
	t.failed = failed
	t.sealed.Store(1)
}

// Return gives the containers of the job, and of all that it runs after, back to the owner: who
// called it, and those that are ordered after that. The job must be sealed. Any number of goroutines
// may call it, again and again; each finds everything returned afterwards.
func (t *Ticket) Return() {
	if !Enabled {
		t.giveBack()
		return
	}
	if len(t.ancestors()) == 0 {
		t.giveBack()
		return
	}
	chain := t.uncompleted()
	for i := len(chain) - 1; i >= 0; i-- { // (I3): ancestors first
		chain[i].giveBack()
	}
}

// uncompleted returns the ticket and all that it runs after and that is not returned, each before all
// that it runs after.
//
//go:norace
func (t *Ticket) uncompleted() []*Ticket {
	type visit struct {
		ticket *Ticket
		deps   []*Ticket
	}
	var order []*Ticket // each after all that it runs after
	seen := map[*Ticket]bool{t: true}
	path := []visit{{t, t.ancestors()}}
	for len(path) > 0 {
		top := &path[len(path)-1]
		if len(top.deps) == 0 {
			order = append(order, top.ticket)
			path = path[:len(path)-1]
			continue
		}
		d := top.deps[0]
		top.deps = top.deps[1:]
		if d.returned.Load() == 0 && !seen[d] {
			seen[d] = true
			path = append(path, visit{d, d.ancestors()})
		}
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// giveBack removes the job's records and tells the containers.
func (t *Ticket) giveBack() {
	t.giving.Lock()
	defer t.giving.Unlock()
	if t.returned.Load() != 0 {
		atom.Acquire(unsafe.Pointer(t))
		return
	}
	for k, i := range t.order {
		c := &t.claims[i]
		if c.Guard == nil || c.from != nil || t.same(k) {
			continue
		}
		back := c.Guard.forget(t) || !Enabled && (c.Mode == Write || c.Mode == Append)
		if back && c.Guard.returner != nil {
			c.Guard.returner.ReturnPhase(!t.failed)
		}
	}
	if t.parent != nil {
		t.parent.release(t)
	}
	atom.ReleaseMerge(unsafe.Pointer(t))
	t.forgetDeps()
}

// forgetDeps makes the ticket returned and lets go of what it ran after.
//
//go:norace
func (t *Ticket) forgetDeps() {
	t.mu.Lock()
	t.deps = nil
	t.mu.Unlock()
	t.returned.Store(1)
}

// forget removes the ticket's record and says whether that gave a written container back.
//
//go:norace
func (g *Guard) forget(t *Ticket) bool {
	g.mu.Lock()
	before := g.word.Load()
	g.cur = without(g.cur, t)
	g.prev = without(g.prev, t)
	g.rewrite()
	after := g.word.Load()
	g.mu.Unlock()
	const written = heldWrite | heldAppend
	return before&written != 0 && after&written == 0
}

//go:norace
func without(list []record, t *Ticket) []record {
	k := 0
	for i := range list {
		if list[i].ticket != t {
			list[k] = list[i]
			k++
		}
	}
	for i := k; i < len(list); i++ {
		list[i] = record{}
	}
	return list[:k]
}

// Claimed returns the job's claim of that number.
func (t *Ticket) Claimed(number int) *Claim { return &t.claims[number] }
