package queue

import (
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/stripe"
)

// backoff says how the goroutines that wait at an end of a queue poll it: how long they delay
// between two tries, and when they sleep at once. It is a guess from the last waits and does not
// affect results. The zero value is ready.
//
// Two goroutines that keep pace item by item move the cache lines that both use between their
// processors for every item. So a goroutine that finds several items after a delay doubles the
// delay: the lines then move once for all of them. If it finds one item, as in a request and its
// reply, it halves the delay. It also halves it if it finds nearly as many as there can be, because
// then the other side has had to wait.
//
// Two goroutines that reply to each other are fastest on one processor, where a yield lets the
// other one reply. On two processors a yield does not help. There a goroutine polls closely,
// without yields, and now and then sleeps once, because a woken goroutine runs where the other one
// runs. After too many close polls without success, the next waits do not poll closely.
type backoff struct {
	most    int               // bound of the items or places waited for; 0: there is none
	ns      atom.HiddenUint32 // delay between two tries, in nanoseconds
	sleeps  atom.HiddenUint32 // number of the next waits that sleep at once
	replies atom.HiddenUint32 // number of the last waits for replies from another processor
	misses  atom.HiddenUint32 // number of close polls without success, since the last success
	skips   atom.HiddenUint32 // number of the next waits that do not poll closely
}

const (
	leastDelay = 64 // bounds of a delay that is not 0, in nanoseconds
	mostDelay  = 8192

	// A goroutine polls for about the time that it takes to sleep and be woken. mostPolls is for a
	// clock that stands still: more polls do not fit into pollTime. In a bubble of testing/synctest
	// a goroutine polls once.
	pollTime  = 10 * time.Microsecond
	mostPolls = 1 << 12

	// A yield of longYield has let other goroutines compute. Then the next sleepAtOnce waits sleep:
	// a woken goroutine runs before those that compute, one that yields runs after them.
	longYield   = time.Millisecond
	sleepAtOnce = 64

	closePolls  = 16  // number of tries of a close poll
	closeDelay  = 32  // delay between them, in nanoseconds
	mostReplies = 16  // after this many waits for replies the next wait sleeps
	mostMisses  = 16  // after this many misses no wait polls closely
	longSkip    = 512 // for this many waits
)

// delay returns the delay between two tries, in nanoseconds.
func (b *backoff) delay() int { return int(b.ns.Load()) }

// adapt doubles the delay if a delay of d was good, and halves it otherwise.
func (b *backoff) adapt(d int, good bool) {
	next := d / 2
	if good {
		next = min(max(2*d, leastDelay), mostDelay)
	}
	if next < leastDelay {
		next = 0
	}
	if next != d {
		b.ns.Store(uint32(next))
	}
}

// poll calls try now and then, for a goroutine that has found nothing, until try returns another
// outcome than blocked or the goroutine is to sleep. left returns how much of what the goroutine
// waits for there is. In explored programs poll returns at once, because tries change nothing.
func (b *backoff) poll(try func() outcome, left func() int) outcome {
	if atom.Exploring() {
		return blocked
	}
	if n := b.sleeps.Load(); n > 0 {
		b.sleeps.Store(n - 1) // of concurrent decrements one counts
		return blocked
	}
	if b.replies.Load() > 0 {
		if o := b.pollClosely(try); o != blocked {
			return o
		}
	}
	var start, last time.Time // set from the second try on: most waits end with the first
	for polls := 0; ; polls++ {
		if d := b.delay(); d > 0 {
			atom.Delay(d)
			if o := try(); o != blocked {
				n := left()
				b.adapt(d, n > 0 && (b.most == 0 || n < b.most-b.most/4))
				return o
			}
			b.adapt(d, false) // the other side may need this processor
		}
		atom.Yield()
		if o := try(); o != blocked {
			more := left() > 0
			if more && b.delay() == 0 {
				b.adapt(0, true)
			}
			b.note(!more && !start.IsZero())
			return o
		}
		now := atom.Now()
		switch {
		case start.IsZero():
			if start = now; atom.Bubbled(now) {
				return blocked
			}
		case now.Sub(start) > pollTime || polls > mostPolls:
			if now.Sub(last) > longYield {
				b.sleeps.Store(sleepAtOnce)
			}
			return blocked
		}
		last = now
	}
}

// pollClosely is the first part of poll if the last wait was for a reply from another processor. It
// tries without a yield. After mostMisses failures in a row, longSkip waits do not poll closely.
func (b *backoff) pollClosely(try func() outcome) outcome {
	for range closePolls {
		atom.Delay(closeDelay)
		o := try()
		if o == blocked {
			continue
		}
		n := b.replies.Load() + 1
		if n > mostReplies {
			n = 0
			b.sleeps.Store(1)
		}
		b.replies.Store(n)
		b.misses.Store(0)
		return o
	}
	n := b.misses.Load() + 1
	if n == mostMisses { // nothing replies, or it runs on this processor
		n = 0
		b.replies.Store(0)
		b.skips.Store(longSkip)
	}
	b.misses.Store(n)
	return blocked
}

// note records whether a wait that ended after a yield was for a reply from another processor. It
// was if the first yield brought nothing, and then there was one item.
func (b *backoff) note(reply bool) {
	switch s, n := b.skips.Load(), b.replies.Load(); {
	case s > 0:
		b.skips.Store(s - 1)
	case reply && n == 0:
		b.replies.Store(1)
	case !reply && n > 0:
		b.replies.Store(0)
		b.misses.Store(0)
	}
}

// meetDelay is about the delay, in nanoseconds, of a goroutine that has met another one at the same
// end. Two that use an end at the same time move its two cache lines between two processors. Each
// operation then takes as long as 5 to 10 operations of one goroutine alone. The delay doubles each
// time that one operation meets another, mostDoubled times at most. So of many goroutines few are
// at an end, and their operations come in rows.
const (
	meetDelay   = 2000
	mostDoubled = 7
)

// backOff delays a goroutine that has met another one at the same end, and has done so met times
// before in its operation. The delay differs with the position at, and among goroutines, so that
// those that met seldom meet again.
func backOff(met int, at uint64) {
	if !atom.Exploring() { // there it is a step that does nothing
		d := meetDelay << min(met, mostDoubled)
		atom.Delay(d/2 + int((at*0x9e3779b97f4a7c15+stripe.Hint())>>32*uint64(d)>>32))
	}
}

// pauses are the pauses of an operation that waits for another one that is about to complete.
type pauses struct {
	n     int      // number of pauses
	met   int      // how often the operation has met another one that was faster
	delay int      // of the first pause, in nanoseconds; 0: it yields
	of    *backoff // if not nil, determines delay, and learns whether it was good
}

// pause pauses between two tries. The first pause keeps the processor if there is a delay: most
// often the other operation runs on another processor, and is faster if its cache lines stay there.
func (p *pauses) pause() {
	p.n++
	if p.of != nil {
		p.delay = max(p.of.delay(), leastDelay)
	}
	if p.n > 1 || p.delay == 0 || atom.Exploring() {
		atom.Yield()
	} else {
		atom.Delay(p.delay)
	}
}

// meet delays an operation that has met another one at the position at.
func (p *pauses) meet(at uint64) {
	backOff(p.met, at)
	p.met++
}

// learns reports whether the operation is to call learn. Explored programs learn nothing.
func (p *pauses) learns() bool { return !atom.Exploring() && p.n > 0 }

// learn doubles the delay if more is true: the next operation would succeed. If not, it halves it.
func (p *pauses) learn(more bool) { p.of.adapt(p.delay, more) }
