package safety

import (
	"unsafe"

	"example.com/custody/internal/atom"
)

// This file has the texts of why a use of a container by its own methods is refused.

// useText returns the beginning of a text: that op was done to the container. If op only classifies
// the use, it names the function that the program called instead.
func (g *Guard) useText(op string) string { return g.useTextOf(g.Container(), op) }

// useTextOf is useText for a container that what names.
func (g *Guard) useTextOf(what, op string) string {
	switch op {
	case "read", "changed", "looked at", "used", "added to":
		p := here(g.owner)
		if p.callee == "" && g.owner == nil {
			p.callee = p.method // of a type that no Init told the guard
		}
		if p.callee != "" {
			return p.callee + " was called on " + what
		}
	}
	return what + " was " + op
}

// refuse panics with the violation of a use of the container. op is the use, as a participle; no
// are the bits of the word that forbid it. It is not inlined, so that the Check methods are.
//
//go:noinline
func (g *Guard) refuse(op string, no uint64) { panic(g.refusal(op, no)) }

// refusal returns the violation of a use of the container. The job that forbade the use may be gone
// by now: the use was still not ordered with it, and the text says that.
func (g *Guard) refusal(op string, no uint64) *Violation {
	if v := g.missing(op); v != nil {
		return v
	}
	return g.inFlight(op, no)
}

// inFlight returns the violation of using a container that a job holds in a mode of these bits.
func (g *Guard) inFlight(op string, no uint64) *Violation {
	h := g.holder(no)
	if h.ticket == nil {
		return g.Violation(ErrInFlight, g.useText(op)+" while a job that another goroutine completed meanwhile held it",
			"Order this use with that goroutine's Complete, by a channel or a lock.")
	}
	atom.Acquire(unsafe.Pointer(h.ticket))
	state := "was not completed"
	do := "Call Complete on its handle, or on that of a job that runs after it, first."
	if h.sealed {
		state = "has finished but was not completed"
		do = "Having finished does not give a container back: call Complete on its handle, or on that of a job that runs after it, first."
	}
	if op == "disposed" {
		do = g.remedy(do)
	}
	if h.called {
		do = "A function that the job calls, as one that compares or merges values, must not use the container. Another goroutine orders its use with the one that ran the job, by a channel or a lock: the job was run, not scheduled, and has no handle."
	}
	if l := CurrentScope(); l != nil && l.ticket == h.ticket {
		do = "Inside the job use the view of it that the job carries."
		switch op {
		case "disposed":
			do = "Dispose it outside, when the job was completed: a job gives back what it was lent."
		case "split", "joined":
			do = "Split and join outside, when the job was completed: a job gives back what it was lent."
		}
	}
	used := g.useText(op) + " while " + jobText(h.job, h.field) + h.site.scheduled(",") + " " + h.mode.verb() + " it and " + state
	return g.Violation(ErrInFlight, used, do).against(&h)
}

// missing returns the violation of using a container that is not there: that is a copy, was never
// made, was disposed, joined with other parts, or is split. If it is there, missing returns nil.
func (g *Guard) missing(op string) *Violation {
	w := g.word.Load()
	switch {
	case w&live == 0:
		return NewViolation(ErrUnassigned, g.useTextOf("a container", op)+" that was never made",
			"A container's zero value is not ready: make it with its New function.")
	case g.copied():
		return g.Violation(ErrCopied, g.useText(op)+" through a copy of its struct",
			"A container must not be copied: keep and pass on the pointer that New returned.")
	case w&dead != 0 && g.partOf != nil && g.partOf.joined():
		return g.partOf.ended(g, op)
	case w&dead != 0 && g.leftTo != nil:
		return g.leftTo.refusal(g, op)
	case w&dead != 0 && op == "disposed":
		return g.Violation(ErrDisposed, g.Container()+" was disposed twice"+g.disposedAt(", the first time at "),
			"Dispose a container once, where its owner ends.")
	case w&dead != 0:
		return g.Violation(ErrDisposed, g.useText(op)+" after Dispose"+g.disposedAt(" at "), "Dispose it later, or make a new one.")
	case w&divided == 0:
		return nil
	}
	if d := g.current(); d != nil {
		return d.refusal(op)
	}
	return g.rejoined(op)
}

// rejoined returns the violation of using a container that was split when the use was refused, and
// whole again when the text was made.
func (g *Guard) rejoined(op string) *Violation {
	return g.Violation(ErrSplit, g.useText(op)+" while another goroutine joined its parts",
		"Order this use with that goroutine's Join, by a channel or a lock.")
}

// holder returns a job whose claim sets one of the given bits.
//
//go:norace
func (g *Guard) holder(bits uint64) (h holding) {
	g.lock()
	for _, list := range [...][]record{g.cur, g.prev} {
		for i := range list {
			if h.ticket == nil && list[i].mode().held()&bits != 0 {
				h = list[i].ticket.holding(list[i].claim)
			}
		}
	}
	g.unlock()
	return h
}
