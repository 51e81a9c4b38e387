package safety

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// Ticket is the custody of one job. A driver fills it ([Ticket.Reset], [Ticket.ClaimOf],
// [Ticket.After]) and opens it when the job is scheduled. It starts the ticket when all that the
// job runs after is sealed, seals it after the last batch, and returns it when the job is
// completed. One goroutine fills and opens it, one starts it, one seals it; any number may return
// it.
//
//	idle -> open -> started -> sealed -> returned
//
// Custody passes from job to job if one runs After another, and back to the owner only by Return,
// never because the job has finished: so no verdict depends on timing.
//
// Guarantees for authors (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Reset, ClaimOf, After       driver        lock                      O(1)       growth
//	ClaimLength                 driver        lock                      O(claims)  growth
//	Open                        linearizable  lock                      O(claims)  once warm never
//	Found                       driver        wait-free                 O(1)       never
//	Fits, Inherit               driver        wait-free                 O(claims)  Fits: one
//	Foreign, Phased             driver        wait-free                 O(claims)  never
//	Start                       driver        as OpenPhase              O(claims)  once warm never
//	Seal                        driver        as SealPhase              O(claims)  never
//	Return                      ledger        waits: for other Returns  O(claims)  once warm never
//	Returned                    linearizable  wait-free                 O(1)       never
//	Job, Site, Parent, Claimed  constant      wait-free                 O(1)       never
type Ticket struct {
	job    string
	site   Site
	claims []Claim // unchanged from Open until the job returns custody
	order  []int32 // numbers of the claims by ascending guard id
	parent *Scope  // the scope of the body that scheduled the job; nil if none did

	live *outstanding // from Open until the job is returned, if it has a handle: see Leaks

	// Owner is a value of the driver.
	Owner any
	// Private declares that only the goroutine that opens the ticket returns it, and that no job
	// runs after it. That makes it cheaper. The driver sets it before Open.
	Private bool
	// Called declares that the job is run and waited for in one call: there is no handle of it, and
	// no job can run after it. The driver sets it before Open.
	Called bool
	// Ordered declares that the job runs after the jobs that hold what it claims, where other jobs
	// are refused: see [Ticket.Found]. The driver sets it before Open.
	Ordered bool
	follows bool  // After was called
	failed  bool  // written by Seal
	active  uint8 // from Start to Seal, 1 and the number of the count in active; otherwise 0
	// Indices is the number of indices of a batch, if the body owns the elements of one index at a
	// time; otherwise it is 0. If it is above 1, a body does not pass on its writers. The driver
	// sets it before Start.
	Indices int

	room    *room      // what claims and order are in, and the phases
	fewDeps [2]*Ticket // what deps begins in

	sealed   atom.HiddenUint32
	returned atom.HiddenUint32

	found  int32             // the last found entries of deps are those that Found returns
	depth  atom.HiddenUint32 // longest chain of uncompleted jobs that this one runs after
	mu     atom.HiddenMutex  // protects deps; taken under the locks of guards
	deps   []*Ticket         // what the job runs after; nil once returned
	giving atom.HiddenMutex  // held by giveBack; taken before the locks of guards
}

// phase is the phase of one container; claims of the same guard share it.
type phase struct {
	Phase
	guard *Guard
	open  bool // OpenPhase has returned, and SealPhase was not called
}

// Reset makes the ticket idle for a job of the given name, scheduled at site.
//
//go:norace
func (t *Ticket) Reset(job string, site Site) {
	t.job, t.site = job, site
	if t.depth.Load() != 0 {
		t.depth.Store(0)
	}
	t.drop()
	t.parent = nil
	t.dropDeps()
	t.follows, t.failed = false, false
	t.found = 0
	t.Private, t.Called, t.Ordered, t.Indices = false, false, false, 0
	if t.sealed.Load()|t.returned.Load() != 0 {
		t.sealed.Store(0)
		t.returned.Store(0)
	}
}

// nextClaim adds a zero claim.
func (t *Ticket) nextClaim() *Claim {
	k := len(t.claims)
	if k == cap(t.claims) {
		t.grow()
	}
	t.claims = t.claims[:k+1]
	return &t.claims[k]
}

// ClaimOf adds the claim of the view in the field, which is not [Field.Stale].
func (t *Ticket) ClaimOf(f *Field) {
	c, h := t.nextClaim(), f.hold
	c.Guard, c.Mode = h.guard, h.mode
	if h.scope != nil {
		c.from, c.epoch, c.part = h.scope, h.epoch, h.part()
	}
	if f.claimer != nil {
		f.claimer.Claim(c)
		c.loose = c.Ranged && !f.ranges
	}
	if c.Field = f.Path; (c.Guard == nil || c.loose) && t.room.odd == nil {
		t.room.odd = f.View
	}
}

// After makes the job run after the job of d. A nil d is no job.
//
//go:norace
func (t *Ticket) After(d *Ticket) {
	if d == nil {
		return
	}
	if t.deps == nil {
		t.deps = t.fewDeps[:0]
	}
	t.deps, t.follows = append(t.deps, d), true
}

// Job returns the job's name; a nil ticket has none.
func (t *Ticket) Job() string {
	if t == nil {
		return ""
	}
	return t.job
}

// Site returns where the job was scheduled; 0 for a nil ticket.
func (t *Ticket) Site() Site {
	if t == nil {
		return 0
	}
	return t.site
}

// Parent returns the scope of the batch whose body scheduled the job. It is nil if no body did, and
// once the job was returned.
func (t *Ticket) Parent() *Scope {
	if t == nil {
		return nil
	}
	return t.parent
}

// Returned reports whether custody was returned. It is true for a nil ticket.
func (t *Ticket) Returned() bool { return t == nil || t.returned.Load() != 0 }

