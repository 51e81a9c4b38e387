package counter

import (
	"runtime"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/pad"
	"example.com/custody/internal/stripe"
	"example.com/custody/safety"
)

// Counter is an int64 that many goroutines add to.
//
// Use it for counts that are written often and read seldom: of events, bytes, things in flight. Use
// one atomic instead when every reading must be exact while others add, or when an addition decides
// something. A Counter must not be copied; pass on the pointer that [New] returned.
//
// All methods may be called by any goroutine at any time, except while a job holds the counter in a
// way that excludes them. Bodies of loops count by a [ParallelWriter] instead, or in a sync/atomic
// variable of their own. Each Add is atomic and never lost, whatever runs beside it and however
// GOMAXPROCS changes. Value is not a snapshot: it sees every Add that happened before it, and of
// Adds that run at the same time some and not others, even of two that follow each other. What
// happens before an Add need not happen before a Value that sees it.
//
// Cost: one atomic operation for each Add: on the base until two Adds collide there, and from then
// on a stripe, which other processors seldom touch. 0.4 KiB, and after the first collision about 4
// cache lines for each processor.
//
// Guarantees (consistency, progress, cost, allocations), beside those of every container (safety):
//
//	Add, Inc   atomic        wait-free                      O(1)                 stripes
//	Value      summed        wait-free, lock beside Locals  O(stripes + Locals)  never
//	Set, Swap  atomic        wait-free, lock beside Locals  O(stripes + Locals)  never
//	Local      linearizable  lock                           O(1)                 a few
//
// The stripes are those of LongAdder (Doug Lea, java.util.concurrent, 2011), with three
// differences. All are made at once, because Go tells the number of processors. An Add picks one by
// the address of its stack, because Go has no thread-local storage. It adds unconditionally, so it
// never retries.
type Counter struct {
	// Every Add reads these, and they are written almost never.
	stripes atom.Pointer[stripes] // nil until two Adds collide on base; then never changes
	guard   safety.Guard

	_      pad.Bytes
	base   atom.Int64 // what is not in stripes, locals or lanes
	_      pad.Bytes
	locals locals
	lanes  lanes[int64] // of the job that holds the counter in mode Append
}

// New returns a counter that is 0.
func New(opts ...safety.Option) *Counter {
	c := new(Counter)
	c.guard.Init(c, 0, opts...)
	c.guard.Phases((*counterPhases)(c))
	return c
}

// Add adds d, which may be negative; the count wraps around. It is atomic and wait-free, and legal
// beside a [ParallelWriter]. It panics with a violation while any other job holds c.
//
// Cost: about that of one atomic while one goroutine adds, and less for each when many do.
func (c *Counter) Add(d int64) {
	c.guard.CheckAppend()
	if t := c.stripes.Load(); t != nil {
		t.pick().Add(d)
		return
	}
	if v := c.base.Load(); !c.base.CompareAndSwap(v, v+d) {
		c.collided(d)
	}
}

// Inc is Add(1).
func (c *Counter) Inc() { c.Add(1) }

// collided adds d to a stripe, after Add has failed to change the base because another call changed
// it first. It makes the stripes if there are none.
func (c *Counter) collided(d int64) {
	if c.stripes.Load() == nil {
		c.stripes.CompareAndSwap(nil, newStripes(stripe.Count(runtime.GOMAXPROCS(0))))
	}
	c.stripes.Load().pick().Add(d)
}

// Value returns the count. It reads the parts of it one after the other, which is not a snapshot:
// it sees every Add that happened before it and may see any that runs beside it. It is wait-free
// while c has no Locals and takes a lock otherwise. It panics with a violation while a job that
// changes c holds it.
//
// Cost: one load for each stripe and Local.
func (c *Counter) Value() int64 {
	c.guard.CheckRead()
	return c.sum()
}

// Set is Swap without the result: every Add that happened before is gone, none that happens after
// is, and one that runs beside it counts as either.
func (c *Counter) Set(v int64) { c.Swap(v) }

// Swap makes the count v and returns the count before. Each Add is in exactly one result: of Swaps
// that run beside each other and beside Adds, the results and the last Value together are what was
// added and set. It is wait-free while c has no Locals and takes a lock otherwise. It panics with a
// violation while any job holds c.
//
// Cost: one atomic exchange for each stripe and Local.
func (c *Counter) Swap(v int64) int64 {
	c.guard.CheckWrite()
	held := c.locals.hold()
	old := c.base.Swap(v) // one exchange for each part, so an Add is wholly taken or left (counter.I1)
	if t := c.stripes.Load(); t != nil {
		for i := range t.counts {
			old += t.counts[i].n.Swap(0)
		}
	}
	if held {
		old += c.locals.take()
		c.locals.mu.Unlock()
	}
	return old
}

// sum returns the sum of all parts. While there are Locals it holds their lock, so that no Close
// moves a count from a part not yet read to one already read (counter.I3).
func (c *Counter) sum() int64 {
	held := c.locals.hold()
	v := c.base.Load()
	if t := c.stripes.Load(); t != nil {
		for i := range t.counts {
			v += t.counts[i].n.Load()
		}
	}
	if held {
		v += c.locals.sum()
		c.locals.mu.Unlock()
	}
	return v
}

// Dispose ends the counter: every later use is a violation, and so is a Dispose while a job holds
// it. The garbage collector frees the memory, also without Dispose.
func (c *Counter) Dispose() { c.guard.Dispose() }

// DisposeAfter is Dispose for a counter that jobs hold. From now on every use is a violation,
// except those of h's job and of the jobs that it runs after. If another job holds the counter,
// DisposeAfter is a violation and changes nothing.
func (c *Counter) DisposeAfter(h safety.Handle) { c.guard.DisposeAfter(h, func() {}) }

// Disposed reports whether the counter was disposed.
func (c *Counter) Disposed() bool { return c.guard.Disposed() }

// counterPhases has the methods of a Counter that the ledger calls when a phase opens and when it
// ends.
type counterPhases Counter

// OpenPhase implements safety.Phased.
func (x *counterPhases) OpenPhase(p *safety.Phase) {
	if p.Mode == safety.Append {
		openLanes(&x.lanes, p)
	}
}

// SealPhase adds what the kept spans counted to the base, in one atomic addition: Adds beside it
// are neither lost nor disturbed.
func (x *counterPhases) SealPhase(p *safety.Phase) {
	if p.Mode != safety.Append {
		return
	}
	n := total(p.State.(*lanes[int64]), p.Kept)
	if into := outer[int64](p); into != nil {
		addTo(into, n)
		return
	}
	atom.Hide() // batches are ordered before what follows Complete, not before every user of the base
	x.base.Add(n)
	atom.Show()
}

// total returns what the kept spans counted, and clears the lanes.
//
//go:norace
func total(ls *lanes[int64], kept int) (sum int64) {
	for _, l := range ls.list {
		for k := range l.count() {
			if first, n := l.span(k); first < kept {
				sum += *n
			}
		}
		l.clear()
	}
	return sum
}

// addTo adds what a nested job counted to the lane of the body that passed the view on.
//
//go:norace
func addTo(l *lane[int64], n int64) { l.part += n }
