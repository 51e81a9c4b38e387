package safety

import (
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
)

// Scope is what a worker has while it executes a batch: the job, and the jobs that the body has
// scheduled. The views of the worker's copy of the job point to it. Every batch has an epoch of its
// own, so a view that was kept is stale in the next batch. A driver makes a scope for each copy of
// a job, and runs the worker under it with [Scope.Do]. Then a job that a body schedules, or a
// container that it makes, belongs to the batch.
//
// Guarantees for authors (consistency, progress, cost, allocations; docs/consistency.md):
//
//	Open, Close, Ticket  driver        wait-free  O(1)      never
//	Next                 driver        wait-free  O(views)  never
//	Do                   driver        as Run     O(1)      never
//	Discard              driver        lock       O(1)      growth
//	Busy                 linearizable  wait-free  O(1)      never
//	Children             linearizable  lock       O(jobs)   a list
type Scope struct {
	_      pad.Bytes
	epoch  atom.Stamp // a view is live if its Hold has this epoch
	ticket *Ticket
	worker int
	batch  atom.Stamp // strict builds: the batch's number
	out    atom.Stamp // strict builds: see stepOut; only the worker changes it
	first  bool       // see Binding.First
	slot   uint32     // the scope's number: see number
	lanes  *atom.Mark // with -race: of the batch, see Hold.CheckLane

	passes   atom.HiddenInt64 // the length of passed
	kids     atom.HiddenInt64 // the length of children
	mu       atom.HiddenMutex
	children []*Ticket // the nested jobs that were opened in this batch and not returned
	passed   []passing // the claims that nested jobs have on views that the body passed on
	_        pad.Bytes
}

// passing is a claim of a nested job on a view that the body has passed on.
type passing struct {
	ticket *Ticket
	guard  *Guard
	claim  int32
}

// excludes reports whether the nested job excludes the use of elements e of g in mode m.
//
//go:norace
func (p *passing) excludes(g *Guard, m Mode, e stretch) bool {
	if p.guard != g {
		return false
	}
	c := &p.ticket.claims[p.claim]
	return !m.together(c.Mode) && c.part.overlaps(e)
}

// active counts the jobs that were started and not sealed: in the first count until two goroutines
// start jobs at a time, and then in all, so that goroutines seldom change one cache line.
var (
	active [8]struct {
		_ pad.Bytes
		n atom.HiddenUint64
	}
	spread atom.HiddenUint32 // 1 once all counts are used
)

// activeHere returns the number of the count for a job that the calling goroutine starts, and how
// many counts are used. It sees that all are if a job around its caller is counted in another one.
func activeHere() (at, n uint64) {
	if atom.Exploring() || spread.Load() == 0 { // explored programs without a clock
		return 0, 1
	}
	return stripe.Hint() >> 61, uint64(len(active))
}

// activate counts a job, and returns the number of its count.
func activate() uint64 {
	if at, n := activeHere(); n > 1 || atom.Exploring() {
		active[at].n.Add(1)
		return at
	}
	if v := active[0].n.Load(); active[0].n.CompareAndSwap(v, v+1) {
		return 0
	}
	spread.Store(1)
	return activate()
}

// noneActive reports whether all counts are 0. Then no goroutine is in a body, and no stack needs
// walking. In a body it returns false, because the body's job is counted all the time.
func noneActive() bool {
	at, n := activeHere()
	for i := range n {
		if active[(at+i)%uint64(len(active))].n.Load() != 0 {
			return false
		}
	}
	return true
}

// NewScope returns a scope that is not open.
//
//go:norace
func NewScope() *Scope {
	l := new(Scope)
	if Enabled {
		l.number()
	}
	return l
}

// renumber gives the scope a new number, after a Run that did not return. The old one is on the
// stack of a goroutine that is ending, whose deferred functions are not under the scope. It is
// retired: its place has 512 other blocks of numbers before a scope gets it again.
//
//go:norace
func (l *Scope) renumber() {
	l.giveNumber(true)
	l.number()
}

// Discard gives up a scope that is not open and will not be opened again.
//
//go:norace
func (l *Scope) Discard() {
	if Enabled {
		l.giveNumber(false)
	}
}

// CurrentScope returns the scope that the calling goroutine works under, or nil if it is in no
// body. It costs a few loads while no job runs anywhere, and otherwise a walk of the stack: 1 µs.
func CurrentScope() *Scope {
	if !Enabled || noneActive() {
		return nil
	}
	n, ok := gls.Current(taken)
	if !ok {
		return nil
	}
	return numbered(n)
}

