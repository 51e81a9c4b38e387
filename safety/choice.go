package safety

import (
	"cmp"
	"slices"

	"example.com/custody/internal/atom"
)

// Choice is which of two guards is the front one: those of a container with two buffers, where readers
// get the front and a writer the back, and which change places when the writer's custody returns. Its
// zero value is ready.
//
// A view asks for Front or Back when it is asked for its claim, and puts the Choice into it. The ledger
// admits the claim only if the choice would be the same then, so that no job that another goroutine
// completes in between makes a writer write the front.
type Choice struct {
	swaps  atom.HiddenUint32 // the lowest bit says which is the front
	turns  atom.HiddenUint32 // how often a job came to hold the back while no other did; written under its lock
	due    bool              // the back came back from a job that ran to its end, and nobody holds it since; under its lock
	guards [2]*Guard
}

// Init sets the two guards; the first is the front.
func (c *Choice) Init(front, back *Guard) {
	c.guards = [2]*Guard{front, back}
	back.untrack() // the two are one container
	front.mate = back
}

// Front returns 0 or 1: which guard is the front.
func (c *Choice) Front() int { return int(c.swaps.Load() & 1) }

// Back returns 0 or 1: which guard is the back.
func (c *Choice) Back() int { return 1 - c.Front() }

// Turns returns how often a job has come to hold the back while no other job did. So what a job finds in the back is
// what jobs have left that it runs after, and that hold it still, if the number is that of theirs; and if not it is
// what was there before custody returned, be they failed or completed, whether the two have changed places since or
// not. It stays what it is while a job holds the back.
func (c *Choice) Turns() uint32 { return c.turns.Load() }

// Swap makes the back the front, if its custody has returned from jobs the last of which ran to its end; it is what the
// container's ReturnPhase calls. When a job that writes the back was admitted since, they change places when that one
// returns: what it has found there is never seen. The second of two calls that overlap does nothing.
//
//go:norace
func (c *Choice) Swap() {
	g := c.guards[c.Back()]
	g.lock()
	if c.due && g == c.guards[c.Back()] {
		c.due = false
		c.swaps.Store(c.swaps.Load() + 1)
	}
	g.unlock()
}

// begin notes that a job comes to hold the guard of the claim, which is locked.
//
//go:norace
func (c *Claim) begin() {
	if c.Choice == nil || !c.Mode.changes() {
		return
	}
	c.Choice.due = false
	if g := c.Guard; g.changers() == 0 && g.written == 0 {
		c.Choice.turns.Store(c.Choice.turns.Load() + 1)
	}
}

// end notes that nobody holds the guard of the claim any more, which is locked. ok says whether the last job ran to its end.
//
//go:norace
func (c *Claim) end(ok bool) {
	if c.Choice != nil && c.Mode.changes() {
		c.Choice.due = ok
	}
}

// Dispose ends the container of both guards: it panics while an uncompleted job holds one of them,
// or when it was disposed before, and then neither is. Of several goroutines that try, one
// succeeds. The guards must be those that lie in the container, not copies of them, so that a
// copied container is refused.
func (c *Choice) Dispose(front, back *Guard) {
	back.checkCopy("disposed")
	if back.idle() {
		front.checkEnder("disposed")
	}
	front.checkCopy("disposed")
	var at trail
	at.leave()
	if g := endBoth(front, back, &at); g != nil {
		g.refuse("disposed", noWrite)
	}
	front.untrack()
}

// endBoth makes both guards dead and notes at as where the container was disposed, if both guards
// are free. Otherwise it returns one that is not.
//
//go:norace
func endBoth(first, second *Guard, at *trail) (busy *Guard) {
	pair := byID(first, second)
	lockAll(pair)
	for _, g := range pair {
		if busy == nil && !g.free() {
			busy = g
		}
	}
	for _, g := range pair {
		if busy == nil {
			g.disposed = *at
			g.kill()
		}
	}
	unlockAll(pair)
	return busy
}

// moved says whether the claim is not on the guard that its view would choose now. The guard is locked.
func (c *Claim) moved() bool {
	if c.Choice == nil || c.from != nil {
		return false
	}
	which := c.Choice.Front()
	if c.Mode.changes() {
		which = 1 - which
	}
	return c.Choice.guards[which] != c.Guard
}

// byID returns the guards in the order in which they are locked.
func byID(guards ...*Guard) []*Guard {
	guards = slices.Clone(guards)
	slices.SortFunc(guards, func(a, b *Guard) int { return cmp.Compare(a.id, b.id) })
	return guards
}

// lockAll locks guards, which are in their order, and unlockAll unlocks them.
//
//go:norace
func lockAll(ordered []*Guard) {
	for _, g := range ordered {
		g.lock()
	}
}

//go:norace
func unlockAll(ordered []*Guard) {
	for _, g := range ordered {
		g.unlock()
	}
}
