package parallelfor

import (
	"slices"
	"time"

	"example.com/custody/internal/atom"
	"example.com/custody/internal/gls"
	"example.com/custody/internal/handout"
)

// This file is how a worker of a recursion gets parts from others; see forks.go.

const (
	beat         = 10 * time.Microsecond // before a worker is asked for a part
	mostPenalty  = 4 * beat              // beyond that; see judge
	sharedBeats  = 3                     // that a recursion has at least which is offered to others
	longAgo      = 1                     // a time from which on any worker has saved the most
	asking       = 3 * time.Microsecond  // for the answer, before a worker asks the next
	mostPolls    = 1000                  // of a wait while the clock stands still, in a bubble
	mostBeckoned = 10                    // yields before a Join where a test wants sharing
	firstNap     = 50 * time.Microsecond // of a worker that finds nothing to do
	lastNap      = time.Millisecond
	longNap      = 1000 * time.Hour // in a bubble of testing/synctest
)

// nothing is the answer of a worker that gives nothing away.
var nothing given

// rest keeps others from asking the worker for a beat less what it has saved.
func (w *forker) rest(saved time.Duration) {
	w.level.Store(int64(w.above + w.low))
	w.since.Store(max(int64(now()-saved), 1))
}

// share returns half of what the worker has saved beyond the beat that it now spends.
func (w *forker) share() time.Duration {
	saved := min(now()-time.Duration(w.since.Load()), w.forking.most())
	return max(saved-beat, 0) / 2
}

// most is how much a worker may have saved: a beat for each other worker.
func (c *forking) most() time.Duration { return time.Duration(c.job.workers-1) * beat }

// idle notes that the worker runs nothing, and answers the worker that has asked it.
func (w *forker) idle() {
	w.since.Store(0)
	if a := w.asker.Swap(nil); a != nil {
		a.tell(&nothing)
	}
}

// tell answers the worker, which has asked (fork.I2).
func (w *forker) tell(g *given) {
	w.inbox.Store(g)
	if w.asleep.Load() != 0 {
		w.parker.Unpark()
	}
}

// asked returns the worker that asks and may have a part, or nil.
func (w *forker) asked() *forker {
	a := w.asker.Swap(nil)
	if a != nil {
		if p := a.waits.Load(); p != nil && !w.within(p) {
			a.tell(&nothing)
			return nil
		}
	}
	return a
}

// give gives the oldest right half away, to a worker that has asked.
func (w *forker) give(g *given, a *forker) {
	g.last = w.low == w.depth
	w.low++
	g.giver, g.outer, g.level, g.saved, g.at = w, w.runs, w.above+w.low, w.share(), now()
	g.thief.Store(a)
	w.rest(g.saved - w.penalty)
	a.tell(g)
}

// within reports whether the worker runs something inside of the part (fork.I4).
func (w *forker) within(p *given) bool {
	for g := w.runs; g != nil; g = g.outer {
		if g == p {
			return true
		}
	}
	return false
}

// steal runs parts until the recursion has ended.
func (w *forker) steal() {
	nap := firstNap
	for s := (atom.Spin{}); !w.forking.done(); {
		g := w.seek(&s)
		if g == nil && !s.More() {
			g = w.nap(nil, nap)
			nap = longer(nap)
			s = atom.Spin{}
		}
		if g != nil {
			w.next, w.penalty = g, 0
			gls.Within(w.forking.scope.Load(), w)
			if w.took >= beat {
				nap, s = firstNap, atom.Spin{}
			} else {
				w.seen = 0
			}
		}
	}
}

// await waits for the right half at depth d, the newest that was given away, and meanwhile runs
// parts inside of it.
func (w *forker) await(d int) {
	p, start := w.away[d], now()
	w.judge(p, start)
	w.depth = d + 1 // where the stacks of these parts begin
	w.waits.Store(p)
	w.idle()
	nap := firstNap
	for s := (atom.Spin{}); p.state.Load() != hasEnded; {
		var g *given
		if x := w.runner(p); x != nil {
			g = w.ask(x, p)
		}
		if g == nil && !s.More() {
			g = w.nap(p, nap)
			nap = longer(nap)
			s = atom.Spin{}
		}
		if g != nil {
			w.waits.Store(nil)
			w.execute(g)
			w.waits.Store(p)
			nap, s = firstNap, atom.Spin{}
		}
	}
	w.waits.Store(nil)
	w.depth, w.low = d, d
	w.beside += p.took - (now() - start)
	w.rest(-w.penalty)
}

// takesBack takes the right half at depth d back, the newest that was given away, if it has not
// begun (fork.I3). That saves a wait for a worker that wakes up, or has lost its processor.
func (w *forker) takesBack(d int) bool {
	if !w.away[d].state.CompareAndSwap(offered, retaken) {
		return false
	}
	w.back = append(w.back, w.away[d])
	w.away[d], w.low = nil, d
	return true
}

// reusable returns a part that was taken back, and that the other worker has let go since, or nil.
func (w *forker) reusable() *given {
	for i, g := range w.back {
		if g.state.Load() == letGo {
			w.back = slices.Delete(w.back, i, i+1)
			g.half.forget()
			return g
		}
	}
	return nil
}

