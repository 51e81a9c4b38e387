package safety

import (
	"slices"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/internal/pad"
)

// Scope is one worker's hold on the containers of the job it runs: the views of the worker's copy of
// the job point to it, and it moves with every batch, so that a copy of a view that was kept is stale
// in the next batch. Drivers make one for each copy of a job, and run the worker under it with [Scope.Do],
// so that a schedule from inside a body, and a container made there, knows its batch.
type Scope struct {
	_      pad.Bytes
	epoch  atom.Stamp
	ticket *Ticket
	worker int
	batch  atom.Stamp // strict builds: the batch's number
	out    atom.Stamp // strict builds: how deep its worker is in what containers do of their own; only that worker changes it
	first  bool       // see Binding.First
	slot   uint32
	lanes  atom.HiddenPointer[atom.Mark] // with -race: the batch's use of the worker's lanes

	lents    atom.HiddenInt64 // how many entries lent has
	kids     atom.HiddenInt64 // how many entries children has
	mu       atom.HiddenMutex
	children []*Ticket // opened in this batch and not returned
	lent     []lending // what they hold of this scope's claims
	_        pad.Bytes
}

// lending says that a nested job holds part of a claim.
type lending struct {
	ticket *Ticket
	guard  *Guard
	claim  int32
}

// active counts the jobs that were started and not sealed. While it is 0 nobody is in a body and no stack
// needs walking.
var active atom.HiddenInt64

// NewScope returns a scope that is not open.
func NewScope() *Scope {
	l := new(Scope)
	if Enabled {
		l.number()
	}
	return l
}

// renumber gives the scope a new number, because the old one is on the stack of a goroutine that is
// ending and whose deferred functions are not under the scope any more. That number is retired:
// another scope gets it only after 512 blocks of numbers in its place.
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

// CurrentScope returns the scope that the calling goroutine works under, or nil when it is in no
// body. It costs one load while no job is running anywhere, and a walk of the stack otherwise.
func CurrentScope() *Scope {
	if !Enabled || active.Load() == 0 {
		return nil
	}
	n, ok := gls.Current(taken)
	if !ok {
		return nil
	}
	return numbered(n)
}

// taken says whether a number is that of a scope: those from gls.Others on are not.
func taken(n uint32) bool { return n < gls.Others && numbered(n) != nil }

// Open binds the scope to a worker of a job. first is false when the worker had another copy of the
// same job before; see [Binding.First].
func (l *Scope) Open(t *Ticket, worker int, first bool) {
	l.ticket = t
	l.worker = worker
	l.first = first
	l.epoch.Store(l.epoch.Load() + 1)
}

// Next makes every copy of a view of the batch before stale and moves the given holds to the next
// batch, which has that number.
func (l *Scope) Next(holds []*Hold, batch int) {
	if Strict {
		l.batch.Store(uintptr(batch))
	}
	if atom.Race {
		l.lanes.Store(new(atom.Mark))
	}
	e := l.epoch.Load() + 1
	l.epoch.Store(e)
	for _, h := range holds {
		h.epoch = e
	}
}

// Close makes every view that is bound to the scope stale.
func (l *Scope) Close() {
	l.epoch.Store(l.epoch.Load() + 1)
	l.ticket = nil
}

// Ticket returns the custody of the job that the scope is open for.
func (l *Scope) Ticket() *Ticket { return l.ticket }

// Do calls r.Run once, on this goroutine, so that [CurrentScope] finds the scope inside. It counts as running until
// Run returns, panics or ends the goroutine.
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

// lending says whether anything is lent to nested jobs.
func (l *Scope) lending() bool { return l.lents.Load() != 0 }

// lentOut says whether a nested job that is not completed holds the container in a way that excludes
// the use in mode m.
//
//go:norace
func (l *Scope) lentOut(g *Guard, m Mode) bool {
	l.mu.Lock()
	found := false
	for i := range l.lent {
		e := &l.lent[i]
		if e.guard == g && !m.together(e.ticket.claims[e.claim].Mode) {
			found = true
		}
	}
	l.mu.Unlock()
	return found
}

// borrower describes a nested job that is not completed and holds the container in a way that excludes the use in
// mode m, if there is one.
//
//go:norace
func (l *Scope) borrower(g *Guard, m Mode) (h holding) {
	l.mu.Lock()
	for i := range l.lent {
		e := &l.lent[i]
		if h.ticket == nil && e.guard == g && !m.together(e.ticket.claims[e.claim].Mode) {
			h = e.ticket.holding(e.claim)
		}
	}
	l.mu.Unlock()
	return h
}

// Busy says whether there are Children.
func (l *Scope) Busy() bool { return l.kids.Load() != 0 }

// Children returns the jobs that the body of this batch has scheduled and that were not completed,
// as they are now. Unchecked builds have no such jobs.
//
//go:norace
func (l *Scope) Children() []*Ticket {
	l.mu.Lock()
	c := slices.Clone(l.children)
	l.mu.Unlock()
	return c
}

// adopt records a nested job.
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
			l.lent = append(l.lent, lending{ticket: t, guard: c.Guard, claim: int32(i)})
		}
	}
	l.lents.Store(int64(len(l.lent)))
	l.mu.Unlock()
}

// release forgets a nested job that returned custody.
//
//go:norace
func (l *Scope) release(t *Ticket) {
	l.mu.Lock()
	k := 0
	for _, c := range l.children {
		if c != t {
			l.children[k] = c
			k++
		}
	}
	for i := k; i < len(l.children); i++ {
		l.children[i] = nil
	}
	if l.children = l.children[:k]; k == 0 && cap(l.children) > keptRecords {
		l.children = nil
	}
	l.kids.Store(int64(k))
	k = 0
	for _, e := range l.lent {
		if e.ticket != t {
			l.lent[k] = e
			k++
		}
	}
	for i := k; i < len(l.lent); i++ {
		l.lent[i] = lending{}
	}
	if l.lent = l.lent[:k]; k == 0 && cap(l.lent) > keptRecords {
		l.lent = nil
	}
	l.lents.Store(int64(k))
	l.mu.Unlock()
}
