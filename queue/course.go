package queue

import (
	"math/bits"

	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// course is where an end of an [SPSC] is. It is its goroutine's; what is not has its own synchronisation.
type course struct {
	mine  uint64 // the position that the end has got to
	near  uint64 // the one before which it goes on without a look (I6)
	limit uint64 // the one that it can get to, by where the other end was when it was looked at last

	places   uint64 // what of a position is the place
	skip     int64  // what positions leave out at the end of a lap
	ahead    uint64 // how far the end may be ahead of the other one: a lap for the producer, not at all for the consumer
	capacity int

	count  *atom.Uint64  // the position that the end has made known, and flags of the other end
	others *atom.Uint64  // the other end's, and this one's flags
	guard  *safety.Guard // the queue's
	self   *course       // finds copies
	busy   atom.HiddenUint64
}

// A position has the lap in its high bits, then the number of the place, then flags. So it wraps around with the word, and
// says by itself which place it is: an end keeps nothing beside it that two goroutines could tear apart.
const (
	spscClosed = 1 << iota // in the tail
	spscAsleep             // the other end waits
	spscUnit               // between a position and the next

	spscFlags = spscUnit - 1
)

// begin makes the course one of an end of a queue with so many places, at position 0.
func (c *course) begin(g *safety.Guard, capacity int, count, others *atom.Uint64) {
	lap := int64(1) << bits.Len(uint(capacity-1))
	c.places, c.skip, c.capacity = uint64(lap-1)*spscUnit, (lap-int64(capacity))*spscUnit, capacity
	c.count, c.others, c.guard, c.self = count, others, g, c
}

// lead makes the course that of a producer.
func (c *course) lead() {
	c.ahead = c.places + spscUnit
	c.limit = c.ahead
}

// exists panics when the queue was disposed, or never made. Who moves finds that by itself, and asks then (I4).
func (c *course) exists() {
	if c.guard == nil {
		(&safety.Guard{}).CheckExists()
	}
	c.guard.CheckExists()
}

// enter begins an operation at an end in strict builds. It panics when another one is under way.
func (c *course) enter() {
	c.exists()
	c.claim()
}

// claim begins what one goroutine does at a time: an operation in strict builds, and a wait in others.
func (c *course) claim() {
	if !c.busy.CompareAndSwap(0, 1) {
		panic(c.notAlone())
	}
}

// leave ends what claim began.
func (c *course) leave() { c.busy.Store(0) }

// refuse panics because the end is a copy, or none that a queue has given out.
func (c *course) refuse() {
	if c.guard == nil {
		c.exists()
	}
	panic(c.notAlone())
}

// notAlone is the violation of using an end from two goroutines at the same time, or through a copy of it.
func (c *course) notAlone() *safety.Violation {
	who := "producer"
	if c.ahead == 0 {
		who = "consumer"
	}
	if c.self != c {
		return c.guard.Violation(safety.ErrCopied, "the "+who+"'s end of "+c.guard.Container()+" was used through a copy of its struct",
			"Neither a queue nor an end of it must be copied: pass on the pointer that NewSPSC, Producer or Consumer has returned.")
	}
	return c.guard.Violation(safety.ErrConflict, c.guard.Container()+" was used by two "+who+"s at the same time",
		"Each end is one goroutine's at a time. Order the two, by a channel or a lock, or take a Ring.")
}

// position returns the position that the end has got to. An operation asks once (I1), and so finds out whether the end is a copy.
func (c *course) position() uint64 {
	if safety.Enabled && c.self != c {
		c.refuse()
	}
	atom.Plain()
	return c.mine
}

// got keeps the position that the end has got to by several places, and has made known.
func (c *course) got(to uint64) {
	atom.Plain()
	c.mine = to
	atom.Plain()
	c.near = to // (I6)
}

// place returns the number of the place of a position.
func (c *course) place(p uint64) int { return int(p & c.places / spscUnit) }

// after returns the position n places behind p, n at most the capacity.
func (c *course) after(p uint64, n int) uint64 {
	to := p + uint64(n)*spscUnit
	if n >= c.capacity-c.place(p) {
		to += uint64(c.skip)
	}
	return to
}

// between returns how many places lie from p to q, which is at most a lap behind; none when it comes first.
func (c *course) between(p, q uint64) int {
	d := int64(q - p)
	if d <= 0 {
		return 0
	}
	if q&c.places <= p&c.places {
		d -= c.skip
	}
	return int(uint64(d) / spscUnit)
}

// free returns how many places from a position on the end may use: for a producer those that are free, for a consumer those
// that have items. There may be more if they are at least as many as are wanted.
func (c *course) free(from uint64, want int) int {
	atom.Plain()
	n := c.between(from, c.limit)
	if n < want && c.others != nil { // nil where there is no queue
		n = c.between(from, c.look())
	}
	return min(n, c.capacity) // for who is not alone
}

// look returns the position that the end can get to.
func (c *course) look() (limit uint64) {
	limit = c.others.Load()&^spscFlags + c.ahead
	c.limit = limit
	return limit
}

// reach returns how many places from a position on the end may use without a look from now on, at most so many; none says that
// there is none.
func (c *course) reach(from uint64, most int) int {
	atom.Plain()
	limit := c.limit
	n := c.between(from, limit)
	if n == 0 && c.others != nil { // nil where there is no queue
		limit = c.look()
		n = c.between(from, limit)
	}
	if n > most {
		n, limit = most, c.after(from, most)
	}
	atom.Plain()
	c.near = limit
	return n
}

// left is free for who waits: all that there are.
func (c *course) left() int { return c.free(c.position(), c.capacity) }