// judge notes whether it was useful to give away the part for which the worker begins to wait. If
// that was all that the worker had, and the left half took less than a beat, the worker now only
// waits in the place of the other one. So it is not asked for longer each time, as in a list whose
// right halves are all but one node.
func (w *forker) judge(p *given, end time.Duration) {
	if p.last && end-p.at < beat {
		w.penalty = min(2*w.penalty+beat, mostPenalty)
	} else {
		w.penalty = 0
	}
}

// released reports whether the part p has ended, or if that is nil, the recursion.
func (w *forker) released(p *given) bool {
	if p != nil {
		return p.state.Load() == hasEnded
	}
	return w.forking.done()
}

// runner returns the worker that runs the part for w, or something inside of the part while that
// one waits. It returns nil if the part has ended meanwhile, so that the chain leads to w itself.
func (w *forker) runner(p *given) *forker {
	for range w.forking.forkers {
		x := p.thief.Load()
		if x == w {
			break
		}
		if p = x.waits.Load(); p == nil {
			return x
		}
	}
	return nil
}

// seek asks another worker for a part: the one with the largest, as far as levels tell. The spin
// begins anew whenever others have begun, ended or given away parts since the last seek.
func (w *forker) seek(s *atom.Spin) *given {
	all := w.forking.forkers[:w.forking.job.workers]
	var best *forker
	var highest, sum int64
	for i := 1; i < len(all); i++ {
		x := all[(w.at+i)%len(all)].Load()
		if x == nil {
			continue
		}
		since := x.since.Load()
		sum += since
		if since == 0 || x.asker.Load() != nil {
			continue
		}
		if level := x.level.Load(); best == nil || level < highest {
			best, highest = x, level
		}
	}
	if sum != w.seen && w.seen != 0 {
		*s = atom.Spin{}
	}
	w.seen = sum
	if best == nil {
		return nil
	}
	return w.ask(best, nil)
}

// ask asks another worker for a part once its beat has passed, unless a third asks it. It returns
// nil if that one has none or does not answer soon, and if the worker is released (see released).
func (w *forker) ask(x *forker, p *given) *given {
	since := time.Duration(x.since.Load())
	if since == 0 || !eager() && since+beat-now() > 2*beat || !w.puts(x) {
		return nil
	}
	rung, until := false, since+beat
	for looks := 0; !w.released(p); looks++ {
		if g := w.inbox.Load(); g != nil {
			return g.real()
		}
		if t := now(); t >= until || looks == mostPolls || eager() && !(rung && handout.Forced()) {
			if rung {
				break
			}
			x.limit.Store(0)
			rung, until, looks = true, t+asking, 0
		}
		atom.Pause()
	}
	return w.retract(x)
}

// puts puts the worker's question to x, if no other's is there (fork.I2).
func (w *forker) puts(x *forker) bool {
	w.inbox.Store(nil)
	return x.asker.CompareAndSwap(nil, w)
}

// retract takes the question back (fork.I2). If x has taken it already, retract returns the answer.
func (w *forker) retract(x *forker) *given {
	if x.asker.CompareAndSwap(w, nil) {
		return nil
	}
	for {
		if g := w.inbox.Load(); g != nil {
			return g.real()
		}
		atom.Yield()
	}
}

// real returns the part, or nil for nothing.
func (g *given) real() *given {
	if g == &nothing {
		return nil
	}
	return g
}

// nap sleeps for d, or until the worker has something to do: a part was given to it, or the part p
// has ended, if it waits for that, or otherwise the recursion has. While it sleeps it asks one that
// runs.
func (w *forker) nap(p *given, d time.Duration) *given {
	x := w.target(p)
	asked := x != nil && (eager() || time.Duration(x.since.Load())+beat <= now()) && w.puts(x)
	if asked {
		x.limit.Store(0)
	}
	w.asleep.Store(1)
	if !w.released(p) && (!asked || w.inbox.Load() == nil) {
		w.serves.block()
		if d < longNap {
			w.parker.ParkFor(d, &w.timer)
		} else {
			w.parker.Park()
		}
		w.serves.unblock()
	}
	w.asleep.Store(0)
	if !asked {
		return nil
	}
	return w.retract(x)
}

// longer returns how long a nap after one of d is. The clock of a bubble of testing/synctest jumps
// by hours while all its goroutines sleep. So naps have no bound there, and in the end no timer,
// which would keep a bubble that hangs from being found.
func longer(d time.Duration) time.Duration {
	if atom.InBubble() {
		return min(2*d, longNap)
	}
	return min(2*d, lastNap)
}

// eager reports whether workers are asked at any time: where a decision by the clock cannot be
// repeated, and where a test wants parts to be given away.
func eager() bool { return atom.Exploring() || handout.Forced() }

// beckon waits a little to be asked, and has the next Join do the same.
func (w *forker) beckon() {
	for looks := 0; looks < mostBeckoned && w.asker.Load() == nil; looks++ {
		atom.Yield()
	}
	w.limit.Store(0)
}

// target returns the worker to ask during a nap, or nil.
func (w *forker) target(p *given) *forker {
	if p != nil {
		return w.runner(p)
	}
	var free *forker
	all := w.forking.forkers[:w.forking.job.workers]
	for i := 1; i < len(all); i++ {
		if x := all[(w.at+i)%len(all)].Load(); x != nil && x.asker.Load() == nil {
			if free = x; x.since.Load() != 0 {
				break
			}
		}
	}
	return free
}
