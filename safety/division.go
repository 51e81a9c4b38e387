package safety

import (
	"cmp"
	"slices"

	"example.com/custody/internal/phrase"
)

// Division is a container that is split into parts, each with a guard of its own, so that jobs on
// different parts need no order. Meanwhile every use of the container itself is refused, except
// what [Guard.CheckExists] allows. [Division.Join] ends the parts and gives the container back.
//
// A Division is a field of what a container's split returns, and must not be copied.
// Join, for authors: ledger; lock; O(parts); allocates never.
// Divide, for authors: ledger; lock; O(parts); allocates a list.
//
// Invariants:
//
//	(P1) The whole's word has the bit divided from Divide to Join, and no job holds the whole
//	     meanwhile: both change the word under its lock, Divide only when the whole is free.
//	(P2) A part dies under its own lock and that of the whole, when no job holds it. So a job that
//	     claims a part is admitted before the join, which then panics, or is refused after it.
//	(P3) The whole was made before its parts, and no part is among them twice: locks are taken in
//	     the order of ids here too, each once.
type Division struct {
	self  *Division // the Division itself, to find copies
	whole *Guard
	parts []*Guard
	site  Site
	over  bool // joined; written under the whole's lock
}

// Divide splits the container with the guard whole into parts, whose guards were made for it, after
// it. It panics unless the caller has the whole to itself. The caller of the function that calls
// Divide, skip frames further up, is recorded as the place of the split.
func (d *Division) Divide(whole *Guard, parts []*Guard, skip int) {
	if d.whole != nil {
		panic(whole.Violation(ErrArgument, whole.Container()+" was split by a Division that has split "+d.whole.Container()+" before",
			"Each split has a Division of its own."))
	}
	parts = byID(parts)
	before := whole
	for _, p := range parts {
		if Enabled && p.id <= before.id {
			panic(p.Violation(ErrArgument, p.Container()+" was to be a part of "+whole.Container()+", but is no container that was made for it",
				"Make a new container for each part."))
		}
		p.untrack() // the whole is what must be disposed
		before = p
	}
	whole.checkEnder("split")
	if !d.begin(whole, parts, Caller(skip+2)) {
		whole.refuse("split", noWrite)
	}
}

//go:norace
func (d *Division) begin(g *Guard, parts []*Guard, site Site) bool {
	g.lock()
	free := g.free()
	if free {
		d.self, d.whole, d.parts, d.site = d, g, parts, site // before the word leads to it
	}
	if free && Enabled {
		g.word.Store(g.word.Load() | divided)
		g.division = d
		for _, p := range parts {
			p.scope, p.epoch = g.scope, g.epoch // a body that does not hold the whole does not hold a part
			p.partOf = d
		}
	}
	g.unlock()
	return free
}

// Join ends the parts, each use of which is refused from now on, and gives the whole back. It
// panics, and changes nothing, while an uncompleted job holds a part or a part is split itself. It
// also panics when it was called before, and through a copy. Of several goroutines that call it,
// one succeeds. A part that was disposed is no hindrance.
func (d *Division) Join() {
	if d.whole == nil {
		panic(NewViolation(ErrUnassigned, "parts were joined that were never split", "Parts are what a container's Split returns."))
	}
	if !Enabled {
		return
	}
	g := d.whole
	if d.self != d {
		panic(g.Violation(ErrCopied, "the parts of "+g.Container()+" were joined through a copy of their struct",
			"Keep and pass on the pointer that Split returned."))
	}
	if Strict && d.busy() == nil {
		g.checkOwner("joined")
	}
	busy, again := d.end()
	if again {
		panic(g.Violation(ErrDisposed, "the parts of "+g.Container()+" were joined twice",
			"Join them once; then use "+g.Container()+" itself."))
	}
	if busy == nil {
		return
	}
	if inner := busy.current(); inner != nil {
		panic(inner.refusal("joined"))
	}
	panic(busy.inFlight("joined", heldAny)) // also when it was left to the job that holds it
}

// busy returns a part that a job holds now, or that is split itself, or nil.
//
//go:norace
func (d *Division) busy() *Guard {
	for _, p := range d.parts {
		if p.word.Load()&(noWrite&^dead) != 0 {
			return p
		}
	}
	return nil
}

// end joins the parts. If one is busy or they were joined before, it joins none and returns that.
//
//go:norace
func (d *Division) end() (busy *Guard, again bool) {
	d.whole.lock()
	defer d.whole.unlock()
	if d.over || d.whole.division != d {
		return nil, true
	}
	for _, p := range d.parts {
		p.lock()
	}
	busy = d.busy()
	for _, p := range d.parts {
		if busy == nil {
			p.kill()
		}
		p.unlock()
	}
	if busy == nil {
		d.over = true
		d.whole.division = nil
		d.whole.word.Store(d.whole.word.Load() &^ divided)
	}
	return busy, false
}

// refusal returns the violation of using the whole while it is split.
func (d *Division) refusal(op string) *Violation {
	g := d.whole
	do := "Use the parts, or join them first."
	if op == "joined" {
		do = "Join its own parts first."
	}
	return g.Violation(ErrSplit, g.useText(op)+" while it is split, into "+phrase.Amount(len(d.parts), "part")+" at "+d.site.String(), do)
}

// ended returns the violation of using a part after the join.
func (d *Division) ended(part *Guard, op string) *Violation {
	return part.Violation(ErrDisposed, part.useText(op)+" after it was joined with the other parts of "+d.whole.Container(),
		"Use "+d.whole.Container()+" itself, or split it again.")
}

// current returns the division that splits the guard, or nil.
//
//go:norace
func (g *Guard) current() *Division {
	g.lock()
	d := g.division
	g.unlock()
	return d
}

// joined reports whether the parts were joined.
//
//go:norace
func (d *Division) joined() bool {
	d.whole.lock()
	over := d.over
	d.whole.unlock()
	return over
}

// byID returns the guards in the order in which they are locked.
func byID(guards []*Guard) []*Guard {
	guards = slices.Clone(guards)
	slices.SortFunc(guards, func(a, b *Guard) int { return cmp.Compare(a.id, b.id) })
	return guards
}