// Open checks the claims of a job of n indices against the rules and against all jobs that hold the
// same containers, and records them. l is the scope of the batch whose body schedules the job, or
// nil: what [CurrentScope] returns to the goroutine that schedules it. parallel declares that
// several workers may run the job. Open takes all containers at one moment, and waits for no job.
// It returns the violation if a rule is broken, and then changes nothing. An Ordered job may have
// to run after other jobs first: see [Ticket.Found].
func (t *Ticket) Open(l *Scope, n int, parallel bool) *Violation {
	if !Enabled {
		t.openUnchecked()
		return nil
	}
	t.parent = l
	t.sort()
	atom.ReleaseMerge(unsafe.Pointer(t))
	if !t.admitAtOnce(n, parallel) {
		if v := t.admitBeside(n, parallel); v != nil || t.found > 0 {
			return v
		}
	}
	if t.parent != nil {
		t.parent.adopt(t)
	}
	if !t.Private && !t.Called {
		t.enlist()
	}
	return nil
}

// admitBeside is admitAtOnce for jobs that it does not take. It
// returns the violation if it takes nothing, except if it has found jobs to run after.
func (t *Ticket) admitBeside(n int, parallel bool) *Violation {
	if v := t.sane(n, parallel); v != nil {
		return v
	}
	if v := t.alone(); v != nil {
		return v
	}
	i, other, missing := t.admit()
	if missing {
		c := &t.claims[i]
		v := t.unavailable(c)
		v.Job, v.Field = t.job, c.Field
		return v
	}
	if other.ticket != nil {
		atom.Acquire(unsafe.Pointer(other.ticket))
		return t.conflict(i, &other)
	}
	return nil
}

// sort orders the numbers of the claims by their guards' ids: the order in which every schedule
// locks them, so that no two wait for each other.
func (t *Ticket) sort() {
	t.order = t.order[:0]
	for i := range t.claims {
		g := t.claims[i].Guard
		if g == nil {
			continue // unchecked builds let views without one through
		}
		t.order = append(t.order, int32(i))
		for j := len(t.order) - 1; j > 0 && g.id < t.claims[t.order[j-1]].Guard.id; j-- {
			t.order[j], t.order[j-1] = t.order[j-1], t.order[j]
		}
	}
}

// same reports whether the k-th claim in order has the same guard as the one before.
func (t *Ticket) same(k int) bool {
	return k > 0 && t.claims[t.order[k]].Guard == t.claims[t.order[k-1]].Guard
}

// Start opens the phases of the containers that hear of them. It is called once, after all jobs
// that the job runs after were sealed.
func (t *Ticket) Start(p Phase) {
	if !Enabled {
		t.sort()
	} else {
		t.active = uint8(activate()) + 1
		if t.live != nil {
			t.live.step.Store(hasStarted)
		}
	}
	if Strict {
		defer stepOut()()
	}
	for k, i := range t.order {
		c := &t.claims[i]
		if c.Guard.phased == nil || t.same(k) {
			continue
		}
		r := t.room
		if len(r.phases) == 0 && cap(r.phases) < len(t.order)-k {
			r.phases = make([]phase, 0, len(t.order)-k) // they stay where they are
		}
		q := p
		q.Mode, q.Into, q.Lent, q.ticket = c.Mode, c.Into, c.from != nil, t
		r.phases = append(r.phases, phase{Phase: q, guard: c.Guard})
		last := &r.phases[len(r.phases)-1]
		c.Guard.phased.OpenPhase(&last.Phase)
		last.open = true
	}
}

// state returns the State of the phase of the claim's container, or the claim's Into if the
// container is not Phased.
func (t *Ticket) state(claim int) any {
	if g := t.claims[claim].Guard; g != nil && g.phased == nil {
		return t.claims[claim].Into
	}
	for i := range t.room.phases {
		if t.room.phases[i].guard == t.claims[claim].Guard {
			return t.room.phases[i].State
		}
	}
	return nil
}

// Seal seals the phases: the additions of the batches below kept count. failed declares that the
// job did not run to its end. parallel runs f(0) to f(n-1). From then on the job counts as
// finished.
func (t *Ticket) Seal(kept int, failed bool, parallel func(n int, f func(i int))) {
	if at := t.active; at > 0 {
		t.active = 0
		active[at-1].n.Add(^uint64(0))
	}
	if Strict {
		defer stepOut()()
	}
	if r := t.room; r != nil {
		for i := range r.phases {
			p := &r.phases[i]
			if !p.open {
				continue // its container panicked
			}
			p.open = false
			p.Kept, p.Parallel = kept, parallel
			p.guard.phased.SealPhase(&p.Phase)
		}
	}
	t.failed = failed
	if !t.Private {
		t.sealed.Store(1)
	}
	if t.live != nil {
		t.live.step.Store(hasFinished)
	}
}

// Phased reports whether a container of the job hears of phases, between Open and Return.
func (t *Ticket) Phased() bool {
	for i := range t.claims {
		if g := t.claims[i].Guard; g != nil && g.phased != nil {
			return true
		}
	}
	return false
}

// Foreign reports whether a container of the job is a [Phased] or a [Returner] of another package
// than array, counter, hashmap, queue and table. The phase operations of these call no function of
// their users, except folds and Hashers, for which a map tells the driver itself. It is for a
// ticket that was opened and not returned.
func (t *Ticket) Foreign() bool {
	for i := range t.claims {
		if g := t.claims[i].Guard; g != nil && g.foreignPhases {
			return true
		}
	}
	return false
}

// Claimed returns the job's claim of that number. A ticket that was returned has none.
func (t *Ticket) Claimed(number int) *Claim { return &t.claims[number] }