// taken reports whether a number is that of a scope. Numbers from gls.Others on are not.
func taken(n uint32) bool { return n < gls.Others && numbered(n) != nil }

// Open binds the scope to a worker of a job. first is false if the worker had another copy of the
// same job before; see [Binding.First].
//
//go:norace
func (l *Scope) Open(t *Ticket, worker int, first bool) {
	l.ticket = t
	l.worker = worker
	l.first = first
	l.epoch.Store(l.epoch.Load() + 1)
}

// Next makes every copy of a view of the batch before stale and moves the given holds to the next
// batch, which has that number.
//
//go:norace
func (l *Scope) Next(holds []*Hold, batch int) {
	if Strict {
		l.batch.Store(uintptr(batch))
	}
	if atom.Race {
		l.lanes = new(atom.Mark)
	}
	e := l.epoch.Load() + 1
	l.epoch.Store(e)
	for _, h := range holds {
		h.epoch = e
	}
}

// Close makes every view that is bound to the scope stale.
//
//go:norace
func (l *Scope) Close() {
	l.epoch.Store(l.epoch.Load() + 1)
	l.ticket = nil
}

// Ticket returns the custody of the job that the scope is open for, or nil.
func (l *Scope) Ticket() *Ticket { return l.ticket }

// Do calls r.Run once, on this goroutine, so that [CurrentScope] returns the scope until Run
// returns, panics or ends the goroutine.
func (l *Scope) Do(r interface{ Run() }) {
	if !Enabled {
		r.Run()
		return
	}
	through := false
	defer func() {
		if !through {
			l.renumber()
		}
	}()
	gls.Call(l.slot, r)
	through = true
}

// within is gls.Within.
func within(scope any, r gls.Runner) {
	if !Enabled {
		r.Run()
		return
	}
	gls.Call(scope.(*Scope).current(), r)
}

// current returns the scope's number.
//
//go:norace
func (l *Scope) current() uint32 { return l.slot }

// passedOn reports whether a nested job that is not completed excludes the use of the view. It is
// not inlined, so that Check has a small frame.
//
//go:noinline
func (l *Scope) passedOn(h *Hold) bool { return l.borrower(h).ticket != nil }

// borrower describes a nested job that is not completed and excludes the use of the view. If there
// is none, its ticket is nil.
//
//go:norace
func (l *Scope) borrower(v *Hold) (h holding) {
	e := v.part()
	l.mu.Lock()
	for i := range l.passed {
		if p := &l.passed[i]; h.ticket == nil && p.excludes(v.guard, v.mode, e) {
			h = p.ticket.holding(p.claim)
		}
	}
	l.mu.Unlock()
	return h
}

// Busy reports whether there are Children.
func (l *Scope) Busy() bool { return l.kids.Load() != 0 }

// Children returns the jobs that the body of this batch has scheduled and that are not completed
// now. In unchecked builds there are none.
//
//go:norace
func (l *Scope) Children() []*Ticket {
	l.mu.Lock()
	c := slices.Clone(l.children)
	l.mu.Unlock()
	return c
}

// adopt records a nested job, and its claims on views that the body passed on.
//
//go:norace
func (l *Scope) adopt(t *Ticket) {
	l.mu.Lock()
	if Enabled {
		l.children = append(l.children, t)
		l.kids.Store(int64(len(l.children)))
	}
	for i := range t.claims {
		if c := &t.claims[i]; c.from == l {
			l.passed = append(l.passed, passing{ticket: t, guard: c.Guard, claim: int32(i)})
		}
	}
	l.passes.Store(int64(len(l.passed)))
	l.mu.Unlock()
}

// release forgets a nested job that returned custody.
//
//go:norace
func (l *Scope) release(t *Ticket) {
	l.mu.Lock()
	for i := len(l.children) - 1; i >= 0; i-- {
		if l.children[i] == t {
			l.children = without(l.children, i)
		}
	}
	for i := len(l.passed) - 1; i >= 0; i-- {
		if l.passed[i].ticket == t {
			l.passed = without(l.passed, i)
		}
	}
	l.kids.Store(int64(len(l.children)))
	l.passes.Store(int64(len(l.passed)))
	l.mu.Unlock()
}

// keptRecords is the capacity up to which an empty list is kept, and not left to the collector.
const keptRecords = 64

// without returns the list without its element i. The order of the others stays.
//
//go:norace
func without[T any](list []T, i int) []T {
	last := len(list) - 1
	for ; i < last; i++ {
		list[i] = list[i+1] // the race detector sees what copy does
	}
	var none T
	list[last] = none
	if last == 0 && cap(list) > keptRecords {
		return nil
	}
	return list[:last]
}
