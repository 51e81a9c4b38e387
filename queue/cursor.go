package queue

import (
	"example.com/custody/internal/atom"
	"example.com/custody/safety"
)

// cursor is the position of an end of an [SPSC], and what the end knows of the other one. The
// goroutine that uses the end owns the cursor, except busy and what count and others point to.
type cursor struct {
	mine  uint64 // the position that the end has reached
	near  uint64 // the end moves up to here without reading the other end's count (I6)
	limit uint64 // the position that the end may reach, by the other end's count when last read

	places   uint64 // mask of the place number in a position
	skip     int64  // what positions leave out at a lap's end: a power of two less the capacity
	ahead    uint64 // how far the end may be ahead of the other: a lap for a producer, else 0
	capacity int

	count  *atom.Uint64      // the published position of the end, and flags of the other end
	others *atom.Uint64      // the published position of the other end, and flags of this end
	guard  *safety.Guard     // of the queue
	self   *cursor           // the cursor itself; in a copy the original
	busy   atom.HiddenUint64 // 1 between claim and leave
}

// A position has the lap in its high bits, then the number of the place, then flags. So it wraps
// around with the word. The place follows from the position alone, so two goroutines at one end
// cannot use a position with the place of another.
const (
	spscClosed = 1 << iota // in the tail
	spscAsleep             // the other end waits
	spscUnit               // between a position and the next

	spscFlags = spscUnit - 1
)

// lead makes the cursor that of a producer, which may be a lap ahead of the consumer.
func (c *cursor) lead() {
	c.ahead = c.places + spscUnit
	c.limit = c.ahead
}

// exists panics if the queue was disposed or never made. A move does not call it, because a
// disposed queue is closed and empty (I4). An operation calls it when it cannot move.
func (c *cursor) exists() {
	if c.guard == nil {
		(&safety.Guard{}).CheckExists()
	}
	c.guard.CheckExists()
}

// enter begins an operation at an end in strict builds. It panics if another one is under way.
func (c *cursor) enter() *cursor {
	c.exists()
	c.claim()
	return c
}

// claim begins an operation in strict builds, and a wait in other builds. It panics if another
// goroutine is between claim and leave.
func (c *cursor) claim() {
	if !c.busy.CompareAndSwap(0, 1) {
		panic(c.notAlone())
	}
}

// leave ends the operation or the wait that claim began.
func (c *cursor) leave() { c.busy.Store(0) }

// refuse panics because the end is a copy or belongs to no queue.
func (c *cursor) refuse() {
	if c.guard == nil {
		c.exists()
	}
	panic(c.notAlone())
}

// notAlone returns the violation of using an end from two goroutines at once, or through a copy.
func (c *cursor) notAlone() *safety.Violation {
	who := "producer"
	if c.ahead == 0 {
		who = "consumer"
	}
	if c.self != c {
		return c.guard.Violation(safety.ErrCopied,
			"the "+who+"'s end of "+c.guard.Container()+" was used through a copy of its struct",
			"Neither a queue nor an end of it must be copied: "+
				"pass on the pointer that NewSPSC, Producer or Consumer has returned.")
	}
	return c.guard.Violation(safety.ErrConflict,
		c.guard.Container()+" was used by two "+who+"s at the same time",
		"Each end is one goroutine's at a time. Order the two, by a channel or a lock, or take a Ring.")
}

// position returns the position that the end has reached. An operation calls it once, at its
// beginning (I1), and it panics if the end is a copy.
func (c *cursor) position() uint64 {
	if safety.Enabled && c.self != c {
		c.refuse()
	}
	atom.Reads(&c.mine)
	return c.mine
}

// got stores the position that the end has reached, after a move by several places was published.
func (c *cursor) got(to uint64) {
	atom.Writes(&c.mine)
	c.mine = to
	atom.Writes(&c.near)
	c.near = to // (I6)
}

// place returns the number of the place of a position, in [0, capacity).
func (c *cursor) place(p uint64) int { return int(p & c.places / spscUnit) }

// after returns the position n places behind p. n is at most the capacity.
func (c *cursor) after(p uint64, n int) uint64 {
	to := p + uint64(n)*spscUnit
	if n >= c.capacity-c.place(p) {
		to += uint64(c.skip)
	}
	return to
}

// between returns the number of places from p to q, at most a lap. It is 0 if q comes before p.
func (c *cursor) between(p, q uint64) int {
	d := int64(q - p)
	if d <= 0 {
		return 0
	}
	if q&c.places <= p&c.places {
		d -= c.skip
	}
	return int(uint64(d) / spscUnit)
}

// free returns the number of places that the end may use from a position on: the free ones for a
// producer, and those with items for a consumer. It reads the other end's count only if it knows of
// fewer than want places.
func (c *cursor) free(from uint64, want int) int {
	atom.Reads(&c.limit)
	n := c.between(from, c.limit)
	if n < want && c.others != nil { // nil if the end belongs to no queue
		n = c.between(from, c.look())
	}
	return min(n, c.capacity) // two goroutines at one end may have stored an older limit
}

// look reads the other end's count and returns the position that the end may reach.
func (c *cursor) look() (limit uint64) {
	limit = c.others.Load()&^spscFlags + c.ahead
	c.limit = limit
	return limit
}

// reach sets near behind the places that the end may use from a position on, at most the given
// number, and returns how many these are. It reads the other end's count only if it knows of none.
func (c *cursor) reach(from uint64, most int) int {
	atom.Reads(&c.limit)
	limit := c.limit
	n := c.between(from, limit)
	if n == 0 && c.others != nil { // nil if the end belongs to no queue
		limit = c.look()
		n = c.between(from, limit)
	}
	if n > most {
		n, limit = most, c.after(from, most)
	}
	atom.Writes(&c.near)
	c.near = limit
	return n
}

// left returns the number of places that the end may use, for a goroutine that waits.
func (c *cursor) left() int { return c.free(c.position(), c.capacity) }
