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
// Use it for counts that are written often and read seldom: of events, bytes, things in flight. When
// every reading must be exact while others add, or when additions must decide something, one atomic
// is the right thing.
//
// All methods may be called by any goroutine at any time, except while a job holds the counter in a
// way that excludes them. A counter must not be copied; pass on the pointer that New returned. Each
// Add is one atomic operation and never lost, whatever runs beside it and however GOMAXPROCS changes.
// Value is not a snapshot: of Adds that run at the same time it may see some and not others, even of
// two that follow each other; every Add that happened before the Value is seen. What happens before an
// Add need not happen before a Value that sees it.
//
// Cost: one atomic operation for each Add: on the base while nobody collides there, and from the
// first collision on, on a cell that other processors seldom touch. About 0.4 KiB, and then about 4
// cells for each processor more.
//
// The stripes are those of LongAdder (Doug Lea, java.util.concurrent, 2011): a base while nobody
// collides, cells afterwards. We differ in that the cells are made all at once, because Go tells how
// many processors there are; that they are picked by the address of the stack, because Go has no
// thread-local storage; and that they are added to unconditionally, so that no Add ever tries twice.
type Counter struct {
	// Read by every Add and written almost never.
	stripes atom.Pointer[table] // nil until two Adds collide on base; then never changes
	guard   safety.Guard

	_      pad.Bytes
	base   atom.Int64 // what is not in stripes, locals or lanes
	_      pad.Bytes
	locals locals
	lanes  lanes[int64] // the lanes of the job that holds the counter in mode Append, empty outside phases
}

// New returns a counter that is 0.
func New(opts ...safety.Option) *Counter {
	c := new(Counter)
	c.guard.Init(c, 0, opts...)
	c.guard.Phases((*counterPhases)(c))
	return c
}

// Add adds d, which may be negative. The count wraps around. Its effect is atomic; it is wait-free.
// It is legal beside a [ParallelWriter]. It panics with a violation while any other job holds c.
//
// Cost: about that of one atomic while one goroutine adds, and less than that for each when many do.
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

// Value returns the count: a sum of cells read one after the other, not a snapshot. It sees every Add
// that happened before it and may see any that runs beside it. It is wait-free while c has no Locals
// and takes a lock otherwise. It panics with a violation while a job that changes c holds it.
//
// Cost: one load for each stripe and Local.
func (c *Counter) Value() int64 {
	c.guard.CheckRead()
	return c.sum()
}

// Set makes the count v. Every Add that happened before is gone, none that happens after is, and one
// that runs beside it counts as either. It panics with a violation while any job holds c.
//
// Cost and progress: as Swap.
func (c *Counter) Set(v int64) {
	c.guard.CheckWrite()
	c.swap(v)
}

// Reset is Set(0).
func (c *Counter) Reset() {
	c.guard.CheckWrite()
	c.swap(0)
}

// Swap is Set that returns the count before. Each Add is in exactly one result: of Swaps that run
// beside each other and beside Adds, the results and the last Value together are what was added and
// set. It panics with a violation while any job holds c.
//
// Cost: one atomic exchange for each stripe and Local. It is wait-free while c has no Locals and takes
// a lock otherwise.
func (c *Counter) Swap(v int64) int64 {
	c.guard.CheckWrite()
	return c.swap(v)
}

// Dispose ends the counter: every use afterwards is a violation, and so is a Dispose while a job holds
// it. It is not needed for memory.
func (c *Counter) Dispose() { c.guard.Dispose() }

// DisposeAfter is Dispose for a counter that jobs hold: every use from now on is a violation, but that of the
// handle's job and of those that it runs after. Another job that holds it is a violation; then nothing changes.
func (c *Counter) DisposeAfter(after safety.Handle) { c.guard.DisposeAfter(after, func() {}) }

// Disposed says whether Dispose was called.
func (c *Counter) Disposed() bool { return c.guard.Disposed() }

// collided adds d after another Add was met at the base. It makes the stripes if there are none.
func (c *Counter) collided(d int64) {
	if c.stripes.Load() == nil {
		c.stripes.CompareAndSwap(nil, newTable(stripe.Count(runtime.GOMAXPROCS(0))))
	}
	c.stripes.Load().pick().Add(d)
}

// sum adds all cells up. While there are locals their lock is held, so that no fold moves a count
// from a cell not yet read to one already read (I3).
func (c *Counter) sum() int64 {
	held := c.locals.hold()
	v := c.base.Load()
	if t := c.stripes.Load(); t != nil {
		for i := range t.cells {
			v += t.cells[i].n.Load()
		}
	}
	if held {
		v += c.locals.sum()
		c.locals.mu.Unlock()
	}
	return v
}

// swap takes what is in every cell and puts v into the base. Each cell is taken by one exchange, so
// an Add is wholly taken or wholly left (I1).
func (c *Counter) swap(v int64) int64 {
	held := c.locals.hold()
	old := c.base.Swap(v)
	if t := c.stripes.Load(); t != nil {
		for i := range t.cells {
			old += t.cells[i].n.Swap(0)
		}
	}
	if held {
		old += c.locals.take()
		c.locals.mu.Unlock()
	}
	return old
}

// counterPhases hears of the phases of a Counter.
type counterPhases Counter

// OpenPhase implements safety.Phased.
func (x *counterPhases) OpenPhase(p *safety.Phase) {
	c := (*Counter)(x)
	if p.Mode == safety.Append {
		openLanes(&c.lanes, p)
	}
}

// SealPhase implements safety.Phased. It adds what the kept runs counted to the base by one atomic
// addition, so ordinary Adds beside it are neither lost nor disturbed.
func (x *counterPhases) SealPhase(p *safety.Phase) {
	c := (*Counter)(x)
	if p.Mode != safety.Append {
		return
	}
	n := total(p.State.(*lanes[int64]), p.Kept)
	if into, nested := p.Into.(*lane[int64]); nested {
		addTo(into, n)
		return
	}
	atom.Hide() // cells are ordered before what follows Complete, not before every user of the base
	c.base.Add(n)
	atom.Show()
}

// total returns what the kept runs counted and clears the lanes.
//
//go:norace
func total(ls *lanes[int64], kept int) (sum int64) {
	for _, l := range ls.list {
		for k := range l.count() {
			if first, n := l.run(k); first < kept {
				sum += *n
			}
		}
		l.clear()
	}
	return sum
}

// addTo adds what a nested job counted to the lane of the body that lent the view on.
//
//go:norace
func addTo(l *lane[int64], n int64) { l.part += n }
