package safety

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file is what the ledger does under its locks: a guard's mu protects the guard's records, and a
// schedule holds those of all its containers at once, taken in the order of the guards' ids. Everything
// here is hidden from the race detector, because the ledger orders nothing in the program.

// admit locks the guards, checks all claims and records them, or finds the claim i that collides with
// what another job holds, or whose container is gone since it was looked at. No code but the ledger's
// runs under the locks, and what is found is copied there: the other job may be gone once they are
// released.
//
//go:norace
func (t *Ticket) admit() (i int, other holding, gone bool) {
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
		if other.ticket == nil && !gone {
			i = int(t.order[k])
			c := &t.claims[i]
			gone = c.Guard.word.Load()&dead != 0
			other = t.collide(c)
			t.again = t.again || c.moved()
		}
	}
	if other.ticket == nil && !gone && !t.again {
		for k := range t.order {
			t.claims[t.order[k]].record(t, t.order[k])
		}
	}
	for k := range t.order {
		if !t.same(k) {
			t.claims[t.order[k]].lockable().Unlock()
		}
	}
	return i, other, gone
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
		if d.returned.Load() != 0 {
			atom.Acquire(unsafe.Pointer(d)) // what its containers did then happens before what follows here
		} else if !seen[d] {
			seen[d] = true
			path = append(path, visit{d, d.ancestors()})
		}
	}
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
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

// count is Open of unchecked builds: it counts the jobs that write.
//
//go:norace
func (t *Ticket) count() {
	for i := range t.claims {
		c := &t.claims[i]
		if c.Guard == nil || c.from != nil {
			continue
		}
		c.Guard.mu.Lock()
		t.again = t.again || c.moved()
		if c.Mode.changes() {
			c.Guard.written++
		}
		c.Guard.mu.Unlock()
	}
	if t.again {
		for i := range t.claims {
			t.claims[i].uncount()
		}
	}
}

// uncount ends what count counted, and says whether nobody writes the container any more.
//
//go:norace
func (c *Claim) uncount() bool {
	if c.Guard == nil || c.from != nil || !c.Mode.changes() {
		return false
	}
	c.Guard.mu.Lock()
	c.Guard.written--
	none := c.Guard.written == 0
	c.Guard.mu.Unlock()
	return none
}
