package queue

import (
	"time"

	"example.com/custody/internal/atom"
)

// patience is for how those who wait at an end of a queue look again: how long they look away between two looks, how closely
// they look, and when they had better sleep at once. It is a guess from the last waits, and never changes what an operation
// says. The zero value is ready.
//
// Two that keep pace with each other, item by item, send the lines that both use to and fro between their processors for
// every one. So who finds that there is more than one item when it looks again waits longer the next time, without a look:
// then there are many, and the lines go once for all of them. Where there is never more than one, as with a request and its
// answer, it looks as often as it can; and where there is nearly all that there can be the other side has had to wait, and it
// waits shorter.
//
// Two that answer each other do so fastest on one processor: who yields there lets the other one answer. When they are on two,
// a yield is of no use; so they look closely, without yields, and now and then one sleeps, because who is woken runs where the
// other one does. When a close look was in vain, it takes longer until the next one.
type patience struct {
	most   int               // of what is waited for there is no more than that; 0: there may be
	ns     atom.HiddenUint32 // how long to look away
	sleeps atom.HiddenUint32 // how many of the next waits sleep at once
	apart  atom.HiddenUint32 // how many of the last waits were of two that answer each other from two processors
	vain   atom.HiddenUint32 // how many close looks, one after the other, were in vain
	rest   atom.HiddenUint32 // how many of the next waits do not look closely, because too many were
}

// The shortest time to look away, and the longest, in nanoseconds.
const (
	leastDelay = 64
	mostDelay  = 8192
)

// get returns for how many nanoseconds to look away.
func (p *patience) get() int { return int(p.ns.Load()) }

// adapt says whether it was good to have looked away for so long: then it may be longer, and otherwise shorter.
func (p *patience) adapt(d int, good bool) {
	next := d / 2
	if good {
		next = min(max(2*d, leastDelay), mostDelay)
	}
	if next < leastDelay {
		next = 0
	}
	if next != d {
		p.ns.Store(uint32(next))
	}
}

// lookTime is how long a goroutine that waits looks before it sleeps: about the time that it takes
// to sleep and be woken. A goroutine looks at most mostLooks times, for a clock that stands still;
// more looks do not fit into lookTime. In a bubble of testing/synctest it looks once.
const (
	lookTime  = 10 * time.Microsecond
	mostLooks = 1 << 12
)

// A yield that lasts so long has let others compute; then the next waits sleep at once, this many: whoever is woken comes
// before those who compute, and whoever yields after them.
const (
	longYield   = time.Millisecond
	sleepAtOnce = 64
)

// How often two that answer each other from two processors look before they yield, and how many nanoseconds lie between; after
// how many such waits one of them sleeps; and after how many in vain, one after the other, so many waits go without.
const (
	closeLooks = 16
	closeDelay = 32
	mostClose  = 16
	mostVain   = 16
	longRest   = 512
)

// lookOn is what who has found nothing does before it sleeps: it tries again now and then. left says how much of what it waits
// for there is. Explored programs sleep at once: it changes nothing that they are to show.
func (p *patience) lookOn(try func() outcome, left func() int) outcome {
	if atom.Explored {
		return blocked
	}
	if n := p.sleeps.Load(); n > 0 {
		p.sleeps.Store(n - 1) // of several that do so at a time one counts
		return blocked
	}
	if p.apart.Load() > 0 {
		if o := p.lookClosely(try); o != blocked {
			return o
		}
	}
	var start, last time.Time // read from the second look on: most waits end with the first
	for looks := 0; ; looks++ {
		if d := p.get(); d > 0 {
			atom.Delay(d)
			if o := try(); o != blocked {
				n := left()
				p.adapt(d, n > 0 && (p.most == 0 || n < p.most-p.most/4))
				return o
			}
			p.adapt(d, false) // who brings items may need this processor
		}
		atom.Yield()
		if o := try(); o != blocked {
			more := left() > 0
			if more && p.get() == 0 {
				p.adapt(0, true)
			}
			p.note(!more && !start.IsZero())
			return o
		}
		now := time.Now()
		switch {
		case start.IsZero():
			if start = now; atom.Bubbled(now) {
				return blocked
			}
		case now.Sub(start) > lookTime || looks > mostLooks:
			if now.Sub(last) > longYield {
				p.sleeps.Store(sleepAtOnce)
			}
			return blocked
		}
		last = now
	}
}

// lookClosely is the first part of the wait of one of two that answer each other from two processors.
func (p *patience) lookClosely(try func() outcome) outcome {
	for range closeLooks {
		atom.Delay(closeDelay)
		o := try()
		if o == blocked {
			continue
		}
		n := p.apart.Load() + 1
		if n > mostClose {
			n = 0
			p.sleeps.Store(1)
		}
		p.apart.Store(n)
		p.vain.Store(0)
		return o
	}
	n := p.vain.Load() + 1
	if n == mostVain { // the other one is none of two, or shares the processor
		n = 0
		p.apart.Store(0)
		p.rest.Store(longRest)
	}
	p.vain.Store(n)
	return blocked
}

// note keeps whether a wait that ended with a yield was one of two on different processors: the first yield brought nothing,
// and then there was one item.
func (p *patience) note(apart bool) {
	switch r, n := p.rest.Load(), p.apart.Load(); {
	case r > 0:
		p.rest.Store(r - 1)
	case apart && n == 0:
		p.apart.Store(1)
	case !apart && n > 0:
		p.apart.Store(0)
		p.vain.Store(0)
	}
}
