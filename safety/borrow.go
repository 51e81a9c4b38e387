package safety

import (
	"runtime"
	"strings"
)

// Borrow goes with what a growable container hands out of its data: a slice, an iterator, a view of
// a part. Its Check reports a use after the container has grown or shrunk, or was passed to a job
// that may do so. The container makes one by [Guard.Borrow], calls [Guard.Bump] wherever its
// structure changes, and keeps the Borrow in what it hands out, whose methods call Check. The zero
// Borrow belongs to no container, and is refused.
//
//	func (s *Stack[T]) All() iter.Seq[T] {
//		return func(yield func(T) bool) {
//			borrow := s.guard.Borrow("an iterator", 0)
//			for i := 0; i < len(s.items); i++ {
//				if !yield(s.items[i]) {
//					return
//				}
//				borrow.Check() // the body may have pushed
//			}
//		}
//	}
//
// A Borrow is a small value. It orders nothing: the goroutine that owns the container uses it.
// Each method, for authors: owner reads; wait-free; O(1); allocates never.
type Borrow struct {
	guard *Guard
	view  *Hold // of a body: the view that it was taken through, with its scope and epoch then
	scope *Scope
	epoch uintptr
	word  uint64 // of BorrowLook: the custody word when it was taken; otherwise 0
	what  string
	site  Site // where it was taken
	stamp stamps
}

// Borrow returns a borrow of the container's data as they are now. what is what is handed out, with
// its article. The caller of the function that calls Borrow, skip frames further up, is recorded as
// the place where it was taken. It panics, as [Guard.CheckRead] does, unless the container may be
// read. Unchecked builds record nothing.
func (g *Guard) Borrow(what string, skip int) Borrow {
	if !Enabled {
		return Borrow{}
	}
	g.CheckRead()
	return Borrow{guard: g, what: what, site: Caller(skip + 2), stamp: g.stamps()}
}

// Borrow is [Guard.Borrow] for a view, in the body of a job that holds the container. It ends with
// the view's batch.
func (h *Hold) Borrow(what string, skip int) Borrow {
	if !Enabled {
		return Borrow{}
	}
	h.Check()
	site := Caller(skip + 2)
	return Borrow{guard: h.guard, view: h, scope: h.scope, epoch: h.epoch, what: what, site: site, stamp: h.guard.stamps()}
}

// BorrowLook is [Guard.Borrow] for a weakly consistent iterator of a container that other
// goroutines may use meanwhile. BorrowLook panics, as [Guard.CheckLook] does, unless the container
// may be looked at, and so does the borrow's Check.
//
// Only a job that writes or appends to a growable container ends the borrow (see [Guard.Growable]).
// Ordinary operations and jobs that share the container do not: the iterator may come upon their
// changes.
func (g *Guard) BorrowLook(what string, skip int) Borrow {
	if !Enabled {
		return Borrow{}
	}
	word := g.word.Load() | live
	g.CheckLook()
	if word&noRead != 0 && word&noShared != 0 { // CheckLook saw a later word
		word = live // no guard's word: that has the address too
	}
	return Borrow{guard: g, word: word, what: what, site: Caller(skip + 2), stamp: g.stamps()}
}

// Bump ends all borrows of the container, because op, as in "was changed by Push", makes what was
// handed out wrong. The caller has custody: it has called [Guard.CheckWrite], or is a job's view
// that writes, or the container's SealPhase.
//
//go:norace
func (g *Guard) Bump(op string) {
	if Enabled {
		g.changes.Store(g.changes.Load() + 1)
		g.changed = op
	}
}

// Growable notes that jobs which write or append to the container may change its structure:
// scheduling one ends all borrows except those of views. A container calls it once, after Init.
func (g *Guard) Growable() { g.growable = true }

// taking describes the job that took a growable container to change it.
type taking struct {
	job, field string
	site       Site
}

// stamps count what has ended borrows: changes, and jobs that took the container. Such a job runs
// after the bodies that have a view, so it does not end the borrows of views.
type stamps struct{ changes, takes uint64 }

func (g *Guard) stamps() stamps { return stamps{g.changes.Load(), g.takes.Load()} }

// Check panics unless what was handed out may be used now: nothing has ended the borrow, and the
// container may be read, or the view that it was taken through may be used. It costs as much as two
// checks of a container.
func (l *Borrow) Check() {
	if Enabled && (Strict || l.word == 0 || l.guard.word.Load() != l.word || l.guard.takes.Load() != l.stamp.takes) {
		l.check()
	}
}

// check is Check when the custody word may have changed since the borrow was made, and for all
// other borrows.
func (l *Borrow) check() {
	if l.guard == nil {
		panic(NewViolation(ErrBorrowed, "something was used as if a container had handed it out",
			"Take it from the container."))
	}
	now := l.guard.stamps()
	if l.word != 0 {
		if now.takes != l.stamp.takes {
			panic(l.over(true))
		}
		l.guard.CheckLook()
		return
	}
	if l.view != nil {
		if l.scope.epoch.Load() != l.epoch { // the view may be another batch's, or another job's
			panic(l.ended())
		}
		l.view.Check()
		if now.changes != l.stamp.changes {
			panic(l.over(false))
		}
		return
	}
	if now != l.stamp {
		panic(l.over(now.takes != l.stamp.takes))
	}
	l.guard.CheckRead()
}

// ended returns the violation of using what a body was handed out after its batch.
func (l *Borrow) ended() *Violation {
	return l.guard.Violation(ErrStaleView, l.text()+" was used after the batch that it was taken in had ended",
		"Do not keep what a view hands out, and do not hand it to goroutines that outlive the call of the body.")
}

// text names what was handed out, and where.
func (l *Borrow) text() string { return l.what + " of " + l.guard.Container() + l.taken() }

// taken returns where the borrow was taken. It returns nothing for an iterator that iter.Pull runs:
// the function that calls it is not on the stack.
func (l *Borrow) taken() string {
	f, _ := runtime.CallersFrames([]uintptr{uintptr(l.site)}).Next()
	if strings.HasPrefix(f.Function, "iter.") {
		return ""
	}
	return ", taken at " + l.site.String() + ","
}

// over returns the violation of using what was handed out after its end: a job took the container
// if taken is true, and otherwise the container was changed.
//
//go:norace
func (l *Borrow) over(taken bool) *Violation {
	g := l.guard
	if w := g.word.Load(); w&dead != 0 {
		return g.missing("read through " + l.what + l.taken())
	}
	var by taking
	why := g.Container() + " " + g.changed
	if taken {
		g.lock()
		by = g.taking
		g.unlock()
		why = jobText(by.job, by.field) + by.site.scheduled(",") + " took " + g.Container() + " to change it"
	}
	v := g.Violation(ErrBorrowed, l.text()+" was used after "+why,
		"Take it again after the change, or copy what is needed before.")
	v.OtherJob, v.OtherField, v.Scheduled = by.job, by.field, by.site.String()
	if l.view != nil {
		l.view.Blame(v)
	}
	return v
}
