package safety

import "slices"

// This file is the ledger under its locks. A guard's lock protects the guard's records. A schedule
// holds the locks of all its containers at once, taken in the order of the guards' ids. The ledger
// orders nothing in the program, so everything here is hidden from the race detector.

// admitAtOnce judges the claims of a job that no body schedules, and takes the containers, in one
// pass: the common case. It returns false, and has taken nothing, unless each claim is in order and
// each container is claimed once and adopts no memory. Only jobs that After was called for may hold
// it in a way that excludes the claim. A guard is locked by one compare-and-swap, which is not
// repeated, so no order of the locks is needed. While all are locked the containers are taken, at
// one moment.
//
//go:norace
func (t *Ticket) admitAtOnce(n int, parallel bool) bool {
	if t.parent != nil || t.Ordered {
		return false
	}
	for i := range t.claims {
		c := &t.claims[i]
		g := c.Guard
		if g == nil || c.from != nil || c.loose || c.Mode-Read > Shared-Read || c.Ranged && n > c.Extent ||
			c.Mode == Write && parallel && !c.Ranged && !c.Unrestricted {
			return t.unlockFirst(i)
		}
		w := g.word.Load()
		if w&^heldAny != g.address()|live || !g.word.CompareAndSwap(w, w|locked) {
			return t.unlockFirst(i)
		}
		if g.adopted != nil || w&heldAny != 0 && !t.succeeds(g.before(c.Mode)) {
			return t.unlockFirst(i + 1)
		}
	}
	if t.follows {
		t.deepen()
	}
	for i := range t.claims {
		t.claims[i].record(t, int32(i))
	}
	t.unlockFirst(len(t.claims))
	return true
}

// before returns the records of the jobs that a claim in mode m must run after. If the claim may
// share the container with the jobs of cur, these are the jobs of prev. Otherwise they are the jobs
// of cur, and so the claim runs after those of prev (I2). The guard is locked.
//
//go:norace
func (g *Guard) before(m Mode) []record {
	if len(g.cur) > 0 && m.together(g.cur[0].mode()) {
		return g.prev
	}
	return g.cur
}

// succeeds reports whether After was called for the jobs of all records.
//
//go:norace
func (t *Ticket) succeeds(list []record) bool {
	for i := range list {
		if !slices.Contains(t.deps, list[i].ticket) {
			return false
		}
	}
	return true
}

// deepen sets the depth of a job that runs after others.
//
//go:norace
func (t *Ticket) deepen() {
	depth := t.depth.Load()
	for _, d := range t.deps {
		if below := d.depth.Load(); depth <= below {
			depth = below + 1
		}
	}
	if depth > 0 {
		t.depth.Store(depth)
	}
}

// unlockFirst unlocks the containers of the first k claims, and returns false.
//
//go:norace
func (t *Ticket) unlockFirst(k int) bool {
	for i := range t.claims[:k] {
		t.claims[i].Guard.unlock()
	}
	return false
}

// admit locks the guards of the claims, checks all claims and records them. It records nothing if
// claim i collides with what another job holds, or if the container of claim i is missing: it has
// ended or was split since sane checked it. admit also records nothing if follow has found jobs
// that an Ordered job must run after first. other is a copy made under the locks, because the other
// job may be gone afterwards.
//
//go:norace
func (t *Ticket) admit() (i int, other holding, missing bool) {
	t.deepen()
	adopting := t.adopting()
	if adopting {
		adoptions.mu.Lock() // (V1)
	}
	for k := range t.order {
		if !t.same(k) {
			t.claims[t.order[k]].Guard.lock()
		}
	}
	found := false
	for k := range t.order {
		c := &t.claims[t.order[k]]
		missing = Enabled && c.from == nil && c.Guard.word.Load()&gone != 0
		o, claim := t.collide(c)
		if o == nil && adopting {
			o, claim = t.overlap(c)
		}
		if found = missing || o != nil; found {
			i = int(t.order[k])
			if o != nil {
				other = o.holding(claim)
			}
			break
		}
	}
	if !found && t.found == 0 {
		for k := range t.order {
			t.claims[t.order[k]].record(t, t.order[k])
		}
	}
	for k := range t.order {
		if !t.same(k) {
			t.claims[t.order[k]].Guard.unlock()
		}
	}
	if adopting {
		adoptions.mu.Unlock()
	}
	return i, other, missing
}

// collide returns a job that excludes the claim, and the number of that job's claim, or nil. The
// guard is locked. A claim that a body passes on is judged against what the body passed on before.
//
//go:norace
func (t *Ticket) collide(c *Claim) (other *Ticket, claim int32) {
	if !Enabled && !t.Ordered {
		return nil, 0
	}
	if c.from != nil {
		return c.from.collide(t, c)
	}
	list := c.Guard.before(c.Mode)
	for i := range list {
		if r := &list[i]; !t.runsAfter(r.ticket) && !t.follow(r.ticket) {
			return r.ticket, r.claim
		}
	}
	return nil, 0
}

func (r *record) mode() Mode { return r.ticket.claims[r.claim].Mode }

// collide is Ticket.collide for a claim that the body passes on.
//
//go:norace
func (l *Scope) collide(t *Ticket, c *Claim) (other *Ticket, claim int32) {
	l.mu.Lock()
	for i := range l.passed {
		p := &l.passed[i]
		if other == nil && p.excludes(c.Guard, c.Mode, c.part) && !t.runsAfter(p.ticket) && !t.follow(p.ticket) {
			other, claim = p.ticket, p.claim
		}
	}
	l.mu.Unlock()
	return other, claim
}

