package safety

import (
	"slices"
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file is what a ticket runs after: whether another is among that, and the walk through all of it that is not returned.
// The goroutines that look may be others than those whose jobs these are, so they know lives (L3).

// runsAfter says whether other is returned or in the chain of what the ticket runs after. A job can
// only run after jobs of lesser depth, and a returned job only after returned ones (I3), so both cut
// the search.
//
//go:norace
func (t *Ticket) runsAfter(other *Ticket) bool {
	for _, d := range t.deps {
		if d.ticket == other && !d.Ended() {
			return true
		}
	}
	return t.reaches(other)
}

// reaches is runsAfter of a ticket that may be anybody's: of one that another goroutine may return meanwhile. It enters no life (L3): what it reads
// of one counts only if that has not ended afterwards (L4). A ticket whose life has ended was returned: then nothing that is not returned is to be
// found behind it.
//
//go:norace
func (t *Ticket) reaches(other *Ticket) bool {
	var few [32]Life
	seen := few[:0] // a queue that also marks
	var marks map[Life]bool
	seen = append(seen, t.Life())
	var fewDeps [8]Life
	deps := fewDeps[:0]
	for at := 0; at < len(seen); at++ {
		deps = seen[at].ancestors(deps[:0])
		for _, d := range deps {
			if d.ticket == other && !d.Ended() {
				return true
			}
			if d.ticket.depth.Load() <= other.depth.Load() || d.ticket.returned.Load() != 0 || d.Ended() {
				continue
			}
			if marks == nil && len(seen) == len(few) {
				marks = make(map[Life]bool)
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

// ancestors appends to list what the job of that life runs after, directly; nothing if the life has ended.
//
//go:norace
func (l Life) ancestors(list []Life) []Life {
	l.ticket.mu.Lock()
	if !l.Ended() { // nobody gives the ticket others meanwhile
		list = append(list, l.ticket.deps...)
	}
	l.ticket.mu.Unlock()
	return list
}

// depends says whether the job runs after others, and was not returned.
//
//go:norace
func (t *Ticket) depends() bool {
	t.mu.Lock()
	some := len(t.deps) > 0
	t.mu.Unlock()
	return some
}

// walk is a way through what a ticket runs after.
type walk struct {
	order, deps []Life // order has each after all that it runs after
	path        []visit
	seen        map[Life]bool // beyond few
}

type visit struct {
	life    Life
	through bool // what it runs after was visited
}

var walks atom.Spares[walk]

// uncompleted returns the present life of the ticket and those of all that it runs after and that is not returned, each after all
// that it runs after. But for the ticket's own, which is the last, they are entered.
//
//go:norace
func (t *Ticket) uncompleted() *walk {
	w := walks.Take()
	if w == nil {
		w = new(walk)
	}
	first := t.Life()
	w.path = append(w.path[:0], visit{life: first})
	for len(w.path) > 0 {
		top := &w.path[len(w.path)-1]
		l := top.life
		switch {
		case top.through:
			w.path = w.path[:len(w.path)-1]
			w.see(l)
		case l != first && w.saw(l):
			w.path = w.path[:len(w.path)-1]
		case l != first && (l.ticket.returned.Load() != 0 || !l.Enter()):
			w.path = w.path[:len(w.path)-1]
			atom.Acquire(unsafe.Pointer(l.ticket)) // what its containers did happens before what follows here
		default:
			top.through = true
			w.deps = l.ancestors(w.deps[:0])
			for i := len(w.deps) - 1; i >= 0; i-- {
				w.path = append(w.path, visit{life: w.deps[i]})
			}
		}
	}
	return w
}

// fewSeen is up to how many a walk looks through what it has seen.
const fewSeen = 32

// see notes that all which a life runs after is in the order, and then it too; saw says whether it is.
//
//go:norace
func (w *walk) see(l Life) {
	w.order = append(w.order, l)
	if w.seen == nil && len(w.order) > fewSeen {
		w.seen = make(map[Life]bool)
		for _, s := range w.order {
			w.seen[s] = true
		}
	}
	if w.seen != nil {
		w.seen[l] = true
	}
}

//go:norace
func (w *walk) saw(l Life) bool { return w.seen[l] || w.seen == nil && slices.Contains(w.order, l) }

// done ends the walk, and leaves the lives that it has entered: all but the ticket's own.
func (w *walk) done() {
	for _, l := range w.order[:len(w.order)-1] {
		l.Leave()
	}
	n := len(w.order)
	for _, s := range [...]*[]Life{&w.order, &w.deps} {
		clear((*s)[:cap(*s)])
		if *s = (*s)[:0]; !atom.Worthwhile(cap(*s), n) {
			*s = nil
		}
	}
	clear(w.path[:cap(w.path)])
	if w.path = w.path[:0]; !atom.Worthwhile(cap(w.path), n) {
		w.path = nil
	}
	w.seen = nil
	walks.Give(w)
}

// forgetDeps makes the ticket returned and lets go of what it ran after, and of its containers: whoever knows the job, or an earlier one of the
// ticket, is not to keep these. No record leads to the claims any more, and no lease is open for the job.
//
//go:norace
func (t *Ticket) forgetDeps() {
	t.dropDeps()
	t.drop()
	t.returned.Store(1)
}

// drop forgets what is claimed.
//
//go:norace
func (t *Ticket) drop() {
	clear(t.claims)
	clear(t.phases)
	if n := len(t.claims); n > 0 && !atom.Worthwhile(cap(t.claims), n) { // an earlier job had many more
		t.claims, t.order, t.phases = nil, nil, nil
		return
	}
	t.claims, t.order, t.phases = t.claims[:0], t.order[:0], t.phases[:0]
}

//go:norace
func (t *Ticket) dropDeps() {
	t.mu.Lock()
	t.deps, t.fewDeps = nil, [2]Life{}
	t.mu.Unlock()
}
