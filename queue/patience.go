package queue

import (
	"time"

	"example.com/custody/internal/atom"
)

// patience is for how long those who wait look away between two looks.
//
// Two that keep pace with each other, item by item, send the lines that both use to and fro between their processors for
// every one. So who finds that there is more than one item when it looks again waits longer the next time, without a look:
// then there are many, and the lines go once for all of them. Where there is never more than one, as with a request and its
// answer, it looks as often as it can. The zero value is ready.
type patience struct {
	ns     atom.Uint32 // how long to look away
	sleeps atom.Uint32 // how many of the next waits sleep at once
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

// How long who waits looks on before it sleeps: about as long as it takes to sleep and be woken.
const lookTime = 10 * time.Microsecond

// A yield that lasts so long has let others compute; then the next waits sleep at once, this many: whoever is woken comes
// before those who compute, and whoever yields after them.
const (
	longYield   = time.Millisecond
	sleepAtOnce = 64
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
	var start, last time.Time // read from the second look on: most waits end with the first
	for {
		if d := p.get(); d > 0 {
			atom.Delay(d)
			if o := try(); o != blocked {
				p.adapt(d, left() > 0)
				return o
			}
			p.adapt(d, false) // who brings items may need this processor
		}
		atom.Yield()
		if o := try(); o != blocked {
			if p.get() == 0 && left() > 0 {
				p.adapt(0, true)
			}
			return o
		}
		now := time.Now()
		switch {
		case start.IsZero():
			start = now
		case now.Sub(start) > lookTime:
			if now.Sub(last) > longYield {
				p.sleeps.Store(sleepAtOnce)
			}
			return blocked
		}
		last = now
	}
}
