package safety

import (
	"slices"
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file finds the jobs that a job runs after: whether another job is among them, and which of
// them were not returned.

// runsAfter reports whether other was returned, or the job runs after it, directly or not. Only the
// goroutine that opens t calls it: it reads deps without the lock.
//
//go:norace
func (t *Ticket) runsAfter(other *Ticket) bool {
	return slices.Contains(t.deps, other) || t.reaches(other)
}

// reaches is runsAfter for a ticket that another goroutine may return meanwhile. Depth and returns
// cut the search: a job runs only after lesser ones, and a returned job after returned ones (I3).
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

// ancestors appends the jobs that t runs after directly to list. Once t is returned there are none.
//
//go:norace
func (t *Ticket) ancestors(list []*Ticket) []*Ticket {
	if !t.follows {
		return list
	}
	t.mu.Lock()
	list = append(list, t.deps...)
	t.mu.Unlock()
	return list
}

// depends reports whether the job runs after others, and was not returned.
//
//go:norace
func (t *Ticket) depends() bool {
	if !t.follows {
		return false
	}
	t.mu.Lock()
	some := len(t.deps) > 0
	t.mu.Unlock()
	return some
}

// walk is a call of Return on its way through the jobs that the ticket runs after.
type walk struct {
	path []*Ticket // to be returned, the last one first; before each lies one that runs after it
	most int       // the greatest length of path
}

var walks atom.Spares[walk]

// push adds the jobs that d runs after and that are not returned to the path, and reports whether
// there are any. The first of them comes last, so it is returned first.
//
//go:norace
func (w *walk) push(d *Ticket) bool {
	if !d.follows {
		return false
	}
	n := len(w.path)
	d.mu.Lock()
	for _, a := range d.deps {
		if a.returned.Load() != 0 {
			atom.Acquire(unsafe.Pointer(a)) // pairs with giveBack
		} else {
			w.path = append(w.path, a)
		}
	}
	d.mu.Unlock()
	slices.Reverse(w.path[n:])
	w.most = max(w.most, len(w.path))
	return len(w.path) > n
}

// done keeps the walk for a later one.
func (w *walk) done() {
	if atom.Worthwhile(cap(w.path), w.most) {
		w.most = 0
		walks.Give(w)
	}
}

// forgetDeps makes the ticket returned, and drops its claims and what it ran after, so that a
// handle keeps neither jobs nor containers alive. handBack has removed the records that lead to the
// claims, and no scope is open for the job.
//
//go:norace
func (t *Ticket) forgetDeps() {
	t.dropDeps()
	t.drop()
	t.giveRoom()
	t.parent = nil
	t.returned.Store(1)
}

// drop forgets the claims and phases, and what was to hear of the return.
//
//go:norace
func (t *Ticket) drop() {
	r := t.room
	if r == nil {
		return
	}
	if len(r.back)+len(r.ended)+len(r.phases) > 0 {
		clear(r.back)
		clear(r.ended)
		clear(r.phases)
		r.back, r.ended, r.phases = r.back[:0], r.ended[:0], r.phases[:0]
	}
	if clear(t.claims); r.odd != nil {
		r.odd = nil
	}
	if n := len(t.claims); n > 0 && !atom.Worthwhile(cap(t.claims), n) { // an earlier job had many more
		t.room, t.claims, t.order = nil, nil, nil
		return
	}
	t.claims, t.order = t.claims[:0], t.order[:0]
}

//go:norace
func (t *Ticket) dropDeps() {
	if !t.follows {
		return
	}
	t.mu.Lock()
	t.deps, t.fewDeps = nil, [2]*Ticket{}
	t.mu.Unlock()
}
