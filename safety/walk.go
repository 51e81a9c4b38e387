package safety

import (
	"slices"
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file is what a ticket runs after: whether another is among that, and the walk through all of
// it that is not returned.

// runsAfter reports whether other is returned, or is among what the ticket runs after, directly or
// not. A job runs only after jobs of lesser depth, and a returned job only after returned ones
// (I3), so both cut the search.
//
//go:norace
func (t *Ticket) runsAfter(other *Ticket) bool {
	return slices.Contains(t.deps, other) || t.reaches(other)
}

// reaches is runsAfter of a ticket that another goroutine may return meanwhile.
//
//go:norace
func (t *Ticket) reaches(other *Ticket) bool {
	var few [32]*Ticket
	seen := few[:0] // a queue that also marks
	var marks map[*Ticket]bool
	seen = append(seen, t)
	var fewDeps [8]*Ticket
	deps := fewDeps[:0]
	for at := 0; at < len(seen); at++ {
		deps = seen[at].ancestors(deps[:0])
		for _, d := range deps {
			if d == other {
				return true
			}
			if d.depth.Load() <= other.depth.Load() || d.returned.Load() != 0 {
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
				known = slices.Contains(seen, d)
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

// ancestors appends to list what the job runs after directly, or nothing once it is returned.
//
//go:norace
func (t *Ticket) ancestors(list []*Ticket) []*Ticket {
	t.mu.Lock()
	list = append(list, t.deps...)
	t.mu.Unlock()
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
	order, deps []*Ticket // order has each after all that it runs after
	path        []visit
	seen        map[*Ticket]bool // beyond fewSeen
}

type visit struct {
	ticket  *Ticket
	through bool // what it runs after was visited
}

var walks atom.Spares[walk]

// uncompleted returns the ticket and all that it runs after and that is not returned, each after
// all that it runs after.
//
//go:norace
func (t *Ticket) uncompleted() *walk {
	w := walks.Take()
	if w == nil {
		w = new(walk)
	}
	w.path = append(w.path[:0], visit{ticket: t})
	for len(w.path) > 0 {
		top := &w.path[len(w.path)-1]
		d := top.ticket
		switch {
		case top.through:
			w.path = w.path[:len(w.path)-1]
			w.see(d)
		case d != t && w.saw(d):
			w.path = w.path[:len(w.path)-1]
		case d != t && d.returned.Load() != 0:
			w.path = w.path[:len(w.path)-1]
			atom.Acquire(unsafe.Pointer(d)) // pairs with giveBack
		default:
			top.through = true
			w.deps = d.ancestors(w.deps[:0])
			for i := len(w.deps) - 1; i >= 0; i-- {
				w.path = append(w.path, visit{ticket: w.deps[i]})
			}
		}
	}
	return w
}

// fewSeen is up to how many a walk looks through what it has seen.
const fewSeen = 32

// see notes that all which a ticket runs after is in the order, and then it too; saw reports
// whether it is.
//
//go:norace
func (w *walk) see(t *Ticket) {
	w.order = append(w.order, t)
	if w.seen == nil && len(w.order) > fewSeen {
		w.seen = make(map[*Ticket]bool)
		for _, s := range w.order {
			w.seen[s] = true
		}
	}
	if w.seen != nil {
		w.seen[t] = true
	}
}

//go:norace
func (w *walk) saw(t *Ticket) bool { return w.seen[t] || w.seen == nil && slices.Contains(w.order, t) }

// done ends the walk.
func (w *walk) done() {
	n := len(w.order)
	for _, s := range [...]*[]*Ticket{&w.order, &w.deps} {
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

// forgetDeps makes the ticket returned and drops what it ran after and its claims, so that a handle
// keeps neither jobs nor containers. No record leads to the claims any more, and no scope is open
// for the job.
//
//go:norace
func (t *Ticket) forgetDeps() {
	t.dropDeps()
	t.drop()
	t.giveRoom()
	t.parent = nil
	t.returned.Store(1)
}

// drop forgets what is claimed.
//
//go:norace
func (t *Ticket) drop() {
	clear(t.claims)
	clear(t.phases)
	if n := len(t.claims); n > 0 && !atom.Worthwhile(cap(t.claims), n) { // an earlier job had many more
		t.room, t.claims, t.order, t.phases = nil, t.fewClaims[:0], t.fewOrder[:0], nil
		return
	}
	t.claims, t.order, t.phases = t.claims[:0], t.order[:0], t.phases[:0]
}

//go:norace
func (t *Ticket) dropDeps() {
	t.mu.Lock()
	t.deps, t.fewDeps = nil, [2]*Ticket{}
	t.mu.Unlock()
}