// holding has what a text needs to know of a job that holds a container.
type holding struct {
	ticket     *Ticket // nil if there is none; only compared: another job may use it by now
	job, field string
	site       Site
	mode       Mode
	guard      *Guard // of the container
	sealed     bool
	called     bool // it has no handle
}

// holding describes what the job holds by the claim of that number. The lock under which the claim
// was found is held.
//
//go:norace
func (t *Ticket) holding(claim int32) holding {
	c := &t.claims[claim]
	return holding{
		ticket: t, job: t.job, field: c.Field, site: t.site, mode: c.Mode, guard: c.Guard,
		sealed: t.sealed.Load() != 0, called: t.Called,
	}
}

// record adds the record of claim c, which has that number in the ticket. The guard is locked.
//
//go:norace
func (c *Claim) record(t *Ticket, number int32) {
	g := c.Guard
	if c.from != nil {
		return // adopt notes it
	}
	if !Enabled && c.Mode.changes() {
		g.written++
	}
	if g.growable && c.Mode.changes() {
		g.takes.Store(g.takes.Load() + 1)
		g.taking = taking{job: t.job, field: c.Field, site: t.site}
	}
	if k := len(g.cur); k > 0 && g.cur[k-1].ticket == t {
		return // the same container a second time, in the same mode
	}
	if g.adopted != nil && len(g.cur)+len(g.prev) == 0 {
		g.enter() // (V2)
	}
	switch {
	case len(g.cur) == 0 || c.Mode.together(g.cur[0].mode()):
	case c.Mode == Append && g.cur[0].mode() == Append:
		g.drop(g.cur)
		g.cur = g.cur[:0] // prev stays: what the owner may add beside Append, it may not add beside those
	default:
		g.drop(g.prev)
		g.prev, g.cur = g.cur, g.prev[:0] // keeps (I2): t runs after every job of cur
	}
	g.cur = append(g.cur, record{ticket: t, claim: number})
	g.hold(c.Mode)
}

// drop clears a list of records that is about to be used again. Their jobs may still hold the
// container: every job recorded later runs after them (I2). The guard is locked.
//
//go:norace
func (g *Guard) drop(list []record) {
	for i := range list {
		g.unhold(list[i].mode())
		list[i] = record{}
	}
}

// forgetAlone removes the record of the claim if that is the guard's only one, of a container that
// is neither disposed nor adopted memory: the common case. The step that finds the word so locks
// the guard (I1). The one record may be another job's, which runs after this one (I3).
//
//go:norace
func (c *Claim) forgetAlone(t *Ticket) bool {
	g := c.Guard
	held := g.address() | live | c.Mode.held()
	if g.adopted != nil || !g.word.CompareAndSwap(held, held|locked) {
		return false
	}
	alone := len(g.prev) == 0 && len(g.cur) == 1 && g.cur[0].ticket == t && cap(g.cur) <= keptRecords
	if alone {
		g.cur[0], g.cur = record{}, g.cur[:0]
		g.unhold(c.Mode)
	}
	g.unlock()
	return alone
}

// forget removes the record of the claim, which is the ticket's, unless it was dropped before.
// given reports whether it was the last record that writes or appends. release is the function that
// DisposeAfter left to the last record of all, for the caller to call, and otherwise nil.
//
//go:norace
func (c *Claim) forget(t *Ticket) (given bool, release func()) {
	g := c.Guard
	if g.adopted != nil {
		adoptions.mu.Lock() // (V1)
		defer adoptions.mu.Unlock()
	}
	g.lock()
	before := g.changers()
	g.cur = g.without(g.cur, t)
	g.prev = g.without(g.prev, t)
	given = before > 0 && g.changers() == 0
	if g.release != nil && len(g.cur)+len(g.prev) == 0 {
		release, g.release = g.release, nil
	}
	if g.adopted != nil && len(g.cur)+len(g.prev) == 0 {
		g.leave()
	}
	g.unlock()
	if !Enabled {
		given = c.count(-1)
	}
	return given, release
}

// changers returns the number of records that write or append. The guard is locked.
//
//go:norace
func (g *Guard) changers() int32 { return g.holds[Write] + g.holds[Append] }

// without removes the ticket's record, if there is one, from a list. The last one takes its place.
// Jobs mostly return in the order of their schedules, so the record is near the front.
//
//go:norace
func (g *Guard) without(list []record, t *Ticket) []record {
	for i := range list {
		if list[i].ticket == t {
			g.unhold(list[i].mode())
			last := len(list) - 1
			list[i] = list[last]
			list[last] = record{}
			if last == 0 && cap(list) > keptRecords {
				return nil
			}
			return list[:last]
		}
	}
	return list
}

// count is Open of unchecked builds for a job that no other job runs after. It counts the job in
// each container that the job changes, and records nothing.
//
//go:norace
func (t *Ticket) count() {
	for i := range t.claims {
		t.claims[i].count(1)
	}
}

// count adds n to the number of jobs that change the claim's container, if its job does. It reports
// whether none is left.
//
//go:norace
func (c *Claim) count(n int) (none bool) {
	if c.Guard == nil || c.from != nil || !c.Mode.changes() {
		return false
	}
	c.Guard.lock()
	c.Guard.written += n
	none = c.Guard.written == 0
	c.Guard.unlock()
	return none
}
